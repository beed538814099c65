"""A reader's notes on documents, in the forms that files hold: annotations of a PDF, JSON-LD and Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.access import Principal
from highlighter.errors import HighlighterError, NotFound, NotReady
from highlighter.evidence.strength import STRONG
from highlighter.notes.annotations import AnnotationReader, build_annotation_page
from highlighter.notes.markdown import render_markdown
from highlighter.notes.note_book import NoteBook
from highlighter.notes.placement import PlacedNote
from highlighter.pages.document_pages import DocumentPages
from highlighter.pages.pdf_highlights import NoteStyle, PdfHighlight
from highlighter.urls import Links

# On white pages, multiplied, and on dark ones, added, as in highlighter/pages/pdf_highlights.py.
_STYLES = {
    "yellow": ((1.0, 0.953, 0.769), (0.24, 0.2, 0.07)),
    "green": ((0.78, 0.92, 0.75), (0.11, 0.23, 0.11)),
    "blue": ((0.76, 0.87, 1.0), (0.08, 0.2, 0.31)),
    "pink": ((1.0, 0.81, 0.89), (0.27, 0.1, 0.18)),
}


@dataclass(frozen=True, slots=True)
class NoteSource:
    """The notes that a principal may read, and the URLs that lead to them."""

    book: NoteBook
    principal: Principal
    links: Links

    def list_notes(self, document_id: str) -> list[PlacedNote]:
        """Return the notes on a document; none where it was deleted, or has no text."""
        try:
            return self.book.list_on(self.principal, document_id)
        except (NotFound, NotReady):
            return []

    def build_annotations(self, document_id: str, pages: DocumentPages) -> list[PdfHighlight]:
        """Return the notes on a document as annotations of its PDF."""
        return build_pdf_annotations(self.list_notes(document_id), pages)

    def build_files(self, document_ids: Sequence[str]) -> dict[str, bytes]:
        """Return files with the notes on some documents; none where there are no notes."""
        placed = [note for document_id in document_ids if document_id for note in self.list_notes(document_id)]
        if not placed:
            return {}
        page = build_annotation_page(placed, AnnotationReader(self.principal.note_owner, self.links), len(placed))
        return {
            "notes.jsonld": json.dumps(page, ensure_ascii=False, indent=2).encode("utf-8", "replace"),
            "notes.md": render_markdown(placed, self.links).encode("utf-8", "replace"),
        }


def build_pdf_annotations(notes: Sequence[PlacedNote], pages: DocumentPages) -> list[PdfHighlight]:
    """Return notes as annotations of a PDF: one for each page of a note. Those on no page are left out."""
    return [annotation for placed in notes if placed.end for annotation in _annotate(placed, pages)]


def _annotate(placed: PlacedNote, pages: DocumentPages) -> list[PdfHighlight]:
    note = placed.note
    style = NoteStyle(*_STYLES[note.colour], note.author)
    try:
        rectangles = pages.find_rectangles(placed.document, placed.start, placed.end)
        numbers = list(dict.fromkeys(rectangle.page for rectangle in rectangles))
        characters = {number: pages.read_page_characters(placed.document, number) for number in numbers}
    except HighlighterError:
        return []
    return [
        PdfHighlight(
            number,
            tuple(rectangle for rectangle in rectangles if rectangle.page == number),
            (characters[number].left, characters[number].bottom),
            STRONG, note.text, f"note-{note.id}-{number}", style,
        )
        for number in numbers
    ]  # fmt: skip
