"""Find in document: every place that says these words, or the sentences that mean them, in reading order."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice

from highlighter.characters import whole_characters
from highlighter.citations.nearly import border, occurrences
from highlighter.citations.normal import Words, normal
from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import Document, FoundSpans, Span
from highlighter.search.find import NO_MODEL, Search
from highlighter.search.score import terms_of
from highlighter.search.texts import Texts
from highlighter.store import candidates, words
from highlighter.store.scope import Scope

WORDS, MEANING = "words", "meaning"
LONGEST = 2_000
# Nobody steps through more; the count says that there are.
MOST = 2_000
# By meaning: how many of the parts that answer best are read for sentences.
CHUNKS = 10
# Where the words stand apart: how many chunks that hold them are read.
HOLDING = 200


class Finder:
    def __init__(self, search: Search, texts: Texts):
        self.search = search
        self.texts = texts
        self.catalog = search.catalog

    def find(self, document: Document, query: str, by: str = WORDS) -> FoundSpans:
        query = _checked(query)
        return self._by_meaning(document, query) if by == MEANING else self._by_words(document, query)

    def _by_words(self, document: Document, query: str) -> FoundSpans:
        text = self.texts.words(document)
        if text is None:
            raise NotFound(f"{document.name} was removed in this moment.")
        found = list(_phrase(text, query))
        if found:
            return FoundSpans(query, WORDS, self._placed(document, found))
        apart = self._apart(document, query)
        if apart:
            return FoundSpans(
                query, WORDS, self._placed(document, apart), N_("Not in a row: these sentences hold all the words.")
            )
        return FoundSpans(query, WORDS, (), N_(f"“{query}” does not stand in {document.name}."))

    def _apart(self, document: Document, query: str) -> list[tuple[int, int]]:
        """The sentences that hold every word, in any form and order."""
        wanted = terms_of(query)
        if len(wanted) < 2:
            return []
        words.fill(self.catalog.engine)
        scope = Scope(document_id=document.id)
        keys = words.holding(self.catalog.engine, sorted(wanted), scope, HOLDING)
        found = []
        for candidate in candidates.read(self.catalog.engine, keys, self.search.embedder.name):
            if wanted <= candidate.terms:
                pairs = zip(candidate.spans, candidate.sentences, strict=True)
                found += [span for span, sentence in pairs if wanted <= terms_of(sentence)]
        return sorted(set(found))

    def _by_meaning(self, document: Document, query: str) -> FoundSpans:
        found, note = [], ""
        for chunk in self.search.best_chunks(query, document, CHUNKS):
            evidence = self.search.passages.chunk(query, chunk)
            note = NO_MODEL if evidence.degraded else note
            found += [
                Span(one.sentence.start, one.sentence.end, chunk.index, one.sentence.page, one.score)
                for one in evidence.sentences
                if one.highlighted
            ]
        note = note or ("" if found else N_(f"No sentence of {document.name} means this surely enough to be shown."))
        return FoundSpans(query, MEANING, tuple(sorted(set(found), key=lambda span: span.start)), note)

    def _placed(self, document: Document, found: list[tuple[int, int]]) -> tuple[Span, ...]:
        rows = sorted(self.catalog.sentence_places(document), key=lambda row: row.start)
        starts = [row.start for row in rows]
        placed = []
        for start, end in found:
            row = rows[max(bisect_right(starts, start) - 1, 0)] if rows else None
            placed.append(Span(start, end, row.chunk, row.page) if row else Span(start, end, 0, 1))
        return tuple(placed)


def _phrase(text: Words, query: str) -> Iterator[tuple[int, int]]:
    """Wherever these words stand in a row. A word may go on ("delay" finds "delays"), and not begin earlier."""
    wanted = normal(query).text
    if not wanted:  # marks only: as they are
        return islice((match.span() for match in re.finditer(re.escape(query), text.text)), MOST)
    whole = text.normal
    spans = (whole.span(at, at + len(wanted)) for at in occurrences(whole.text, wanted))
    return islice((span for span in spans if border(text.text, span[0])), MOST)


def _checked(query: str) -> str:
    query = " ".join(whole_characters(query).split())
    if not query:
        raise BadRequest("There is nothing to find: type a word or two.")
    if len(query) > LONGEST:
        raise BadRequest(f"What is looked for has {len(query):,} characters; at most {LONGEST:,} are.")
    return query
