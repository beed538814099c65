"""The names that sources go by, and which of them a name as written means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz, process

from highlighter.citations import locators, names
from highlighter.folding import fold
from highlighter.models import Source

EXACT, NORMALISED, FUZZY = "exact", "normalised", "fuzzy"
# A name that is less like it than so is not looked at for slips, and not told as a candidate.
LIKE, CANDIDATE, CANDIDATES = 78, 60, 3
# With a page beside it, a shorter part of a name will do.
PLACED_SHARE = 0.3
SHORTEST_ID = 6


@dataclass(frozen=True, slots=True)
class Meant:
    """Documents by their keys; several when it cannot be told which, none when no one is called so."""

    tier: str
    documents: tuple[str, ...]
    sources: tuple[int, ...] = ()  # only these of theirs: the name is a label that was given to them alone


NOBODY = Meant("", ())


class Known:
    """`documents` maps a document's key to the indexes of its sources, in their order."""

    def __init__(self, sources: Sequence[Source]):
        self.documents: dict[str, list[int]] = defaultdict(list)
        self.labels: dict[str, list[int]] = defaultdict(list)
        self._exact: dict[str, dict[str, None]] = defaultdict(dict)
        self._alike: dict[str, dict[str, None]] = defaultdict(dict)
        self._extensions: dict[str, tuple[str, str]] = {}  # of a document: its folder and extension
        self.ids: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._sources = sources
        for index, source in enumerate(sources):
            self._add(index, source)

    def _add(self, index: int, source: Source) -> None:
        document = _document(source)
        new = document not in self.documents
        self.documents[document].append(index)
        if source.label:
            self.labels[names.key(source.label)].append(index)
            if called := names.key(_unplaced(source.label)):
                self._alike[called][document] = None
        if not new:
            return
        folder, stem, extension = names.parted(source.filename)
        self._extensions[document] = folder, extension
        self._names[document] = stem
        self._exact[source.filename.strip()][document] = None
        for alike in {names.key(stem), names.key(source.filename)} - {""}:
            self._alike[alike][document] = None
        if source.document_id:
            self.ids[source.document_id.casefold()] = document

    def named(self, name: str) -> Meant:
        """Whoever is called exactly so, or so but for case, spaces, signs, width, script, extension, folder."""
        if exact := self._exact.get(name):
            return Meant(EXACT, tuple(exact))
        if document := self.ids.get(name.casefold()):
            return Meant(EXACT, (document,))
        if len(name) == 1 and name.islower():
            return NOBODY  # "[a]" is a letter, and no "A.pdf"
        if labelled := self.labels.get(names.key(name)):
            return Meant(NORMALISED, tuple(dict.fromkeys(map(self.document, labelled))), tuple(labelled))
        folder, stem, extension = names.parted(name)
        alike = {**self._alike.get(names.key(stem), {}), **self._alike.get(names.key(name), {})}
        fitting = tuple(one for one in alike if self._goes_with(one, folder, extension))
        return Meant(NORMALISED, fitting) if fitting else self._by_id(name)

    def document(self, index: int) -> str:
        return _document(self._sources[index])

    def _goes_with(self, document: str, folder: str, extension: str) -> bool:
        """Another extension is another file; and so is another folder, when both are told."""
        own_folder, own_extension = self._extensions[document]
        if extension and own_extension and extension != own_extension:
            return False
        if not folder or not own_folder:
            return True
        ours, theirs = names.key(folder), names.key(own_folder)
        return ours.endswith(theirs) or theirs.endswith(ours)

    def _by_id(self, name: str) -> Meant:
        """The beginning of an id, when it is long enough to be one's alone."""
        begun = name.casefold()
        if len(begun) < SHORTEST_ID or not any(character.isdigit() for character in begun) or " " in begun:
            return NOBODY
        found = tuple(document for own, document in self.ids.items() if own.startswith(begun))
        return Meant(NORMALISED, found) if found else NOBODY

    def nearly_named(self, name: str, placed: bool) -> Meant:
        """Whoever is called nearly so: a slip, or a part of the name that can be no other document's."""
        folder, stem, extension = names.parted(name)
        share = PLACED_SHARE if placed else names.PLAIN_SHARE
        slips = [one for one in self._like(stem, LIKE) if names.same_but_for_slips(stem, self._names[one])]
        found = slips or [one for one in self._holding(stem) if names.part_of(stem, self._names[one], share)]
        fitting = tuple(one for one in dict.fromkeys(found) if self._goes_with(one, folder, extension))
        return Meant(FUZZY, fitting) if fitting else NOBODY

    def candidates(self, name: str) -> list[str]:
        """What somebody may have meant; to be shown, never to be linked."""
        return self._like(names.parted(name)[1], CANDIDATE)[:CANDIDATES]

    def _like(self, stem: str, enough: int) -> list[str]:
        """Documents whose names are most like it, best first."""
        wanted, (documents, keys) = names.key(stem), self._keys
        found = process.extract(wanted, keys, scorer=fuzz.ratio, score_cutoff=enough, limit=50)
        return [documents[at] for _, _, at in found]

    def _holding(self, stem: str) -> Iterable[str]:
        """Documents that have its longer words, as far as a letter may be wrong in them: a slip spoils one half of each."""
        words = sorted((word for word in names.tokens(stem) if not word.isdigit()), key=len)[-3:]
        halves = [(word[: max(len(word) // 2, 1)], word[len(word) // 2 :]) for word in words]
        documents, keys = self._keys
        found = zip(documents, keys, strict=True)
        return [one for one, own in found if all(first in own or last in own for first, last in halves)]

    @cached_property
    def _keys(self) -> tuple[list[str], list[str]]:
        return list(self._names), [names.key(name) for name in self._names.values()]


def _document(source: Source) -> str:
    """Sources of one document have one key; without an id, those of one file name are of one document."""
    return source.document_id or f"\0{source.filename}"


def _unplaced(label: str) -> str:
    """A label without the page or the chunk that it ends with."""
    found = locators.ENDS_LOCATED.fullmatch(fold(label))
    return label[: found.end("before")].strip(" ,") if found else label
