"""What the references of a text mean: `resolve(text, sources)`. Where each stands and how it counts; the rungs on which it
is looked up are in citations/cascade.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from highlighter.cpu_budget import check_cpu
from highlighter.models import ReferenceResolution, ResolvedReference, Source, UnresolvedMarker
from highlighter.references.cascade import FUZZY, NAME, TIERS, Cascade, ReferenceMatch, is_number_only, make_outcome
from highlighter.references.markers import SQUARE, CitationMarker
from highlighter.references.misses import AMBIGUOUS, ReferenceMiss, explain_miss, is_genuine_reference
from highlighter.references.parser import Reference, parse_references
from highlighter.references.scanner import (
    FootnoteDefinition,
    MarkerScanner,
    find_definitions,
    find_markers,
)
from highlighter.references.source_locations import locate_in_sources
from highlighter.references.source_names import SourceNames
from highlighter.text.characters import fold

__all__ = ["TIERS", "Resolver", "resolve_references"]

MAX_CACHED_MARKERS = 2_000  # marks
MAX_REPORTED_CANDIDATES = 10  # told of what is ambiguous
_IBID_WORDS = ("ibid", "ibidem", "id", "同上", "同前", "loc. cit", "op. cit")


@dataclass(frozen=True, slots=True)
class ExternalLink:
    """It leads somewhere else by the text's own words."""


EXTERNAL_LINK = ExternalLink()
Outcome = ReferenceMatch | ReferenceMiss | ExternalLink | None
Definitions = dict[int, FootnoteDefinition]


def resolve_references(text: str, sources: Sequence[Source], retrieved: bool = True) -> ReferenceResolution:
    """Every reference of the text, once each. `retrieved=False`: the sources are a whole library, in which a number or a
    page alone means nothing."""
    resolver = Resolver(sources, retrieved)
    return resolver.resolve_markers(find_markers(text), find_definitions(text))


class Resolver:
    """Holds marks against one list of sources."""

    def __init__(self, sources: Sequence[Source], retrieved: bool = True, source_names: SourceNames | None = None):
        self.sources = sources
        self.source_names = source_names or SourceNames(sources)
        self._cascade = Cascade(sources, retrieved, self.source_names)
        self._last_document = ""  # the document cited last
        self._outcome_cache: dict[tuple[str, str, bool, bool], list[tuple[bool, Reference, Outcome]]] = {}

    def resolve_markers(self, markers: Sequence[CitationMarker], definitions: Definitions) -> ReferenceResolution:
        """Without definitions of its own, a number is a place in the list of sources."""
        outcomes = [one for mark in markers for one in self.resolve_marker(mark, definitions)]
        return ReferenceResolution(
            tuple(one for one in outcomes if isinstance(one, ResolvedReference)),
            tuple(one for one in outcomes if isinstance(one, UnresolvedMarker)),
        )

    def resolve_marker(
        self, marker: CitationMarker, definitions: Definitions | None = None
    ) -> list[ResolvedReference | UnresolvedMarker]:
        """Its references in order; none when it is no reference after all."""
        check_cpu()
        outcomes = self._cached_outcomes(marker, definitions or {})
        made: list[ResolvedReference | UnresolvedMarker] = []
        for whole, reference, outcome in outcomes:
            start = marker.start if whole else marker.start + marker.content_start + reference.start
            end = marker.end if whole else marker.start + marker.content_start + reference.end
            label = marker.text[start - marker.start : end - marker.start]
            if isinstance(outcome, ReferenceMatch):
                place = outcome.location
                self._last_document = self.source_names.document_key(place.source)
                quote = reference.quote or marker.quote
                made.append(
                    ResolvedReference(
                        label,
                        start,
                        end,
                        outcome.tier,
                        place.source,
                        place.page,
                        place.chunk,
                        quote,
                        place.other_sources,
                    )
                )
            elif isinstance(outcome, ReferenceMiss) and is_genuine_reference(marker, reference, outcome):
                said = _written_text(marker, reference)
                sentence = explain_miss(outcome, said, self.sources)
                made.append(
                    UnresolvedMarker(
                        label, start, end, outcome.reason, sentence, outcome.candidates[:MAX_REPORTED_CANDIDATES]
                    )
                )
        return made

    def _cached_outcomes(
        self, marker: CitationMarker, definitions: Definitions
    ) -> list[tuple[bool, Reference, Outcome]]:
        """(whether it is the mark's only one, reference, outcome). Marks are repeated a lot, and looked up once."""
        key = marker.content, marker.shape, marker.is_doubtful, bool(definitions)
        known = self._outcome_cache.get(key)
        if known is None:
            known = self._look_up(marker, definitions)
            if len(self._outcome_cache) < MAX_CACHED_MARKERS and not any(_is_ibid(one) for _, one, _ in known):
                self._outcome_cache[key] = known
        return known

    def _look_up(self, marker: CitationMarker, definitions: Definitions) -> list[tuple[bool, Reference, Outcome]]:
        stated = parse_references(marker)
        said = marker.content.strip()
        if len(stated) > 1 and (self._cascade.find_by_label(said)[1] or self.source_names.match_name(said).documents):
            last = replace(stated[-1], names=(said,), separate_names=())  # a name with a semicolon in it
            stated = [replace(last, start=0, end=len(marker.content))]
        stated = [part for one in stated for part in self._split_joined_names(one)]
        return [(len(stated) == 1, one, self._resolve_reference(marker, one, definitions)) for one in stated]

    def _split_joined_names(self, reference: Reference) -> Sequence[Reference]:
        """A name with commas in it as several, when it is no one's and each of those is somebody's."""
        parts = reference.separate_names
        if not parts or self._cascade.match_names(reference).documents:
            return [reference]
        each = [part.number is not None or self._cascade.match_names(part).documents for part in parts]
        return parts if all(each) else [reference]

    def _resolve_reference(self, marker: CitationMarker, reference: Reference, definitions: Definitions) -> Outcome:
        tier, indexes = self._cascade.find_by_label(_written_text(marker, reference))
        if indexes:
            return self._cascade.resolve_label(reference, tier, indexes)
        if reference.is_ambiguous:
            return ReferenceMiss(AMBIGUOUS, self._cascade.find_by_number(reference))
        if reference.number is not None:
            defined = definitions.get(reference.number) if is_number_only(reference) else None
            told = self._resolve_definition(marker, defined) if defined else None
            return told if told is not None else self._cascade.resolve_number(reference)
        if not reference.names:
            return self._cascade.resolve_locator(reference)
        if self._last_document and _is_ibid(reference):  # "ibid., p. 4": another place of what was cited last
            return make_outcome(
                NAME,
                locate_in_sources(reference, self.sources, self.source_names.sources_by_document[self._last_document]),
            )
        return self._cascade.resolve_name(reference, marker.is_doubtful)

    def _resolve_definition(self, marker: CitationMarker, definition: FootnoteDefinition) -> Outcome:
        """What the text says of its own number; None when it says nothing of sources."""
        if not definition.content:
            return EXTERNAL_LINK
        says = replace(
            marker,
            content=definition.content,
            text=definition.content,
            content_start=0,
            is_doubtful=False,
            shape=SQUARE,
        )
        outcomes = [outcome for _, _, outcome in self._cached_outcomes(says, {})]
        if (
            len(outcomes) == 1
            and isinstance(outcomes[0], ReferenceMatch)
            and (definition.is_certain or outcomes[0].tier != FUZZY)
        ):
            return outcomes[0]
        if not definition.is_certain:
            return None
        return next((outcome for outcome in outcomes if isinstance(outcome, ReferenceMiss)), EXTERNAL_LINK)


def _written_text(marker: CitationMarker, reference: Reference) -> str:
    return marker.content[reference.start : reference.end].strip()


def _is_ibid(reference: Reference) -> bool:
    return bool(reference.names) and fold(reference.names[0]).strip(".") in _IBID_WORDS


# References in a text that is still being written, each told as soon as it cannot be read otherwise any more.
#
# A bracket is told with the character that follows it: "[1]" may yet become the link "[1](...)". While one is open its text
# is held back, so that nobody sees half a mark; at most some hundred characters, so that one which is never closed holds
# up nothing for long. Where the text is cut into pieces changes nothing but the pieces.


@dataclass(frozen=True, slots=True)
class StreamSegment:
    """A run of the text, unchanged; when it is a mark, what it means, by offsets of the whole text."""

    text: str
    citations: tuple[ResolvedReference, ...] = ()
    unresolved: tuple[UnresolvedMarker, ...] = ()


class StreamedReferences:
    """`feed` it pieces, and `finish`; joined, the texts of what it tells are what it was fed.

    A number means its place in the list of sources: what a text says of its own footnotes ("[^1]: ...") comes after them,
    and only `resolve` on the whole text can heed it.
    """

    def __init__(self, sources: Sequence[Source], retrieved: bool = True):
        self._scanner = MarkerScanner()
        self._resolver = Resolver(sources, retrieved)

    def feed(self, text: str) -> list[StreamSegment]:
        return self._make_segments(self._scanner.feed(text))

    def finish(self) -> list[StreamSegment]:
        return self._make_segments(self._scanner.finish())

    def _make_segments(self, found: Iterable[str | CitationMarker]) -> list[StreamSegment]:
        return [StreamSegment(one) if isinstance(one, str) else self._resolve_segment(one) for one in found]

    def _resolve_segment(self, marker: CitationMarker) -> StreamSegment:
        outcomes = self._resolver.resolve_marker(marker)
        citations = tuple(one for one in outcomes if isinstance(one, ResolvedReference))
        return StreamSegment(
            marker.text, citations, tuple(one for one in outcomes if isinstance(one, UnresolvedMarker))
        )
