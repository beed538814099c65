"""What a Word file has beside its text, and how the text is laid out."""

from __future__ import annotations

import pytest

from ingest.readers import docx
from tests.ingest.readers.test_docx import cell, paragraph, run, table, word_file

REMARK = f'<w:comment w:id="1">{paragraph("Really?")}</w:comment>'
HEAD, OFF = "<w:tblHeader/>", '<w:tblHeader w:val="0"/>'


def test_headers_footers_and_picture_descriptions_are_not_part_of_the_text(tmp_path):
    described = (
        '<w:r><w:drawing><wp:inline xmlns:wp="urn:x"><wp:docPr id="1" name="Picture" descr="A pier at dusk"/></wp:inline>'
        "</w:drawing></w:r>"
    )
    beside = paragraph("Running head.")
    reading = docx.read(word_file(tmp_path, paragraph(run("Words.") + described), header=beside, footer=beside))
    assert (reading.text, reading.warnings) == ("Words.", ())
    assert reading.notes == ("Left out (headers and footers): “Running head.”",)


@pytest.mark.parametrize(
    ("header", "notes"),
    [
        ("DRAFT – NOT BINDING", ("Left out (headers and footers): “DRAFT – NOT BINDING”",)),
        *[(number, ()) for number in ("", "3", "- iv -", "Page 3 of 9", "Seite 3", "第 3 頁，共 9 頁")],
    ],
)
def test_header_that_says_more_than_a_page_number_is_told(tmp_path, header, notes):
    assert docx.read(word_file(tmp_path, paragraph("Words."), header=paragraph(header))).notes == notes


@pytest.mark.parametrize(
    ("comments", "expected_notes"),
    [
        ("", ()),
        (REMARK, ("1 margin comment was left out.",)),
        (REMARK * 3, ("3 margin comments were left out.",)),
    ],
)
def test_comments_are_counted_and_not_part_of_the_text(tmp_path, comments, expected_notes):
    body = paragraph(run("Words.") + '<w:r><w:commentReference w:id="1"/></w:r>')
    reading = docx.read(word_file(tmp_path, body, comments=comments))
    assert (reading.text, reading.warnings, reading.notes) == ("Words.", (), expected_notes)


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        ([HEAD, HEAD, "", HEAD], ["0\tx\n1\tx"]),
        (["", HEAD], []),
        ([HEAD, OFF], ["0\tx"]),
        ([HEAD, HEAD], []),
    ],
)
def test_rows_that_word_repeats_on_each_page_are_header_rows(tmp_path, rows, heads):
    written = [f"<w:trPr>{row}</w:trPr>" + cell(str(number)) + cell("x") for number, row in enumerate(rows)]
    reading = docx.read(word_file(tmp_path, table(*written)))
    assert [reading.text[start:end] for start, end in reading.table_headers] == heads
