"""Where a note is in a text: in the one that it was made on, or in a later version, found by its words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cachetools import LRUCache

from highlighter.models import Document, DocumentQuoteMatch
from highlighter.quotes.anchors import CHANGED, GONE, MOVED, SAME, Anchor, Relocation, relocate_anchor
from highlighter.quotes.match import EXACT
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.word_diff import DiffSegment
from highlighter.search.quote_locator import QuoteLocator
from highlighter.store.notes import Note
from highlighter.urls import NotePlace

OUTCOMES = (SAME, MOVED, CHANGED, GONE)
MAX_CACHED_RELOCATIONS = 20_000


@dataclass(frozen=True, slots=True)
class PlacedNote:
    """A note with its span in the text of a document, which may be a later version of the note's own."""

    note: Note
    document: Document
    outcome: str  # one of OUTCOMES; with GONE there is no span
    start: int
    end: int
    page: int
    chunk: int
    text: str = ""  # the words of the span
    differs: tuple[DiffSegment, ...] = ()  # of a changed span

    @property
    def link_target(self) -> NotePlace:
        """Return where a link opens the note: a lost one in the version that it was made on."""
        if self.outcome == GONE:
            return NotePlace(self.note.document_id, self.note.pipeline, self.note.chunk)
        is_original = self.document.id == self.note.document_id and self.start == self.note.start
        pipeline = self.note.pipeline if is_original else self.document.pipeline
        return NotePlace(self.document.id, pipeline, self.chunk)


class NotePlacer:
    """Places notes in texts. Where a note is in another text is searched for once, and remembered."""

    def __init__(self, locator: QuoteLocator):
        self._locator = locator
        self._relocations: LRUCache[tuple[str, str, int], Relocation] = LRUCache(MAX_CACHED_RELOCATIONS)

    def place(self, note: Note, document: Document) -> PlacedNote | None:
        """Return where a note is in a document; None when the document was deleted meanwhile."""
        if (note.document_id, note.pipeline) == (document.id, document.pipeline):
            return place_unchanged(note, document)
        text = self._locator.text_cache.get_text(document)
        if text is None:
            return None
        key = (note.id, document.id, document.pipeline)
        relocation = self._relocations.get(key)
        if relocation is None:
            relocation = self._relocations[key] = relocate_anchor(make_anchor(note), text)
        if relocation.outcome == GONE:
            return PlacedNote(note, document, GONE, 0, 0, 0, 0)
        return self._place_relocated(note, document, relocation, text)

    def _place_relocated(
        self, note: Note, document: Document, relocation: Relocation, text: ComparableText
    ) -> PlacedNote:
        start, end = relocation.start, relocation.end
        words = text.text[start:end]
        position = self._locator.add_position(DocumentQuoteMatch(document, start, end, words, EXACT, 1.0))
        placed = PlacedNote(
            note, document, relocation.outcome, start, end, position.page, position.chunk, words, relocation.differs
        )
        has_moved = position.page != note.page or not _has_neighbours(note, text, start, end)
        return replace(placed, outcome=MOVED) if relocation.outcome == SAME and has_moved else placed


def place_unchanged(note: Note, document: Document) -> PlacedNote:
    """Return a note in the text that it was made on."""
    return PlacedNote(note, document, SAME, note.start, note.end, note.page, note.chunk, note.exact)


def make_anchor(note: Note) -> Anchor:
    return Anchor(note.start, note.end, note.exact, note.prefix, note.suffix)


def _has_neighbours(note: Note, text: ComparableText, start: int, end: int) -> bool:
    """Return whether the words before or after a span are those that were around the note."""
    prefix, suffix = (normalise_text(words).text.strip() for words in (note.prefix, note.suffix))
    before = normalise_text(text.text[max(start - 2 * len(note.prefix), 0) : start]).text.strip()
    after = normalise_text(text.text[end : end + 2 * len(note.suffix)]).text.strip()
    has_none = not prefix and not suffix
    return has_none or bool(prefix and before.endswith(prefix)) or bool(suffix and after.startswith(suffix))
