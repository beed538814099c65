"""Read the structure tree of a tagged page: which text is a paragraph, a heading, a cell, and in which order."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass, field, replace

import numpy as np
import pypdfium2
import pypdfium2.raw as raw

from highlighter.pages import pdfium, pdfium_structure
from ingest.readers.pdf.glyphs import Glyphs
from ingest.readers.pdf.marked_content import MarkedContent

_MAX_ELEMENTS, _MAX_DEPTH = 20_000, 60
_HEADING = re.compile(r"H([1-6])$")
_PARAGRAPHS = frozenset("P H TOCI Caption BlockQuote Title Index Figure LBody".split())
_INLINE_OR_PARAGRAPHS = frozenset("Code Formula Form".split())
_INLINE = frozenset("Span Link Quote Reference Em Strong Ruby RB Lbl Annot".split())
_NOTES = frozenset(("Note", "FENote"))
_READINGS = frozenset(("RT", "RP"))

# Kinds of blocks.
PARAGRAPH, ITEM, CELL, NOTE_BLOCK, READING, GROUP = "paragraph", "item", "cell", "note", "reading", "group"

_MAX_SPAN = 1_000  # rows or columns of one cell
_ROW_SPAN, _COLUMN_SPAN = ctypes.create_string_buffer(b"RowSpan"), ctypes.create_string_buffer(b"ColSpan")


@dataclass(slots=True)
class StructureBlock:
    """A paragraph, heading, cell or note, or text that stands in a group of those without being one.

    `content_ids` are the numbers of its marked content.
    """

    kind: str
    level: int = 0  # of a heading
    table: int = -1  # the number of its table, and of its row
    row: int = -1
    is_header: bool = False  # of a cell
    rows: int = 1  # that a cell spans
    columns: int = 1
    content_ids: list[int] = field(default_factory=list)


@dataclass(slots=True)
class PageStructure:
    """The blocks of a page in the order of the tree."""

    blocks: list[StructureBlock] = field(default_factory=list)
    is_ambiguous: bool = False  # content stands in the tree twice, or the tree is too large

    @property
    def block_by_content(self) -> dict[int, int]:
        return {content: number for number, block in enumerate(self.blocks) for content in block.content_ids}


def is_tagged(document: pypdfium2.PdfDocument) -> bool:
    """Return whether a document says that it has a structure tree."""
    return bool(raw.FPDFCatalog_IsTagged(document))


def read_structure(page: pypdfium2.PdfPage) -> PageStructure:
    """Return the structure of a page; without blocks when it has none."""
    walk = _Walk()
    with pdfium_structure.open_tree(pdfium.get_handle(page)) as elements:
        for element in elements:
            walk.visit(element, pdfium_structure.read_type(element) if element else "", None, 0)
    contents = [content for block in walk.blocks for content in block.content_ids]
    is_ambiguous = len(contents) != len(set(contents)) or walk.element_count > _MAX_ELEMENTS
    blocks = [block for block in walk.blocks if block.content_ids or block.kind == CELL]
    return PageStructure(blocks, is_ambiguous)


def number_blocks(glyphs: Glyphs, structure: PageStructure, marked: MarkedContent) -> Glyphs:
    """Return the characters with the number of the block of each; readings beside characters are omitted."""
    by_content = structure.block_by_content
    block_by_object = {obj: by_content.get(content, -1) for obj, content in marked.content_ids.items()}
    block = np.array([block_by_object.get(owner, -1) for owner in glyphs.owner.tolist()], np.int32)
    readings = [number for number, block in enumerate(structure.blocks) if block.kind == READING]
    return replace(glyphs, block=block, omitted=glyphs.omitted | np.isin(block, readings))


class _Walk:
    """A walk through the elements of a tree, which collects the blocks in order."""

    def __init__(self) -> None:
        self.blocks: list[StructureBlock] = []
        self.element_count = 0
        self._tables = self._rows = 0
        self._table = self._row = -1

    def visit(self, element: int | None, kind: str, block: StructureBlock | None, depth: int) -> None:
        """Visit an element of a kind; `block` is the block that it stands in."""
        self.element_count += 1
        if not element or depth > _MAX_DEPTH or self.element_count > _MAX_ELEMENTS:
            return
        outer = self._table, self._row
        if kind == "Table":
            self._table, self._tables = self._tables, self._tables + 1
        elif kind == "TR":
            self._row, self._rows = self._rows, self._rows + 1
        own = self._open_block(element, kind, block)
        for content, child in pdfium_structure.list_children(element):
            child_kind = pdfium_structure.read_type(child) if child else ""
            if own is None and (content >= 0 or (child and child_kind in _INLINE)):
                own = self._add(StructureBlock(GROUP))
            elif own and own.kind == GROUP and child and child_kind not in _INLINE:
                own = None
            if content >= 0 and own:
                own.content_ids.append(content)
            elif child:
                self.visit(child, child_kind, own, depth + 1)
        self._table, self._row = outer

    def _open_block(self, element: int, kind: str, block: StructureBlock | None) -> StructureBlock | None:
        """Return the block for the content of an element: its own, or the one that it stands in."""
        if kind in _READINGS:
            return self._add(StructureBlock(READING))
        if kind in ("TH", "TD"):
            rows, columns = _read_span(element, _ROW_SPAN), _read_span(element, _COLUMN_SPAN)
            return self._add(
                StructureBlock(CELL, 0, self._table, self._row, is_header=kind == "TH", rows=rows, columns=columns)
            )
        if kind in _NOTES:
            return self._add(StructureBlock(NOTE_BLOCK))
        if block is not None and block.kind == CELL:
            return block  # the paragraphs of a cell are one
        if heading := _HEADING.match(kind):
            return self._add(StructureBlock(PARAGRAPH, level=int(heading[1])))
        if kind == "LI":
            return self._add(StructureBlock(ITEM))
        is_beside_label = block is not None and block.kind == ITEM and self.blocks[-1] is block
        if kind in _INLINE_OR_PARAGRAPHS:
            return block or self._add(StructureBlock(PARAGRAPH))
        if kind in _PARAGRAPHS and not (is_beside_label and kind in ("P", "LBody")):
            return self._add(StructureBlock(PARAGRAPH))
        return block

    def _add(self, block: StructureBlock) -> StructureBlock:
        self.blocks.append(block)
        return block


def _read_span(element: int, name: ctypes.Array[ctypes.c_char]) -> int:
    """Return how many rows or columns a cell spans, by its attributes."""
    return next((int(number) for number in pdfium_structure.read_numbers(element, name) if 1 <= number <= _MAX_SPAN), 1)
