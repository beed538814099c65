"""Lines of code on typeset pages."""

from __future__ import annotations

import pypdfium2 as pdfium
import pytest

from highlighter.store.source_map import SourceMap
from ingest.readers.extracted_document import ExtractedDocument
from ingest.typeset.reportlab_typesetter import typeset_with_reportlab

CODE = """\
def tide(hour):
    if hour < 6:
        return   "low"
    return "high"  # until noon"""


def find_word_positions(out, text: str, extracted: ExtractedDocument) -> list[list[float]]:
    """Return the x position of each word, line by line."""
    positions = []
    with pdfium.PdfDocument(out) as document:
        at = 0
        for line in text.split("\n"):
            xs = []
            for number, char in enumerate(line):
                if not char.isspace() and (number == 0 or line[number - 1].isspace()):
                    page, raw, _ = extracted.source_map.raw_spans(at + number, at + number + 1)[0]
                    textpage = document[page - 1].get_textpage()
                    assert chr(pdfium.raw.FPDFText_GetUnicode(textpage, raw)) == char
                    xs.append(textpage.get_charbox(raw, loose=True)[0])
            positions.append(xs)
            at += len(line) + 1
    return positions


def typeset(out, text: str) -> ExtractedDocument:
    return typeset_with_reportlab(ExtractedDocument(text, SourceMap(), (), code_spans=((0, len(text)),)), "x", out)


def test_each_word_of_code_stands_in_its_column(tmp_path):
    document = typeset(tmp_path / "a.pdf", CODE)
    positions = find_word_positions(tmp_path / "a.pdf", CODE, document)
    left = positions[0][0]
    column = (positions[1][0] - left) / 4
    assert 4 < column < 7
    for line, xs in zip(CODE.split("\n"), positions, strict=True):
        begins = [at for at, char in enumerate(line) if not char.isspace() and (at == 0 or line[at - 1].isspace())]
        assert xs == pytest.approx([left + column * at for at in begins], abs=0.6)


@pytest.mark.parametrize("line", ["x = 1 + " * 60, " " * 200 + "deep", "名 = " + "值" * 90 + "   # end", "y" * 900])
def test_line_of_code_wider_than_the_page_is_wrapped_without_loss(tmp_path, line):
    text = f"def f():\n    {line.rstrip()}"
    extracted = typeset(tmp_path / "a.pdf", text)
    covered = {at for run in extracted.source_map.runs for at in range(run.start, run.end)}
    assert all(at in covered for at, char in enumerate(text) if not char.isspace())
    with pdfium.PdfDocument(tmp_path / "a.pdf") as document:
        textpage = document[0].get_textpage()
        assert max(textpage.get_charbox(at)[2] for at in range(textpage.count_chars())) < 595 - 60
