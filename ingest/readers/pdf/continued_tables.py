"""Join the parts of a table that a page or the layout separates; the text of the parts stays where it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.models import DocumentTable
from ingest.readers.pdf.blocks import NOTE, TEXT, PdfBlock, PdfLine
from ingest.readers.table_structure import SourceRow, build_table, shift_table

_MAX_PART_GAP_EMS = 2.5  # between two parts on one page: nothing has room there
_MAX_EDGE_SHIFT_EMS = 0.6  # of a column from one part to the next
_MAX_SIZE_RATIO = 1.1  # of the letters of two parts
_MAX_BETWEEN_CHARACTERS = 160  # of what may be printed at the end or top of a page, within a table
_CONTINUED = re.compile(
    r"\b(?:continued|cont['’.]?d|cont\.|next page|previous page|Fortsetzung|suite|continuación|continuação|segue)\b|[續续]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table block with its span in the canonical text."""

    index: int  # of its block
    start: int
    end: int
    rows: list[SourceRow]


def join_continued_tables(blocks: Sequence[PdfBlock], tables: Sequence[WrittenTable]) -> list[DocumentTable]:
    """Return the tables; what continues on the next page, or right below, in the same columns is one table."""
    chains: list[list[WrittenTable]] = []
    for table in tables:
        if chains and _continues(blocks, chains[-1], table):
            chains[-1].append(table)
        else:
            chains.append([table])
    return [_build_joined(chain) for chain in chains]


def _build_joined(chain: list[WrittenTable]) -> DocumentTable:
    first, *others = chain
    header = _read_header(first.rows if len(first.rows) > 1 else [row for table in chain for row in table.rows])
    rows, repeated = list(first.rows), list[int]()
    row_numbers = list(range(len(rows)))  # in the whole table, of the rows that are no repeated headers
    count = len(rows)
    for table in others:
        skipped = _count_repeated(table.rows, header)
        repeated += range(count, count + skipped)
        rows += table.rows[skipped:]
        row_numbers += range(count + skipped, count + len(table.rows))
        count += len(table.rows)
    joined = build_table(rows, first.end - first.start)
    gaps = tuple((a.end, b.start) for a, b in zip(chain, others, strict=False))
    return replace(
        shift_table(joined, first.start),
        end=chain[-1].end,
        header_rows=len(header) or joined.header_rows,
        gaps=gaps,
        repeated_headers=tuple(repeated),
        merged=tuple((row_numbers[row], column, below, right) for row, column, below, right in joined.merged),
    )


def _continues(blocks: Sequence[PdfBlock], chain: list[WrittenTable], table: WrittenTable) -> bool:
    last, first = blocks[chain[-1].index], blocks[table.index]
    if not _is_next(blocks, chain, table) or not _have_same_columns(last, first):
        return False
    header = _read_header(chain[0].rows)
    has_own_header = bool(_read_header(table.rows))
    if last.lines[-1].page == first.lines[0].page:
        return not has_own_header and (not header or len(chain[-1].rows) == len(header))
    return not has_own_header or _count_repeated(table.rows, header or _texts(chain[0].rows)[:1]) > 0


def _is_next(blocks: Sequence[PdfBlock], chain: list[WrittenTable], table: WrittenTable) -> bool:
    """Return whether a table stands right below the last part of a chain, or at the top of the next page."""
    last, first = blocks[chain[-1].index].lines[-1], blocks[table.index].lines[0]  # the first cell may be empty
    between = blocks[chain[-1].index + 1 : table.index]
    if last.fragments[0].turn != first.fragments[0].turn:
        return False
    if last.page == first.page:
        return not between and -0.5 <= (first.y0 - last.y1) / first.size <= _MAX_PART_GAP_EMS
    before = [_read_text(block) for block in blocks[max(chain[0].index - 2, 0) : chain[0].index] if block.kind == TEXT]
    return first.page == last.page + 1 and all(
        block.kind == NOTE or _is_repeated_or_continued(block, before) for block in between
    )


def _is_repeated_or_continued(block: PdfBlock, before: list[str]) -> bool:
    """Return whether a paragraph says that a table continues, or what stands above the table."""
    text = _read_text(block)
    is_repeated = text in before and any(map(str.isalpha, text))  # a dash or a redaction says nothing
    return len(text) <= _MAX_BETWEEN_CHARACTERS and (is_repeated or bool(_CONTINUED.search(text)))


def _read_text(block: PdfBlock) -> str:
    return " ".join(line.text for line in block.lines)


def _have_same_columns(a: PdfBlock, b: PdfBlock) -> bool:
    """Return whether two blocks have the same number of columns, each at the same place."""
    count = max(map(len, a.items))
    if count < 2 or count != max(map(len, b.items)):
        return False
    pairs = [(_list_lines(a, column), _list_lines(b, column)) for column in range(count)]
    return all(not above or not below or _is_aligned(above, below) for above, below in pairs)


def _list_lines(block: PdfBlock, column: int) -> list[PdfLine]:
    """Return the lines in a column, without those of rows that have a single cell."""
    return [line for item in block.items if len(item) > 1 for line in (item[column] if column < len(item) else [])]


def _is_aligned(above: list[PdfLine], below: list[PdfLine]) -> bool:
    """Return whether the lines of two columns have the same left edge, right edge or middle."""
    sizes = sorted((max(line.size for line in above), max(line.size for line in below)))
    if sizes[1] > _MAX_SIZE_RATIO * sizes[0]:
        return False
    a0, a1 = min(line.x0 for line in above), max(line.x1 for line in above)
    b0, b1 = min(line.x0 for line in below), max(line.x1 for line in below)
    return min(abs(a0 - b0), abs(a1 - b1), abs(a0 + a1 - b0 - b1) / 2) <= _MAX_EDGE_SHIFT_EMS * sizes[0]


def _read_header(rows: Sequence[SourceRow]) -> list[tuple[str, ...]]:
    """Return the texts of the header rows."""
    return _texts(rows)[: build_table(rows, 0).header_rows]


def _texts(rows: Sequence[SourceRow]) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row.cells) for row in rows]


def _count_repeated(rows: Sequence[SourceRow], header: list[tuple[str, ...]]) -> int:
    """Return how many rows at the top say all header rows again, or the last of them."""
    texts = _texts(rows)
    counts = range(min(len(header), len(texts) - 1), 0, -1)
    return next((count for count in counts if texts[:count] == header[-count:]), 0)
