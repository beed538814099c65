"""What speaks for and against a claim, as numbers: of each of its words, and of the whole. `weighing` weighs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from highlighter.citations.weight import facts
from highlighter.grounding.contrast import DUTY, EXTENT, KINDS, OPPOSITE, Contrast, contrasts
from highlighter.grounding.told import Told
from highlighter.grounding.wording import DATE, NAME, NUMBER, Word, Wording
from highlighter.rounding import rounded
from highlighter.terms import is_cjk

# Sentences that together may support a claim.
TOGETHER = 3
# A sentence that shares less of the claim's words speaks of something else: what it says otherwise is no contrast.
SAME_THING = 0.4

WORD_NAMES = (
    "in_best", "in_together", "in_sources", "meant_in_best", "meant_in_together", "beginning_in_together",
    "chance_where_found", "similarity_where_found", "worth", "number", "date", "name", "short", "before_found",
    "after_found", "pair_in_together", "neighbours_found", "share_best", "share_together", "best_chance",
    "best_similarity", "words", "place", "contrast", "cjk",
)  # fmt: skip
CLAIM_NAMES = (
    "best_chance", "second_chance", "best_similarity", "mean_similarity", "joined_similarity", "share_best",
    "share_together", "share_sources", "worst_word", "second_worst_word", "third_worst_word", "mean_word", "held_words", "worst_number",
    "worst_date", "worst_name", "worst_plain", "numbers_missing", "names_missing", "words", "pairs_held", "negated",
    *(f"contrast_{kind}" for kind in KINDS), "cjk", "in_order",
)  # fmt: skip

Meaning = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True)
class Reading:
    """A claim and the sentences it is held against, best first."""

    claim: Wording
    told: Told
    chosen: tuple[int, ...]  # indexes of told.lines
    chances: np.ndarray  # that each is evidence for the claim
    similarities: np.ndarray
    joined_similarity: float  # of the claim with the best few, read as one

    @cached_property
    def lines(self) -> list[Wording]:
        return [self.told.lines[at].wording for at in self.chosen]

    @cached_property
    def shares(self) -> np.ndarray:
        return np.array([_share(self.claim, self.told, line.keys) for line in self.lines])

    @cached_property
    def together(self) -> frozenset[str]:
        return frozenset().union(*(line.keys for line in self.lines[:TOGETHER]))

    @cached_property
    def contrasts(self) -> list[tuple[int, Contrast]]:
        """(which of the chosen, what it says otherwise), where it speaks of the same thing and none says it as claimed."""
        found = []
        for at, (line, share) in enumerate(zip(self.lines[:TOGETHER], self.shares, strict=False)):
            if share >= SAME_THING:
                found += [(at, one) for one in contrasts(self.claim, line) if not self._said_elsewhere(one, at)]
        return found

    def _said_elsewhere(self, one: Contrast, at: int) -> bool:
        """Whether another sentence that is as near says it as the claim does."""
        words = self.claim.between(one.start, one.end) if one.kind in _ONE_WORD else ()
        return any(
            self.shares[other] >= self.shares[at] and words and all(word.keys & line.keys for word in words)
            for other, line in enumerate(self.lines[:TOGETHER])
            if other != at
        )


_ONE_WORD = (NUMBER, DATE, NAME, OPPOSITE, EXTENT, DUTY)


def word_columns(reading: Reading, meaning: Meaning) -> np.ndarray:
    """One row a telling word of the claim."""
    claim, told, words = reading.claim, reading.told, reading.claim.telling
    if not words:
        return np.zeros((0, len(WORD_NAMES)), np.float32)
    best = reading.lines[0].keys if reading.lines else frozenset()
    everywhere = [told.holds(word.keys) for word in words]
    in_best, in_few = [bool(word.keys & best) for word in words], [bool(word.keys & reading.together) for word in words]
    meant_best, meant_few = _meant(reading, words, in_best, in_few, meaning)
    beginnings = {key[:5] for key in reading.together if len(key) >= 5}
    contrasted = {at for _, one in reading.contrasts for at in range(one.start, one.end) if one.kind in _ONE_WORD}
    pairs = _pairs(reading.lines[:TOGETHER])
    share = _share(claim, told, reading.together)  # of all of them: found once, since an answer may be one long claim
    rows = []
    for at, word in enumerate(words):
        held = [n for n, line in enumerate(reading.lines) if word.keys & line.keys]
        before, after = (in_few[n] if 0 <= n < len(words) else True for n in (at - 1, at + 1))
        near = in_few[max(at - 2, 0) : at] + in_few[at + 1 : at + 3]
        rows.append((
            in_best[at], in_few[at], everywhere[at], meant_best[at], meant_few[at],
            any(key[:5] in beginnings for key in word.keys if len(key) >= 5),
            max((reading.chances[n] for n in held), default=0.0), max((reading.similarities[n] for n in held), default=0.0),
            told.worth(word.keys), word.kind == NUMBER, word.kind == DATE, word.kind == NAME, len(word.text) < 4,
            before, after, _paired(words, at, pairs), sum(near) / max(len(near), 1),
            reading.shares[0] if len(reading.shares) else 0.0, share,
            reading.chances[:1].sum(), reading.similarities[:1].sum(), np.log1p(len(words)), at / len(words),
            word.start in contrasted, is_cjk(word.text),
        ))  # fmt: skip
    return np.array(rows, dtype=np.float32)


def claim_columns(reading: Reading, held: np.ndarray) -> np.ndarray:
    """One row. `held` is how surely each telling word is said by the sources."""
    claim, told, words = reading.claim, reading.told, reading.claim.telling
    chances, similar = (np.sort(v)[::-1] if len(v) else np.zeros(1) for v in (reading.chances, reading.similarities))
    worst = np.concatenate([np.sort(held), np.ones(3)])[:3]

    def least(kind: str) -> float:
        return min((h for word, h in zip(words, held, strict=True) if word.kind == kind), default=1.0)

    def missing(*kinds: str) -> float:
        some = [not word.keys & reading.together for word in words if word.kind in kinds]
        return sum(some) / len(some) if some else 0.0

    pairs = _pairs(reading.lines[:TOGETHER])
    kinds = {
        kind: max((reading.shares[at] for at, one in reading.contrasts if one.kind == kind), default=0.0)
        for kind in KINDS
    }
    everything = [told.holds(word.keys) for word in words]
    return np.array([(
        chances[0], chances[1] if len(chances) > 1 else 0.0, similar[0], similar[:TOGETHER].mean(),
        reading.joined_similarity, reading.shares[0] if len(reading.shares) else 0.0,
        _share(claim, told, reading.together), sum(everything) / max(len(words), 1), *worst,
        held.mean() if len(held) else 0.0, float(np.log(np.clip(held, 0.02, 1)).sum()), least(NUMBER), least(DATE),
        least(NAME), least("plain"), missing(NUMBER, DATE), missing(NAME), np.log1p(len(words)),
        sum(_paired(words, at, pairs) for at in range(len(words))) / max(len(words), 1), facts(claim.text)["¬"] > 0,
        *kinds.values(), sum(is_cjk(w.text) for w in words) > len(words) / 2,
        _in_order(claim, reading.lines[0]) if reading.lines else 0.0,
    )], dtype=np.float32)  # fmt: skip


def _share(claim: Wording, told: Told, keys: frozenset[str]) -> float:
    worths = [(told.worth(word.keys), bool(word.keys & keys)) for word in claim.telling]
    total = sum(worth for worth, _ in worths)
    return float(rounded(sum(worth for worth, found in worths if found) / total)) if total else 0.0


def _meant(
    reading: Reading, words: Sequence[Word], in_best, in_few, meaning: Meaning
) -> tuple[list[float], list[float]]:
    """How near the nearest word of the sentences is in meaning; 1 where it is the word itself."""
    asked = [
        at for at, word in enumerate(words) if not in_best[at] and word.kind not in (NUMBER,) and not is_cjk(word.text)
    ]
    best, few = [float(one) for one in in_best], [float(one) for one in in_few]
    if not asked or not reading.lines:
        return best, few
    theirs = [(n, word.text) for n, line in enumerate(reading.lines[:TOGETHER]) for word in line.telling]
    theirs = [(n, text) for n, text in dict.fromkeys(theirs) if not is_cjk(text)]
    if not theirs:
        return best, few
    likeness = meaning([words[at].text for at in asked]) @ meaning([text for _, text in theirs]).T
    of_best = np.array([n == 0 for n, _ in theirs])
    for row, at in enumerate(asked):
        best[at] = float(likeness[row][of_best].max()) if of_best.any() else 0.0
        few[at] = max(few[at], float(likeness[row].max()))
    return best, few


def _pairs(lines: Sequence[Wording]) -> set[tuple[str, str]]:
    """Words that stand beside each other, the empty ones left out."""
    found = set()
    for line in lines:
        words = line.telling
        for one, two in pairwise(words):
            found |= {(a, b) for a in one.keys for b in two.keys}
    return found


def _paired(words: Sequence[Word], at: int, pairs: set[tuple[str, str]]) -> float:
    """Of a word's two neighbours, the share beside which it also stands in the sources."""
    beside = [(words[a], words[b]) for a, b in ((at - 1, at), (at, at + 1)) if a >= 0 and b < len(words)]
    held = [any((a, b) in pairs for a in one.keys for b in two.keys) for one, two in beside]
    return sum(held) / len(held) if held else 1.0


def _in_order(claim: Wording, line: Wording) -> float:
    """Of the claim's words in the best sentence, the share that comes in the same order there."""
    where: dict[str, int] = {}
    for at, word in enumerate(line.words):
        for key in word.keys:
            where.setdefault(key, at)
    places = [
        min(where[key] for key in word.keys if key in where) for word in claim.telling if word.keys & where.keys()
    ]
    if len(places) < 2:
        return 1.0
    return sum(a <= b for a, b in pairwise(places)) / (len(places) - 1)
