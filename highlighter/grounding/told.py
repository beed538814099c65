"""What the sources tell: their sentences, with what a claim is found by."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.embedder import Embedder
from highlighter.grounding.wording import Wording, wording
from highlighter.rounding import rounded
from highlighter.sentences import split_sentences

# Sentences of the sources that a claim is held against in full: the likest in words and in meaning.
LIKEST = 8
# So many sentences are embedded whatever is claimed; of more, so many a claim.
EMBEDDED_FREELY, EMBEDDED_A_CLAIM = 1_000, 20
# What a share of the claim's words counts beside the cosine.
WORDS_COUNT = 0.6


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a source."""

    source: int
    start: int
    end: int
    wording: Wording

    @property
    def text(self) -> str:
        return self.wording.text


class Told:
    """Sentences by word and by vector, so that a claim finds its few among thousands at once. `embed` is what costs."""

    def __init__(self, texts: Sequence[str]):
        self.lines: list[Line] = []
        for number, text in enumerate(texts):
            check_cpu()
            self.lines += [
                Line(number, span.start_char, span.end_char, wording(span.text)) for span in split_sentences(text)
            ]
        self.vectors = np.zeros((len(self.lines), 0), np.float32)
        self._sources = np.array([line.source for line in self.lines], dtype=np.int32)
        places: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self.lines):
            for key in line.wording.keys:
                places[key].append(at)
        self._holders = {key: np.array(some, dtype=np.int32) for key, some in places.items()}

    def embed(self, embedder: Embedder, claims: Sequence[Wording] = ()) -> Told:
        """All sentences, or of very many those that share most words with any of the claims."""
        chosen = list(range(len(self.lines)))
        if len(chosen) > EMBEDDED_FREELY and claims:
            shares = (self.shares(claim) for claim in claims)
            chosen = sorted({int(at) for share in shares for at in _highest(share, EMBEDDED_A_CLAIM) if share[at] > 0})
        vectors = embedder.encode([self.lines[at].text for at in chosen])
        self.vectors = np.zeros((len(self.lines), vectors.shape[1] if len(chosen) else 0), np.float32)
        self.vectors[chosen] = vectors
        return self

    def worth(self, keys: frozenset[str]) -> float:
        """A word found in few of the sentences is worth more; one found in none as much as the rarest."""
        holders = min((len(self._holders.get(key, _NOWHERE)) for key in keys), default=0)
        return math.log(1 + (len(self.lines) + 1) / (holders + 0.5))

    def holders(self, keys: Iterable[str]) -> np.ndarray:
        """The indexes of the sentences that hold any of these keys."""
        found = [self._holders[key] for key in keys if key in self._holders]
        return np.unique(np.concatenate(found)) if len(found) > 1 else found[0] if found else _NOWHERE

    def holds(self, keys: Iterable[str]) -> bool:
        """Whether any sentence holds any of these keys."""
        return any(key in self._holders for key in keys)

    def shares(self, claim: Wording) -> np.ndarray:
        """Of each sentence: the share of the claim's words that it holds, by their worth."""
        check_cpu()
        shares, total = np.zeros(len(self.lines)), 0.0
        for keys, count in Counter(word.keys for word in claim.telling).items():
            worth = count * self.worth(keys)
            total += worth
            shares[self.holders(keys)] += worth
        return shares / total if total else shares

    def likest(self, claim: Wording, vector: np.ndarray, among: Sequence[int] | None = None) -> list[int]:
        """The few sentences worth reading, best first; with `among`, only of these sources."""
        likeness = WORDS_COUNT * self.shares(claim)
        if self.vectors.shape[1]:
            likeness += np.nan_to_num(self.vectors @ vector)
        if among is not None:
            likeness[~np.isin(self._sources, among)] = -np.inf
        return [int(at) for at in _highest(likeness, LIKEST) if np.isfinite(likeness[at])]


_NOWHERE = np.zeros(0, np.int32)


def _highest(values: np.ndarray, count: int) -> np.ndarray:
    """The indexes of the highest values, highest first; of equal ones, in the order of the text."""
    return np.argsort(-rounded(values), kind="stable")[:count]
