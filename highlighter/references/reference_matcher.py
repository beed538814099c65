"""Resolve a reference against the sources: by label, then by number, by name, and by its locator alone.

Cheap and certain steps come before fuzzy ones, and every step is checked against the rest of the reference: a name that
fits is not enough when the page does not exist. If two readings lead to different sources, or none fits, there is no
link: a wrong link is worse than none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from highlighter.models import Source
from highlighter.references import locators, name_comparison
from highlighter.references.label_parts import parse_part
from highlighter.references.misses import AMBIGUOUS, NO_CHUNK, NO_NUMBER, NO_PAGE, UNKNOWN, UNNAMED, ReferenceMiss
from highlighter.references.parser import Reference
from highlighter.references.source_locations import SourceLocation, get_start_page, has_clause, locate_in_sources
from highlighter.references.source_names import EXACT, FUZZY, NO_NAME_MATCH, NORMALISED, NameMatch, SourceNames
from highlighter.text.characters import fold

# How a reference was resolved, most certain first. The first three say how a name with a page or chunk was matched.
TIERS = EXACT, NORMALISED, FUZZY, NAME, NUMBER, PAGE, CHUNK, CLAUSE = (
    EXACT, NORMALISED, FUZZY,
    "name",  # a name without a page or chunk
    "number",  # a position in the list of sources: "[2]"
    "page", "chunk", "clause",  # no name: only one source has this page, chunk or clause
)  # fmt: skip
# Names of one text that are compared fuzzily: each comparison goes over every document's name.
MAX_FUZZY_LOOKUPS = 300


@dataclass(frozen=True, slots=True)
class ReferenceMatch:
    """The source and location that a reference was resolved to, with the tier."""

    tier: str
    location: SourceLocation


class ReferenceMatcher:
    """Resolves references against a list of sources, step by step.

    With `retrieved=False` the sources are a whole library, in which a number or a page alone means nothing.
    """

    def __init__(self, sources: Sequence[Source], retrieved: bool, source_names: SourceNames):
        self.sources = sources
        self.retrieved = retrieved
        self.source_names = source_names
        self._fuzzy_lookups_left = MAX_FUZZY_LOOKUPS

    def find_by_label(self, label: str) -> tuple[str, list[int]]:
        """Return the tier and the indexes of the sources that were shown to the writer under this label."""
        indexes = self.source_names.sources_by_label.get(name_comparison.make_name_key(label), []) if label else []
        exact_matches = [index for index in indexes if self.sources[index].label == label]
        return (EXACT, exact_matches) if exact_matches else (NORMALISED, indexes)

    def resolve_label(self, reference: Reference, tier: str, indexes: Sequence[int]) -> ReferenceMatch | ReferenceMiss:
        """Return the source that has the label, with the page or chunk of the reference."""
        if len(indexes) > 1:
            return ReferenceMiss(AMBIGUOUS, tuple(indexes))
        # A label's page is resolved like any other: "p.iv" is the page on which iv is printed.
        location = locate_in_sources(reference, self.sources, indexes)
        return ReferenceMatch(
            tier,
            SourceLocation(indexes[0], chunk=self.sources[indexes[0]].chunk_index)
            if isinstance(location, ReferenceMiss)
            else location,
        )

    def find_by_number(self, reference: Reference) -> tuple[int, ...]:
        """Return the index of the source that the reference's number means, if there is one."""
        value = reference.number or 0
        return (value - 1,) if self.retrieved and 0 < value <= len(self.sources) else ()

    def resolve_number(self, reference: Reference) -> ReferenceMatch | ReferenceMiss:
        """Resolve a number, and possibly a name beside it, which must then be the name of that source."""
        numbered, name_match = self.find_by_number(reference), self.match_names(reference)
        if is_number_only(reference):
            if name_match.documents and not (
                numbered and self.source_names.document_key(numbered[0]) in name_match.documents
            ):
                return ReferenceMiss(
                    AMBIGUOUS, numbered + self._list_first_sources(name_match)
                )  # "Doc 2" is also a file's name
            if not numbered:
                return ReferenceMiss(NO_NUMBER)
            return make_outcome(NUMBER, locate_in_sources(reference, self.sources, numbered))
        whole_name_match = self.source_names.match_name(reference.names[0])
        if whole_name_match.documents:  # "3 - Method Statement": the number is part of the name
            return self._choose_document(reference, whole_name_match)
        name_match = name_match if name_match.documents else self._match_similar_names(reference)
        if not name_match.documents:
            return ReferenceMiss(UNKNOWN, numbered)
        if numbered and self.source_names.document_key(numbered[0]) in name_match.documents:
            return make_outcome(name_match.tier, locate_in_sources(reference, self.sources, numbered))
        return ReferenceMiss(AMBIGUOUS, numbered + self._list_first_sources(name_match))

    def resolve_name(self, reference: Reference, is_doubtful: bool) -> ReferenceMatch | ReferenceMiss:
        """Resolve a name as written; if no source has it and the marker is not doubtful, a similar name."""
        reference, name_match = self._match_whole_name(reference)
        if not name_match.documents and (reference.is_certain or not is_doubtful):
            name_match = self._match_similar_names(reference)
        if not name_match.documents:
            return ReferenceMiss(UNKNOWN, self._list_candidates(reference))
        return self._choose_document(reference, name_match)

    def _match_whole_name(self, reference: Reference) -> tuple[Reference, NameMatch]:
        """Return the match and the reference without a locator that is part of the name: "Volume 2 page 7.pdf"."""
        name_match = self.match_names(reference)
        matched_name = next((name for name in reference.names if self.source_names.match_name(name).documents), "")
        name_part = parse_part(matched_name, 0, len(matched_name)) if matched_name else None
        if name_part and reference.page in name_part.pages:
            reference = replace(reference, page="")
        if name_part and reference.chunk == name_part.chunk:
            reference = replace(reference, chunk=None)
        return reference, name_match

    def match_names(self, reference: Reference) -> NameMatch:
        """Return the match of the readings of the name; readings that match different documents are all included."""
        matches = [match for name in reference.names if (match := self.source_names.match_name(name)).documents]
        if not matches:
            return NO_NAME_MATCH
        if len(matches) == 1 or not any(character.isspace() for character in reference.names[0]):
            return matches[0]  # a name without spaces is taken whole: "contract_chunk_005"
        documents = dict.fromkeys(document for match in matches for document in match.documents)
        return (
            matches[0] if len(documents) == len(matches[0].documents) else NameMatch(matches[0].tier, tuple(documents))
        )

    def _match_similar_names(self, reference: Reference) -> NameMatch:
        """Return the first fuzzy match of a reading, as long as lookups are left."""
        if self._fuzzy_lookups_left <= 0:
            return NO_NAME_MATCH
        self._fuzzy_lookups_left -= 1
        has_locator = self.retrieved and bool(reference.page or reference.chunk is not None)
        matches = (self.source_names.match_similar_name(name, has_locator) for name in reference.names)
        return next((match for match in matches if match.documents), NO_NAME_MATCH)

    def _list_candidates(self, reference: Reference) -> tuple[int, ...]:
        """Return a source of each document that an unknown name may have meant."""
        candidates = (
            (document for name in reference.names for document in self.source_names.list_candidates(name))
            if self._fuzzy_lookups_left > 0
            else ()
        )
        return tuple(dict.fromkeys(index for document in candidates for index in self._first_source(document)))

    def _choose_document(self, reference: Reference, name_match: NameMatch) -> ReferenceMatch | ReferenceMiss:
        """Choose among documents of one name by the page or chunk; documents of similar names are ambiguous."""
        if name_match.tier == FUZZY and len(name_match.documents) > 1:
            return ReferenceMiss(AMBIGUOUS, self._list_first_sources(name_match))
        outcomes = [self._locate_in_document(reference, name_match, document) for document in name_match.documents]
        locations = [outcome for outcome in outcomes if isinstance(outcome, SourceLocation)]
        if len(locations) == 1:
            has_locator = reference.page or reference.chunk is not None or reference.page_or_chunk
            is_matched_by_id = (
                name_match.tier == EXACT and reference.names[0].casefold() in self.source_names.documents_by_id
            )
            return ReferenceMatch(
                name_match.tier if has_locator or name_match.tier == FUZZY or is_matched_by_id else NAME, locations[0]
            )
        if locations:
            return ReferenceMiss(AMBIGUOUS, tuple(outcome.source for outcome in locations))
        misses = [outcome for outcome in outcomes if isinstance(outcome, ReferenceMiss)]
        return ReferenceMiss(misses[0].reason, tuple(index for miss in misses for index in miss.candidates[:1]))

    def _locate_in_document(
        self, reference: Reference, name_match: NameMatch, document: str
    ) -> SourceLocation | ReferenceMiss:
        indexes = self.source_names.sources_by_document[document]
        matched_sources = [index for index in indexes if index in name_match.sources]
        return locate_in_sources(reference, self.sources, matched_sources or indexes)

    def resolve_locator(self, reference: Reference) -> ReferenceMatch | ReferenceMiss:
        """Resolve a reference without a name, which works only if a single retrieved document has this location."""
        if not self.retrieved:
            return ReferenceMiss(UNNAMED)
        if reference.chunk is not None and not reference.page:
            return self._resolve_chunk(reference)
        documents = self.source_names.sources_by_document if reference.page else self._documents_with_clause(reference)
        locations = [
            location
            for document in documents
            if isinstance(location := self._locate_in_all_sources(reference, document), SourceLocation)
        ]
        if len(locations) == 1:
            return ReferenceMatch(PAGE if reference.page else CLAUSE, locations[0])
        if locations:
            return ReferenceMiss(AMBIGUOUS, tuple(location.source for location in locations))
        return ReferenceMiss(NO_PAGE if reference.page and self.sources else UNNAMED)

    def _documents_with_clause(self, reference: Reference) -> Iterable[str]:
        indexes = [index for index, source in enumerate(self.sources) if has_clause(source, reference.clause)]
        return dict.fromkeys(self.source_names.document_key(index) for index in indexes)

    def _locate_in_all_sources(self, reference: Reference, document: str) -> SourceLocation | ReferenceMiss:
        return locate_in_sources(reference, self.sources, self.source_names.sources_by_document[document])

    def _resolve_chunk(self, reference: Reference) -> ReferenceMatch | ReferenceMiss:
        """Resolve "chunk 3": the chunk with this index, or the third source."""
        by_index = [index for index, source in enumerate(self.sources) if source.chunk_index == reference.chunk]
        by_position = self.find_by_number(replace(reference, number=reference.chunk))
        indexes = tuple(dict.fromkeys([*by_index, *by_position]))
        if len(indexes) > 1:
            return ReferenceMiss(AMBIGUOUS, indexes)
        if not indexes:
            return ReferenceMiss(NO_CHUNK)
        return ReferenceMatch(
            CHUNK,
            SourceLocation(indexes[0], get_start_page(self.sources[indexes[0]]), self.sources[indexes[0]].chunk_index),
        )

    def _list_first_sources(self, name_match: NameMatch) -> tuple[int, ...]:
        return tuple(index for document in name_match.documents for index in self._first_source(document))

    def _first_source(self, document: str) -> list[int]:
        return self.source_names.sources_by_document[document][:1]


def make_outcome(tier: str, location: SourceLocation | ReferenceMiss) -> ReferenceMatch | ReferenceMiss:
    """Return the miss, or the location as a match of the tier."""
    return location if isinstance(location, ReferenceMiss) else ReferenceMatch(tier, location)


def is_number_only(reference: Reference) -> bool:
    """Return whether the reference names its source by a number only."""
    shortest_name = fold(reference.names[-1]) if reference.names else ""
    return not shortest_name or bool(
        locators.NUMBER.fullmatch(shortest_name) or locators.SOURCE_NUMBER.fullmatch(shortest_name)
    )
