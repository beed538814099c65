"""The names of the sources, and which sources a written name means."""

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
# Names below these similarities are not checked for typos, and not reported as candidates.
MIN_MISSPELLING_SIMILARITY, MIN_CANDIDATE_SIMILARITY, MAX_NAME_CANDIDATES = 78, 60, 3
# With a page or chunk, a shorter part of a name suffices.
MIN_NAME_SHARE_WITH_LOCATOR = 0.3
MIN_ID_PREFIX_CHARACTERS = 6


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The documents that a name matches, by their keys: several if the name is ambiguous, none if it is unknown."""

    tier: str
    documents: tuple[str, ...]
    sources: tuple[int, ...] = ()  # if the name is a label, the sources that have the label


NO_NAME_MATCH = NameMatch("", ())


class SourceNames:
    """Indexes of the names of the sources; a document's key maps to the indexes of its sources."""

    def __init__(self, sources: Sequence[Source]):
        self.sources_by_document: dict[str, list[int]] = defaultdict(list)
        self.sources_by_label: dict[str, list[int]] = defaultdict(list)
        self._documents_by_file_name: dict[str, dict[str, None]] = defaultdict(dict)
        self._documents_by_name_key: dict[str, dict[str, None]] = defaultdict(dict)
        self._folders_and_extensions: dict[str, tuple[str, str]] = {}  # by document
        self.documents_by_id: dict[str, str] = {}
        self._stems_by_document: dict[str, str] = {}
        self._sources = sources
        for index, source in enumerate(sources):
            self._add(index, source)

    def _add(self, index: int, source: Source) -> None:
        document = _document_key(source)
        is_new = document not in self.sources_by_document
        self.sources_by_document[document].append(index)
        if source.label:
            self.sources_by_label[name_comparison.make_name_key(source.label)].append(index)
            if label_key := name_comparison.make_name_key(_strip_locator(source.label)):
                self._documents_by_name_key[label_key][document] = None
        if not is_new:
            return
        folder, stem, extension = name_comparison.split_file_name(source.filename)
        self._folders_and_extensions[document] = folder, extension
        self._stems_by_document[document] = stem
        self._documents_by_file_name[source.filename.strip()][document] = None
        for name_key in {name_comparison.make_name_key(stem), name_comparison.make_name_key(source.filename)} - {""}:
            self._documents_by_name_key[name_key][document] = None
        if source.document_id:
            self.documents_by_id[source.document_id.casefold()] = document

    def match_name(self, name: str) -> NameMatch:
        """Match a name exactly, or but for case, spaces, punctuation, width, script, extension and folder."""
        if exact := self._documents_by_file_name.get(name):
            return NameMatch(EXACT, tuple(exact))
        if document := self.documents_by_id.get(name.casefold()):
            return NameMatch(EXACT, (document,))
        if len(name) == 1 and name.islower():
            return NO_NAME_MATCH  # "[a]" does not cite "A.pdf"
        if labelled := self.sources_by_label.get(name_comparison.make_name_key(name)):
            return NameMatch(NORMALISED, tuple(dict.fromkeys(map(self.document_key, labelled))), tuple(labelled))
        folder, stem, extension = name_comparison.split_file_name(name)
        candidates = {
            **self._documents_by_name_key.get(name_comparison.make_name_key(stem), {}),
            **self._documents_by_name_key.get(name_comparison.make_name_key(name), {}),
        }
        fitting = tuple(
            candidate for candidate in candidates if self._has_compatible_path(candidate, folder, extension)
        )
        return NameMatch(NORMALISED, fitting) if fitting else self._match_id_prefix(name)

    def document_key(self, index: int) -> str:
        return _document_key(self._sources[index])

    def _has_compatible_path(self, document: str, folder: str, extension: str) -> bool:
        """Return whether extension and folder agree, as far as both names have them."""
        own_folder, own_extension = self._folders_and_extensions[document]
        if extension and own_extension and extension != own_extension:
            return False
        if not folder or not own_folder:
            return True
        written_key, own_key = name_comparison.make_name_key(folder), name_comparison.make_name_key(own_folder)
        return written_key.endswith(own_key) or own_key.endswith(written_key)

    def _match_id_prefix(self, name: str) -> NameMatch:
        """Match the beginning of a document id if it is long enough to be unique."""
        prefix = name.casefold()
        if (
            len(prefix) < MIN_ID_PREFIX_CHARACTERS
            or not any(character.isdigit() for character in prefix)
            or " " in prefix
        ):
            return NO_NAME_MATCH
        documents = tuple(
            document for document_id, document in self.documents_by_id.items() if document_id.startswith(prefix)
        )
        return NameMatch(NORMALISED, documents) if documents else NO_NAME_MATCH

    def match_similar_name(self, name: str, has_locator: bool) -> NameMatch:
        """Match a misspelt name, or a part of a name that can be no other document's."""
        folder, stem, extension = name_comparison.split_file_name(name)
        share = MIN_NAME_SHARE_WITH_LOCATOR if has_locator else name_comparison.MIN_NAME_SHARE
        misspelt = [
            candidate
            for candidate in self._list_similar(stem, MIN_MISSPELLING_SIMILARITY)
            if name_comparison.is_misspelling(stem, self._stems_by_document[candidate])
        ]
        similar = misspelt or [
            candidate
            for candidate in self._list_sharing_words(stem)
            if name_comparison.is_partial_name(stem, self._stems_by_document[candidate], share)
        ]
        fitting = tuple(
            candidate for candidate in dict.fromkeys(similar) if self._has_compatible_path(candidate, folder, extension)
        )
        return NameMatch(FUZZY, fitting) if fitting else NO_NAME_MATCH

    def list_candidates(self, name: str) -> list[str]:
        """Return documents that may have been meant; they are shown, never linked."""
        return self._list_similar(name_comparison.split_file_name(name)[1], MIN_CANDIDATE_SIMILARITY)[
            :MAX_NAME_CANDIDATES
        ]

    def _list_similar(self, stem: str, min_similarity: int) -> list[str]:
        """Return the documents with the most similar names, best first."""
        name_key, (documents, keys) = name_comparison.make_name_key(stem), self._name_keys
        matches = process.extract(name_key, keys, scorer=fuzz.ratio, score_cutoff=min_similarity, limit=50)
        return [documents[index] for _, _, index in matches]

    def _list_sharing_words(self, stem: str) -> Iterable[str]:
        """Return the documents that have one half of each of the longest words: a typo changes only one half."""
        words = sorted((word for word in name_comparison.tokenize_name(stem) if not word.isdigit()), key=len)[-3:]
        halves = [(word[: max(len(word) // 2, 1)], word[len(word) // 2 :]) for word in words]
        documents, keys = self._name_keys
        pairs = zip(documents, keys, strict=True)
        return [document for document, key in pairs if all(first in key or last in key for first, last in halves)]

    @cached_property
    def _name_keys(self) -> tuple[list[str], list[str]]:
        return list(self._stems_by_document), [
            name_comparison.make_name_key(name) for name in self._stems_by_document.values()
        ]


def _document_key(source: Source) -> str:
    """Return the id of a source's document, or a key made of the file name if there is no id."""
    return source.document_id or f"\0{source.filename}"


def _strip_locator(label: str) -> str:
    """Return a label without the page or chunk at its end."""
    locator = locators.TRAILING_LOCATOR.fullmatch(fold(label))
    return label[: locator.end("before")].strip(" ,") if locator else label
