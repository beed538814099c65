"""The canonical text is split into its blocks."""

from __future__ import annotations

import pytest

from highlighter.store.source_map import SourceMap
from ingest.readers.extracted_document import ExtractedDocument, Heading
from ingest.typeset.blocks import HEADING, LIST, NOTES, PARAGRAPH, TABLE, split_blocks


def split_text(text: str, **more):
    return split_blocks(ExtractedDocument(text, SourceMap(), (), **more))


def test_kinds_of_blocks_follow_from_blank_lines_tabs_and_spans():
    text = "Title\n\nWords.\n\n1. one\n2. two\n\na\tb\n\n[1] note"
    blocks = split_text(text, headings=(Heading(0, 5, 2),))
    assert [block.kind for block in blocks] == [HEADING, PARAGRAPH, LIST, TABLE, NOTES]
    assert blocks[0].level == 2


def test_a_mark_in_brackets_in_mid_text_is_no_note():
    assert [block.kind for block in split_text("[1] first\n\nWords.")] == [PARAGRAPH, PARAGRAPH]


@pytest.mark.parametrize(
    ("text", "depths"),
    [
        ("1. a\na) b\nb) c\n2. d", [0, 1, 1, 0]),
        ("• a\n◦ b\n▪ c\n• d", [0, 1, 2, 0]),
        ("1.1 a\n(i) b\n1.2 c", [0, 1, 0]),
        ("Ann\nBergen", [0, 0]),
    ],
)
def test_depth_of_an_item_follows_from_its_marker(text, depths):
    assert [row[0].depth for row in split_text(text)[0].rows] == depths


def test_cells_are_spans_of_the_text_even_when_empty():
    text = "a\t\tc\n\td"
    assert [[text[cell.start : cell.end] for cell in row] for row in split_text(text)[0].rows] == [
        ["a", "", "c"],
        ["", "d"],
    ]
