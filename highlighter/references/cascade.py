"""One reference held against the sources, rung by rung: by its label, its number, its name, its place alone.

Cheap and certain before dear and fuzzy, and every rung is held against what else was said: a name that fits is not
enough when the page is not there. Where two readings lead to different sources, or none fits, there is no link: a wrong
one is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.models import Source
from highlighter.references import locators, name_comparison
from highlighter.references.label_parts import parse_part
from highlighter.references.misses import AMBIGUOUS, NO_CHUNK, NO_NUMBER, NO_PAGE, UNKNOWN, UNNAMED, ReferenceMiss
from highlighter.references.parser import Reference
from highlighter.references.source_locations import SourceLocation, get_start_page, has_clause, locate_in_sources
from highlighter.references.source_names import EXACT, FUZZY, NO_NAME_MATCH, NORMALISED, NameMatch, SourceNames
from highlighter.text.characters import fold

# How a reference was resolved, from the surest on. What a name was found by, when a page or a chunk stood with it ...
TIERS = EXACT, NORMALISED, FUZZY, NAME, NUMBER, PAGE, CHUNK, CLAUSE = (
    EXACT, NORMALISED, FUZZY,
    "name",  # ... a name alone
    "number",  # a place in the list of sources: "[2]"
    "page", "chunk", "clause",  # no name: only one of the sources has such a place
)  # fmt: skip
MAX_FUZZY_LOOKUPS = (
    300  # names in one text that are looked for nearly as they are written: each is held against every document's
)


@dataclass(frozen=True, slots=True)
class ReferenceMatch:
    tier: str
    location: SourceLocation


class Cascade:
    """`retrieved=False`: the sources are a whole library, in which a number or a page alone means nothing."""

    def __init__(self, sources: Sequence[Source], retrieved: bool, source_names: SourceNames):
        self.sources = sources
        self.retrieved = retrieved
        self.source_names = source_names
        self._fuzzy_lookups_left = MAX_FUZZY_LOOKUPS

    def find_by_label(self, label: str) -> tuple[str, list[int]]:
        """Whom a label was given to, as it was shown to whoever wrote the text."""
        indexes = self.source_names.sources_by_label.get(name_comparison.make_name_key(label), []) if label else []
        exactly = [index for index in indexes if self.sources[index].label == label]
        return (EXACT, exactly) if exactly else (NORMALISED, indexes)

    def resolve_label(self, reference: Reference, tier: str, indexes: Sequence[int]) -> ReferenceMatch | ReferenceMiss:
        if len(indexes) > 1:
            return ReferenceMiss(AMBIGUOUS, tuple(indexes))
        # Its page is read as any other: "p.iv" of a label is the page on which iv is printed.
        place = locate_in_sources(reference, self.sources, indexes)
        return ReferenceMatch(
            tier,
            SourceLocation(indexes[0], chunk=self.sources[indexes[0]].chunk_index)
            if isinstance(place, ReferenceMiss)
            else place,
        )

    def find_by_number(self, reference: Reference) -> tuple[int, ...]:
        value = reference.number or 0
        return (value - 1,) if self.retrieved and 0 < value <= len(self.sources) else ()

    def resolve_number(self, reference: Reference) -> ReferenceMatch | ReferenceMiss:
        """A number, and perhaps a name beside it, which must then be that source's."""
        counted, meant = self.find_by_number(reference), self.match_names(reference)
        if is_number_only(reference):
            if meant.documents and not (counted and self.source_names.document_key(counted[0]) in meant.documents):
                return ReferenceMiss(
                    AMBIGUOUS, counted + self._list_first_sources(meant)
                )  # "Doc 2" is also a file's name
            if not counted:
                return ReferenceMiss(NO_NUMBER)
            return make_outcome(NUMBER, locate_in_sources(reference, self.sources, counted))
        whole = self.source_names.match_name(reference.names[0])
        if whole.documents:  # "3 - Method Statement": the number is part of the name
            return self._choose_document(reference, whole)
        meant = meant if meant.documents else self._match_similar_names(reference)
        if not meant.documents:
            return ReferenceMiss(UNKNOWN, counted)
        if counted and self.source_names.document_key(counted[0]) in meant.documents:
            return make_outcome(meant.tier, locate_in_sources(reference, self.sources, counted))
        return ReferenceMiss(AMBIGUOUS, counted + self._list_first_sources(meant))

    def resolve_name(self, reference: Reference, is_doubtful: bool) -> ReferenceMatch | ReferenceMiss:
        reference, meant = self._match_whole_name(reference)
        if not meant.documents and (reference.is_certain or not is_doubtful):
            meant = self._match_similar_names(reference)
        if not meant.documents:
            return ReferenceMiss(UNKNOWN, self._list_candidates(reference))
        return self._choose_document(reference, meant)

    def _match_whole_name(self, reference: Reference) -> tuple[Reference, NameMatch]:
        """Who is meant, and the reference without a place that is part of the name: "Volume 2 page 7.pdf"."""
        meant = self.match_names(reference)
        first = next((name for name in reference.names if self.source_names.match_name(name).documents), "")
        within = parse_part(first, 0, len(first)) if first else None
        if within and reference.page in within.pages:
            reference = replace(reference, page="")
        if within and reference.chunk == within.chunk:
            reference = replace(reference, chunk=None)
        return reference, meant

    def match_names(self, reference: Reference) -> NameMatch:
        """By whichever of its readings is anybody's; two that are different people's are both meant."""
        found = [meant for name in reference.names if (meant := self.source_names.match_name(name)).documents]
        if not found:
            return NO_NAME_MATCH
        if len(found) == 1 or not any(character.isspace() for character in reference.names[0]):
            return found[0]  # written in one word, a file's name is its name to the end: "contract_chunk_005"
        documents = dict.fromkeys(document for meant in found for document in meant.documents)
        return found[0] if len(documents) == len(found[0].documents) else NameMatch(found[0].tier, tuple(documents))

    def _match_similar_names(self, reference: Reference) -> NameMatch:
        if self._fuzzy_lookups_left <= 0:
            return NO_NAME_MATCH
        self._fuzzy_lookups_left -= 1
        placed = self.retrieved and bool(reference.page or reference.chunk is not None)
        found = (self.source_names.match_similar_name(name, placed) for name in reference.names)
        return next((meant for meant in found if meant.documents), NO_NAME_MATCH)

    def _list_candidates(self, reference: Reference) -> tuple[int, ...]:
        """Whom somebody may have meant who wrote a name that is nobody's."""
        near = (
            (one for name in reference.names for one in self.source_names.list_candidates(name))
            if self._fuzzy_lookups_left > 0
            else ()
        )
        return tuple(dict.fromkeys(index for one in near for index in self._first_source(one)))

    def _choose_document(self, reference: Reference, name_match: NameMatch) -> ReferenceMatch | ReferenceMiss:
        """Documents of one name are told apart by who has the page; documents of nearly that name are not."""
        if name_match.tier == FUZZY and len(name_match.documents) > 1:
            return ReferenceMiss(AMBIGUOUS, self._list_first_sources(name_match))
        places = [self._locate_in_document(reference, name_match, document) for document in name_match.documents]
        fitting = [place for place in places if isinstance(place, SourceLocation)]
        if len(fitting) == 1:
            located = reference.page or reference.chunk is not None or reference.page_or_chunk
            by_id = name_match.tier == EXACT and reference.names[0].casefold() in self.source_names.documents_by_id
            return ReferenceMatch(name_match.tier if located or name_match.tier == FUZZY or by_id else NAME, fitting[0])
        if fitting:
            return ReferenceMiss(AMBIGUOUS, tuple(place.source for place in fitting))
        misses = [place for place in places if isinstance(place, ReferenceMiss)]
        return ReferenceMiss(misses[0].reason, tuple(index for miss in misses for index in miss.candidates[:1]))

    def _locate_in_document(
        self, reference: Reference, name_match: NameMatch, document: str
    ) -> SourceLocation | ReferenceMiss:
        indexes = self.source_names.sources_by_document[document]
        labelled = [index for index in indexes if index in name_match.sources]
        return locate_in_sources(reference, self.sources, labelled or indexes)

    def resolve_locator(self, reference: Reference) -> ReferenceMatch | ReferenceMiss:
        """No name: only where one document alone of those retrieved can have such a place."""
        if not self.retrieved:
            return ReferenceMiss(UNNAMED)
        if reference.chunk is not None and not reference.page:
            return self._resolve_chunk(reference)
        documents = self.source_names.sources_by_document.values()
        if reference.page:
            places = [
                place
                for own in documents
                if isinstance(place := locate_in_sources(reference, self.sources, own), SourceLocation)
            ]
        else:
            said = [index for index, source in enumerate(self.sources) if has_clause(source, reference.clause)]
            own = [
                self.source_names.sources_by_document[one]
                for one in dict.fromkeys(self.source_names.document_key(index) for index in said)
            ]
            places = [
                place
                for all_ in own
                if isinstance(place := locate_in_sources(reference, self.sources, all_), SourceLocation)
            ]
        if len(places) == 1:
            return ReferenceMatch(PAGE if reference.page else CLAUSE, places[0])
        if places:
            return ReferenceMiss(AMBIGUOUS, tuple(place.source for place in places))
        return ReferenceMiss(NO_PAGE if reference.page and self.sources else UNNAMED)

    def _resolve_chunk(self, reference: Reference) -> ReferenceMatch | ReferenceMiss:
        """ "chunk 3" is the chunk of that index, or the third that was shown."""
        by_index = [index for index, source in enumerate(self.sources) if source.chunk_index == reference.chunk]
        shown = self.find_by_number(replace(reference, number=reference.chunk))
        both = tuple(dict.fromkeys([*by_index, *shown]))
        if len(both) > 1:
            return ReferenceMiss(AMBIGUOUS, both)
        if not both:
            return ReferenceMiss(NO_CHUNK)
        return ReferenceMatch(
            CHUNK, SourceLocation(both[0], get_start_page(self.sources[both[0]]), self.sources[both[0]].chunk_index)
        )

    def _list_first_sources(self, name_match: NameMatch) -> tuple[int, ...]:
        return tuple(index for document in name_match.documents for index in self._first_source(document))

    def _first_source(self, document: str) -> list[int]:
        return self.source_names.sources_by_document[document][:1]


def make_outcome(tier: str, location: SourceLocation | ReferenceMiss) -> ReferenceMatch | ReferenceMiss:
    return location if isinstance(location, ReferenceMiss) else ReferenceMatch(tier, location)


def is_number_only(reference: Reference) -> bool:
    """Whether a number is all it names its source by."""
    last = fold(reference.names[-1]) if reference.names else ""
    return not last or bool(locators.NUMBER.fullmatch(last) or locators.SOURCE_NUMBER.fullmatch(last))
