"""Lay out a tagged page by its structure tree, where the tree is sound and keeps sentences together."""

from __future__ import annotations

from itertools import groupby, pairwise

from ingest.list_markers import LONE_MARKER
from ingest.readers.pdf.blocks import (
    NOTE,
    TABLE,
    TEXT,
    Cell,
    PdfBlock,
    PdfLine,
    is_sentence_end,
)
from ingest.readers.pdf.columns import is_mostly_rtl
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.paragraphs import build_paragraphs
from ingest.readers.pdf.structure_tree import CELL, GROUP, ITEM, NOTE_BLOCK, PageStructure, StructureBlock
from ingest.readers.pdf.table_rows import sort_in_reading_order

_MIN_COVERED_SHARE = 0.95  # of a page's characters must be in the tree
_MAX_WHITE_EMS = 3.2  # between two lines of one paragraph
_MAX_ROOM_SHARE = 0.3  # of the width, at the end of a line within a paragraph
_MAX_TORN_SHARE = 0.1  # of a page's paragraphs may have such white or room in them
_MAX_UPWARD_SHARE = 0.2  # of a page's blocks may stand above the one before them
_MIN_FULL_SHARE = 0.8  # of the column's width, in a last line after which a paragraph may continue
_MAX_LABEL_GAP_EMS = 1.5  # between a label and its text
_MAX_MARKER_GAP_EMS = 3.0  # between the bullet or number of an item and its text
_LIST_ENDS = ",，、"  # after an item of a list
_MIN_SENTENCE_CHARACTERS = 50  # a shorter text without full stop may be a title


def is_sound(structure: PageStructure, fragments: list[Fragment]) -> bool:
    """Return whether nearly all text of a page is in its tree, once, in paragraphs without wide white."""
    total = sum(len(fragment.text) for fragment in fragments)
    covered = sum(len(fragment.text) for fragment in fragments if fragment.block >= 0)
    if structure.is_ambiguous or not structure.blocks or not total or covered < _MIN_COVERED_SHARE * total:
        return False
    lines_by_block = {number: _build_lines(group) for number, group in _group_by_block(fragments).items()}
    if sum(map(_is_torn, lines_by_block.values())) > _MAX_TORN_SHARE * len(lines_by_block):
        return False
    tables = _find_rows(structure, lines_by_block)
    # A single cell may span the table; among others, cells that span columns or rows have no place.
    are_ragged = any(len({len(row) for row in table} - {1}) > 1 for table in tables)
    if _runs_upward(structure, lines_by_block):
        return False
    return not are_ragged and not any(_is_disordered(row) for table in tables for row in table)


def _is_torn(lines: list[PdfLine]) -> bool:
    """Return whether white within a paragraph, or lines that end early, show that it is several."""
    return any(
        b.base - a.base > 0 and (b.base - a.base > _MAX_WHITE_EMS * max(a.size, b.size) or _ends_early(a, b, lines))
        for a, b in pairwise(lines)
    )


def _ends_early(line: PdfLine, following: PdfLine, lines: list[PdfLine]) -> bool:
    """Return whether the first word of the next line had room at the end of a line, in its column."""
    column = [other for other in lines if other.x0 < line.x1 and other.x1 > line.x0]
    x0, x1 = _measure_column(column)
    word = len(following.text.split(" ", 1)[0]) + 1
    width = (following.x1 - following.x0) / max(len(following.text), 1)
    return max(line.x0 - x0, x1 - line.x1) > max(_MAX_ROOM_SHARE * (x1 - x0), word * width)


def _runs_upward(structure: PageStructure, lines_by_block: dict[int, list[PdfLine]]) -> bool:
    """Return whether many blocks stand above the block before them, in the same column."""
    blocks = [lines_by_block[number] for number in range(len(structure.blocks)) if lines_by_block.get(number)]
    upward = sum(
        b[0].base < a[-1].base - b[0].size and b[0].x0 < a[-1].x1 and b[0].x1 > a[-1].x0 for a, b in pairwise(blocks)
    )
    return upward > _MAX_UPWARD_SHARE * len(blocks)


def _find_rows(structure: PageStructure, lines_by_block: dict[int, list[PdfLine]]) -> list[list[list[Cell]]]:
    """Return the tables of a page as rows of cells, without rows that have no text on it."""
    rows: dict[int, dict[int, list[Cell]]] = {}
    for number, block in enumerate(structure.blocks):
        if block.kind == CELL:
            rows.setdefault(block.table, {}).setdefault(block.row, []).append(lines_by_block.get(number, []))
    return [[row for row in table.values() if any(row)] for table in rows.values()]


def _is_disordered(row: list[Cell]) -> bool:
    """Return whether cells of a row stand in another order than on the page."""
    edges = [cell[0].x0 for cell in row if cell]
    is_rtl = is_mostly_rtl("".join(line.text for cell in row for line in cell))
    return edges != sorted(edges, reverse=is_rtl)


def select_body(tagged: list[Fragment], body: list[Fragment]) -> list[Fragment]:
    """Return the tagged fragments whose characters are in a page's body, and the fragments that have no characters."""
    raw = {raw for fragment in body for _, _, start, length in fragment.pieces for raw in range(start, start + length)}
    last = max((start for fragment in tagged for _, _, start, _ in fragment.pieces), default=-1)
    others = [fragment for fragment in body if fragment.pieces[0][2] > last]
    return [fragment for fragment in tagged if fragment.pieces[0][2] in raw] + others


def build_tagged_blocks(structure: PageStructure, fragments: list[Fragment]) -> list[PdfBlock]:
    """Return the blocks of a page in the order of its tree, notes at the end."""
    by_block = _group_by_block(fragments)
    numbered = [
        (number, block) for number, block in enumerate(structure.blocks) if number in by_block or block.kind == CELL
    ]
    blocks: list[PdfBlock] = []
    for (kind, _), group in groupby(numbered, key=lambda pair: (pair[1].kind, pair[1].table)):
        members = [(block, _build_lines(by_block.get(number, []))) for number, block in group]
        if kind == CELL:
            blocks += _build_table(members)
        elif kind == ITEM:
            blocks.append(_build_list([lines for _, lines in members]))
        else:
            blocks += [built for block, lines in members for built in _build_blocks(block, lines)]
    blocks = _join_level_blocks(blocks)
    page = fragments[0].page
    text_lines = [line for pdf_block in blocks if pdf_block.kind == TEXT for line in pdf_block.lines]
    for index, pdf_block in enumerate(blocks):
        if pdf_block.kind == TEXT:
            pdf_block.is_full = _is_full(pdf_block.last, text_lines)
        pdf_block.region = (page, 0, 1)
        pdf_block.blocks_above, pdf_block.blocks_below = index, len(blocks) - 1 - index
    return [block for block in blocks if block.kind != NOTE] + [block for block in blocks if block.kind == NOTE]


def _group_by_block(fragments: list[Fragment]) -> dict[int, list[Fragment]]:
    by_block: dict[int, list[Fragment]] = {}
    for fragment in fragments:
        if fragment.block >= 0:
            by_block.setdefault(fragment.block, []).append(fragment)
    return by_block


def _build_lines(fragments: list[Fragment]) -> list[PdfLine]:
    """Return the lines of a block in the order in which they are painted: its columns one after the other."""
    lines: list[list[Fragment]] = []
    for fragment in fragments:
        if lines and _is_same_line(lines[-1], fragment):
            lines[-1].append(fragment)
        elif lines and _is_marker_of(lines[0], fragment):
            lines[0].append(fragment)  # painted after the text of its item
        else:
            lines.append([fragment])
    return [PdfLine(sort_in_reading_order(sorted(line, key=lambda fragment: fragment.x0))) for line in lines]


def _is_same_line(line: list[Fragment], fragment: Fragment) -> bool:
    biggest = max(line, key=lambda other: other.size)
    shift = abs(fragment.base - biggest.base)
    return fragment.turn == biggest.turn and shift <= 0.5 * max(biggest.size, fragment.size)


def _is_marker_of(line: list[Fragment], fragment: Fragment) -> bool:
    """Return whether a fragment is the bullet or number of the item whose first line stands to the right of it."""
    is_left = 0 <= min(other.x0 for other in line) - fragment.x1 < _MAX_MARKER_GAP_EMS * fragment.size
    return is_left and LONE_MARKER.match(fragment.text) is not None and _is_same_line(line, fragment)


def _build_table(members: list[tuple[StructureBlock, list[PdfLine]]]) -> list[PdfBlock]:
    groups = [list(row) for _, row in groupby(members, key=lambda member: member[0].row)]
    groups = [row for row in groups if any(lines for _, lines in row)]
    rows = [[lines for _, lines in row] for row in groups]
    header_cells = frozenset(
        (number, column)
        for number, row in enumerate(groups)
        for column, (block, _) in enumerate(row)
        if block.is_header
    )
    lines = [line for row in rows for cell in row for line in cell]
    return [PdfBlock(TABLE, rows, column=_measure_column(lines), header_cells=header_cells)] if lines else []


def _build_list(items: list[list[PdfLine]]) -> PdfBlock:
    column = _measure_column([line for lines in items for line in lines])
    return PdfBlock(TEXT, [[lines] for lines in items], column=column, is_tagged_list=True)


def _build_blocks(block: StructureBlock, lines: list[PdfLine]) -> list[PdfBlock]:
    column = _measure_column(lines)
    if block.kind == GROUP:  # lines without a paragraph around them
        return build_paragraphs(lines, column)
    kind = NOTE if block.kind == NOTE_BLOCK else TEXT
    return [PdfBlock(kind, [[lines]], column=column, tagged_level=block.level)]


def _is_full(line: PdfLine, lines: list[PdfLine]) -> bool:
    """Return whether a line reaches nearly as far as the lines above and below it: its paragraph may continue."""
    x0, x1 = _measure_column([other for other in lines if other.x0 < line.x1 and other.x1 > line.x0])
    return line.x1 - x0 > _MIN_FULL_SHARE * (x1 - x0)


def _join_level_blocks(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join blocks that stand beside each other on one line: the number of a figure and its caption."""
    joined: list[PdfBlock] = []
    for block in blocks:
        if joined and _is_beside(joined[-1], block):
            joined[-1].items[-1][-1].extend(block.items[0][0])
            joined[-1].column = _measure_column([*joined[-1].lines, *block.lines])
        else:
            joined.append(block)
    return joined


def _is_beside(block: PdfBlock, following: PdfBlock) -> bool:
    if not block.kind == following.kind == TEXT or block.tagged_level != following.tagged_level:
        return False
    if block.is_tagged_list or following.is_tagged_list or len(following.items) > 1:
        return False
    last, first = block.last, following.first
    is_level = abs(first.base - last.base) < 0.1 * last.size
    return is_level and 0 <= first.x0 - last.x1 < _MAX_LABEL_GAP_EMS * last.size


def _measure_column(lines: list[PdfLine]) -> tuple[float, float]:
    return min(line.x0 for line in lines), max(line.x1 for line in lines)


def count_broken_sentences(blocks: list[PdfBlock]) -> int:
    """Return how many paragraphs and cells begin or end within a sentence."""
    broken = 0
    for block in blocks:
        for cell in (cell for item in block.items for cell in item if cell):
            text = " ".join(line.text for line in cell).strip()
            broken += text[:1].islower() and not block.is_tagged_list
            broken += len(text) >= _MIN_SENTENCE_CHARACTERS and not is_sentence_end(text) and text[-1] not in _LIST_ENDS
    return broken
