"""Tests of the commands highlight, documents and delete, and of the help."""

from __future__ import annotations

import io
import json

import pytest

from highlighter import __main__ as command_line
from highlighter.cli import highlight
from highlighter.store.document_metadata import add_tags
from tests.conftest import NOTE

TICKET, ANSWER = "How much is a ticket?", "Tickets cost four pounds and are sold on board."


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "ferry.txt"
    path.write_text(NOTE, encoding="utf-8")
    return str(path)


def test_highlights_are_bracketed_in_pipe(run, text):
    status, out, _ = run("highlight", "--question", TICKET, text)
    assert status == 0
    assert f"⟦{ANSWER}⟧" in out
    assert out.replace("⟦", "").replace("⟧", "").strip() == NOTE.strip()


def test_highlights_are_coloured_in_terminal(services):
    evidence = services.passage_highlighter.highlight_text(TICKET, NOTE)
    assert f"\x1b[30;43m{ANSWER}\x1b[0m" in highlight.format_highlighted_text(NOTE, evidence, is_colored=True)


def test_highlight_json_has_every_sentence(run, text):
    _, out, _ = run("highlight", "--question", TICKET, "--json", text)
    answer = json.loads(out)
    assert [s["text"] for s in answer["sentences"] if s["highlighted"]] == [ANSWER]
    assert all(NOTE[s["start"] : s["end"]] == s["text"] for s in answer["sentences"])


def test_explain_option_prints_reasons(run, text):
    _, out, _ = run("highlight", "--question", TICKET, "--explain", text)
    assert "shares Tickets; similarity" in out
    answer = json.loads(run("highlight", "--question", TICKET, "--explain", "--json", text)[1])
    (because,) = [s["because"] for s in answer["sentences"] if s["highlighted"]]
    assert because["shared"] == ["Tickets"]
    assert set(because) == {"shared", "speaks_for", "speaks_against"}


def test_highlight_reads_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(NOTE))
    assert f"⟦{ANSWER}⟧" in run("highlight", "--question", TICKET, "-")[1]


def test_batch_highlights_passages_in_order(run, tmp_path, services):
    passages = [{"id": n, "question": TICKET, "context": NOTE + f" Line\u2028number {n}."} for n in range(130)]
    passages.append({"id": "empty", "question": TICKET, "context": ""})
    (tmp_path / "in.jsonl").write_text("\n".join(json.dumps(p, ensure_ascii=False) for p in passages), encoding="utf-8")
    status, _, _ = run("highlight", "--jsonl", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out.jsonl"))
    assert status == 0
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [*range(130), "empty"]
    assert lines[-1]["sentences"] == []
    alone = services.passage_highlighter.highlight_text(TICKET, passages[7]["context"])
    assert [s["highlighted"] for s in lines[7]["sentences"]] == [s.highlighted for s in alone.sentences]
    assert set(lines[7]["sentences"][0]) == {"start", "end", "score", "highlighted"}


@pytest.mark.parametrize(
    "arguments",
    [("highlight",), ("highlight", "no-question.txt"), ("highlight", "--question", "who?", "/no/such/file")],
)
def test_wrong_usage_exits_with_2_and_message(run, arguments):
    status, _, err = run(*arguments)
    assert status == 2
    assert err.startswith("python -m highlighter: ")


def test_invalid_batch_line_is_named(run, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"id": 1, "question": "who?", "context": "Bob."}\n{"id": 2}\n')
    status, _, err = run("highlight", "--jsonl", str(tmp_path / "in.jsonl"))
    assert status == 2
    assert "line 2 needs id, question and context" in err


def test_documents_command_lists_documents(run, note):
    assert "note.txt" in run("documents")[1]
    assert json.loads(run("documents", "--json")[1])["document_id"] == note.id
    assert "No matching documents" in run("documents", "--collection", "nobody")[1]


def test_documents_and_answers_are_limited_to_tags(run, services, note):
    add_tags(services.catalog.engine, [note.id], ["signed"])
    assert "note.txt" in run("documents", "--tag", "other", "--tag", "signed")[1]
    assert "No matching documents" in run("documents", "--tag", "other")[1]
    answer = run("ask", "How much is a ticket?", "--tag", "signed")[1]
    assert "four pounds" in answer
    assert answer.rstrip().endswith("quoted directly, no AI model used")
    assert run("ask", "How much is a ticket?", "--where", "tags=other")[0] == 1
    assert run("ask", "How much is a ticket?", "--where", "tags")[0] == run("documents", "--where", "tags")[0] == 2


@pytest.mark.parametrize("command", [[], ["serve"], ["highlight"], ["documents"]])
def test_command_help_has_examples(command, capsys):
    with pytest.raises(SystemExit) as exit_info:
        command_line.main([*command, "--help"])
    assert exit_info.value.code == 0
    assert "examples:" in capsys.readouterr().out


def test_delete_accepts_prefix_of_id(run, services, note):
    assert run("delete", note.id[:8])[0] == 2  # without a terminal, deletion is not confirmed
    assert services.catalog.document(note.id) is not None
    status, out, _ = run("delete", "--yes", "--json", note.id[:8])
    assert (status, json.loads(out)) == (0, {"document_id": note.id, "deleted": True})
    assert services.catalog.document(note.id) is None


@pytest.mark.parametrize("id", ["0", "ffffffffffff"])
def test_delete_with_unknown_id_deletes_nothing(run, note, id):
    status, _, err = run("delete", "--yes", id)
    assert status == 2
    assert f"Document {id}" in err
