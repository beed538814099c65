"""A pack's answer as a Word document: every mark is a footnote of Word's own."""

from __future__ import annotations

import io
import zipfile
from datetime import datetime

from docx import Document
from docx.document import Document as WordDocument
from docx.shared import Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph

from highlighter.pack.archive import zipped
from highlighter.pack.footnotes import Footnotes, east_asian_fonts, link
from highlighter.pack.report import Given, Report
from highlighter.pack.word_text import BAD, WordText, clean, footnote_text, set_mono

SOFT = RGBColor(0x60, 0x5D, 0x55)
_CONTENT_TYPES = "[Content_Types].xml"


def as_word(told: Report) -> bytes:
    document = Document()
    _describe(document, told)
    footnotes = Footnotes(document)
    document.add_heading(clean(told.question), 0)
    _small(document, " · ".join(f"{name}: {value}" for name, value in told.facts))
    for said in (told.gone, told.refusal, *told.answer.warnings):
        if said:
            document.add_paragraph().add_run(clean(said)).font.color.rgb = BAD
    WordText(document, told, footnotes).write(told.body)
    for note in told.loose:
        document.add_paragraph(clean(note.where + footnote_text(note)), style="List Number")
    _claims(document, told)
    _documents(document, told.given)
    _proof(document, told)
    return _the_same_bytes(document)


def _describe(document: WordDocument, told: Report) -> None:
    """Its times are the answer's, so that the file does not depend on when it was made."""
    about, at = document.core_properties, told.answer.asked_at
    about.author = about.last_modified_by = "Highlighter"
    about.title, about.comments = clean(told.question)[:255], f"Answer {told.answer.id}"
    about.created = about.modified = datetime.fromisoformat(at).replace(tzinfo=None) if at else datetime(1980, 1, 1)
    document.styles["Normal"].font.name, document.styles["Normal"].font.size = "Calibri", Pt(11)
    east_asian_fonts(document)


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
        said.text = clean(f"{one.text} ({one.why})" if one.why else one.text)


def _documents(document: WordDocument, given: tuple[Given, ...]) -> None:
    if not given:
        return
    document.add_heading("Documents", 2)
    for one in given:
        made = document.add_paragraph(style="List Bullet")
        link(made, one.file, clean(one.name)) if one.file else made.add_run(clean(one.name))
        if one.sha256:
            made.add_run("\nSHA-256 of the original ")
            _mono(made, one.sha256)
        if one.why:
            made.add_run(f"\n{clean(one.why)}")


def _proof(document: WordDocument, told: Report) -> None:
    document.add_heading("Proof", 2)
    head = told.kept.head
    made = document.add_paragraph("Answer ")
    _mono(made, told.answer.id)
    made.add_run(f", kept as row {head.seq} of the audit at {told.kept_at}. Hash of the chain there: ")
    _mono(made, head.hash)
    made.add_run(". manifest.json has the SHA-256 of every file; record.json has what the hash is made of.")


def _small(document: WordDocument, text: str) -> None:
    run = document.add_paragraph().add_run(clean(text))
    run.font.size, run.font.color.rgb = Pt(9), SOFT


def _mono(paragraph: WordParagraph, text: str) -> None:
    set_mono(paragraph.add_run(text), 8)


def _the_same_bytes(document: WordDocument) -> bytes:
    """python-docx writes the time of day into the zip, and parts in the order in which it meets them."""
    out = io.BytesIO()
    document.save(out)
    with zipfile.ZipFile(out) as made:
        names = sorted(made.namelist(), key=lambda name: (name != _CONTENT_TYPES, name))
        return zipped((name, made.read(name)) for name in names)
