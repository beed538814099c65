"""What the references of a text mean: `resolve(text, sources)`. Where each stands and how it counts; the rungs on which it
is looked up are in citations/cascade.py."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.citations.cascade import FUZZY, NAME, TIERS, Cascade, Found, found_at, is_number
from highlighter.citations.defined import Definition, definitions
from highlighter.citations.known import Known
from highlighter.citations.marks import marks
from highlighter.citations.reasons import AMBIGUOUS, Miss, told, why
from highlighter.citations.references import Reference, references
from highlighter.citations.shapes import SQUARE, Mark
from highlighter.citations.within import narrowed
from highlighter.cpu_budget import check_cpu
from highlighter.folding import fold
from highlighter.models import Resolution, Resolved, Source, Unresolved

__all__ = ["TIERS", "Resolver", "resolve"]

REMEMBERED = 2_000  # marks
CANDIDATES = 10  # told of what is ambiguous
_AGAIN = ("ibid", "ibidem", "id", "同上", "同前", "loc. cit", "op. cit")


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
        self.known = known or Known(sources)
        self._cascade = Cascade(sources, retrieved, self.known)
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
        check_cpu()
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
                made.append(Unresolved(label, start, end, outcome.reason, sentence, outcome.candidates[:CANDIDATES]))
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
        if len(stated) > 1 and (self._cascade.labelled(said)[1] or self.known.named(said).documents):
            last = replace(stated[-1], names=(said,), parts=())  # a name with a semicolon in it
            stated = [replace(last, start=0, end=len(mark.said))]
        stated = [part for one in stated for part in self._read(one)]
        return [(len(stated) == 1, one, self._outcome(mark, one, definitions)) for one in stated]

    def _read(self, reference: Reference) -> Sequence[Reference]:
        """A name with commas in it as several, when it is no one's and each of those is somebody's."""
        parts = reference.parts
        if not parts or self._cascade.named(reference).documents:
            return [reference]
        each = [part.number is not None or self._cascade.named(part).documents for part in parts]
        return parts if all(each) else [reference]

    def _outcome(self, mark: Mark, reference: Reference, definitions: Definitions) -> Outcome:
        tier, indexes = self._cascade.labelled(_written(mark, reference))
        if indexes:
            return self._cascade.of_label(reference, tier, indexes)
        if reference.unclear:
            return Miss(AMBIGUOUS, self._cascade.by_number(reference))
        if reference.number is not None:
            defined = definitions.get(reference.number) if is_number(reference) else None
            told = self._as_defined(mark, defined) if defined else None
            return told if told is not None else self._cascade.of_number(reference)
        if not reference.names:
            return self._cascade.of_place(reference)
        if self._last and _says_again(reference):  # "ibid., p. 4": another place of what was cited last
            return found_at(NAME, narrowed(reference, self.sources, self.known.documents[self._last]))
        return self._cascade.of_name(reference, mark.loose)

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


def _written(mark: Mark, reference: Reference) -> str:
    return mark.said[reference.start : reference.end].strip()


def _says_again(reference: Reference) -> bool:
    return bool(reference.names) and fold(reference.names[0]).strip(".") in _AGAIN
