"""The body of a Word file as blocks: headings, paragraphs, lists, tables, text boxes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from ingest.readers.docx_names import MC, number, switched_on, value, w
from ingest.readers.docx_numbering import Numbering
from ingest.readers.docx_styles import Style, Styles
from ingest.readers.docx_text import ParagraphReader, tidy

PARAGRAPH, HEADING, ITEM, TABLE, DELETED, HIDDEN = "paragraph", "heading", "item", "table", "deleted", "hidden"
_WRAPPERS = frozenset(w(name) for name in ("sdt", "sdtContent", "customXml", "smartTag", "ins", "moveTo"))
_GONE = frozenset((w("del"), w("moveFrom")))
_LONG_HEADING = 300  # a whole paragraph in a heading's style is a paragraph
_LAYOUT_PARAGRAPHS = 5  # in one cell: then the table only places text on the page


@dataclass(frozen=True, slots=True)
class Block:
    kind: str
    text: str
    level: int = 0
    head: int = 0  # characters of a table's rows that stand again on each page


class Body:
    def __init__(self, styles: Styles, numbering: Numbering):
        self._styles, self._numbering = styles, numbering
        self._paragraphs = ParagraphReader(styles)
        self.notes = self._paragraphs.notes
        self.includes_other_files = False

    def blocks(self, container: etree._Element) -> Iterator[Block]:
        for child in container:
            if child.tag == w("p"):
                yield from self._paragraph(child)
            elif child.tag == w("tbl"):
                yield from self._table(child)
            elif child.tag in _WRAPPERS:
                yield from self.blocks(child)
            elif child.tag == MC + "AlternateContent":
                yield from self.blocks(next(iter(child), child))
            elif child.tag in _GONE:
                yield from (Block(DELETED, block.text.replace("\t", " ")) for block in self.blocks(child))
            elif child.tag == w("altChunk"):
                self.includes_other_files = True

    def _paragraph(self, paragraph: etree._Element) -> Iterator[Block]:
        properties = paragraph.find(w("pPr"))
        style = self._styles.get(value(properties, "pStyle"))
        words = self._paragraphs.read(paragraph, hidden=style.hidden)
        text = words.text
        marker = self._marker(properties, style) if text or words.boxes else ""
        level = _heading_level(properties, style)
        if level and 0 < len(text) <= _LONG_HEADING:
            yield Block(HEADING, tidy(f"{marker} {text}").replace("\n", " "), level)
        elif text and marker:
            yield Block(ITEM, tidy(f"{marker} {text}").replace("\n", " "))
        elif text:
            yield Block(PARAGRAPH, _with_breaks(text))
        for box in words.boxes:
            yield from self.blocks(box)
        for kind, pieces in ((DELETED, words.deleted), (HIDDEN, words.hidden)):
            gone = tidy("".join(pieces)).replace("\n", " ")
            if gone:
                yield Block(kind, gone)

    def _marker(self, properties: etree._Element | None, style: Style) -> str:
        own = properties.find(w("numPr")) if properties is not None else None
        # A number id of 0 takes the style's numbering off; an absent one leaves it.
        number_id = value(own, "numId") or style.number_id
        level = number(value(own, "ilvl", str(style.number_level)))
        return self._numbering.marker(number_id, level, style.depth)

    def _table(self, table: etree._Element) -> Iterator[Block]:
        rows = [list(_within(row, w("tc"))) for row in _within(table, w("tr"))]
        if max((len(row) for row in rows), default=0) < 2 or _only_places_text(rows):
            for cell in (cell for row in rows for cell in row):
                yield from self.blocks(cell)
            return
        written, gone, heads = [], [], 0
        for row in _within(table, w("tr")):
            cells = self._row(row, gone)
            deleted = switched_on(row.find(w("trPr")), "del") is not None
            text = "\t".join(cells).rstrip("\t")
            if text.strip() and deleted:
                gone.append(Block(DELETED, " ".join(cell for cell in cells if cell)))
            elif text.strip():
                heads += len(written) == heads and switched_on(row.find(w("trPr")), "tblHeader") is True
                written.append(text)
        if written:
            yield Block(TABLE, "\n".join(written), head=len("\n".join(written[:heads])) if heads < len(written) else 0)
        yield from gone

    def _row(self, row: etree._Element, gone: list[Block]) -> list[str]:
        """One text a column; a merged cell's words stand once, in its first column and row."""
        cells = []
        for cell in _within(row, w("tc")):
            properties = cell.find(w("tcPr"))
            merged = properties.find(w("vMerge")) if properties is not None else None
            parts = []
            for block in self.blocks(cell):
                if block.kind in (DELETED, HIDDEN):
                    gone.append(block)
                else:
                    parts.append(block.text.replace("\t", " ").replace("\n", " "))
            below = merged is not None and merged.get(w("val"), "continue") == "continue"
            cells.append("" if below else " ".join(parts))
            cells += [""] * min(number(value(properties, "gridSpan", "1"), 1) - 1, 60)
        return cells


def _heading_level(properties: etree._Element | None, style: Style) -> int:
    own = number(value(properties, "outlineLvl", "-1"), -1)
    return own + 1 if 0 <= own < 9 else style.level


def _with_breaks(text: str) -> str:
    """A break that a writer put in mid-sentence is a space; one between lines of an address stays."""
    lines = text.split("\n")
    joined = lines[0]
    for line in lines[1:]:
        joined += (" " if line[0].islower() and joined[-1] not in ".!?:;" else "\n") + line
    return joined


def _within(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, looked for in wrappers but not in tables within."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _within(child, tag)


def _only_places_text(rows: list[list[etree._Element]]) -> bool:
    return len(rows) <= 2 and any(
        sum(child.tag == w("p") and any(True for _ in child.iter(w("t"))) for child in cell) >= _LAYOUT_PARAGRAPHS
        for row in rows
        for cell in row
    )
