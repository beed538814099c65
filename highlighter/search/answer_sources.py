"""The documents that an answer of any system is checked against: those that it cites, and those that say what it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from highlighter.access import VisibleCollections
from highlighter.errors import NotFound, NotReady
from highlighter.grounding.checker import MAX_SOURCE_CHARACTERS, MAX_SOURCES
from highlighter.grounding.cited_sources import LeftOutSource
from highlighter.locale import N_
from highlighter.models import Document, Source
from highlighter.search.hybrid_search import HybridSearch
from highlighter.search.reference_lookup import ReferenceLookup
from highlighter.store.catalog import Catalog
from highlighter.store.source_texts import add_pages, load_source_texts

# Of a long answer, so many claims are searched for, evenly spread.
MAX_SEARCHED_CLAIMS = 24
HITS_PER_CLAIM = 3
# All documents that an answer cites are compared, as far as these go, and so many others that say most of it.
MAX_FOUND_DOCUMENTS, MAX_CHARACTERS = 8, 1_000_000


class AnswerSources(NamedTuple):
    """The documents that an answer is checked against, and those that are not compared with it."""

    sources: list[Source]
    left_out: list[LeftOutSource]


class AnswerSourceFinder:
    def __init__(self, catalog: Catalog, search: HybridSearch, reference_lookup: ReferenceLookup):
        self.catalog, self.search, self.reference_lookup = catalog, search, reference_lookup

    def find(self, answer: str, claims: Sequence[str], visible: VisibleCollections) -> AnswerSources:
        """Return the documents that an answer cites by name, then those in which most of its claims are found."""
        resolution = self.reference_lookup.resolve(answer, visible)
        cited = [resolution.sources[citation.source].document_id for citation in resolution.citations]
        scores: defaultdict[str, float] = defaultdict(float)
        for claim in _spread(claims, MAX_SEARCHED_CLAIMS):
            for hit in self.search.find(claim, HITS_PER_CLAIM, visible).hits:
                scores[hit.document.id] += hit.score
        found = sorted(scores.keys() - set(cited), key=lambda id: (-scores[id], id))
        return self.load([*dict.fromkeys(cited), *found[:MAX_FOUND_DOCUMENTS]], visible)

    def load(self, ids: Sequence[str], visible: VisibleCollections) -> AnswerSources:
        """Return documents as sources with their texts, as many as can be compared in one request."""
        found = AnswerSources([], [])
        documents = [document for id in ids if (document := self.catalog.document(id, visible))]
        free_characters = MAX_CHARACTERS
        for document in documents[:MAX_SOURCES]:
            source, why = self._load_source(document, free_characters, visible)
            if why:
                found.left_out.append(LeftOutSource(source, why))
            else:
                found.sources.append(source)
                free_characters -= len(source.text)
        for document in documents[MAX_SOURCES:]:
            found.left_out.append(LeftOutSource(self._name_source(document), _explain_too_many(document)))
        return found

    def _load_source(self, document: Document, free_characters: int, visible: VisibleCollections) -> tuple[Source, str]:
        """Return a document as a source; without its text and with the reason, for users, where it cannot be compared."""
        try:
            (source,) = load_source_texts([Source("", document_id=document.id)], self.catalog, visible)
        except (NotFound, NotReady) as err:
            return self._name_source(document), err.detail
        if len(source.text) > MAX_SOURCE_CHARACTERS:
            why = N_("{name} is too long to be compared as a whole.", name=document.name)
            return self._name_source(document), why
        if len(source.text) > free_characters:
            return self._name_source(document), _explain_too_many(document)
        return source, ""

    def _name_source(self, document: Document) -> Source:
        """Return a document as a source without its text, to which references can be resolved."""
        return add_pages(Source(document.name, document_id=document.id), document, self.catalog)


def _explain_too_many(document: Document) -> str:
    return N_(
        "{name} was not compared: the documents are too many to be compared at once. Check a part of the answer.",
        name=document.name,
    )


def _spread(items: Sequence[str], count: int) -> list[str]:
    """Return at most so many of the items, in order, with equal gaps."""
    step = max(len(items) / count, 1.0)
    return [items[int(index * step)] for index in range(min(count, len(items)))]
