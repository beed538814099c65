"""What the sources tell: their sentences, with what a claim is found by."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.embedding.embedder import Embedder
from highlighter.grounding.wording import Wording, parse_wording
from highlighter.rounding import round_for_comparison
from highlighter.text.sentences import split_sentences

# Sentences of the sources that a claim is held against in full: the likest in words and in meaning.
MAX_SENTENCES_PER_CLAIM = 8
# So many sentences are embedded whatever is claimed; of more, so many a claim.
MAX_SENTENCES_EMBEDDED_WHOLE, MAX_SENTENCES_EMBEDDED_PER_CLAIM = 1_000, 20
# What a share of the claim's words counts beside the cosine.
WORD_SHARE_WEIGHT = 0.6


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of a source."""

    source: int
    start: int
    end: int
    wording: Wording

    @property
    def text(self) -> str:
        return self.wording.text


class SourceIndex:
    """Sentences by word and by vector, so that a claim finds its few among thousands at once. `embed` is what costs."""

    def __init__(self, texts: Sequence[str]):
        self.sentences: list[SourceSentence] = []
        for number, text in enumerate(texts):
            check_cpu()
            self.sentences += [
                SourceSentence(number, span.start_char, span.end_char, parse_wording(span.text))
                for span in split_sentences(text)
            ]
        self.vectors = np.zeros((len(self.sentences), 0), np.float32)
        self._source_numbers = np.array([line.source for line in self.sentences], dtype=np.int32)
        places: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self.sentences):
            for key in line.wording.keys:
                places[key].append(at)
        self._sentences_by_key = {key: np.array(some, dtype=np.int32) for key, some in places.items()}

    def embed(self, embedder: Embedder, claims: Sequence[Wording] = ()) -> SourceIndex:
        """All sentences, or of very many those that share most words with any of the claims."""
        chosen = list(range(len(self.sentences)))
        if len(chosen) > MAX_SENTENCES_EMBEDDED_WHOLE and claims:
            shares = (self.weigh_shared_words(claim) for claim in claims)
            chosen = sorted(
                {
                    int(at)
                    for share in shares
                    for at in _rank_highest(share, MAX_SENTENCES_EMBEDDED_PER_CLAIM)
                    if share[at] > 0
                }
            )
        vectors = embedder.encode([self.sentences[at].text for at in chosen])
        self.vectors = np.zeros((len(self.sentences), vectors.shape[1] if len(chosen) else 0), np.float32)
        self.vectors[chosen] = vectors
        return self

    def word_weight(self, keys: frozenset[str]) -> float:
        """A word found in few of the sentences is worth more; one found in none as much as the rarest."""
        holders = min((len(self._sentences_by_key.get(key, _NO_INDEXES)) for key in keys), default=0)
        return math.log(1 + (len(self.sentences) + 1) / (holders + 0.5))

    def find_sentences(self, keys: Iterable[str]) -> np.ndarray:
        """The indexes of the sentences that hold any of these keys."""
        found = [self._sentences_by_key[key] for key in keys if key in self._sentences_by_key]
        return np.unique(np.concatenate(found)) if len(found) > 1 else found[0] if found else _NO_INDEXES

    def has_word(self, keys: Iterable[str]) -> bool:
        """Whether any sentence holds any of these keys."""
        return any(key in self._sentences_by_key for key in keys)

    def weigh_shared_words(self, claim: Wording) -> np.ndarray:
        """Of each sentence: the share of the claim's words that it holds, by their worth."""
        check_cpu()
        shares, total = np.zeros(len(self.sentences)), 0.0
        for keys, count in Counter(word.keys for word in claim.content_words).items():
            worth = count * self.word_weight(keys)
            total += worth
            shares[self.find_sentences(keys)] += worth
        return shares / total if total else shares

    def select_sentences(
        self, claim: Wording, vector: np.ndarray, source_numbers: Sequence[int] | None = None
    ) -> list[int]:
        """The few sentences worth reading, best first; with `among`, only of these sources."""
        likeness = WORD_SHARE_WEIGHT * self.weigh_shared_words(claim)
        if self.vectors.shape[1]:
            likeness += np.nan_to_num(self.vectors @ vector)
        if source_numbers is not None:
            likeness[~np.isin(self._source_numbers, source_numbers)] = -np.inf
        return [int(at) for at in _rank_highest(likeness, MAX_SENTENCES_PER_CLAIM) if np.isfinite(likeness[at])]


_NO_INDEXES = np.zeros(0, np.int32)


def _rank_highest(values: np.ndarray, count: int) -> np.ndarray:
    """The indexes of the highest values, highest first; of equal ones, in the order of the text."""
    return np.argsort(-round_for_comparison(values), kind="stable")[:count]
