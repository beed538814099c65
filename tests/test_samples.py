"""The samples show what they were made to show."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pypdfium2 as pdfium
import pytest
import reportlab

from highlighter.text.sentences import split_sentences
from ingest.readers import read_document
from samples.making import contract, letter, policy, tides
from samples.making.__main__ import QUESTIONS, make_samples
from samples.making.paper import Faces

SAMPLES = Path(__file__).parent.parent / "samples"
VERA = Path(reportlab.__file__).parent / "fonts"
# Fonts that come with reportlab, so that the script is tried on machines without the samples' own.
ANYWHERE = Faces(
    *(str(VERA / name) for name in ("Vera.ttf", "VeraBd.ttf", "VeraIt.ttf", "Vera.ttf", "VeraBd.ttf", "Vera.ttf"))
)


def pages(name: str) -> list[str]:
    with pdfium.PdfDocument(SAMPLES / name) as document:
        return [page.get_textpage().get_text_range() for page in document]


def squeezed(text: str) -> str:
    """Without white space, and with words broken at a line's end (PDFium marks the hyphen) joined."""
    return re.sub(r"\s", "", re.sub("\ufffe\\s*", "", text))


def test_the_script_writes_the_same_bytes_each_time(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        make_samples(folder, ANYWHERE)
    names = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert len(names) == 9
    assert {name: (first / name).read_bytes() for name in names} == {
        name: (second / name).read_bytes() for name in names
    }


def test_what_needs_no_font_is_what_the_script_writes(tmp_path):
    make_samples(tmp_path, ANYWHERE)
    for path in [*tmp_path.glob("*.txt"), *tmp_path.rglob("*.json")]:
        assert path.read_bytes() == (SAMPLES / path.relative_to(tmp_path)).read_bytes(), path.name


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name.endswith(".pdf")])
def test_each_answer_is_written_in_its_pdf(name):
    text = squeezed("".join(re.sub(r"Page \d of \d|Skerry Point Harbour Works · .*", "", page) for page in pages(name)))
    for question, answer in QUESTIONS[name]:
        assert squeezed(answer) in text, question


@pytest.mark.parametrize("name", [name for name in QUESTIONS if name.endswith(".txt")])
def test_each_answer_is_written_in_its_text_file(name):
    text = squeezed((SAMPLES / name).read_text(encoding="utf-8"))
    for question, answer in QUESTIONS[name]:
        assert squeezed(answer) in text, question


def test_each_answer_is_written_in_the_word_file():
    from docx import Document

    text = "\n".join(paragraph.text for paragraph in Document(SAMPLES / policy.NAME).paragraphs)
    for question, answer in policy.QUESTIONS:
        assert answer in text, question


def test_questions_json_lists_three_to_five_questions_for_every_readable_sample():
    listed = json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    files = {path.name for pattern in ("*.pdf", "*.docx", "*.txt") for path in SAMPLES.glob(pattern)}
    assert {entry["file"] for entry in listed} == files - {letter.NAME}
    assert all(3 <= len(entry["questions"]) <= 5 for entry in listed)


def test_a_clause_of_the_contract_runs_over_a_page_and_another_over_a_column():
    first, second, third, _ = pages(contract.NAME)
    assert second.rstrip().splitlines()[-1].endswith("pays delay damages")
    assert "of £4,200." in third
    with pdfium.PdfDocument(SAMPLES / contract.NAME) as document:
        text = document[0].get_textpage()
        left = text.get_charbox(first.index("would endanger"))[0]
        right = text.get_charbox(first.index("people, harm the mole"))[0]
    assert left < 297 < right


def test_the_contract_has_words_broken_at_line_ends():
    assert sum(page.count("\ufffe") for page in pages(contract.NAME)) >= 5


def test_the_scan_has_a_picture_and_no_text():
    assert squeezed("".join(pages(letter.NAME))) == ""
    with pdfium.PdfDocument(SAMPLES / letter.NAME) as document:
        assert [item.type for item in document[0].get_objects()] == [pdfium.raw.FPDF_PAGEOBJ_IMAGE]


def test_the_second_page_of_the_tide_tables_is_rotated():
    with pdfium.PdfDocument(SAMPLES / tides.NAME) as document:
        assert [page.get_rotation() for page in document] == [0, 90]


def test_the_samples_are_small():
    assert sum(path.stat().st_size for path in SAMPLES.glob("*.*")) < 2_000_000


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_each_answer_is_a_whole_sentence_of_the_text_that_is_read(name):
    text = read_document(SAMPLES / name, name.rpartition(".")[2]).text
    sentences = {sentence.text for sentence in split_sentences(text)}
    assert {answer for _, answer in QUESTIONS[name]} <= sentences
