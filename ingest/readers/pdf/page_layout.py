"""Lay out one page: its fragments as blocks in reading order, with its notes at the end."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import NamedTuple

from ingest.readers.pdf.blocks import NOTE, TEXT, PdfBlock, PdfLine, is_sentence_end
from ingest.readers.pdf.columns import Row, split_regions
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.margin_notes import split_margin_notes
from ingest.readers.pdf.pages import PageContent
from ingest.readers.pdf.region_blocks import build_region_blocks
from ingest.readers.pdf.ruled_tables import replace_ruled_tables
from ingest.readers.pdf.ruling_lines import RulingLines
from ingest.readers.pdf.tagged_cells import tag_cells
from ingest.readers.pdf.tagged_layout import (
    build_tagged_blocks,
    count_broken_sentences,
    is_sound,
    select_body,
)

_NOTE_MARK = re.compile(
    r"^(?:/?\d{1,3}/?(?![.,]?[\d%])|[*∗†‡§¶]{1,3}|\(\d{1,2}\)|\[\d{1,3}\]|[a-z](?=\s?[A-Z]))[\s.)]*\S"
)
_TYPED_RULE = re.compile(r"[-_–—]{5,40}")  # in text written on a typewriter
_MIN_BODY_SHARE = 0.1  # of a page's characters: with less in the size of the document's text, it is set in another
_MAX_NOTE_SIZE_RATIO = 0.93  # a footnote is smaller than the text by at least this


class PageLayout(NamedTuple):
    """The blocks of a page in reading order, and whether that is the order of the file's structure tree."""

    blocks: list[PdfBlock]
    is_tagged: bool


def lay_out_page(parts: list[list[Fragment]], page: PageContent, body: float, *, is_slide: bool = False) -> PageLayout:
    """Return the layout of a page, of one or more parts: as it looks, unless its structure tree keeps more sentences together.

    Files name cells in any order and take whole lists for one paragraph, so the tree has to prove itself on each page. That of a
    slide is made from its boxes, and only has to be sound.
    """
    visual = [
        block
        for part, fragments in enumerate(parts)
        for block in build_page_blocks(fragments, page.ruling_lines, body, part)
    ]
    if page.structure is None:
        return PageLayout(visual, False)
    tag_cells(visual, page.structure, page.tagged_fragments)
    broken_count = count_broken_sentences(visual)
    tagged = select_body(page.tagged_fragments, list(chain.from_iterable(parts)))
    if not (broken_count or is_slide) or not is_sound(page.structure, tagged):
        return PageLayout(visual, False)
    blocks = build_tagged_blocks(page.structure, tagged)
    if not is_slide and count_broken_sentences(blocks) >= broken_count:
        return PageLayout(visual, False)
    rest = [fragment for fragment in tagged if fragment.block < 0]
    return PageLayout(blocks + build_page_blocks(rest, page.ruling_lines, body, len(parts)), True)


def build_page_blocks(fragments: list[Fragment], rules: RulingLines, body: float, part: int = 0) -> list[PdfBlock]:
    """Return the blocks of a page or of a part of it; `body` is the font size of the document's running text."""
    body = _find_body_size(fragments, body)
    turns: Counter[int] = Counter()
    for fragment in fragments:
        turns[fragment.turn] += len(fragment.text)
    blocks: list[PdfBlock] = []
    notes: list[PdfBlock] = []
    region_number = 0
    for turn, _ in turns.most_common():
        lines = rules.rotate(turn)
        turned = [fragment for fragment in fragments if fragment.turn == turn]
        turned, margin_notes = split_margin_notes(replace_ruled_tables(turned, lines))
        for region in split_regions(turned, lines.horizontal):
            is_note_open = bool(notes) and not is_sentence_end(notes[-1].last.text)
            text, note_rows = _split_off_notes(region, lines, body, is_note_open)
            region_blocks = build_region_blocks(text)
            region_number += 1
            for index, block in enumerate(region_blocks):
                block.region, block.blocks_above, block.blocks_below = (
                    (fragments[0].page, part, region_number),
                    index,
                    len(region_blocks) - 1 - index,
                )
            blocks += region_blocks
            _add_notes(notes, build_region_blocks(note_rows), is_note_open)
        for note in margin_notes:
            _add_notes(notes, [PdfBlock(TEXT, [[[PdfLine([fragment]) for fragment in note]]])], False)
    return blocks + notes


def _find_body_size(fragments: list[Fragment], body: float) -> float:
    """Return the font size of a page's running text: the document's, unless next to nothing of the page is as large."""
    sizes: Counter[float] = Counter()
    for fragment in fragments:
        sizes[fragment.size] += len(fragment.text)
    large_count = sum(count for size, count in sizes.items() if size >= _MAX_NOTE_SIZE_RATIO * body)
    return body if large_count >= _MIN_BODY_SHARE * sizes.total() else sizes.most_common(1)[0][0]


def _split_off_notes(
    rows: list[Row], rules: RulingLines, body: float, is_note_open: bool
) -> tuple[list[Row], list[Row]]:
    """Split a column into its rows and the footnotes at its end: small print, or rows with a mark under a rule.

    Small print may continue the note that the column before leaves open.
    """
    for index in range(1, len(rows)):
        if _NOTE_MARK.match(rows[index][0].text) and _has_short_rule(rows, index, rules):
            return rows[:index], rows[index:]
        is_under_typed_rule = len(rows[index - 1]) == 1 and _TYPED_RULE.fullmatch(rows[index - 1][0].text)
        if is_under_typed_rule and _NOTE_MARK.match(rows[index][0].text):
            return rows[: index - 1], rows[index:]
    start = len(rows)
    while start and max(fragment.size for fragment in rows[start - 1]) < _MAX_NOTE_SIZE_RATIO * body:
        start -= 1
    if is_note_open and 0 < start < len(rows) and rows[start][0].text[:1].islower():
        return rows[:start], rows[start:]
    while start < len(rows) and not _NOTE_MARK.match(" ".join(fragment.text for fragment in rows[start])):
        start += 1
    return (rows[:start], rows[start:]) if start else (rows, [])


def _has_short_rule(rows: list[Row], index: int, rules: RulingLines) -> bool:
    """Return whether a line that is short for the column, such as separates notes from text, stands above a row."""
    x0, x1 = min(row[0].x0 for row in rows), max(row[-1].x1 for row in rows)
    above, below = rows[index - 1][0].base, rows[index][0].base
    return any(
        above < y < below and abs(start - x0) < 12 and 30 < stop - start < 0.55 * (x1 - x0)
        for y, start, stop in rules.horizontal
    )


def _add_notes(notes: list[PdfBlock], blocks: list[PdfBlock], is_note_open: bool) -> None:
    """Add blocks to a page's notes, the first to the note that the column before leaves open."""
    for block in blocks:
        block.kind = NOTE
    if is_note_open and blocks and blocks[0].first.text[:1].islower():
        notes[-1].items[-1][0].extend(blocks[0].items[0][0])
        notes[-1].items += blocks[0].items[1:]
        blocks = blocks[1:]
    notes += blocks
