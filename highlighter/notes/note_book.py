"""The notes of readers: make, list, change and delete them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from highlighter.access import Principal, get_visible_collections
from highlighter.errors import BadRequest, NotFound, PreconditionFailed
from highlighter.locale import N_
from highlighter.models import Document, DocumentQuoteMatch
from highlighter.notes.placement import NotePlacer, PlacedNote, place_unchanged
from highlighter.quotes.anchors import CHANGED, SAME, Anchor, relocate_anchor
from highlighter.quotes.fuzzy_search import find_occurrences
from highlighter.quotes.match import EXACT
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.word_diff import DROPPED, DiffSegment
from highlighter.quotes.word_diff import SAME as UNCHANGED
from highlighter.search.citation_reopener import validate_span
from highlighter.search.quote_locator import MAX_QUOTE_CHARACTERS, QuoteLocator
from highlighter.store import notes, sentence_rows
from highlighter.store.lookup import require_document, require_readable_document
from highlighter.store.notes import (
    COLOURS,
    MAX_NOTE_TEXT_CHARACTERS,
    MAX_NOTES_PER_DOCUMENT,
    Note,
    NoteFilter,
    NotePosition,
)
from highlighter.text.characters import repair_surrogates

NOTE_CHANGED = N_("This note was changed meanwhile, perhaps in another tab. Reload it, and make your change again.")


@dataclass(frozen=True, slots=True)
class TextSelection:
    """The words that a reader selects: by their offsets, by the words themselves with those around them, or by both."""

    start: int | None = None
    end: int | None = None
    exact: str = ""
    prefix: str = ""
    suffix: str = ""
    page: int = 0  # a hint, where the words occur several times


@dataclass(frozen=True, slots=True)
class NoteContent:
    """What a reader says about the selected words."""

    colour: str = COLOURS[0]
    text: str = ""
    shared: bool = False


class NoteBook:
    """The notes of all readers. Each method acts for a principal, and what that may not see does not exist for it."""

    def __init__(self, locator: QuoteLocator, undo_seconds: int):
        self._locator, self._undo_seconds = locator, undo_seconds
        self._catalog, self._engine = locator.catalog, locator.catalog.engine
        self._placer = NotePlacer(locator)

    def create(
        self, principal: Principal, document_id: str, selection: TextSelection, content: NoteContent
    ) -> PlacedNote:
        """Make a note on words of a document."""
        visible = get_visible_collections(principal)
        document = require_readable_document(self._catalog, document_id, visible)
        values = _check_content(content)
        anchor = self._find_selection(document, selection)
        place = self._locator.add_position(
            DocumentQuoteMatch(document, anchor.start, anchor.end, anchor.exact, EXACT, 1.0)
        )
        fields = {
            "document_id": document.id, "pipeline": document.pipeline, "start": anchor.start, "end": anchor.end,
            "page": place.page, "chunk": place.chunk, "exact": anchor.exact, "prefix": anchor.prefix,
            "suffix": anchor.suffix, "owner": principal.note_owner, **values,
        }  # fmt: skip
        id = notes.insert_note(self._engine, fields)
        if id is None:
            require_document(self._catalog, document_id, visible)  # it may have been deleted meanwhile
            raise BadRequest(
                N_("You have {limit:,} notes on this document, and cannot add more.", limit=MAX_NOTES_PER_DOCUMENT)
            )
        return place_unchanged(self._require_note(principal, id), document)

    def list_on(self, principal: Principal, document_id: str) -> list[PlacedNote]:
        """Return the notes on a document and on the versions before it, in the order of the text; lost ones at the end."""
        document = require_readable_document(self._catalog, document_id, get_visible_collections(principal))
        ids = [document.id, *notes.list_earlier_versions(self._engine, document.id)]
        found = notes.list_notes_on(self._engine, ids, principal.note_owner)
        placed = [place for note in found if (place := self._placer.place(note, document))]
        return sorted(placed, key=lambda place: (place.end == 0, place.start, place.end, place.note.created))

    def list_own(
        self, principal: Principal, words: str = "", document_id: str = "", limit: int = 50, offset: int = 0
    ) -> tuple[list[PlacedNote], int]:
        """Return notes of a principal on all documents that contain some words, and how many there are in all.

        Each is placed on the document that it was made on.
        """
        wanted = NoteFilter(principal.note_owner, get_visible_collections(principal), document_id, words)
        found = notes.list_own_notes(self._engine, wanted, limit, offset)
        known = {id: self._catalog.document(id) for id in {note.document_id for note in found}}
        placed = [place_unchanged(note, document) for note in found if (document := known[note.document_id])]
        return placed, notes.count_own_notes(self._engine, wanted)

    def list_own_by_document(
        self,
        principal: Principal,
        words: str = "",
        document_id: str = "",
        limit: int = 50,
        offset: int = 0,
        after: NotePosition | None = None,
    ) -> tuple[list[tuple[PlacedNote, NotePosition]], int]:
        """Return the same notes in an order that never changes, the newest document first, each with its position."""
        wanted = NoteFilter(principal.note_owner, get_visible_collections(principal), document_id, words)
        found = notes.list_own_notes_by_document(self._engine, wanted, limit, offset, after)
        known = {id: self._catalog.document(id) for id in {note.document_id for note, _ in found}}
        placed = [
            (place_unchanged(note, document), position)
            for note, position in found
            if (document := known[note.document_id])
        ]
        return placed, notes.count_own_notes(self._engine, wanted)

    def get(self, principal: Principal, id: str) -> PlacedNote:
        """Return a note that the principal may read, placed on the document that it was made on."""
        note = self._require_note(principal, id)
        document = require_document(self._catalog, note.document_id, get_visible_collections(principal))
        return place_unchanged(note, document)

    def update(self, principal: Principal, id: str, content: NoteContent, tag: str = "") -> PlacedNote:
        """Change colour, text and sharing of a note of the principal's own.

        With the `tag` of an earlier state, raise PreconditionFailed: another change would be lost.
        """
        note = self._require_own_note(principal, id)
        is_changed = (not tag or tag == note.tag) and notes.update_note(
            self._engine, note, _check_content(content), only_unchanged=bool(tag)
        )
        if tag and not is_changed:
            raise PreconditionFailed(NOTE_CHANGED)
        return self.get(principal, id)

    def delete(self, principal: Principal, id: str, tag: str = "") -> None:
        """Delete a note of the principal's own. For some seconds it can be restored.

        With the `tag` of an earlier state, raise PreconditionFailed.
        """
        note = self._require_own_note(principal, id)
        is_deleted = (not tag or tag == note.tag) and notes.schedule_note_deletion(
            self._engine, note, self._undo_seconds, only_unchanged=bool(tag)
        )
        if tag and not is_deleted:
            raise PreconditionFailed(NOTE_CHANGED)

    def restore(self, principal: Principal, id: str) -> PlacedNote:
        """Undo the deletion of a note."""
        if not notes.restore_note(self._engine, id, principal.note_owner):
            raise NotFound("This note was deleted for good, or never existed.")
        return self.get(principal, id)

    def _require_note(self, principal: Principal, id: str) -> Note:
        note = notes.find_note(self._engine, id, principal.note_owner, get_visible_collections(principal))
        if note is None:
            raise NotFound("There is no such note. It may have been deleted, or belong to another reader.")
        return note

    def _require_own_note(self, principal: Principal, id: str) -> Note:
        note = self._require_note(principal, id)
        if note.owner != principal.note_owner:
            raise NotFound("This note belongs to another reader: only its author can change it.")
        return note

    def _find_selection(self, document: Document, selection: TextSelection) -> Anchor:
        """Return the anchor of the selected words; raise BadRequest when they are not in the document."""
        text = self._locator.text_cache.get_text(document)
        if text is None:
            raise NotFound(N_("{name} was just deleted.", name=document.name))
        if len(selection.exact) > MAX_QUOTE_CHARACTERS:
            raise _too_many_words(len(selection.exact))
        if selection.start is not None and selection.end is not None:
            validate_span(selection.start, selection.end, len(text.text))
            span = _trim_span(text.text, selection.start, selection.end)
            if not selection.exact or _is_same(text.text[span[0] : span[1]], selection.exact):
                return _make_anchor(text, *span)
        if not selection.exact.strip():
            raise BadRequest("Select the words that the note is about.")
        span = self._find_words(document, selection, text)
        return _make_anchor(text, *span)

    def _find_words(self, document: Document, selection: TextSelection, text: ComparableText) -> tuple[int, int]:
        page_span = None
        if selection.page:
            page_span = sentence_rows.find_page_span(self._catalog.engine, document, selection.page)
        start, end = page_span or (selection.start or 0, selection.end or 0)
        exact, prefix, suffix = map(repair_surrogates, (selection.exact, selection.prefix, selection.suffix))
        relocation = relocate_anchor(Anchor(start, end, exact.strip(), prefix, suffix), text)
        # On pages, a selection may hold a running head, which is not in the text; what is in the text is noted.
        if relocation.outcome == SAME or (relocation.outcome == CHANGED and _is_all_selected(relocation.differs)):
            return _trim_span(text.text, relocation.start, relocation.end)
        # A single word is too short to be located, unless it is the only one.
        occurrences = list(islice(find_occurrences(text.text, exact.strip(), *(page_span or ())), 2))
        if len(occurrences) != 1:
            raise BadRequest(
                N_(
                    "The selected words were not found in the text of {name}, which has no page headers and footers.",
                    name=document.name,
                )
            )
        return occurrences[0], occurrences[0] + len(exact.strip())


def _make_anchor(text: ComparableText, start: int, end: int) -> Anchor:
    if end - start > MAX_QUOTE_CHARACTERS:
        raise _too_many_words(end - start)
    return Anchor.from_span(text.text, start, end)


def _trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the spaces at its edges; raise BadRequest when there is nothing else."""
    words = text[start:end]
    start, end = start + len(words) - len(words.lstrip()), end - (len(words) - len(words.rstrip()))
    if start >= end:
        raise BadRequest("Select the words that the note is about.")
    return start, end


def _is_all_selected(differs: Sequence[DiffSegment]) -> bool:
    """Return whether a span has no words but those of the quote that it was found for."""
    return all(segment.kind in (UNCHANGED, DROPPED) for segment in differs)


def _is_same(words: str, other: str) -> bool:
    return normalise_text(words).text == normalise_text(other).text


def _too_many_words(count: int) -> BadRequest:
    return BadRequest(
        N_(
            "The selection has {count:,} characters; a note can be about {limit:,} at most.",
            count=count,
            limit=MAX_QUOTE_CHARACTERS,
        )
    )


def _check_content(content: NoteContent) -> dict[str, Any]:
    """Return the content as values of a row; raise BadRequest when it is not valid."""
    text = repair_surrogates(content.text).strip()
    if content.colour not in COLOURS:
        raise BadRequest(N_("The colour must be one of {colours}.", colours=", ".join(COLOURS)))
    if len(text) > MAX_NOTE_TEXT_CHARACTERS:
        raise BadRequest(
            N_(
                "The note has {count:,} characters; the limit is {limit:,}.",
                count=len(text),
                limit=MAX_NOTE_TEXT_CHARACTERS,
            )
        )
    return {"colour": content.colour, "text": text, "shared": content.shared}
