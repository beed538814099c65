"""The documents that an answer of any system is checked against: those that it cites, and those that say what it says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from highlighter.access import VisibleCollections
from highlighter.grounding.checker import MAX_SOURCE_CHARACTERS
from highlighter.models import Source
from highlighter.search.hybrid_search import HybridSearch
from highlighter.search.reference_lookup import ReferenceLookup
from highlighter.store.catalog import Catalog
from highlighter.store.source_texts import load_source_texts

# Of a long answer, so many claims are searched for, evenly spread.
MAX_SEARCHED_CLAIMS = 24
HITS_PER_CLAIM = 3
MAX_DOCUMENTS, MAX_CHARACTERS = 8, 1_000_000


class AnswerSources(NamedTuple):
    """The documents that an answer is checked against, and the names of those that are too long for it."""

    sources: list[Source]
    left_out: list[str]


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
        ids = dict.fromkeys([*cited, *sorted(scores, key=scores.__getitem__, reverse=True)])
        return self.load(list(ids)[:MAX_DOCUMENTS], visible)

    def load(self, ids: Sequence[str], visible: VisibleCollections) -> AnswerSources:
        """Return documents as sources with their texts, as many as can be compared in one request."""
        found = AnswerSources([], [])
        characters = 0
        for source in load_source_texts([Source("", document_id=id) for id in ids], self.catalog, visible):
            characters += len(source.text)
            if len(source.text) > MAX_SOURCE_CHARACTERS or characters > MAX_CHARACTERS:
                found.left_out.append(source.filename)
            else:
                found.sources.append(source)
        return found


def _spread(items: Sequence[str], count: int) -> list[str]:
    """Return at most so many of the items, in order, with equal gaps."""
    step = max(len(items) / count, 1.0)
    return [items[int(index * step)] for index in range(min(count, len(items)))]
