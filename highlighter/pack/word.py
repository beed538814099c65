"""A pack's answer as a Word document: every mark is a footnote of Word's own."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import datetime

from docx import Document
from docx.document import Document as WordDocument
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph

from highlighter.generation.laid_out import HEADING, ITEM, Paragraph
from highlighter.pack.archive import zipped
from highlighter.pack.footnotes import Footnotes, east_asian_fonts, link
from highlighter.pack.report import Given, Note, Report

SOFT, BAD = RGBColor(0x60, 0x5D, 0x55), RGBColor(0x96, 0x2A, 0x1D)
MONO = "DejaVu Sans Mono"
_CONTENT_TYPES = "[Content_Types].xml"
# What XML cannot hold.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def as_word(told: Report) -> bytes:
    document = Document()
    _describe(document, told)
    footnotes = Footnotes(document)
    document.add_heading(_clean(told.question), 0)
    _small(document, " · ".join(f"{name}: {value}" for name, value in told.facts))
    for said in (told.gone, told.refusal, *told.answer.warnings):
        if said:
            document.add_paragraph().add_run(_clean(said)).font.color.rgb = BAD
    for paragraph in told.body:
        _paragraph(document, paragraph, told, footnotes)
    for note in told.loose:
        document.add_paragraph(_clean(note.where + _footnote(note)), style="List Number")
    _claims(document, told)
    _documents(document, told.given)
    _proof(document, told)
    return _the_same_bytes(document)


def _describe(document: WordDocument, told: Report) -> None:
    """Its times are the answer's, so that the file does not depend on when it was made."""
    about, at = document.core_properties, told.answer.asked_at
    about.author = about.last_modified_by = "Highlighter"
    about.title, about.comments = _clean(told.question)[:255], f"Answer {told.answer.id}"
    about.created = about.modified = datetime.fromisoformat(at).replace(tzinfo=None) if at else datetime(1980, 1, 1)
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Calibri", Pt(11)
    east_asian_fonts(document)


def _paragraph(document: WordDocument, paragraph: Paragraph, told: Report, footnotes: Footnotes) -> None:
    if paragraph.kind == HEADING:
        made = document.add_heading("", 2)
    else:
        made = document.add_paragraph(style="List Bullet" if paragraph.kind == ITEM else None)
    for run in paragraph.runs:
        if run.citation is not None:
            note = told.notes[run.citation]
            footnotes.add(made, _clean(_footnote(note)), note.target if note.file else "", _clean(note.where))
        else:
            written = made.add_run(_clean(run.text))
            written.bold = run.bold or None
            if run.unresolved is not None:
                written.font.color.rgb = BAD


def _footnote(note: Note) -> str:
    """What follows its place: the quote, and what is to be said of it."""
    quote = f": “{' '.join(note.citation.quote.split())}”" if note.citation.quote else "."
    return f"{quote} {note.says}".rstrip()


def _claims(document: WordDocument, told: Report) -> None:
    if not told.answer.claims:
        return
    document.add_heading("What was checked", 2)
    table = document.add_table(rows=0, cols=2, style="Table Grid")
    table.autofit = False
    table.columns[0].width, table.columns[1].width = Pt(90), Pt(342)
    for one in told.answer.claims:
        verdict, said = table.add_row().cells
        verdict.width, said.width = Pt(90), Pt(342)
        verdict.text = one.verdict
        said.text = _clean(f"{one.text} ({one.why})" if one.why else one.text)


def _documents(document: WordDocument, given: tuple[Given, ...]) -> None:
    if not given:
        return
    document.add_heading("Documents", 2)
    for one in given:
        made = document.add_paragraph(style="List Bullet")
        link(made, one.file, _clean(one.name)) if one.file else made.add_run(_clean(one.name))
        if one.sha256:
            made.add_run("\nSHA-256 of the original ")
            _mono(made, one.sha256)
        if one.why:
            made.add_run(f"\n{_clean(one.why)}")


def _proof(document: WordDocument, told: Report) -> None:
    document.add_heading("Proof", 2)
    head = told.kept.head
    made = document.add_paragraph("Answer ")
    _mono(made, told.answer.id)
    made.add_run(f", kept as row {head.seq} of the audit at {told.kept_at}. Hash of the chain there: ")
    _mono(made, head.hash)
    made.add_run(". manifest.json has the SHA-256 of every file; record.json has what the hash is made of.")


def _small(document: WordDocument, text: str) -> None:
    run = document.add_paragraph().add_run(_clean(text))
    run.font.size, run.font.color.rgb = Pt(9), SOFT


def _mono(paragraph: WordParagraph, text: str) -> None:
    run = paragraph.add_run(text)
    run.font.name, run.font.size = MONO, Pt(8)


def _clean(text: str) -> str:
    return _CONTROL.sub("\ufffd", text)


def _the_same_bytes(document: WordDocument) -> bytes:
    """python-docx writes the time of day into the zip, and parts in the order in which it meets them."""
    out = io.BytesIO()
    document.save(out)
    with zipfile.ZipFile(out) as made:
        names = sorted(made.namelist(), key=lambda name: (name != _CONTENT_TYPES, name))
        return zipped((name, made.read(name)) for name in names)
