"""One reference held against the sources, rung by rung: by its label, its number, its name, its place alone.

Cheap and certain before dear and fuzzy, and every rung is held against what else was said: a name that fits is not
enough when the page is not there. Where two readings lead to different sources, or none fits, there is no link: a wrong
one is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.citations import locators, names
from highlighter.citations.known import EXACT, FUZZY, NOBODY, NORMALISED, Known, Meant
from highlighter.citations.pieces import piece
from highlighter.citations.reasons import AMBIGUOUS, NO_CHUNK, NO_NUMBER, NO_PAGE, UNKNOWN, UNNAMED, Miss
from highlighter.citations.references import Reference
from highlighter.citations.within import Place, narrowed, own_page, says_clause
from highlighter.folding import fold
from highlighter.models import Source

# How a reference was resolved, from the surest on. What a name was found by, when a page or a chunk stood with it ...
TIERS = EXACT, NORMALISED, FUZZY, NAME, NUMBER, PAGE, CHUNK, CLAUSE = (
    EXACT, NORMALISED, FUZZY,
    "name",  # ... a name alone
    "number",  # a place in the list of sources: "[2]"
    "page", "chunk", "clause",  # no name: only one of the sources has such a place
)  # fmt: skip
NEAR = 300  # names in one text that are looked for nearly as they are written: each is held against every document's


@dataclass(frozen=True, slots=True)
class Found:
    tier: str
    place: Place


class Cascade:
    """`retrieved=False`: the sources are a whole library, in which a number or a page alone means nothing."""

    def __init__(self, sources: Sequence[Source], retrieved: bool, known: Known):
        self.sources = sources
        self.retrieved = retrieved
        self.known = known
        self._near = NEAR

    def labelled(self, said: str) -> tuple[str, list[int]]:
        """Whom a label was given to, as it was shown to whoever wrote the text."""
        indexes = self.known.labels.get(names.key(said), []) if said else []
        exactly = [index for index in indexes if self.sources[index].label == said]
        return (EXACT, exactly) if exactly else (NORMALISED, indexes)

    def of_label(self, reference: Reference, tier: str, indexes: Sequence[int]) -> Found | Miss:
        if len(indexes) > 1:
            return Miss(AMBIGUOUS, tuple(indexes))
        # Its page is read as any other: "p.iv" of a label is the page on which iv is printed.
        place = narrowed(reference, self.sources, indexes)
        return Found(
            tier, Place(indexes[0], chunk=self.sources[indexes[0]].chunk_index) if isinstance(place, Miss) else place
        )

    def by_number(self, reference: Reference) -> tuple[int, ...]:
        value = reference.number or 0
        return (value - 1,) if self.retrieved and 0 < value <= len(self.sources) else ()

    def of_number(self, reference: Reference) -> Found | Miss:
        """A number, and perhaps a name beside it, which must then be that source's."""
        counted, meant = self.by_number(reference), self.named(reference)
        if is_number(reference):
            if meant.documents and not (counted and self.known.document(counted[0]) in meant.documents):
                return Miss(AMBIGUOUS, counted + self._sources_of(meant))  # "Doc 2" is also a file's name
            if not counted:
                return Miss(NO_NUMBER)
            return found_at(NUMBER, narrowed(reference, self.sources, counted))
        whole = self.known.named(reference.names[0])
        if whole.documents:  # "3 - Method Statement": the number is part of the name
            return self._among(reference, whole)
        meant = meant if meant.documents else self._nearly(reference)
        if not meant.documents:
            return Miss(UNKNOWN, counted)
        if counted and self.known.document(counted[0]) in meant.documents:
            return found_at(meant.tier, narrowed(reference, self.sources, counted))
        return Miss(AMBIGUOUS, counted + self._sources_of(meant))

    def of_name(self, reference: Reference, loose: bool) -> Found | Miss:
        reference, meant = self._called(reference)
        if not meant.documents and (reference.sure or not loose):
            meant = self._nearly(reference)
        if not meant.documents:
            return Miss(UNKNOWN, self._candidates(reference))
        return self._among(reference, meant)

    def _called(self, reference: Reference) -> tuple[Reference, Meant]:
        """Who is meant, and the reference without a place that is part of the name: "Volume 2 page 7.pdf"."""
        meant = self.named(reference)
        first = next((name for name in reference.names if self.known.named(name).documents), "")
        within = piece(first, 0, len(first)) if first else None
        if within and reference.page in within.pages:
            reference = replace(reference, page="")
        if within and reference.chunk == within.chunk:
            reference = replace(reference, chunk=None)
        return reference, meant

    def named(self, reference: Reference) -> Meant:
        """By whichever of its readings is anybody's; two that are different people's are both meant."""
        found = [meant for name in reference.names if (meant := self.known.named(name)).documents]
        if not found:
            return NOBODY
        if len(found) == 1 or not any(character.isspace() for character in reference.names[0]):
            return found[0]  # written in one word, a file's name is its name to the end: "contract_chunk_005"
        documents = dict.fromkeys(document for meant in found for document in meant.documents)
        return found[0] if len(documents) == len(found[0].documents) else Meant(found[0].tier, tuple(documents))

    def _nearly(self, reference: Reference) -> Meant:
        if self._near <= 0:
            return NOBODY
        self._near -= 1
        placed = self.retrieved and bool(reference.page or reference.chunk is not None)
        found = (self.known.nearly_named(name, placed) for name in reference.names)
        return next((meant for meant in found if meant.documents), NOBODY)

    def _candidates(self, reference: Reference) -> tuple[int, ...]:
        """Whom somebody may have meant who wrote a name that is nobody's."""
        near = (one for name in reference.names for one in self.known.candidates(name)) if self._near > 0 else ()
        return tuple(dict.fromkeys(index for one in near for index in self._first(one)))

    def _among(self, reference: Reference, meant: Meant) -> Found | Miss:
        """Documents of one name are told apart by who has the page; documents of nearly that name are not."""
        if meant.tier == FUZZY and len(meant.documents) > 1:
            return Miss(AMBIGUOUS, self._sources_of(meant))
        places = [self._narrowed(reference, meant, document) for document in meant.documents]
        fitting = [place for place in places if isinstance(place, Place)]
        if len(fitting) == 1:
            located = reference.page or reference.chunk is not None or reference.loose
            by_id = meant.tier == EXACT and reference.names[0].casefold() in self.known.ids
            return Found(meant.tier if located or meant.tier == FUZZY or by_id else NAME, fitting[0])
        if fitting:
            return Miss(AMBIGUOUS, tuple(place.source for place in fitting))
        misses = [place for place in places if isinstance(place, Miss)]
        return Miss(misses[0].reason, tuple(index for miss in misses for index in miss.candidates[:1]))

    def _narrowed(self, reference: Reference, meant: Meant, document: str) -> Place | Miss:
        indexes = self.known.documents[document]
        labelled = [index for index in indexes if index in meant.sources]
        return narrowed(reference, self.sources, labelled or indexes)

    def of_place(self, reference: Reference) -> Found | Miss:
        """No name: only where one document alone of those retrieved can have such a place."""
        if not self.retrieved:
            return Miss(UNNAMED)
        if reference.chunk is not None and not reference.page:
            return self._of_chunk(reference)
        documents = self.known.documents.values()
        if reference.page:
            places = [place for own in documents if isinstance(place := narrowed(reference, self.sources, own), Place)]
        else:
            said = [index for index, source in enumerate(self.sources) if says_clause(source, reference.clause)]
            own = [self.known.documents[one] for one in dict.fromkeys(self.known.document(index) for index in said)]
            places = [place for all_ in own if isinstance(place := narrowed(reference, self.sources, all_), Place)]
        if len(places) == 1:
            return Found(PAGE if reference.page else CLAUSE, places[0])
        if places:
            return Miss(AMBIGUOUS, tuple(place.source for place in places))
        return Miss(NO_PAGE if reference.page and self.sources else UNNAMED)

    def _of_chunk(self, reference: Reference) -> Found | Miss:
        """ "chunk 3" is the chunk of that index, or the third that was shown."""
        by_index = [index for index, source in enumerate(self.sources) if source.chunk_index == reference.chunk]
        shown = self.by_number(replace(reference, number=reference.chunk))
        both = tuple(dict.fromkeys([*by_index, *shown]))
        if len(both) > 1:
            return Miss(AMBIGUOUS, both)
        if not both:
            return Miss(NO_CHUNK)
        return Found(CHUNK, Place(both[0], own_page(self.sources[both[0]]), self.sources[both[0]].chunk_index))

    def _sources_of(self, meant: Meant) -> tuple[int, ...]:
        return tuple(index for document in meant.documents for index in self._first(document))

    def _first(self, document: str) -> list[int]:
        return self.known.documents[document][:1]


def found_at(tier: str, place: Place | Miss) -> Found | Miss:
    return place if isinstance(place, Miss) else Found(tier, place)


def is_number(reference: Reference) -> bool:
    """Whether a number is all it names its source by."""
    last = fold(reference.names[-1]) if reference.names else ""
    return not last or bool(locators.NUMBER.fullmatch(last) or locators.SOURCE_NUMBER.fullmatch(last))
