"""Render a pack's answer as a Word document: blocks in Word's own styles, markers as footnotes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from datetime import datetime

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph
from docx.text.run import Run

from highlighter.answer_text.tree import CODE, HEADING, LIST, QUOTE, RULE, TABLE, AnswerBlock, AnswerRun
from highlighter.evidence_pack.report import CitationNote, PackDocument, Report, format_verdict
from highlighter.evidence_pack.word_footnotes import WordFootnotes, add_link, set_east_asian_fonts
from highlighter.evidence_pack.zip_archive import build_zip

ERROR_COLOR = RGBColor(0x96, 0x2A, 0x1D)
MONOSPACE_FONT = "DejaVu Sans Mono"
HIGHEST_HEADING_LEVEL = 2  # level 1 is the question
MAX_LIST_STYLE_DEPTH = 3  # "List Bullet", "List Bullet 2", "List Bullet 3"
# Characters that XML cannot hold.
_INVALID_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class WordTextWriter:
    """A writer that appends the blocks of an answer to a Word document."""

    def __init__(self, document: WordDocument, report: Report, footnotes: WordFootnotes):
        self.document, self.report, self.footnotes = document, report, footnotes

    def write(self, blocks: Sequence[AnswerBlock], style: str | None = None) -> None:
        for block in blocks:
            self._add_block(block, style)

    def _add_block(self, block: AnswerBlock, style: str | None) -> None:
        if block.kind == HEADING:
            self._add_runs(self.document.add_heading("", HIGHEST_HEADING_LEVEL + block.level - 1), block.runs)
        elif block.kind == LIST:
            self._add_list(block, 1)
        elif block.kind == TABLE:
            self._add_table(block)
        elif block.kind == QUOTE:
            self.write(block.children, "Quote")
        elif block.kind == RULE:
            _draw_rule(self.document.add_paragraph())
        else:
            self._add_runs(self.document.add_paragraph(style=None if block.kind == CODE else style), block.runs)

    def _add_list(self, block: AnswerBlock, depth: int) -> None:
        suffix = f" {min(depth, MAX_LIST_STYLE_DEPTH)}" if depth > 1 else ""
        style = f"List {'Bullet' if block.first is None else 'Number'}{suffix}"
        number = None if block.first is None else _add_numbering(self.document, style, block.first)
        for item in block.children:
            paragraph = self.document.add_paragraph(style=style)
            if number is not None:
                paragraph._p.get_or_add_pPr().get_or_add_numPr().get_or_add_numId().val = number
            first, *rest = item.children or (AnswerBlock(LIST),)
            if first.runs:
                self._add_runs(paragraph, first.runs)
            else:
                rest = list(item.children)
            for child in rest:
                if child.kind == LIST:
                    self._add_list(child, depth + 1)
                else:
                    self._add_block(child, f"List Continue{suffix}")

    def _add_table(self, block: AnswerBlock) -> None:
        columns = max(len(row.children) for row in block.children)
        table = self.document.add_table(rows=len(block.children), cols=columns, style="Table Grid")
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
        for number, (row, table_row) in enumerate(zip(block.children, table.rows, strict=True)):
            cells = table_row.cells
            for cell, content in zip(cells, row.children, strict=False):
                self._add_runs(cell.paragraphs[0], content.runs, bold=number == 0)
        self.document.add_paragraph()  # Word joins adjacent tables

    def _add_runs(self, paragraph: Paragraph, runs: Sequence[AnswerRun], bold: bool = False) -> None:
        for run in runs:
            for index in run.marker.citations if run.marker else ():
                note = self.report.notes[index]
                self.footnotes.add(
                    paragraph,
                    replace_invalid_characters(format_footnote_text(note)),
                    note.target if note.file else "",
                    replace_invalid_characters(note.location),
                )
            if not (run.marker and run.marker.citations):
                self._add_words(paragraph, run, bold)

    @staticmethod
    def _add_words(paragraph: Paragraph, run: AnswerRun, bold: bool) -> None:
        word_run = paragraph.add_run(replace_invalid_characters(run.text))
        word_run.bold, word_run.italic = run.bold or bold or None, run.italic or None
        if run.code:
            set_monospace(word_run, 9)
        if run.marker:
            word_run.font.color.rgb = ERROR_COLOR


def format_footnote_text(note: CitationNote) -> str:
    """Return the text of a footnote after its location: the quote and the remark."""
    quote = f": “{' '.join(note.citation.quote.split())}”" if note.citation.quote else "."
    return f"{quote} {note.remark}".rstrip()


def set_monospace(run: Run, points: int) -> None:
    run.font.name, run.font.size = MONOSPACE_FONT, Pt(points)


def replace_invalid_characters(text: str) -> str:
    return _INVALID_XML.sub("\ufffd", text)


def _add_numbering(document: WordDocument, style: str, first: int) -> int:
    """Return the id of a numbering in the given style that begins at `first`; Word would number all lists as one."""
    numbering = document.part.numbering_part.element
    style_number = document.styles[style].element.pPr.numPr.numId.val
    numbering_instance = numbering.add_num(numbering.num_having_numId(style_number).abstractNumId.val)
    numbering_instance.add_lvlOverride(0).add_startOverride(first)
    return int(numbering_instance.numId)


def _draw_rule(paragraph: Paragraph) -> None:
    line = f'<w:pBdr {nsdecls("w")}><w:bottom w:val="single" w:sz="4" w:space="1" w:color="auto"/></w:pBdr>'
    paragraph._p.get_or_add_pPr().append(parse_xml(line))


# The whole document.


MUTED_COLOR = RGBColor(0x60, 0x5D, 0x55)
_CONTENT_TYPES = "[Content_Types].xml"


def render_word(report: Report) -> bytes:
    document = Document()
    _set_properties(document, report)
    footnotes = WordFootnotes(document)
    document.add_heading(replace_invalid_characters(report.question), 0)
    _add_small_text(document, " · ".join(f"{name}: {value}" for name, value in report.metadata))
    for notice in (report.redaction_notice, report.refusal, *report.answer.warnings):
        if notice:
            document.add_paragraph().add_run(replace_invalid_characters(notice)).font.color.rgb = ERROR_COLOR
    WordTextWriter(document, report, footnotes).write(report.body)
    for note in report.unmarked_notes:
        document.add_paragraph(
            replace_invalid_characters(note.location + format_footnote_text(note)), style="List Number"
        )
    _add_quoted_tables(document, report)
    _add_claims(document, report)
    _add_documents(document, report.documents)
    _add_proof(document, report)
    return _save_reproducibly(document)


def _set_properties(document: WordDocument, report: Report) -> None:
    """Set the properties; all times are the answer's, so that the file does not depend on when it is made."""
    properties, asked_at = document.core_properties, report.answer.asked_at
    properties.author = properties.last_modified_by = "Highlighter"
    properties.title = replace_invalid_characters(report.question)[:255]
    properties.comments = f"Answer {report.answer.id}"
    properties.created = properties.modified = (
        datetime.fromisoformat(asked_at).replace(tzinfo=None) if asked_at else datetime(1980, 1, 1)
    )
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Calibri", Pt(11)
    set_east_asian_fonts(document)


def _add_quoted_tables(document: WordDocument, report: Report) -> None:
    """Add the rows of tables that notes quote; a footnote shows their words in one line."""
    quoted = [(note, table) for note in report.notes if (table := note.table)]
    if quoted:
        document.add_heading("Cited table rows", 2)
    for note, table in quoted:
        title = f"{note.number}. {note.location}" + (f": {table.caption}" if table.caption else "")
        document.add_paragraph(replace_invalid_characters(title)).paragraph_format.keep_with_next = True
        word_table = document.add_table(rows=0, cols=len(table.header), style="Table Grid")
        if any(table.header):
            row = word_table.add_row()
            row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
            for cell, text in zip(row.cells, table.header, strict=True):
                cell.paragraphs[0].add_run(replace_invalid_characters(text)).bold = True
        for quoted_row in table.rows:
            for cell, content in zip(word_table.add_row().cells, quoted_row, strict=True):
                cell.paragraphs[0].add_run(replace_invalid_characters(content.text)).bold = content.is_header or None
        document.add_paragraph()  # Word joins adjacent tables


def _add_claims(document: WordDocument, report: Report) -> None:
    if not report.answer.claims:
        return
    document.add_heading("Checked claims", 2)
    table = document.add_table(rows=0, cols=2, style="Table Grid")
    table.autofit = False
    table.columns[0].width, table.columns[1].width = Pt(90), Pt(342)
    for claim in report.answer.claims:
        verdict_cell, text_cell = table.add_row().cells
        verdict_cell.width, text_cell.width = Pt(90), Pt(342)
        verdict_cell.text = format_verdict(claim.verdict)
        text_cell.text = replace_invalid_characters(f"{claim.text} ({claim.why})" if claim.why else claim.text)


def _add_documents(document: WordDocument, documents: tuple[PackDocument, ...]) -> None:
    if not documents:
        return
    document.add_heading("Documents", 2)
    for item in documents:
        paragraph = document.add_paragraph(style="List Bullet")
        name = replace_invalid_characters(item.name)
        if item.file:
            add_link(paragraph, item.file, name)
        else:
            paragraph.add_run(name)
        if item.sha256:
            paragraph.add_run("\nSHA-256 of the original ")
            _add_monospace(paragraph, item.sha256)
        if item.why:
            paragraph.add_run(f"\n{replace_invalid_characters(item.why)}")


def _add_proof(document: WordDocument, report: Report) -> None:
    document.add_heading("Proof", 2)
    head = report.stored_answer.head
    paragraph = document.add_paragraph("Answer ")
    _add_monospace(paragraph, report.answer.id)
    paragraph.add_run(f", recorded as row {head.seq} of the audit log at {report.stored_at}. Hash of the chain there: ")
    _add_monospace(paragraph, head.hash)
    paragraph.add_run(". manifest.json has the SHA-256 of every file; record.json has what the hash is made of.")


def _add_small_text(document: WordDocument, text: str) -> None:
    run = document.add_paragraph().add_run(replace_invalid_characters(text))
    run.font.size, run.font.color.rgb = Pt(9), MUTED_COLOR


def _add_monospace(paragraph: Paragraph, text: str) -> None:
    set_monospace(paragraph.add_run(text), 8)


def _save_reproducibly(document: WordDocument) -> bytes:
    """Return the bytes without the times and the varying order of parts that python-docx writes."""
    out = io.BytesIO()
    document.save(out)
    with zipfile.ZipFile(out) as package:
        names = sorted(package.namelist(), key=lambda name: (name != _CONTENT_TYPES, name))
        return build_zip((name, package.read(name)) for name in names)
