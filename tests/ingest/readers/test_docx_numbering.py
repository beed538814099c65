"""List numbers are counted and written as Word does."""

from __future__ import annotations

import pytest
from lxml import etree

from ingest.readers.docx_numbering import Numbering, format_number
from tests.ingest.readers.test_docx import SPACES, paragraph, text_of


def level(index: int, kind: str, text: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/><w:lvlText w:val="{text}"/>{more}'
        "</w:lvl>"
    )


LEGAL = (
    '<w:abstractNum w:abstractNumId="0">'
    + level(0, "decimal", "%1.")
    + level(1, "lowerLetter", "(%2)")
    + level(2, "decimal", "%1.%2.%3", "<w:isLgl/>")
    + "</w:abstractNum>"
)


def numbering(inside: str) -> Numbering:
    return Numbering(etree.fromstring(f"<w:numbering {SPACES}>{inside}</w:numbering>"))


def use(number_id: int, more: str = "") -> str:
    return f'<w:num w:numId="{number_id}"><w:abstractNumId w:val="0"/>{more}</w:num>'


def test_deeper_levels_restart_under_each_number():
    lists = numbering(LEGAL + use(1))
    assert [lists.next_marker("1", deep) for deep in (0, 1, 1, 0, 1, 2)] == ["1.", "(a)", "(b)", "2.", "(a)", "2.1.1"]


def test_two_lists_of_one_definition_continue_the_count():
    lists = numbering(LEGAL + use(1) + use(2))
    assert [lists.next_marker("1", 0), lists.next_marker("2", 0)] == ["1.", "2."]


def test_list_with_a_start_override_restarts():
    start = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    lists = numbering(LEGAL + use(1) + use(2, start))
    assert [lists.next_marker("1", 0), lists.next_marker("2", 0), lists.next_marker("2", 0)] == ["1.", "5.", "6."]


def test_bullets_of_symbol_fonts_become_characters_that_show_the_depth():
    bullets = "".join(level(deep, "bullet", "\uf0b7") for deep in range(3)) + level(3, "bullet", "–")
    lists = numbering(f'<w:abstractNum w:abstractNumId="0">{bullets}</w:abstractNum>' + use(1))
    assert [lists.next_marker("1", deep) for deep in range(4)] == ["•", "◦", "▪", "–"]


def test_number_without_a_list_has_no_marker():
    assert numbering(LEGAL).next_marker("7", 0) == ""
    assert Numbering(None).next_marker("1", 0) == ""


@pytest.mark.parametrize(
    ("count", "kind", "text"),
    [
        (3, "decimal", "3"),
        (3, "decimalZero", "03"),
        (28, "lowerLetter", "bb"),
        (4, "upperRoman", "IV"),
        (21, "chineseCounting", "二十一"),
        (10, "chineseCountingThousand", "十"),
        (2, "none", ""),
        (2, "unheardOf", "2"),
    ],
)
def test_number_has_the_format_of_its_list(count, kind, text):
    assert format_number(count, kind) == text


def test_list_paragraphs_that_follow_each_other_are_one_block(tmp_path):
    def item(text: str, deep: int) -> str:
        return paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{deep}"/><w:numId w:val="1"/></w:numPr>')

    body = paragraph("Before.") + item("One", 0) + item("Two", 1) + item("Three", 0) + paragraph("After.")
    assert text_of(tmp_path, body, numbering=LEGAL + use(1)) == "Before.\n\n1. One\n(a) Two\n2. Three\n\nAfter."


def test_a_numbered_heading_keeps_its_number(tmp_path):
    styles = (
        '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    body = paragraph("Scope", "H1") + paragraph("Words.") + paragraph("Terms", "H1")
    assert text_of(tmp_path, body, styles=styles, numbering=LEGAL + use(1)) == "1. Scope\n\nWords.\n\n2. Terms"
