"""Tests of python -m highlighter check."""

import json

import docx
import pytest
from reportlab.pdfgen.canvas import Canvas

from highlighter.__main__ import main


def write_pdf(path, text):
    canvas = Canvas(str(path))
    canvas.drawString(72, 720, text)
    canvas.save()


def write_docx(path, text):
    document = docx.Document()
    document.add_paragraph(text)
    document.save(path)


def write_page(path, text):
    path.write_text(f"<html><body><p>{text}</p></body></html>", encoding="utf-8")


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    source, answer = tmp_path / "contract.txt", tmp_path / "answer.txt"
    source.write_text(
        "Payment is due within 28 days of the invoice. The Contractor shall not work at night.", encoding="utf-8"
    )
    answer.write_text("Payment is due within 14 days of the invoice.", encoding="utf-8")
    return str(answer), str(source)


def test_check_prints_verdicts_and_exit_status_follows_them(files, capsys):
    answer, source = files
    assert main(["check", answer, "--source", source]) == 1
    out = capsys.readouterr().out
    assert "contradicted" in out
    assert "28 days where the claim says 14 days" in out
    assert main(["check", source, "--source", source, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["grounded"] is True


def test_answer_without_claims_is_no_failure(files, tmp_path, capsys):
    refusal = tmp_path / "refusal.txt"
    refusal.write_text("I could not find anything about insurance.", encoding="utf-8")
    assert main(["check", str(refusal), "--source", files[1]]) == 0
    assert "no claims" in capsys.readouterr().out


@pytest.mark.parametrize(("kind", "write"), [("pdf", write_pdf), ("docx", write_docx), ("html", write_page)])
def test_source_is_read_as_ingestion_reads_it(files, tmp_path, capsys, kind, write):
    source = tmp_path / f"source.{kind}"
    write(source, "The gate opens at noon on Sundays.")
    answer = tmp_path / "answer.txt"
    answer.write_text("The gate opens at noon on Sundays.", encoding="utf-8")
    assert main(["check", str(answer), "--source", str(source)]) == 0
    assert "supported" in capsys.readouterr().out


def test_wrong_usage_exits_with_2(files, tmp_path, capsys):
    answer, source = files
    blank = tmp_path / "blank.pdf"
    write_pdf(blank, "")
    assert main(["check", answer, "--source", str(blank)]) == 2
    assert "blank.pdf cannot be read: " in capsys.readouterr().err
    assert main(["check", answer]) == 2
    assert main(["check", answer + ".nowhere", "--source", source]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_batch_has_a_check_or_an_error_for_each_line(files, tmp_path, capsys):
    text = "Payment is due within 28 days of the invoice."
    lines = [
        {"id": "a", "answer": text, "sources": [{"text": text}]},
        {"id": "b", "answer": text, "sources": [{"document_id": "0" * 32}]},
        {"id": 3, "answer": "Payment is due within 14 days of the invoice.", "sources": [{"text": text}]},
    ]
    batch = tmp_path / "in.jsonl"
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["check", "--jsonl", str(batch)]) == 1
    checked = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["id"] for line in checked] == ["a", "b", 3]
    assert [line.get("grounded") for line in checked] == [True, None, False]
    assert checked[1]["error"].endswith(".")
    batch.write_text('{"id": 1, "answer": "So.", "sources": [{}]}', encoding="utf-8")
    assert main(["check", "--jsonl", str(batch)]) == 2
    assert "line 1 needs id, answer and sources" in capsys.readouterr().err
    assert main(["check"]) == 2
