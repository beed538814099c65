"""What speaks for and against a claim, as numbers: of each of its words, and of the whole. `weighing` weighs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.contrasts import DUTY, EXTENT, KINDS, OPPOSITE, Contrast, find_contrasts
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.wording import DATE, NAME, NUMBER, KeyedWord, Wording, parse_wording
from highlighter.quotes.significance import count_facts
from highlighter.rounding import round_for_comparison
from highlighter.text.terms import is_cjk

# Sentences that together may support a claim.
MAX_JOINT_SENTENCES = 3
# A sentence that shares less of the claim's words speaks of something else: what it says otherwise is no contrast.
MIN_SHARE_FOR_CONTRAST = 0.4

WORD_FEATURES = (
    "in_best", "in_together", "in_sources", "meant_in_best", "meant_in_together", "beginning_in_together",
    "chance_where_found", "similarity_where_found", "worth", "number", "date", "name", "short", "before_found",
    "after_found", "pair_in_together", "neighbours_found", "share_best", "share_together", "best_chance",
    "best_similarity", "words", "place", "contrast", "cjk",
)  # fmt: skip
CLAIM_FEATURES = (
    "best_chance", "second_chance", "best_similarity", "mean_similarity", "joined_similarity", "share_best",
    "share_together", "share_sources", "worst_word", "second_worst_word", "third_worst_word", "mean_word", "held_words", "worst_number",
    "worst_date", "worst_name", "worst_plain", "numbers_missing", "names_missing", "words", "pairs_held", "negated",
    *(f"contrast_{kind}" for kind in KINDS), "cjk", "in_order",
)  # fmt: skip

WordEncoder = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True)
class ClaimReading:
    """A claim and the sentences it is held against, best first."""

    claim: Wording
    source_index: SourceIndex
    sentence_indexes: tuple[int, ...]  # indexes of told.lines
    evidence_probabilities: np.ndarray  # that each is evidence for the claim
    similarities: np.ndarray
    joined_similarity: float  # of the claim with the best few, read as one

    @cached_property
    def wordings(self) -> list[Wording]:
        return [self.source_index.sentences[at].wording for at in self.sentence_indexes]

    @cached_property
    def shares(self) -> np.ndarray:
        return np.array([_weighted_share(self.claim, self.source_index, line.keys) for line in self.wordings])

    @cached_property
    def joint_keys(self) -> frozenset[str]:
        return frozenset().union(*(line.keys for line in self.wordings[:MAX_JOINT_SENTENCES]))

    @cached_property
    def contrasts(self) -> list[tuple[int, Contrast]]:
        """(which of the chosen, what it says otherwise), where it speaks of the same thing and none says it as claimed."""
        found = []
        for at, (line, share) in enumerate(zip(self.wordings[:MAX_JOINT_SENTENCES], self.shares, strict=False)):
            if share >= MIN_SHARE_FOR_CONTRAST:
                found += [(at, one) for one in find_contrasts(self.claim, line) if not self._is_said_elsewhere(one, at)]
        return found

    def _is_said_elsewhere(self, one: Contrast, at: int) -> bool:
        """Whether another sentence that is as near says it as the claim does."""
        words = self.claim.words_between(one.start, one.end) if one.kind in _SINGLE_WORD_KINDS else ()
        return any(
            self.shares[other] >= self.shares[at] and words and all(word.keys & line.keys for word in words)
            for other, line in enumerate(self.wordings[:MAX_JOINT_SENTENCES])
            if other != at
        )


_SINGLE_WORD_KINDS = (NUMBER, DATE, NAME, OPPOSITE, EXTENT, DUTY)


def compute_word_features(reading: ClaimReading, encode_words: WordEncoder) -> np.ndarray:
    """One row a telling word of the claim."""
    claim, told, words = reading.claim, reading.source_index, reading.claim.content_words
    if not words:
        return np.zeros((0, len(WORD_FEATURES)), np.float32)
    best = reading.wordings[0].keys if reading.wordings else frozenset()
    everywhere = [told.has_word(word.keys) for word in words]
    in_best, in_few = (
        [bool(word.keys & best) for word in words],
        [bool(word.keys & reading.joint_keys) for word in words],
    )
    meant_best, meant_few = _nearest_meanings(reading, words, in_best, in_few, encode_words)
    beginnings = {key[:5] for key in reading.joint_keys if len(key) >= 5}
    contrasted = {
        at for _, one in reading.contrasts for at in range(one.start, one.end) if one.kind in _SINGLE_WORD_KINDS
    }
    pairs = _list_neighbour_pairs(reading.wordings[:MAX_JOINT_SENTENCES])
    share = _weighted_share(
        claim, told, reading.joint_keys
    )  # of all of them: found once, since an answer may be one long claim
    rows = []
    for at, word in enumerate(words):
        held = [n for n, line in enumerate(reading.wordings) if word.keys & line.keys]
        before, after = (in_few[n] if 0 <= n < len(words) else True for n in (at - 1, at + 1))
        near = in_few[max(at - 2, 0) : at] + in_few[at + 1 : at + 3]
        rows.append((
            in_best[at], in_few[at], everywhere[at], meant_best[at], meant_few[at],
            any(key[:5] in beginnings for key in word.keys if len(key) >= 5),
            max((reading.evidence_probabilities[n] for n in held), default=0.0), max((reading.similarities[n] for n in held), default=0.0),
            told.word_weight(word.keys), word.kind == NUMBER, word.kind == DATE, word.kind == NAME, len(word.text) < 4,
            before, after, _paired_share(words, at, pairs), sum(near) / max(len(near), 1),
            reading.shares[0] if len(reading.shares) else 0.0, share,
            reading.evidence_probabilities[:1].sum(), reading.similarities[:1].sum(), np.log1p(len(words)), at / len(words),
            word.start in contrasted, is_cjk(word.text),
        ))  # fmt: skip
    return np.array(rows, dtype=np.float32)


def compute_claim_features(reading: ClaimReading, word_probabilities: np.ndarray) -> np.ndarray:
    """One row. `held` is how surely each telling word is said by the sources."""
    claim, told, words = reading.claim, reading.source_index, reading.claim.content_words
    chances, similar = (
        np.sort(v)[::-1] if len(v) else np.zeros(1) for v in (reading.evidence_probabilities, reading.similarities)
    )
    worst = np.concatenate([np.sort(word_probabilities), np.ones(3)])[:3]

    def least(kind: str) -> float:
        return min((h for word, h in zip(words, word_probabilities, strict=True) if word.kind == kind), default=1.0)

    def missing(*kinds: str) -> float:
        some = [not word.keys & reading.joint_keys for word in words if word.kind in kinds]
        return sum(some) / len(some) if some else 0.0

    pairs = _list_neighbour_pairs(reading.wordings[:MAX_JOINT_SENTENCES])
    kinds = {
        kind: max((reading.shares[at] for at, one in reading.contrasts if one.kind == kind), default=0.0)
        for kind in KINDS
    }
    everything = [told.has_word(word.keys) for word in words]
    return np.array([(
        chances[0], chances[1] if len(chances) > 1 else 0.0, similar[0], similar[:MAX_JOINT_SENTENCES].mean(),
        reading.joined_similarity, reading.shares[0] if len(reading.shares) else 0.0,
        _weighted_share(claim, told, reading.joint_keys), sum(everything) / max(len(words), 1), *worst,
        word_probabilities.mean() if len(word_probabilities) else 0.0, float(np.log(np.clip(word_probabilities, 0.02, 1)).sum()), least(NUMBER), least(DATE),
        least(NAME), least("plain"), missing(NUMBER, DATE), missing(NAME), np.log1p(len(words)),
        sum(_paired_share(words, at, pairs) for at in range(len(words))) / max(len(words), 1), count_facts(claim.text)["¬"] > 0,
        *kinds.values(), sum(is_cjk(w.text) for w in words) > len(words) / 2,
        _ordered_share(claim, reading.wordings[0]) if reading.wordings else 0.0,
    )], dtype=np.float32)  # fmt: skip


def _weighted_share(claim: Wording, source_index: SourceIndex, keys: frozenset[str]) -> float:
    worths = [(source_index.word_weight(word.keys), bool(word.keys & keys)) for word in claim.content_words]
    total = sum(worth for worth, _ in worths)
    return float(round_for_comparison(sum(worth for worth, found in worths if found) / total)) if total else 0.0


def _nearest_meanings(
    reading: ClaimReading, words: Sequence[KeyedWord], in_best, in_few, encode_words: WordEncoder
) -> tuple[list[float], list[float]]:
    """How near the nearest word of the sentences is in meaning; 1 where it is the word itself."""
    asked = [
        at for at, word in enumerate(words) if not in_best[at] and word.kind not in (NUMBER,) and not is_cjk(word.text)
    ]
    best, few = [float(one) for one in in_best], [float(one) for one in in_few]
    if not asked or not reading.wordings:
        return best, few
    theirs = [
        (n, word.text) for n, line in enumerate(reading.wordings[:MAX_JOINT_SENTENCES]) for word in line.content_words
    ]
    theirs = [(n, text) for n, text in dict.fromkeys(theirs) if not is_cjk(text)]
    if not theirs:
        return best, few
    likeness = encode_words([words[at].text for at in asked]) @ encode_words([text for _, text in theirs]).T
    of_best = np.array([n == 0 for n, _ in theirs])
    for row, at in enumerate(asked):
        best[at] = float(likeness[row][of_best].max()) if of_best.any() else 0.0
        few[at] = max(few[at], float(likeness[row].max()))
    return best, few


def _list_neighbour_pairs(wordings: Sequence[Wording]) -> set[tuple[str, str]]:
    """Words that stand beside each other, the empty ones left out."""
    found = set()
    for line in wordings:
        words = line.content_words
        for one, two in pairwise(words):
            found |= {(a, b) for a in one.keys for b in two.keys}
    return found


def _paired_share(words: Sequence[KeyedWord], at: int, pairs: set[tuple[str, str]]) -> float:
    """Of a word's two neighbours, the share beside which it also stands in the sources."""
    beside = [(words[a], words[b]) for a, b in ((at - 1, at), (at, at + 1)) if a >= 0 and b < len(words)]
    held = [any((a, b) in pairs for a in one.keys for b in two.keys) for one, two in beside]
    return sum(held) / len(held) if held else 1.0


def _ordered_share(claim: Wording, source_wording: Wording) -> float:
    """Of the claim's words in the best sentence, the share that comes in the same order there."""
    where: dict[str, int] = {}
    for at, word in enumerate(source_wording.words):
        for key in word.keys:
            where.setdefault(key, at)
    places = [
        min(where[key] for key in word.keys if key in where) for word in claim.content_words if word.keys & where.keys()
    ]
    if len(places) < 2:
        return 1.0
    return sum(a <= b for a, b in pairwise(places)) / (len(places) - 1)


# Claims held against sources: which sentences are read for each, and how like it they are.


class WordVectors:
    """The vectors of single words; each is read once."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder
        self._vectors: dict[str, np.ndarray] = {}

    def __call__(self, words: Sequence[str]) -> np.ndarray:
        new = [word for word in dict.fromkeys(words) if word not in self._vectors]
        if new:
            self._vectors.update(zip(new, np.nan_to_num(self.embedder.encode(new)), strict=True))
        return np.stack([self._vectors[word] for word in words])


def read_claims(
    claims: Sequence[str],
    source_index: SourceIndex,
    embedder: Embedder,
    scorer: EvidenceScorer,
    source_numbers: Sequence[int] | None = None,
) -> list[ClaimReading]:
    """Vectors are made for all claims at once; the evidence model reads each with its likeliest sentences."""
    if not claims:
        return []
    wordings, vectors = [parse_wording(claim) for claim in claims], embedder.encode(claims)
    readings, joined = [], []
    for claim, vector in zip(wordings, vectors, strict=True):
        chosen = source_index.select_sentences(claim, vector, source_numbers)
        similarities = (
            round_for_comparison(np.clip(np.nan_to_num(source_index.vectors[chosen] @ vector), -1, 1))
            if chosen
            else np.zeros(0)
        )
        texts = [source_index.sentences[at].text for at in chosen]
        chances = scorer.probabilities(claim.text, texts, similarities) if chosen else np.zeros(0)
        order = np.argsort(-round_for_comparison(chances + similarities), kind="stable")
        chosen = [chosen[at] for at in order]
        readings.append((claim, tuple(chosen), chances[order], similarities[order]))
        joined.append(" ".join(source_index.sentences[at].text for at in sorted(chosen[:MAX_JOINT_SENTENCES])))
    both = np.nan_to_num(embedder.encode(joined))
    return [
        ClaimReading(claim, source_index, chosen, chances, similarities, float(vector @ whole))
        for (claim, chosen, chances, similarities), vector, whole in zip(readings, vectors, both, strict=True)
    ]
