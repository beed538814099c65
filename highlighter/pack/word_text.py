"""The answer's text in a Word document: its blocks in Word's own styles, its markers as footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from docx.document import Document as WordDocument
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph

from highlighter.answer_text.tree import CODE, HEADING, LIST, QUOTE, RULE, TABLE, Block, Run
from highlighter.pack.footnotes import Footnotes
from highlighter.pack.report import Note, Report

BAD = RGBColor(0x96, 0x2A, 0x1D)
MONO = "DejaVu Sans Mono"
HEADING_LEVEL = 2  # the highest is the question
LIST_STYLES = 3  # "List Bullet", "List Bullet 2", "List Bullet 3"
# What XML cannot hold.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class WordText:
    """Writes the blocks of an answer at the end of a document."""

    def __init__(self, document: WordDocument, told: Report, footnotes: Footnotes):
        self.document, self.told, self.footnotes = document, told, footnotes

    def write(self, blocks: Sequence[Block], style: str | None = None) -> None:
        for block in blocks:
            self._block(block, style)

    def _block(self, block: Block, style: str | None) -> None:
        if block.kind == HEADING:
            self._runs(self.document.add_heading("", HEADING_LEVEL + block.level - 1), block.runs)
        elif block.kind == LIST:
            self._list(block, 1)
        elif block.kind == TABLE:
            self._table(block)
        elif block.kind == QUOTE:
            self.write(block.children, "Quote")
        elif block.kind == RULE:
            _draw_rule(self.document.add_paragraph())
        else:
            self._runs(self.document.add_paragraph(style=None if block.kind == CODE else style), block.runs)

    def _list(self, block: Block, depth: int) -> None:
        suffix = f" {min(depth, LIST_STYLES)}" if depth > 1 else ""
        style = f"List {'Bullet' if block.first is None else 'Number'}{suffix}"
        number = None if block.first is None else _new_numbering(self.document, style, block.first)
        for item in block.children:
            paragraph = self.document.add_paragraph(style=style)
            if number is not None:
                paragraph._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = number
            first, *rest = item.children or (Block(LIST),)
            if first.runs:
                self._runs(paragraph, first.runs)
            else:
                rest = item.children
            for child in rest:
                self._list(child, depth + 1) if child.kind == LIST else self._block(child, f"List Continue{suffix}")

    def _table(self, block: Block) -> None:
        columns = max(len(row.children) for row in block.children)
        table = self.document.add_table(rows=len(block.children), cols=columns, style="Table Grid")
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        for number, (row, written) in enumerate(zip(block.children, table.rows, strict=True)):
            cells = written.cells
            for cell, content in zip(cells, row.children, strict=False):
                self._runs(cell.paragraphs[0], content.runs, bold=number == 0)
        self.document.add_paragraph()  # Word joins tables that nothing stands between

    def _runs(self, paragraph: Paragraph, runs: Sequence[Run], bold: bool = False) -> None:
        for run in runs:
            for at in run.marker.citations if run.marker else ():
                note = self.told.notes[at]
                self.footnotes.add(
                    paragraph, clean(footnote_text(note)), note.target if note.file else "", clean(note.where)
                )
            if not (run.marker and run.marker.citations):
                self._words(paragraph, run, bold)

    @staticmethod
    def _words(paragraph: Paragraph, run: Run, bold: bool) -> None:
        written = paragraph.add_run(clean(run.text))
        written.bold, written.italic = run.bold or bold or None, run.italic or None
        if run.code:
            set_mono(written, 9)
        if run.marker:
            written.font.color.rgb = BAD


def footnote_text(note: Note) -> str:
    """Return what follows a note's place: the quote, and what is to be said of it."""
    quote = f": “{' '.join(note.citation.quote.split())}”" if note.citation.quote else "."
    return f"{quote} {note.says}".rstrip()


def set_mono(run, points: int) -> None:
    run.font.name, run.font.size = MONO, Pt(points)


def clean(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)


def _new_numbering(document: WordDocument, style: str, first: int) -> int:
    """Return the id of a numbering that looks as the style's and begins at `first`: Word would number all lists on."""
    numbering = document.part.numbering_part.element
    shared = document.styles[style].element.pPr.numPr.numId.val
    number = numbering.add_num(numbering.num_having_numId(shared).abstractNumId.val)
    number.add_lvlOverride(0).add_startOverride(first)
    return number.numId


def _draw_rule(paragraph: Paragraph) -> None:
    line = f'<w:pBdr {nsdecls("w")}><w:bottom w:val="single" w:sz="4" w:space="1" w:color="auto"/></w:pBdr>'
    paragraph._p.get_or_add_pPr().append(parse_xml(line))
