"""What the references of a text mean: `resolve(text, sources)`.

Cheap and certain before dear and fuzzy, and every rung is held against what else was said: a name that fits is not
enough when the page is not there. Where two readings lead to different sources, or none fits, there is no link: a wrong
one is worse than none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.citations import locators, names
from highlighter.citations.defined import Definition, definitions
from highlighter.citations.known import EXACT, FUZZY, NOBODY, NORMALISED, Known, Meant
from highlighter.citations.marks import marks
from highlighter.citations.pieces import piece
from highlighter.citations.reasons import AMBIGUOUS, NO_CHUNK, NO_NUMBER, NO_PAGE, UNKNOWN, UNNAMED, Miss, told, why
from highlighter.citations.references import Reference, references
from highlighter.citations.shapes import SQUARE, Mark
from highlighter.citations.within import Place, narrowed, own_page, says_clause
from highlighter.folding import fold
from highlighter.models import Resolution, Resolved, Source, Unresolved

# How a reference was resolved, from the surest on. What a name was found by, when a page or a chunk stood with it ...
TIERS = EXACT, NORMALISED, FUZZY, NAME, NUMBER, PAGE, CHUNK, CLAUSE = (
    EXACT, NORMALISED, FUZZY,
    "name",  # ... a name alone
    "number",  # a place in the list of sources: "[2]"
    "page", "chunk", "clause",  # no name: only one of the sources has such a place
)  # fmt: skip
REMEMBERED = 2_000  # marks
_AGAIN = ("ibid", "ibidem", "id", "同上", "同前", "loc. cit", "op. cit")


@dataclass(frozen=True, slots=True)
class Found:
    tier: str
    place: Place


@dataclass(frozen=True, slots=True)
class Link:
    """It leads somewhere else by the text's own words."""


LINK = Link()
Outcome = Found | Miss | Link | None
Definitions = dict[int, Definition]


def resolve(text: str, sources: Sequence[Source], retrieved: bool = True) -> Resolution:
    """Every reference of the text, once each. `retrieved=False`: the sources are a whole library, in which a number or a
    page alone means nothing."""
    resolver = Resolver(sources, retrieved)
    return resolver.resolution(marks(text), definitions(text))


class Resolver:
    """Holds marks against one list of sources."""

    def __init__(self, sources: Sequence[Source], retrieved: bool = True, known: Known | None = None):
        self.sources = sources
        self.retrieved = retrieved
        self.known = known or Known(sources)
        self._last = ""  # the document cited last
        self._remembered: dict[tuple[str, str, bool, bool], list[tuple[bool, Reference, Outcome]]] = {}

    def resolution(self, found: Sequence[Mark], definitions: Definitions) -> Resolution:
        """Without definitions of its own, a number is a place in the list of sources."""
        outcomes = [one for mark in found for one in self.mark(mark, definitions)]
        return Resolution(
            tuple(one for one in outcomes if isinstance(one, Resolved)),
            tuple(one for one in outcomes if isinstance(one, Unresolved)),
        )

    def mark(self, mark: Mark, definitions: Definitions | None = None) -> list[Resolved | Unresolved]:
        """Its references in order; none when it is no reference after all."""
        outcomes = self._outcomes(mark, definitions or {})
        made: list[Resolved | Unresolved] = []
        for whole, reference, outcome in outcomes:
            start = mark.start if whole else mark.start + mark.body + reference.start
            end = mark.end if whole else mark.start + mark.body + reference.end
            label = mark.text[start - mark.start : end - mark.start]
            if isinstance(outcome, Found):
                place = outcome.place
                self._last = self.known.document(place.source)
                quote = reference.quote or mark.quote
                made.append(
                    Resolved(label, start, end, outcome.tier, place.source, place.page, place.chunk, quote, place.also)
                )
            elif isinstance(outcome, Miss) and told(mark, reference, outcome):
                said = _written(mark, reference)
                sentence = why(outcome, said, self.sources)
                made.append(Unresolved(label, start, end, outcome.reason, sentence, outcome.candidates))
        return made

    def _outcomes(self, mark: Mark, definitions: Definitions) -> list[tuple[bool, Reference, Outcome]]:
        """(whether it is the mark's only one, reference, outcome). Marks are repeated a lot, and looked up once."""
        key = mark.said, mark.shape, mark.loose, bool(definitions)
        known = self._remembered.get(key)
        if known is None:
            known = self._looked_up(mark, definitions)
            if len(self._remembered) < REMEMBERED and not any(_says_again(one) for _, one, _ in known):
                self._remembered[key] = known
        return known

    def _looked_up(self, mark: Mark, definitions: Definitions) -> list[tuple[bool, Reference, Outcome]]:
        stated = references(mark)
        said = mark.said.strip()
        if len(stated) > 1 and (self._labelled(said)[1] or self.known.named(said).documents):
            last = replace(stated[-1], names=(said,), parts=())  # a name with a semicolon in it
            stated = [replace(last, start=0, end=len(mark.said))]
        stated = [part for one in stated for part in self._read(one)]
        return [(len(stated) == 1, one, self._outcome(mark, one, definitions)) for one in stated]

    # -- which reading -------------------------------------------------------------------------------------------

    def _labelled(self, said: str) -> tuple[str, list[int]]:
        """Whom a label was given to, as it was shown to whoever wrote the text."""
        indexes = self.known.labels.get(names.key(said), []) if said else []
        exactly = [index for index in indexes if self.sources[index].label == said]
        return (EXACT, exactly) if exactly else (NORMALISED, indexes)

    def _read(self, reference: Reference) -> Sequence[Reference]:
        """A name with commas in it as several, when it is no one's and each of those is somebody's."""
        parts = reference.parts
        if not parts or self._named(reference).documents:
            return [reference]
        each = [part.number is not None or self._named(part).documents for part in parts]
        return parts if all(each) else [reference]

    def _called(self, reference: Reference) -> tuple[Reference, Meant]:
        """Who is meant, and the reference without a place that is part of the name: "Volume 2 page 7.pdf"."""
        meant = self._named(reference)
        first = next((name for name in reference.names if self.known.named(name).documents), "")
        within = piece(first, 0, len(first)) if first else None
        if within and reference.page in within.pages:
            reference = replace(reference, page="")
        if within and reference.chunk == within.chunk:
            reference = replace(reference, chunk=None)
        return reference, meant

    def _named(self, reference: Reference) -> Meant:
        """By whichever of its readings is anybody's; two that are different people's are both meant."""
        found = [meant for name in reference.names if (meant := self.known.named(name)).documents]
        if not found:
            return NOBODY
        if len(found) == 1 or not any(character.isspace() for character in reference.names[0]):
            return found[0]  # written in one word, a file's name is its name to the end: "contract_chunk_005"
        documents = dict.fromkeys(document for meant in found for document in meant.documents)
        return found[0] if len(documents) == len(found[0].documents) else Meant(found[0].tier, tuple(documents))

    # -- one reference -------------------------------------------------------------------------------------------

    def _outcome(self, mark: Mark, reference: Reference, definitions: Definitions) -> Outcome:
        tier, indexes = self._labelled(_written(mark, reference))
        if indexes:
            return self._of_label(reference, tier, indexes)
        if reference.unclear:
            return Miss(AMBIGUOUS, self._by_number(reference))
        if reference.number is not None:
            defined = definitions.get(reference.number) if _is_number(reference) else None
            told = self._as_defined(mark, defined) if defined else None
            return told if told is not None else self._of_number(reference)
        return self._of_name(mark, reference) if reference.names else self._of_place(reference)

    def _of_label(self, reference: Reference, tier: str, indexes: Sequence[int]) -> Outcome:
        if len(indexes) > 1:
            return Miss(AMBIGUOUS, tuple(indexes))
        # Its page is read as any other: "p.iv" of a label is the page on which iv is printed.
        place = narrowed(reference, self.sources, indexes)
        return Found(
            tier, Place(indexes[0], chunk=self.sources[indexes[0]].chunk_index) if isinstance(place, Miss) else place
        )

    def _as_defined(self, mark: Mark, defined: Definition) -> Outcome:
        """What the text says of its own number; None when it says nothing of sources."""
        if not defined.says:
            return LINK
        says = replace(mark, said=defined.says, text=defined.says, body=0, loose=False, shape=SQUARE)
        outcomes = [outcome for _, _, outcome in self._outcomes(says, {})]
        if len(outcomes) == 1 and isinstance(outcomes[0], Found) and (defined.certain or outcomes[0].tier != FUZZY):
            return outcomes[0]
        if not defined.certain:
            return None
        return next((outcome for outcome in outcomes if isinstance(outcome, Miss)), LINK)

    def _by_number(self, reference: Reference) -> tuple[int, ...]:
        value = reference.number or 0
        return (value - 1,) if self.retrieved and 0 < value <= len(self.sources) else ()

    def _of_number(self, reference: Reference) -> Outcome:
        """A number, and perhaps a name beside it, which must then be that source's."""
        counted, meant = self._by_number(reference), self._named(reference)
        if _is_number(reference):
            if meant.documents and not (counted and self.known.document(counted[0]) in meant.documents):
                return Miss(AMBIGUOUS, counted + self._sources_of(meant))  # "Doc 2" is also a file's name
            if not counted:
                return Miss(NO_NUMBER)
            return _found(NUMBER, narrowed(reference, self.sources, counted))
        whole = self.known.named(reference.names[0])
        if whole.documents:  # "3 - Method Statement": the number is part of the name
            return self._among(reference, whole)
        meant = meant if meant.documents else self._nearly(reference)
        if not meant.documents:
            return Miss(UNKNOWN, counted)
        if counted and self.known.document(counted[0]) in meant.documents:
            return _found(meant.tier, narrowed(reference, self.sources, counted))
        return Miss(AMBIGUOUS, counted + self._sources_of(meant))

    def _of_name(self, mark: Mark, reference: Reference) -> Outcome:
        again = self._again(reference)
        if again is not None:
            return again
        reference, meant = self._called(reference)
        if not meant.documents and (reference.sure or not mark.loose):
            meant = self._nearly(reference)
        if not meant.documents:
            near = (
                index for name in reference.names for one in self.known.candidates(name) for index in self._first(one)
            )
            return Miss(UNKNOWN, tuple(dict.fromkeys(near)))
        return self._among(reference, meant)

    def _again(self, reference: Reference) -> Outcome:
        """ "ibid., p. 4": another place of what was cited last."""
        if not self._last or not _says_again(reference):
            return None
        return _found(NAME, narrowed(reference, self.sources, self.known.documents[self._last]))

    def _nearly(self, reference: Reference) -> Meant:
        placed = self.retrieved and bool(reference.page or reference.chunk is not None)
        found = (self.known.nearly_named(name, placed) for name in reference.names)
        return next((meant for meant in found if meant.documents), NOBODY)

    def _among(self, reference: Reference, meant: Meant) -> Outcome:
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

    def _of_place(self, reference: Reference) -> Outcome:
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

    def _of_chunk(self, reference: Reference) -> Outcome:
        """ "chunk 3" is the chunk of that index, or the third that was shown."""
        by_index = [index for index, source in enumerate(self.sources) if source.chunk_index == reference.chunk]
        shown = self._by_number(replace(reference, number=reference.chunk))
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


def _found(tier: str, place: Place | Miss) -> Found | Miss:
    return place if isinstance(place, Miss) else Found(tier, place)


def _written(mark: Mark, reference: Reference) -> str:
    return mark.said[reference.start : reference.end].strip()


def _is_number(reference: Reference) -> bool:
    """Whether a number is all it names its source by."""
    last = fold(reference.names[-1]) if reference.names else ""
    return not last or bool(locators.NUMBER.fullmatch(last) or locators.SOURCE_NUMBER.fullmatch(last))


def _says_again(reference: Reference) -> bool:
    return bool(reference.names) and fold(reference.names[0]).strip(".") in _AGAIN
