"""Build a document without pages from its blocks of text, in the order in which they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import EMPTY, NO_TEXT, TOO_LARGE, DocumentTable
from highlighter.store.source_map import SourceMap
from ingest.readers.extracted_document import ExtractedDocument, Heading, HiddenText
from ingest.readers.table_structure import shift_table

PARAGRAPH, HEADING, LIST_ITEM, TABLE, CODE, NOTE = "paragraph", "heading", "item", "table", "code", "note"
DELETED, HIDDEN = N_("deleted"), N_("hidden")  # kinds of blocks that readers do not see, and the reasons why
HIDDEN_KINDS = (DELETED, HIDDEN)
BLOCK_SEPARATOR = "\n\n"

MAX_CHARACTERS = 10_000_000
MAX_FILE_BYTES = 40 << 20


@dataclass(frozen=True, slots=True)
class ExtractedBlock:
    """A block of text; the rows of a table are lines, and tabs separate its cells."""

    kind: str
    text: str
    level: int = 0  # of a heading
    header_characters: int = 0  # of a table's rows that are repeated on each page
    table: DocumentTable | None = None  # the structure of a table; its span begins at 0
    is_figure_caption: bool = False


def build_document(
    blocks: Iterable[ExtractedBlock], *, has_pictures: bool = False, max_characters: int = MAX_CHARACTERS
) -> ExtractedDocument:
    """Join the blocks that readers see to a document; raise `UnreadableFile` when it has no text or too much."""
    limited = list(_limit_characters(blocks, max_characters))
    visible = [block for block in limited if block.kind not in HIDDEN_KINDS]
    hidden_texts = tuple(HiddenText(block.text, block.kind) for block in limited if block.kind in HIDDEN_KINDS)
    if not visible:
        raise make_no_text_error(has_pictures, bool(hidden_texts))
    return replace(_join_blocks(_group_blocks(visible)), hidden_texts=hidden_texts)


def make_no_text_error(has_pictures: bool = False, has_hidden_text: bool = False) -> UnreadableFile:
    if has_pictures:
        return UnreadableFile(NO_TEXT, "The document contains images but no text.")
    if has_hidden_text:
        return UnreadableFile(NO_TEXT, N_("All text of the document is deleted or hidden."))
    return UnreadableFile(EMPTY, "The document is empty.")


def _join_blocks(blocks: Iterable[ExtractedBlock]) -> ExtractedDocument:
    """Join the blocks to a document in their order, and tell where its headings, tables and the like are."""
    texts: list[str] = []
    headings, table_headers, tables, code_spans, offset = [], [], [], [], 0
    figure_captions = []
    for block in blocks:
        end = offset + len(block.text)
        if block.kind == HEADING:
            headings.append(Heading(offset, end, block.level))
        elif block.kind == CODE:
            code_spans.append((offset, end))
        elif block.header_characters:
            table_headers.append((offset, offset + block.header_characters))
        if block.is_figure_caption:
            figure_captions.append((offset, end))
        if block.table:
            tables.append(shift_table(block.table, offset))
        texts.append(block.text)
        offset = end + len(BLOCK_SEPARATOR)
    return ExtractedDocument(
        BLOCK_SEPARATOR.join(texts),
        SourceMap(),
        (),
        tuple(headings),
        table_headers=tuple(table_headers),
        tables=tuple(tables),
        figure_captions=tuple(figure_captions),
        code_spans=tuple(code_spans),
    )


def _limit_characters(blocks: Iterable[ExtractedBlock], limit: int) -> Iterator[ExtractedBlock]:
    """Yield the blocks; raise `UnreadableFile` as soon as their text is too long."""
    offset = 0
    for block in blocks:
        offset += len(block.text)
        if offset > limit:
            raise UnreadableFile(
                TOO_LARGE,
                N_("The text is longer than {limit:,} characters. Split it into smaller files.", limit=limit),
            )
        yield block
        offset += len(BLOCK_SEPARATOR)


def _group_blocks(blocks: Iterable[ExtractedBlock]) -> Iterator[ExtractedBlock]:
    """Yield consecutive list items as one list, and notes as one block."""
    for kind, group in groupby(blocks, key=lambda block: block.kind):
        if kind in (LIST_ITEM, NOTE):
            yield ExtractedBlock(kind, "\n".join(block.text for block in group))
        else:
            yield from group


def read_limited_bytes(path: Path) -> bytes:
    """Return the bytes of a file; raise `UnreadableFile` when it is empty or too large."""
    size = path.stat().st_size
    if size == 0:
        raise UnreadableFile(EMPTY, "The file is empty.")
    if size > MAX_FILE_BYTES:
        raise UnreadableFile(
            TOO_LARGE,
            N_("The file is larger than {limit} MB. Split it into smaller files.", limit=MAX_FILE_BYTES >> 20),
        )
    return path.read_bytes()


_EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
_EAST_ASIAN_GAP = re.compile(f"(?<=[{_EAST_ASIAN}])[ ]?\r?\n[ \t]*(?=[{_EAST_ASIAN}])")
_WHITE_SPACE = re.compile(r"[ \t\r\n\f\v\xa0\u2002-\u200a\u202f\u205f]+")


def collapse_white_space(text: str) -> str:
    """Return the text with single spaces; a line break between two Chinese or Japanese characters is no space."""
    return _WHITE_SPACE.sub(" ", _EAST_ASIAN_GAP.sub("", text))
