"""Read the body of a Word file as blocks: headings, paragraphs, lists, tables, text boxes."""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from ingest.readers.docx_numbering import Numbering
from ingest.readers.docx_package import MC, child_value, is_switched_on, parse_number, w
from ingest.readers.docx_styles import DocxStyle, DocxStyles
from ingest.readers.docx_tables import (
    WRAPPER_TAGS,
    build_docx_table,
    count_columns,
    is_continued_cell,
    iterate_children,
)
from ingest.readers.docx_text import ParagraphReader, normalise_spaces
from ingest.readers.text_blocks import (
    DELETED,
    HEADING,
    HIDDEN,
    HIDDEN_KINDS,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    ExtractedBlock,
)

_DELETED_TAGS = frozenset((w("del"), w("moveFrom")))
_MAX_HEADING_CHARACTERS = 300  # a whole paragraph in a heading style is a paragraph
_MIN_LAYOUT_PARAGRAPHS = 5  # in one cell: the table then only lays out text


class BodyReader:
    """A reader of the blocks of a document, its notes and its text boxes."""

    def __init__(self, styles: DocxStyles, numbering: Numbering):
        self._styles, self._numbering = styles, numbering
        self._paragraphs = ParagraphReader(styles)
        self.notes = self._paragraphs.notes
        self.has_included_files = False

    @property
    def formulas(self) -> int:
        """Return how many formulas were read."""
        return self._paragraphs.formulas

    def read_blocks(self, container: etree._Element) -> Iterator[ExtractedBlock]:
        """Yield the blocks of an element in order."""
        for child in container:
            if child.tag == w("p"):
                yield from self._read_paragraph(child)
            elif child.tag == w("tbl"):
                yield from self._read_table(child)
            elif child.tag in WRAPPER_TAGS:
                yield from self.read_blocks(child)
            elif child.tag == MC + "AlternateContent":
                yield from self.read_blocks(next(iter(child), child))
            elif child.tag in _DELETED_TAGS:
                yield from (ExtractedBlock(DELETED, block.text.replace("\t", " ")) for block in self.read_blocks(child))
            elif child.tag == w("altChunk"):
                self.has_included_files = True

    def _read_paragraph(self, paragraph: etree._Element) -> Iterator[ExtractedBlock]:
        properties = paragraph.find(w("pPr"))
        style = self._styles.get_style(child_value(properties, "pStyle"))
        content = self._paragraphs.read(paragraph, hidden=style.hidden)
        text = content.text
        marker = self._find_marker(properties, style) if text or content.boxes else ""
        level = _heading_level(properties, style)
        if level and 0 < len(text) <= _MAX_HEADING_CHARACTERS:
            yield ExtractedBlock(HEADING, normalise_spaces(f"{marker} {text}").replace("\n", " "), level)
        elif text and marker:
            yield ExtractedBlock(LIST_ITEM, normalise_spaces(f"{marker} {text}").replace("\n", " "))
        elif text:
            yield ExtractedBlock(PARAGRAPH, _keep_line_breaks(text))
        for box in content.boxes:
            yield from self.read_blocks(box)
        for kind, pieces in ((DELETED, content.deleted), (HIDDEN, content.hidden)):
            unseen = normalise_spaces("".join(pieces)).replace("\n", " ")
            if unseen:
                yield ExtractedBlock(kind, unseen)

    def _find_marker(self, properties: etree._Element | None, style: DocxStyle) -> str:
        numbering = properties.find(w("numPr")) if properties is not None else None
        # A number id of 0 removes the style's numbering; a missing one keeps it.
        number_id = child_value(numbering, "numId") or style.number_id
        level = parse_number(child_value(numbering, "ilvl", str(style.number_level)))
        return self._numbering.next_marker(number_id, level, style.depth)

    def _read_table(self, table: etree._Element) -> Iterator[ExtractedBlock]:
        rows = [list(iterate_children(row, w("tc"))) for row in iterate_children(table, w("tr"))]
        if max((len(row) for row in rows), default=0) < 2 or _is_layout_table(rows):
            for cell in (cell for row in rows for cell in row):
                yield from self.read_blocks(cell)
            return
        row_texts: list[str] = []
        read_rows: list[tuple[etree._Element, list[str], bool]] = []
        unseen: list[ExtractedBlock] = []
        header_rows = 0
        for row in iterate_children(table, w("tr")):
            cells = self._read_row(row, unseen)
            deleted = is_switched_on(row.find(w("trPr")), "del") is not None
            text = "\t".join(cells).rstrip("\t")
            read_rows.append((row, cells, bool(text.strip()) and not deleted))
            if text.strip() and deleted:
                unseen.append(ExtractedBlock(DELETED, " ".join(cell for cell in cells if cell)))
            elif text.strip():
                header_rows += (
                    len(row_texts) == header_rows and is_switched_on(row.find(w("trPr")), "tblHeader") is True
                )
                row_texts.append(text)
        if row_texts:
            text = "\n".join(row_texts)
            header_characters = len("\n".join(row_texts[:header_rows])) if header_rows < len(row_texts) else 0
            structure = build_docx_table(table, read_rows, len(text), self._styles)
            yield ExtractedBlock(TABLE, text, header_characters=header_characters, table=structure)
        yield from unseen

    def _read_row(self, row: etree._Element, unseen: list[ExtractedBlock]) -> list[str]:
        """Return one text for each column; the text of a merged cell stands in its first column and row only."""
        cells = []
        for cell in iterate_children(row, w("tc")):
            texts = []
            for block in self.read_blocks(cell):
                if block.kind in HIDDEN_KINDS:
                    unseen.append(block)
                else:
                    texts.append(block.text.replace("\t", " ").replace("\n", " "))
            cells.append("" if is_continued_cell(cell) else " ".join(texts))
            cells += [""] * (count_columns(cell) - 1)
        return cells


def _heading_level(properties: etree._Element | None, style: DocxStyle) -> int:
    outline_level = parse_number(child_value(properties, "outlineLvl", "-1"), -1)
    return outline_level + 1 if 0 <= outline_level < 9 else style.level


def _keep_line_breaks(text: str) -> str:
    """Replace a line break in mid-sentence by a space; keep one between the lines of an address."""
    lines = text.split("\n")
    joined = lines[0]
    for line in lines[1:]:
        joined += (" " if line[0].islower() and joined[-1] not in ".!?:;" else "\n") + line
    return joined


def _is_layout_table(rows: list[list[etree._Element]]) -> bool:
    return len(rows) <= 2 and any(
        sum(child.tag == w("p") and any(True for _ in child.iter(w("t"))) for child in cell) >= _MIN_LAYOUT_PARAGRAPHS
        for row in rows
        for cell in row
    )
