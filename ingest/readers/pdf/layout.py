"""One page: its fragments into blocks in reading order, with its notes and its hidden text at the end."""

from __future__ import annotations

import re
from collections import Counter

from ingest.readers.pdf.blocks import HIDDEN, NOTE, Block, Line
from ingest.readers.pdf.columns import Row, leaves
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.paragraphs import paragraphs
from ingest.readers.pdf.ruled import with_tables
from ingest.readers.pdf.rules import Rules
from ingest.readers.pdf.tables import part_tables

_NOTE_MARK = re.compile(r"^(?:\d{1,3}|[*∗†‡§¶]{1,3}|\(\d{1,2}\)|\[\d{1,3}\]|[a-z](?=[A-Z ]))[\s.)]*\S")
_NOTE_SIZE = 0.93  # a footnote is set smaller than the text by at least this


def page_blocks(fragments: list[Fragment], rules: Rules, body: float) -> list[Block]:
    """`body` is the font size of the document's running text."""
    seen = [fragment for fragment in fragments if not fragment.hidden]
    turns = Counter()
    for fragment in seen:
        turns[fragment.turn] += len(fragment.text)
    blocks: list[Block] = []
    notes: list[Block] = []
    count = 0
    for turn, _ in turns.most_common():
        lines = rules.turned(turn)
        for leaf in leaves(with_tables([fragment for fragment in seen if fragment.turn == turn], lines)):
            text, below = _without_notes(leaf, lines, body)
            found = _leaf_blocks(text)
            count += 1
            for at, block in enumerate(found):
                block.leaf, block.before, block.after = (fragments[0].page, count), at, len(found) - 1 - at
            blocks += found
            notes += [_as_note(block) for block in _leaf_blocks(below)]
    return blocks + notes + _hidden(fragments)


def _leaf_blocks(rows: list[Row]) -> list[Block]:
    if not rows:
        return []
    column = (min(row[0].x0 for row in rows), max(row[-1].x1 for row in rows))
    blocks: list[Block] = []
    for part in part_tables(rows):
        blocks += [part] if isinstance(part, Block) else paragraphs(part, column)
    return blocks


def _without_notes(rows: list[Row], rules: Rules, body: float) -> tuple[list[Row], list[Row]]:
    """A column's rows, and the footnotes at its end: small print, or what stands under a short line; with a mark."""
    for at in range(1, len(rows)):
        if _NOTE_MARK.match(rows[at][0].text) and _short_rule(rows, at, rules):
            return rows[:at], rows[at:]
    start = len(rows)
    while start and max(fragment.size for fragment in rows[start - 1]) < _NOTE_SIZE * body:
        start -= 1
    while start < len(rows) and not _NOTE_MARK.match(" ".join(fragment.text for fragment in rows[start])):
        start += 1
    return (rows[:start], rows[start:]) if start else (rows, [])


def _short_rule(rows: list[Row], at: int, rules: Rules) -> bool:
    """Whether a line stands over this row that is short for the column: what parts notes from text."""
    x0, x1 = min(row[0].x0 for row in rows), max(row[-1].x1 for row in rows)
    above, below = rows[at - 1][0].base, rows[at][0].base
    return any(
        above < y < below and abs(start - x0) < 12 and 30 < stop - start < 0.55 * (x1 - x0)
        for y, start, stop in rules.level
    )


def _as_note(block: Block) -> Block:
    block.kind = NOTE
    return block


def _hidden(fragments: list[Fragment]) -> list[Block]:
    """What is there to copy but not to see, apart from the text so that it breaks no sentence that is seen."""
    blocks: list[Block] = []
    for fragment in fragments:
        if not fragment.hidden:
            continue
        line = Line([fragment])
        if blocks and blocks[-1].why == fragment.hidden:
            blocks[-1].items[-1][0].append(line)
        else:
            blocks.append(Block(HIDDEN, [[[line]]], why=fragment.hidden))
    return blocks
