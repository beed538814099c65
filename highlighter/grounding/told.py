"""What the sources tell: their sentences, with what a claim is found by."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.embedder import Embedder
from highlighter.grounding.wording import Wording, wording
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
        self.lines = [
            Line(number, span.start_char, span.end_char, wording(span.text))
            for number, text in enumerate(texts)
            for span in split_sentences(text)
        ]
        self.vectors = np.zeros((len(self.lines), 0), np.float32)
        self._holders: dict[str, list[int]] = defaultdict(list)
        for at, line in enumerate(self.lines):
            for key in line.wording.keys:
                self._holders[key].append(at)

    def embed(self, embedder: Embedder, claims: Sequence[Wording] = ()) -> Told:
        """All sentences, or of very many those that share most words with any of the claims."""
        chosen = list(range(len(self.lines)))
        if len(chosen) > EMBEDDED_FREELY and claims:
            shares = (self.shares(claim) for claim in claims)
            chosen = sorted(
                {int(at) for share in shares for at in np.argsort(-share)[:EMBEDDED_A_CLAIM] if share[at] > 0}
            )
        vectors = embedder.encode([self.lines[at].text for at in chosen])
        self.vectors = np.zeros((len(self.lines), vectors.shape[1] if len(chosen) else 0), np.float32)
        self.vectors[chosen] = vectors
        return self

    def worth(self, keys: frozenset[str]) -> float:
        """A word found in few of the sentences is worth more; one found in none as much as the rarest."""
        holders = min((len(self._holders.get(key, ())) for key in keys), default=0)
        return math.log(1 + (len(self.lines) + 1) / (holders + 0.5))

    def holders(self, keys: frozenset[str]) -> set[int]:
        return {at for key in keys for at in self._holders.get(key, ())}

    def shares(self, claim: Wording) -> np.ndarray:
        """Of each sentence: the share of the claim's words that it holds, by their worth."""
        shares, total = np.zeros(len(self.lines)), 0.0
        for word in claim.telling:
            worth = self.worth(word.keys)
            total += worth
            shares[list(self.holders(word.keys))] += worth
        return shares / total if total else shares

    def likest(self, claim: Wording, vector: np.ndarray, among: Sequence[int] | None = None) -> list[int]:
        """The few sentences worth reading, best first; with `among`, only of these sources."""
        likeness = WORDS_COUNT * self.shares(claim)
        if self.vectors.shape[1]:
            likeness += np.nan_to_num(self.vectors @ vector)
        if among is not None:
            likeness[[line.source not in among for line in self.lines]] = -np.inf
        best = np.argsort(-likeness, kind="stable")[:LIKEST]
        return [int(at) for at in best if np.isfinite(likeness[at])]
