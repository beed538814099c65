"""Resolve the references of a text against a list of sources; the single steps are in reference_matcher.py."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from highlighter.cpu_budget import check_cpu
from highlighter.models import ReferenceResolution, ResolvedReference, Source, UnresolvedMarker
from highlighter.references.clauses import ClauseIndex, parse_cited_clause
from highlighter.references.locators import names_following_pages
from highlighter.references.markers import SQUARE, CitationMarker
from highlighter.references.misses import AMBIGUOUS, ReferenceMiss, explain_miss, is_genuine_reference
from highlighter.references.parser import Reference, parse_references
from highlighter.references.product_markers import find_product_markers
from highlighter.references.reference_matcher import (
    NAME,
    TIERS,
    ReferenceMatch,
    ReferenceMatcher,
    is_number_only,
    make_outcome,
)
from highlighter.references.scanner import (
    FootnoteDefinition,
    MarkerScanner,
    find_definitions,
    find_markers,
)
from highlighter.references.source_locations import locate_clause, locate_in_sources
from highlighter.references.source_names import FUZZY, SourceNames
from highlighter.text.characters import fold

__all__ = ["TIERS", "Resolver", "StreamSegment", "StreamedReferences", "resolve_references"]

MAX_CACHED_MARKERS = 2_000
MAX_TEXTS_WITH_CLAUSES = 20  # sources whose texts are searched for cited clauses
MAX_REPORTED_CANDIDATES = 10  # of an ambiguous reference
_IBID_WORDS = ("ibid", "ibidem", "id", "同上", "同前", "loc. cit", "op. cit")


@dataclass(frozen=True, slots=True)
class ExternalLink:
    """The outcome of a number that the text itself defines as a link to somewhere else."""


EXTERNAL_LINK = ExternalLink()
Outcome = ReferenceMatch | ReferenceMiss | ExternalLink | None
Definitions = dict[int, FootnoteDefinition]


def resolve_references(text: str, sources: Sequence[Source], retrieved: bool = True) -> ReferenceResolution:
    """Return the references of a text, resolved and unresolved.

    With `retrieved=False` the sources are a whole library, in which a number or a page alone means nothing.
    """
    return Resolver(sources, retrieved).resolve_text(text)


class Resolver:
    """A resolver of markers against one list of sources."""

    def __init__(
        self,
        sources: Sequence[Source],
        retrieved: bool = True,
        source_names: SourceNames | None = None,
        load_text: Callable[[Source], Source] | None = None,
    ):
        """Take `load_text`, which returns a source with its text: a cited clause is looked for there."""
        self.sources = sources
        self._retrieved = retrieved
        self._load_text = load_text
        self._clauses_by_source: dict[int, tuple[Source, ClauseIndex]] = {}
        self.source_names = source_names or SourceNames(sources)
        self._matcher = ReferenceMatcher(sources, retrieved, self.source_names)
        self._last_document = ""  # the document cited last
        self._outcome_cache: dict[tuple[str, str, bool, bool], list[tuple[bool, Reference, Outcome]]] = {}

    def resolve_text(self, text: str) -> ReferenceResolution:
        """Resolve all markers of a text. Those of single products number sources, so they need sources that came along."""
        found = find_product_markers(text, [source.label for source in self.sources])
        product_markers = [item.marker for item in found.markers] if self._retrieved else []
        other_text = found.other_text if self._retrieved else text
        markers = sorted([*find_markers(other_text), *product_markers], key=lambda marker: marker.start)
        return self.resolve_markers(markers, find_definitions(other_text))

    def resolve_markers(self, markers: Sequence[CitationMarker], definitions: Definitions) -> ReferenceResolution:
        """Resolve all markers. A number without a definition is a position in the list of sources.

        The line that defines a number which the text cites is a note, and no citation.
        """
        notes = tuple(self._find_notes(markers, definitions))
        cited = (marker for marker in markers if not _is_within(marker, notes))
        outcomes = [outcome for marker in cited for outcome in self.resolve_marker(marker, definitions)]
        return ReferenceResolution(
            tuple(outcome for outcome in outcomes if isinstance(outcome, ResolvedReference)),
            tuple(outcome for outcome in outcomes if isinstance(outcome, UnresolvedMarker)),
            notes,
        )

    def _find_notes(self, markers: Sequence[CitationMarker], definitions: Definitions) -> Iterator[tuple[int, int]]:
        """Yield the spans of the definitions that name a source for a number which is cited elsewhere in the text."""
        if not definitions:
            return
        by_start = sorted(definitions.items(), key=lambda item: item[1].start)
        spans = [(definition.start, definition.end) for _, definition in by_start]
        outcomes = (self._cached_outcomes(marker, definitions) for marker in markers if not _is_within(marker, spans))
        cited = {reference.number for references in outcomes for _, reference, _ in references}
        for number, definition in by_start:
            if number in cited and isinstance(self._resolve_definition(definition), ReferenceMatch):
                yield definition.start, definition.end

    def resolve_marker(
        self, marker: CitationMarker, definitions: Definitions | None = None
    ) -> list[ResolvedReference | UnresolvedMarker]:
        """Return the references of a marker in order; none if the marker turns out to be no citation."""
        check_cpu()
        outcomes = self._cached_outcomes(marker, definitions or {})
        results: list[ResolvedReference | UnresolvedMarker] = []
        for is_single, reference, outcome in outcomes:
            start = marker.start if is_single else marker.start + marker.content_start + reference.start
            end = marker.end if is_single else marker.start + marker.content_start + reference.end
            label = marker.text[start - marker.start : end - marker.start]
            if isinstance(outcome, ReferenceMatch):
                location = outcome.location
                self._last_document = self.source_names.document_key(location.source)
                quote = reference.quote or marker.quote
                results.append(
                    ResolvedReference(
                        label,
                        start,
                        end,
                        tier=outcome.tier,
                        source=location.source,
                        page=location.page,
                        chunk_index=location.chunk,
                        quote=quote,
                        alternatives=location.other_sources,
                        cited_pages=frozenset() if names_following_pages(label) else location.cited_pages,
                        clause=location.clause,
                    )
                )
            elif isinstance(outcome, ReferenceMiss) and is_genuine_reference(marker, reference, outcome):
                written = _written_text(marker, reference)
                sentence = outcome.why or explain_miss(outcome, reference, written, self.sources)
                results.append(
                    UnresolvedMarker(
                        label, start, end, outcome.reason, sentence, outcome.candidates[:MAX_REPORTED_CANDIDATES]
                    )
                )
        return results

    def _cached_outcomes(
        self, marker: CitationMarker, definitions: Definitions
    ) -> list[tuple[bool, Reference, Outcome]]:
        """Return (whether the reference is the marker's only one, reference, outcome) for each reference.

        Markers often recur, so their outcomes are cached.
        """
        key = marker.content, marker.shape, marker.is_doubtful, bool(definitions)
        outcomes = self._outcome_cache.get(key)
        if outcomes is None:
            outcomes = self._look_up(marker, definitions)
            if len(self._outcome_cache) < MAX_CACHED_MARKERS and not any(
                _is_ibid(reference) for _, reference, _ in outcomes
            ):
                self._outcome_cache[key] = outcomes
        return outcomes

    def _look_up(self, marker: CitationMarker, definitions: Definitions) -> list[tuple[bool, Reference, Outcome]]:
        references = parse_references(marker)
        content = marker.content.strip()
        if len(references) > 1 and (
            self._matcher.find_by_label(content)[1] or self.source_names.match_name(content).documents
        ):
            last = replace(references[-1], names=(content,), separate_names=())  # a name with a semicolon
            references = [replace(last, start=0, end=len(marker.content))]
        references = [single for reference in references for single in self._split_joined_names(reference)]
        return [
            (len(references) == 1, reference, self._resolve_reference(marker, reference, definitions))
            for reference in references
        ]

    def _split_joined_names(self, reference: Reference) -> Sequence[Reference]:
        """Return a name with commas as several names, if no document has that name and each part is known."""
        parts = reference.separate_names
        if not parts or self._matcher.match_names(reference).documents:
            return [reference]
        is_known = [part.number is not None or self._matcher.match_names(part).documents for part in parts]
        return parts if all(is_known) else [reference]

    def _resolve_reference(self, marker: CitationMarker, reference: Reference, definitions: Definitions) -> Outcome:
        outcome = self._find_source(marker, reference, definitions)
        if not isinstance(outcome, ReferenceMatch) or not reference.clause or outcome.location.other_sources:
            return outcome
        cited = parse_cited_clause(_written_text(marker, reference))
        indexed = self._index_clauses(outcome.location.source) if cited else None
        if cited is None or indexed is None:
            return outcome
        return make_outcome(outcome.tier, locate_clause(outcome.location, *indexed, cited))

    def _index_clauses(self, index: int) -> tuple[Source, ClauseIndex] | None:
        """Return a source with its text, and its clauses; None for a source beyond those that are searched."""
        if index not in self._clauses_by_source:
            if len(self._clauses_by_source) >= MAX_TEXTS_WITH_CLAUSES:
                return None
            source = self.sources[index]
            source = self._load_text(source) if self._load_text and not source.text else source
            self._clauses_by_source[index] = source, ClauseIndex(source.text)
        return self._clauses_by_source[index]

    def _find_source(self, marker: CitationMarker, reference: Reference, definitions: Definitions) -> Outcome:
        tier, indexes = self._matcher.find_by_label(_written_text(marker, reference))
        if indexes:
            return self._matcher.resolve_label(reference, tier, indexes)
        if reference.is_ambiguous:
            return ReferenceMiss(AMBIGUOUS, self._matcher.find_by_number(reference))
        if reference.number is not None:
            definition = definitions.get(reference.number) if is_number_only(reference) else None
            outcome = self._resolve_definition(definition) if definition else None
            return outcome if outcome is not None else self._matcher.resolve_number(reference)
        if not reference.names:
            return self._matcher.resolve_locator(reference)
        if self._last_document and _is_ibid(reference):  # "ibid., p. 4": another location in the document cited last
            return make_outcome(
                NAME,
                locate_in_sources(reference, self.sources, self.source_names.sources_by_document[self._last_document]),
            )
        return self._matcher.resolve_name(reference, marker.is_doubtful)

    def _resolve_definition(self, definition: FootnoteDefinition) -> Outcome:
        """Resolve what the text defines its own number to be; None if the definition names no source."""
        if not definition.content:
            return EXTERNAL_LINK
        definition_marker = CitationMarker(
            definition.start, definition.end, definition.content, definition.content, content_start=0, shape=SQUARE
        )
        resolved = self._cached_outcomes(definition_marker, {})
        outcomes = [outcome for _, _, outcome in resolved]
        if (
            len(outcomes) == 1
            and isinstance(outcomes[0], ReferenceMatch)
            and (definition.is_certain or outcomes[0].tier != FUZZY)
        ):
            return outcomes[0]
        if not definition.is_certain:
            return None
        misses = (
            replace(outcome, why=explain_miss(outcome, reference, definition.content.strip(), self.sources))
            for _, reference, outcome in resolved
            if isinstance(outcome, ReferenceMiss)
        )
        return next(misses, EXTERNAL_LINK)


def _is_within(marker: CitationMarker, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a marker begins within one of the spans, which are in the order of the text."""
    before = bisect_right(spans, marker.start, key=lambda span: span[0])
    return before > 0 and marker.start < spans[before - 1][1]


def _written_text(marker: CitationMarker, reference: Reference) -> str:
    return marker.content[reference.start : reference.end].strip()


def _is_ibid(reference: Reference) -> bool:
    return bool(reference.names) and fold(reference.names[0]).strip(".") in _IBID_WORDS


# References in a text that is still being written, each emitted as soon as more text cannot change it.
#
# A bracket needs the character after it: "[1]" may still become the link "[1](...)". The text of an open bracket is held
# back, so that nobody sees half a marker; at most a few hundred characters, so that an unclosed bracket does not delay the
# text for long. How the text is divided into pieces changes only the division of the segments.


@dataclass(frozen=True, slots=True)
class StreamSegment:
    """A run of the text, unchanged; if it is a marker, with its references, by offsets of the whole text."""

    text: str
    citations: tuple[ResolvedReference, ...] = ()
    unresolved: tuple[UnresolvedMarker, ...] = ()


class StreamedReferences:
    """A resolver that is fed a text piece by piece; the texts of its segments, joined, are the text it was fed.

    A number is a position in the list of sources: a footnote definition ("[^1]: ...") comes after the markers, and only
    `resolve_references` on the whole text can use it.
    """

    def __init__(self, sources: Sequence[Source], retrieved: bool = True):
        self._scanner = MarkerScanner()
        self._resolver = Resolver(sources, retrieved)

    def feed(self, text: str) -> list[StreamSegment]:
        """Return the segments that can be decided after more text."""
        return self._make_segments(self._scanner.feed(text))

    def finish(self) -> list[StreamSegment]:
        """Return the remaining segments at the end of the text."""
        return self._make_segments(self._scanner.finish())

    def _make_segments(self, scanned: Iterable[str | CitationMarker]) -> list[StreamSegment]:
        return [StreamSegment(item) if isinstance(item, str) else self._resolve_segment(item) for item in scanned]

    def _resolve_segment(self, marker: CitationMarker) -> StreamSegment:
        outcomes = self._resolver.resolve_marker(marker)
        citations = tuple(outcome for outcome in outcomes if isinstance(outcome, ResolvedReference))
        return StreamSegment(
            marker.text, citations, tuple(outcome for outcome in outcomes if isinstance(outcome, UnresolvedMarker))
        )
