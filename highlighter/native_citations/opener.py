"""Open the citations of responses: read the response, locate what it cites, check its claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from highlighter.access import VisibleCollections
from highlighter.cpu_budget import check_cpu
from highlighter.errors import AlteredContent, BadRequest, TooLarge
from highlighter.grounding.checker import Checker
from highlighter.models import Claim, DocumentQuoteMatch, Sentence
from highlighter.native_citations.cited_statements import CitedStatements
from highlighter.native_citations.claim_check import CheckedText, ClaimCheck, check_claims
from highlighter.native_citations.opened_response import OpenedCitation, OpenedResponse
from highlighter.native_citations.source_locator import LocatedSource, SourceLocator
from highlighter.native_formats.formats import read_response
from highlighter.native_formats.native_response import NativeCitation, NativeSource
from highlighter.quotes.match import NONE
from highlighter.search.quote_locator import QuoteLocator
from highlighter.store import sentence_rows
from highlighter.text.characters import repair_surrogates

MAX_RESPONSES, MAX_CITATIONS = 100, 500  # of one request
MAX_CHECKED_CHARACTERS = 50_000  # of one place
MAX_EVIDENCE_SENTENCES = 3
MAX_STATEMENT_CHARACTERS = 1000  # of a statement that a place is looked for


@dataclass(frozen=True, slots=True)
class NativeRequest:
    """A vendor's response as it came, with what it may lack: the answer's text, and the sources of the request for it."""

    response: Any
    answer: str = ""
    sources: tuple[Any, ...] = ()
    check: bool = True


class CitationOpener:
    """The opener of the citations of other vendors' responses."""

    def __init__(self, source_locator: SourceLocator, quote_locator: QuoteLocator, checker: Checker):
        self._sources, self._quotes, self._checker = source_locator, quote_locator, checker

    def open_all(self, requests: Sequence[NativeRequest], visible: VisibleCollections) -> list[OpenedResponse]:
        """Open several responses, within the limits of one request."""
        if len(requests) > MAX_RESPONSES:
            raise TooLarge(f"There are {len(requests):,} responses; the limit is {MAX_RESPONSES}.")
        left = MAX_CITATIONS
        opened = []
        for number, request in enumerate(requests, 1):
            try:
                opened.append(self.open(request, visible, left))
            except BadRequest as err:
                raise BadRequest(f"Response {number}: {err.detail}" if len(requests) > 1 else err.detail) from err
            left -= len(opened[-1].citations)
        return opened

    def open(
        self, request: NativeRequest, visible: VisibleCollections, max_citations: int = MAX_CITATIONS
    ) -> OpenedResponse:
        name, response = read_response(request.response, request.answer, request.sources)
        text = repair_surrogates(response.text)
        citations = list(islice(_separate_sources(response.citations), max_citations + 1))
        if len(citations) > max_citations:
            raise TooLarge(f"There are more than {MAX_CITATIONS} citations in one request. Send them in several.")
        statements = CitedStatements(text, [citation.label for citation in citations if citation.label])
        spans = [_find_statement(statements, citation) for citation in citations]
        located = list(
            self._locate_all(citations, [text[span[0] : span[1]] if span else "" for span in spans], visible)
        )
        check = ClaimCheck(claim_of_citation=(None,) * len(citations))
        if request.check:
            check = self._check(text, citations, located)
        opened = tuple(
            self._finish(citation, span, where, check, index)
            for index, (citation, span, where) in enumerate(zip(citations, spans, located, strict=True))
        )
        return OpenedResponse(name, text, opened, check.claims, check.grounding_score, check.note)

    def _locate_all(
        self, citations: Sequence[NativeCitation], statements: Sequence[str], visible: VisibleCollections
    ) -> Iterator[LocatedSource]:
        """Yield the place of each citation; each different source and quote is located once."""
        known: dict[tuple[Any, ...], LocatedSource] = {}
        for citation, statement in zip(citations, statements, strict=True):
            check_cpu()
            statement = "" if _has_words(citation) else statement[:MAX_STATEMENT_CHARACTERS]
            key = citation.sources, citation.quote, citation.offsets, statement
            if key not in known:
                known[key] = self._locate(citation, statement, visible)
            yield known[key]

    def _locate(self, citation: NativeCitation, statement: str, visible: VisibleCollections) -> LocatedSource:
        if not citation.sources:
            return LocatedSource(reason=citation.reason or "The response does not name its source.")
        try:
            return self._sources.locate(citation.sources[0], citation.quote, citation.offsets, visible, statement)
        except (AlteredContent, BadRequest) as err:  # one bad document or quote leaves all others
            return LocatedSource(reason=err.detail)

    # Claims

    def _check(self, text: str, citations: Sequence[NativeCitation], located: Sequence[LocatedSource]) -> ClaimCheck:
        texts: dict[CheckedText, int] = {}
        texts_of_citation: list[tuple[int, ...]] = []
        for citation, where in zip(citations, located, strict=True):
            checked = list(self._list_checked_texts(citation, where))
            texts_of_citation.append(tuple(texts.setdefault(one, len(texts)) for one in checked))
        reasons = [where.reason for where in located]
        return check_claims(self._checker, text, citations, list(texts), texts_of_citation, reasons)

    def _list_checked_texts(self, citation: NativeCitation, located: LocatedSource) -> Iterator[CheckedText]:
        """Yield the sentences of each place; without a place, the words that came with the response."""
        for place in located.places:
            start, end = self._widen_to_sentences(place)
            cached = self._quotes.text_cache.get_text(place.document)
            if cached:
                end = min(end, start + MAX_CHECKED_CHARACTERS)
                yield CheckedText(place.document.name, cached.text[start:end], place.document.id, start)
        if not located.place and located.found_by:  # its document says something else, if anything
            yield from (
                CheckedText(near.document.name, near.text, near.document.id, near.start)
                for near in located.candidates[:1]
                if near.text
            )
        elif not located.place and citation.sources:
            words = citation.quote or "\n\n".join(citation.sources[0].passages)
            if words.strip():
                yield CheckedText(citation.sources[0].name, words[:MAX_CHECKED_CHARACTERS])

    def _widen_to_sentences(self, place: DocumentQuoteMatch) -> tuple[int, int]:
        rows = sentence_rows.find_overlapping_sentences(
            self._quotes.catalog.engine, place.document, place.start, place.end
        )
        return (rows[0].start, rows[-1].end) if rows else (place.start, place.end)

    def _finish(
        self,
        citation: NativeCitation,
        span: tuple[int, int] | None,
        located: LocatedSource,
        check: ClaimCheck,
        index: int,
    ) -> OpenedCitation:
        """Return the citation with its claim, its cited text, and the sentences that it opens at."""
        start, end = span or (None, None)
        claim = check.claim_of_citation[index]
        if claim is not None and not _overlaps(check.claims[claim], start, end):
            claim = None  # another statement, which claims nothing, is between the claim and its marker
        sentences = self._choose_sentences(located, check, index)
        source = citation.sources[0] if citation.sources else NativeSource()
        return OpenedCitation(
            citation.kind, start, end, citation.label, citation.quote, source, located, claim, sentences,
            self._choose_highlight(located, sentences),
        )  # fmt: skip

    def _choose_highlight(self, located: LocatedSource, sentences: Sequence[Sentence]) -> DocumentQuoteMatch | None:
        """Return what to highlight: the cited words, or the sentences that were chosen in a whole passage."""
        place = located.place
        if place is None or (not sentences and place.tier == NONE):
            return None
        if not located.is_whole_passage or not sentences:
            return place
        spans = tuple((one.start, one.end) for one in sentences)
        highlight = replace(place, start=spans[0][0], end=spans[-1][1], spans=spans, differs=(), why="")
        return self._quotes.add_position(highlight)

    def _choose_sentences(self, located: LocatedSource, check: ClaimCheck, index: int) -> tuple[Sentence, ...]:
        """Return the sentences with the cited words; of whole passages, those that are evidence for the claim."""
        if located.place and not located.is_whole_passage:
            return self._quotes.read_sentences(located.place)
        evidence = check.find_evidence(index, located.place.document.id) if located.place else []
        sentences = (one for place in located.places if evidence for one in self._quotes.read_sentences(place))
        chosen = {
            one.start: one for one in sentences if any(one.start < end and start < one.end for start, end in evidence)
        }
        return tuple(chosen[start] for start in sorted(chosen))[:MAX_EVIDENCE_SENTENCES]


def _separate_sources(citations: Sequence[NativeCitation]) -> Iterator[NativeCitation]:
    """Yield a citation for each source that one names; one without sources stays, with its reason."""
    for citation in map(_repair_citation, citations):
        yield from (replace(citation, sources=(source,)) for source in citation.sources)
        if not citation.sources:
            yield citation


def _repair_citation(citation: NativeCitation) -> NativeCitation:
    """Return the citation without lone surrogates, which cannot be sent."""
    kind, quote, reason = map(repair_surrogates, (citation.kind, citation.quote, citation.reason))
    return replace(citation, kind=kind, quote=quote, reason=reason)


def _find_statement(statements: CitedStatements, citation: NativeCitation) -> tuple[int, int] | None:
    """Return the span that a citation is said to be for, or else of what is at its marker."""
    start, end = citation.start, citation.end
    if start is None and citation.label:
        start, end = statements.find(citation.label)
    return None if start is None or end is None else (start, end)


def _has_words(citation: NativeCitation) -> bool:
    return bool(citation.quote) or any(source.quote or source.passages for source in citation.sources)


def _overlaps(claim: Claim, start: int | None, end: int | None) -> bool:
    return start is not None and end is not None and claim.start < end and start < claim.end
