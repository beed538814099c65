"""A quote held against a document or the library: where it stands, how surely, and what else it may be."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace

from highlighter.access import Visible
from highlighter.characters import whole_characters
from highlighter.citations.quotes import (
    BARRED,
    ENOUGH,
    FUZZY,
    NONE,
    NOWHERE,
    SEMANTIC,
    TOO_LITTLE,
    Match,
    closest,
    trimmed,
)
from highlighter.citations.weight import EXACT_NEEDS, strength
from highlighter.embedder import Embedder
from highlighter.errors import AlteredContent, BadRequest
from highlighter.locale import N_
from highlighter.models import Document, Located, Place, Sentence
from highlighter.search.alike import Alike
from highlighter.search.texts import Texts
from highlighter.store import places, words
from highlighter.store.catalog import Catalog
from highlighter.store.scope import Key, Scope
from highlighter.terms import terms

log = logging.getLogger(__name__)

LONGEST, CONTEXT_AT_MOST = 20_000, 2_000  # characters of a quote, and of what stands on either side of it
# Of a library: how many chunks that share its words are looked into, by at most so many of those words (long ones say
# more), and how many documents.
CHUNKS, TERMS, DOCUMENTS = 40, 40, 12
# Around such a chunk, for a quote that runs over its border.
AROUND = 2_000
CANDIDATES = 5

_TIERS = ("exact", "normalised", "fuzzy", "semantic", "none")


class Locator:
    """Finds quotes. The words decide; the document, the page and the context given only say where to look first."""

    def __init__(self, catalog: Catalog, embedder: Embedder):
        self.catalog = catalog
        self.texts = Texts(catalog)
        self._alike = Alike(catalog, embedder)

    def locate(
        self,
        quote: str,
        document: Document | None = None,
        visible: Visible = Visible(),
        page: int = 0,
        prefix: str = "",
        suffix: str = "",
    ) -> Located:
        """In one document (be it current or not), or in all that may be seen and are current."""
        quote = checked_quote(quote)
        if strength(trimmed(quote)) < EXACT_NEEDS and not (prefix or suffix):
            return Located(quote, None, why=TOO_LITTLE)
        if document is not None:
            found = list(self._in(document, quote, prefix, suffix, page))
            scope = Scope(visible, document_id=document.id)
        else:
            scope = Scope(visible)
            found = [place for one in self._documents(quote, scope, prefix, suffix) for place in one]
        ordered, notes = _ordered(found), []
        if all(place.score < ENOUGH or place.why == NOWHERE for place in ordered):  # else the quote was made of that
            alike, note = self._alike.find(quote, scope)
            ordered = alike + ordered
            notes += [note] if note else []
        if document is not None and page > document.pages:
            notes.append(N_(f"{document.name} has {document.pages} pages, so page {page} was left aside."))
        return self._told(quote, ordered, tuple(notes))

    def judged(self, document: Document, start: int, end: int, quote: str) -> Place:
        """A span that a link says is the place of a quote: as what it is, or as a miss."""
        quote, text = checked_quote(quote), self.texts.words(document)
        said = text.text[start:end] if text else ""
        found = closest(said, quote) if said else None
        if found and (found.tier != NONE or found.differs):
            place = Place(document, start, end, said, found.tier, found.score, differs=found.differs, why=found.why)
        else:
            place = Place(document, start, end, said, NONE, 0.0, why=NOWHERE)
        if place.tier == NONE and self._alike.means(quote, said):
            return replace(place, tier=SEMANTIC, why="")
        return place

    def told(self, quote: str, place: Place) -> Located:
        """A place that is known already."""
        return self._told(quote, [place], ())

    def _told(self, quote: str, ordered: list[Place], notes: tuple[str, ...]) -> Located:
        ordered = [self.placed(place) for place in ordered[: CANDIDATES + 1]]
        if ordered and ordered[0].tier != NONE:
            best = ordered[0]
            return Located(quote, best, self._sentences(best), tuple(ordered[1:]), notes=notes)
        why = ordered[0].why if ordered else TOO_LITTLE if not strength(trimmed(quote)) else NOWHERE
        return Located(quote, None, candidates=tuple(ordered[:CANDIDATES]), why=why, notes=notes)

    def _documents(self, quote: str, scope: Scope, prefix: str, suffix: str) -> Iterator[list[tuple[Place, float]]]:
        """Those that hold its words: first only around the chunks that do; where that says it, the whole of it."""
        words.fill(self.catalog.engine)
        wanted = sorted(set(terms(quote)), key=len, reverse=True)[:TERMS]
        held: dict[str, list[Key]] = {}
        for key in words.holding(self.catalog.engine, wanted, scope, CHUNKS):
            held.setdefault(key.document_id, []).append(key)
        for document_id, keys in list(held.items())[:DOCUMENTS]:
            document = self.catalog.document(document_id, scope.visible)
            try:
                found = document and self._around(document, keys, quote, prefix, suffix)
            except AlteredContent as err:  # one damaged text must not stop the search of all others
                log.error("Left out of what was looked through: %s", err.detail)
                continue
            if found and found.tier != NONE:
                yield list(self._in(document, quote, prefix, suffix, 0, near=(found.start, found.end)))
            elif found:
                yield [(self._place(document, found, found.start, found.end), found.context)]

    def _around(self, document: Document, keys: list[Key], quote: str, prefix: str, suffix: str) -> Match | None:
        text, best = self.texts.words(document), None
        if text is None:
            return None
        margin = max(AROUND, 2 * len(quote))
        for start, end in _joined(self._spans(document, keys), margin, len(text.text)):
            found = closest(text.text[start:end], quote, prefix, suffix)
            if found:
                found = replace(found, start=found.start + start, end=found.end + start)
                best = min(filter(None, (best, found)), key=lambda m: (_TIERS.index(m.tier), -m.context, -m.score))
        return best

    def _spans(self, document: Document, keys: list[Key]) -> list[tuple[int, int]]:
        found = (self.catalog.chunk(document, key.index, key.pipeline) for key in keys)
        return sorted((chunk.start, chunk.end) for chunk in found if chunk)

    def _in(
        self, document: Document, quote: str, prefix: str, suffix: str, page: int, near: tuple[int, int] | None = None
    ) -> Iterator[tuple[Place, float]]:
        """The best place in a document, and others that say the same."""
        text = self.texts.words(document)
        if text is None:  # deleted in this moment
            return
        if page:
            near = places.page_span(self.catalog.engine, document, page)
        found = closest(text, quote, prefix, suffix, near)
        if found is None:
            return
        yield self._place(document, found, found.start, found.end), 1.0 + found.context
        for start, end in found.others[: CANDIDATES + 1]:
            yield self._place(document, found, start, end), 0.0

    def _place(self, document: Document, found: Match, start: int, end: int) -> Place:
        text = self.texts.words(document)
        said = text.text[start:end] if text else ""
        return Place(document, start, end, said, found.tier, found.score, differs=found.differs, why=found.why)

    def placed(self, place: Place) -> Place:
        """With the chunk and the pages it stands on."""
        rows = places.touched(self.catalog.engine, place.document, place.start, place.end)
        if not rows:
            return place
        return replace(place, chunk=rows[0].chunk, page=rows[0].page, last_page=rows[-1].page)

    def _sentences(self, place: Place) -> tuple[Sentence, ...]:
        text = self.texts.words(place.document)
        rows = places.touched(self.catalog.engine, place.document, place.start, place.end)
        return tuple(Sentence(r.index, r.start, r.end, text.text[r.start : r.end], r.page) for r in rows if text)


def _ordered(found: list[tuple[Place, float]]) -> list[Place]:
    """The surest first; a passage that says it but for a number or a "not" bars those elsewhere that are less like it."""
    found = sorted(found, key=lambda item: (_TIERS.index(item[0].tier), -item[1], -item[0].score))
    ordered = [place for place, _ in found]
    changed = max((place.score for place in ordered if place.tier == NONE and place.why != NOWHERE), default=0.0)
    barred = [place for place in ordered if place.tier == FUZZY and place.score < changed - BARRED]
    return sorted((place for place in ordered if place not in barred), key=lambda place: place.tier == NONE)


def checked_quote(quote: str) -> str:
    """What may be looked for, or a BadRequest that says why not."""
    quote = whole_characters(quote).strip()
    if not quote:
        raise BadRequest("There is no quote to look for.")
    if len(quote) > LONGEST:
        raise BadRequest(
            f"The quote has {len(quote):,} characters; at most {LONGEST:,} are looked for. Take a part of it."
        )
    return quote


def _joined(spans: list[tuple[int, int]], margin: int, length: int) -> list[tuple[int, int]]:
    """Widened on both sides; those that then touch are one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        start, end = max(start - margin, 0), min(end + margin, length)
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
