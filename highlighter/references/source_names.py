"""The names that sources go by, and which of them a name as written means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz, process

from highlighter.models import Source
from highlighter.references import locators, name_comparison
from highlighter.text.characters import fold

EXACT, NORMALISED, FUZZY = "exact", "normalised", "fuzzy"
# A name that is less like it than so is not looked at for slips, and not told as a candidate.
MIN_MISSPELLING_SIMILARITY, MIN_CANDIDATE_SIMILARITY, MAX_NAME_CANDIDATES = 78, 60, 3
# With a page beside it, a shorter part of a name will do.
MIN_NAME_SHARE_WITH_LOCATOR = 0.3
MIN_ID_PREFIX_CHARACTERS = 6


@dataclass(frozen=True, slots=True)
class NameMatch:
    """Documents by their keys; several when it cannot be told which, none when no one is called so."""

    tier: str
    documents: tuple[str, ...]
    sources: tuple[int, ...] = ()  # only these of theirs: the name is a label that was given to them alone


NO_NAME_MATCH = NameMatch("", ())


class SourceNames:
    """`documents` maps a document's key to the indexes of its sources, in their order."""

    def __init__(self, sources: Sequence[Source]):
        self.sources_by_document: dict[str, list[int]] = defaultdict(list)
        self.sources_by_label: dict[str, list[int]] = defaultdict(list)
        self._documents_by_file_name: dict[str, dict[str, None]] = defaultdict(dict)
        self._documents_by_name_key: dict[str, dict[str, None]] = defaultdict(dict)
        self._folders_and_extensions: dict[str, tuple[str, str]] = {}  # of a document: its folder and extension
        self.documents_by_id: dict[str, str] = {}
        self._stems_by_document: dict[str, str] = {}
        self._sources = sources
        for index, source in enumerate(sources):
            self._add(index, source)

    def _add(self, index: int, source: Source) -> None:
        document = _document_key(source)
        new = document not in self.sources_by_document
        self.sources_by_document[document].append(index)
        if source.label:
            self.sources_by_label[name_comparison.make_name_key(source.label)].append(index)
            if called := name_comparison.make_name_key(_strip_locator(source.label)):
                self._documents_by_name_key[called][document] = None
        if not new:
            return
        folder, stem, extension = name_comparison.split_file_name(source.filename)
        self._folders_and_extensions[document] = folder, extension
        self._stems_by_document[document] = stem
        self._documents_by_file_name[source.filename.strip()][document] = None
        for alike in {name_comparison.make_name_key(stem), name_comparison.make_name_key(source.filename)} - {""}:
            self._documents_by_name_key[alike][document] = None
        if source.document_id:
            self.documents_by_id[source.document_id.casefold()] = document

    def match_name(self, name: str) -> NameMatch:
        """Whoever is called exactly so, or so but for case, spaces, signs, width, script, extension, folder."""
        if exact := self._documents_by_file_name.get(name):
            return NameMatch(EXACT, tuple(exact))
        if document := self.documents_by_id.get(name.casefold()):
            return NameMatch(EXACT, (document,))
        if len(name) == 1 and name.islower():
            return NO_NAME_MATCH  # "[a]" is a letter, and no "A.pdf"
        if labelled := self.sources_by_label.get(name_comparison.make_name_key(name)):
            return NameMatch(NORMALISED, tuple(dict.fromkeys(map(self.document_key, labelled))), tuple(labelled))
        folder, stem, extension = name_comparison.split_file_name(name)
        alike = {
            **self._documents_by_name_key.get(name_comparison.make_name_key(stem), {}),
            **self._documents_by_name_key.get(name_comparison.make_name_key(name), {}),
        }
        fitting = tuple(one for one in alike if self._has_compatible_path(one, folder, extension))
        return NameMatch(NORMALISED, fitting) if fitting else self._match_id_prefix(name)

    def document_key(self, index: int) -> str:
        return _document_key(self._sources[index])

    def _has_compatible_path(self, document: str, folder: str, extension: str) -> bool:
        """Another extension is another file; and so is another folder, when both are told."""
        own_folder, own_extension = self._folders_and_extensions[document]
        if extension and own_extension and extension != own_extension:
            return False
        if not folder or not own_folder:
            return True
        ours, theirs = name_comparison.make_name_key(folder), name_comparison.make_name_key(own_folder)
        return ours.endswith(theirs) or theirs.endswith(ours)

    def _match_id_prefix(self, name: str) -> NameMatch:
        """The beginning of an id, when it is long enough to be one's alone."""
        begun = name.casefold()
        if len(begun) < MIN_ID_PREFIX_CHARACTERS or not any(character.isdigit() for character in begun) or " " in begun:
            return NO_NAME_MATCH
        found = tuple(document for own, document in self.documents_by_id.items() if own.startswith(begun))
        return NameMatch(NORMALISED, found) if found else NO_NAME_MATCH

    def match_similar_name(self, name: str, has_locator: bool) -> NameMatch:
        """Whoever is called nearly so: a slip, or a part of the name that can be no other document's."""
        folder, stem, extension = name_comparison.split_file_name(name)
        share = MIN_NAME_SHARE_WITH_LOCATOR if has_locator else name_comparison.MIN_NAME_SHARE
        slips = [
            one
            for one in self._list_similar(stem, MIN_MISSPELLING_SIMILARITY)
            if name_comparison.is_misspelling(stem, self._stems_by_document[one])
        ]
        found = slips or [
            one
            for one in self._list_sharing_words(stem)
            if name_comparison.is_partial_name(stem, self._stems_by_document[one], share)
        ]
        fitting = tuple(one for one in dict.fromkeys(found) if self._has_compatible_path(one, folder, extension))
        return NameMatch(FUZZY, fitting) if fitting else NO_NAME_MATCH

    def list_candidates(self, name: str) -> list[str]:
        """What somebody may have meant; to be shown, never to be linked."""
        return self._list_similar(name_comparison.split_file_name(name)[1], MIN_CANDIDATE_SIMILARITY)[
            :MAX_NAME_CANDIDATES
        ]

    def _list_similar(self, stem: str, min_similarity: int) -> list[str]:
        """Documents whose names are most like it, best first."""
        wanted, (documents, keys) = name_comparison.make_name_key(stem), self._name_keys
        found = process.extract(wanted, keys, scorer=fuzz.ratio, score_cutoff=min_similarity, limit=50)
        return [documents[at] for _, _, at in found]

    def _list_sharing_words(self, stem: str) -> Iterable[str]:
        """Documents that have its longer words, as far as a letter may be wrong in them: a slip spoils one half of each."""
        words = sorted((word for word in name_comparison.tokenize_name(stem) if not word.isdigit()), key=len)[-3:]
        halves = [(word[: max(len(word) // 2, 1)], word[len(word) // 2 :]) for word in words]
        documents, keys = self._name_keys
        found = zip(documents, keys, strict=True)
        return [one for one, own in found if all(first in own or last in own for first, last in halves)]

    @cached_property
    def _name_keys(self) -> tuple[list[str], list[str]]:
        return list(self._stems_by_document), [
            name_comparison.make_name_key(name) for name in self._stems_by_document.values()
        ]


def _document_key(source: Source) -> str:
    """Sources of one document have one key; without an id, those of one file name are of one document."""
    return source.document_id or f"\0{source.filename}"


def _strip_locator(label: str) -> str:
    """A label without the page or the chunk that it ends with."""
    found = locators.TRAILING_LOCATOR.fullmatch(fold(label))
    return label[: found.end("before")].strip(" ,") if found else label
