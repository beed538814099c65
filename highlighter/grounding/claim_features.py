"""Features of claims: for each word and for the whole claim, how well the sources support the claim."""

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
from highlighter.grounding.wording import DATE, NAME, NUMBER, PLAIN, KeyedWord, Wording, parse_wording
from highlighter.quotes.significance import NEGATION_SIGN, count_facts
from highlighter.rounding import round_for_comparison
from highlighter.text.terms import is_cjk

# Sentences that may support a claim jointly.
MAX_JOINT_SENTENCES = 3
# A sentence that shares less of the claim's words is about something else, so that differences are no contrast.
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
    """A claim with the sentences that are compared with it, best first."""

    claim: Wording
    source_index: SourceIndex
    sentence_indexes: tuple[int, ...]  # indexes into source_index.sentences
    evidence_probabilities: np.ndarray  # of each sentence to be evidence for the claim
    similarities: np.ndarray
    joined_similarity: float  # of the claim with the best sentences joined

    @cached_property
    def wordings(self) -> list[Wording]:
        return [self.source_index.sentences[index].wording for index in self.sentence_indexes]

    @cached_property
    def shares(self) -> np.ndarray:
        return np.array([_weighted_share(self.claim, self.source_index, wording.keys) for wording in self.wordings])

    @cached_property
    def joint_keys(self) -> frozenset[str]:
        return frozenset().union(*(wording.keys for wording in self.wordings[:MAX_JOINT_SENTENCES]))

    @cached_property
    def contrasts(self) -> list[tuple[int, Contrast]]:
        """Return (position of the sentence, contrast) for sentences on the same subject.

        A contrast is left out if another sentence supports the claim in this point.
        """
        contrasts = []
        for position, (wording, share) in enumerate(
            zip(self.wordings[:MAX_JOINT_SENTENCES], self.shares, strict=False)
        ):
            if share >= MIN_SHARE_FOR_CONTRAST:
                contrasts += [
                    (position, contrast)
                    for contrast in find_contrasts(self.claim, wording)
                    if not self._is_said_elsewhere(contrast, position)
                ]
        return contrasts

    def _is_said_elsewhere(self, contrast: Contrast, position: int) -> bool:
        """Return whether another sentence that shares as much of the claim agrees with the claim in this point."""
        words = self.claim.words_between(contrast.start, contrast.end) if contrast.kind in _SINGLE_WORD_KINDS else ()
        return any(
            self.shares[other] >= self.shares[position] and words and all(word.keys & wording.keys for word in words)
            for other, wording in enumerate(self.wordings[:MAX_JOINT_SENTENCES])
            if other != position
        )


_SINGLE_WORD_KINDS = (NUMBER, DATE, NAME, OPPOSITE, EXTENT, DUTY)


def compute_word_features(reading: ClaimReading, encode_words: WordEncoder) -> np.ndarray:
    """Return one row of features for each content word of the claim."""
    claim, source_index, words = reading.claim, reading.source_index, reading.claim.content_words
    if not words:
        return np.zeros((0, len(WORD_FEATURES)), np.float32)
    best = reading.wordings[0].keys if reading.wordings else frozenset()
    in_sources = [source_index.has_word(word.keys) for word in words]
    in_best, in_joint = (
        [bool(word.keys & best) for word in words],
        [bool(word.keys & reading.joint_keys) for word in words],
    )
    similar_in_best, similar_in_joint = _nearest_meanings(reading, words, in_best, in_joint, encode_words)
    beginnings = {key[:5] for key in reading.joint_keys if len(key) >= 5}
    contrasted = {
        position
        for _, contrast in reading.contrasts
        for position in range(contrast.start, contrast.end)
        if contrast.kind in _SINGLE_WORD_KINDS
    }
    pairs = _list_neighbour_pairs(reading.wordings[:MAX_JOINT_SENTENCES])
    # Computed once, since an answer may be one long claim.
    share = _weighted_share(claim, source_index, reading.joint_keys)
    rows = []
    for position, word in enumerate(words):
        sentences_with_word = [
            sentence for sentence, wording in enumerate(reading.wordings) if word.keys & wording.keys
        ]
        is_before_in_joint, is_after_in_joint = (
            in_joint[neighbour] if 0 <= neighbour < len(words) else True for neighbour in (position - 1, position + 1)
        )
        neighbours_in_joint = in_joint[max(position - 2, 0) : position] + in_joint[position + 1 : position + 3]
        rows.append((
            in_best[position], in_joint[position], in_sources[position],
            similar_in_best[position], similar_in_joint[position],
            any(key[:5] in beginnings for key in word.keys if len(key) >= 5),
            max((reading.evidence_probabilities[sentence] for sentence in sentences_with_word), default=0.0),
            max((reading.similarities[sentence] for sentence in sentences_with_word), default=0.0),
            source_index.word_weight(word.keys), word.kind == NUMBER, word.kind == DATE, word.kind == NAME,
            len(word.text) < 4, is_before_in_joint, is_after_in_joint, _paired_share(words, position, pairs),
            sum(neighbours_in_joint) / max(len(neighbours_in_joint), 1),
            reading.shares[0] if len(reading.shares) else 0.0, share,
            reading.evidence_probabilities[:1].sum(), reading.similarities[:1].sum(), np.log1p(len(words)),
            position / len(words),
            word.start in contrasted, is_cjk(word.text),
        ))  # fmt: skip
    return np.array(rows, dtype=np.float32)


def compute_claim_features(reading: ClaimReading, word_probabilities: np.ndarray) -> np.ndarray:
    """Return the features of the whole claim in one row.

    `word_probabilities` are the probabilities of the content words to be supported.
    """
    claim, source_index, words = reading.claim, reading.source_index, reading.claim.content_words
    probabilities, similarities = (
        np.sort(values)[::-1] if len(values) else np.zeros(1)
        for values in (reading.evidence_probabilities, reading.similarities)
    )
    lowest_probabilities = np.concatenate([np.sort(word_probabilities), np.ones(3)])[:3]

    def lowest_probability(kind: str) -> float:
        return min(
            (probability for word, probability in zip(words, word_probabilities, strict=True) if word.kind == kind),
            default=1.0,
        )

    def missing_share(*kinds: str) -> float:
        is_missing = [not word.keys & reading.joint_keys for word in words if word.kind in kinds]
        return sum(is_missing) / len(is_missing) if is_missing else 0.0

    pairs = _list_neighbour_pairs(reading.wordings[:MAX_JOINT_SENTENCES])
    kinds = {
        kind: max(
            (reading.shares[position] for position, contrast in reading.contrasts if contrast.kind == kind), default=0.0
        )
        for kind in KINDS
    }
    in_sources = [source_index.has_word(word.keys) for word in words]
    return np.array([(
        probabilities[0], probabilities[1] if len(probabilities) > 1 else 0.0,
        similarities[0], similarities[:MAX_JOINT_SENTENCES].mean(),
        reading.joined_similarity, reading.shares[0] if len(reading.shares) else 0.0,
        _weighted_share(claim, source_index, reading.joint_keys), sum(in_sources) / max(len(words), 1),
        *lowest_probabilities, word_probabilities.mean() if len(word_probabilities) else 0.0,
        float(np.log(np.clip(word_probabilities, 0.02, 1)).sum()),
        lowest_probability(NUMBER), lowest_probability(DATE), lowest_probability(NAME), lowest_probability(PLAIN),
        missing_share(NUMBER, DATE), missing_share(NAME), np.log1p(len(words)),
        sum(_paired_share(words, position, pairs) for position in range(len(words))) / max(len(words), 1),
        count_facts(claim.text)[NEGATION_SIGN] > 0,
        *kinds.values(), sum(is_cjk(word.text) for word in words) > len(words) / 2,
        _ordered_share(claim, reading.wordings[0]) if reading.wordings else 0.0,
    )], dtype=np.float32)  # fmt: skip


def _weighted_share(claim: Wording, source_index: SourceIndex, keys: frozenset[str]) -> float:
    """Return the share of the claim's content words that the keys contain, weighted by rarity."""
    weights = [(source_index.word_weight(word.keys), bool(word.keys & keys)) for word in claim.content_words]
    total = sum(weight for weight, _ in weights)
    return (
        float(round_for_comparison(sum(weight for weight, is_shared in weights if is_shared) / total)) if total else 0.0
    )


def _nearest_meanings(
    reading: ClaimReading,
    words: Sequence[KeyedWord],
    in_best: Sequence[bool],
    in_joint: Sequence[bool],
    encode_words: WordEncoder,
) -> tuple[list[float], list[float]]:
    """Return for each word the similarity of the closest word in the best sentence, and in the best sentences jointly.

    The similarity is 1 where the word itself occurs.
    """
    positions = [
        position
        for position, word in enumerate(words)
        if not in_best[position] and word.kind not in (NUMBER,) and not is_cjk(word.text)
    ]
    best, joint = [float(is_present) for is_present in in_best], [float(is_present) for is_present in in_joint]
    if not positions or not reading.wordings:
        return best, joint
    source_words = [
        (sentence, word.text)
        for sentence, wording in enumerate(reading.wordings[:MAX_JOINT_SENTENCES])
        for word in wording.content_words
    ]
    source_words = [(sentence, text) for sentence, text in dict.fromkeys(source_words) if not is_cjk(text)]
    if not source_words:
        return best, joint
    similarities = (
        encode_words([words[position].text for position in positions])
        @ encode_words([text for _, text in source_words]).T
    )
    is_in_best = np.array([sentence == 0 for sentence, _ in source_words])
    for row, position in enumerate(positions):
        best[position] = float(similarities[row][is_in_best].max()) if is_in_best.any() else 0.0
        joint[position] = max(joint[position], float(similarities[row].max()))
    return best, joint


def _list_neighbour_pairs(wordings: Sequence[Wording]) -> set[tuple[str, str]]:
    """Return the pairs of adjacent content words."""
    pairs = set()
    for wording in wordings:
        words = wording.content_words
        for left, right in pairwise(words):
            pairs |= {(left_key, right_key) for left_key in left.keys for right_key in right.keys}
    return pairs


def _paired_share(words: Sequence[KeyedWord], position: int, pairs: set[tuple[str, str]]) -> float:
    """Return the share of a word's two neighbours that are also its neighbours in the sources."""
    neighbours = [
        (words[a], words[b])
        for a, b in ((position - 1, position), (position, position + 1))
        if a >= 0 and b < len(words)
    ]
    is_paired = [any((a, b) in pairs for a in left.keys for b in right.keys) for left, right in neighbours]
    return sum(is_paired) / len(is_paired) if is_paired else 1.0


def _ordered_share(claim: Wording, source_wording: Wording) -> float:
    """Return the share of the claim's words in the best sentence that have the same order there."""
    first_positions: dict[str, int] = {}
    for position, word in enumerate(source_wording.words):
        for key in word.keys:
            first_positions.setdefault(key, position)
    positions = [
        min(first_positions[key] for key in word.keys if key in first_positions)
        for word in claim.content_words
        if word.keys & first_positions.keys()
    ]
    if len(positions) < 2:
        return 1.0
    return sum(a <= b for a, b in pairwise(positions)) / (len(positions) - 1)


# Reading claims: the sentences that are compared with each claim, and their similarity.


class WordVectors:
    """The vectors of single words, each computed once."""

    def __init__(self, embedder: Embedder):
        self.embedder = embedder
        self._vectors: dict[str, np.ndarray] = {}

    def __call__(self, words: Sequence[str]) -> np.ndarray:
        new_words = [word for word in dict.fromkeys(words) if word not in self._vectors]
        if new_words:
            self._vectors.update(zip(new_words, np.nan_to_num(self.embedder.encode(new_words)), strict=True))
        return np.stack([self._vectors[word] for word in words])


def read_claims(
    claims: Sequence[str],
    source_index: SourceIndex,
    embedder: Embedder,
    scorer: EvidenceScorer,
    source_numbers: Sequence[int] | None = None,
) -> list[ClaimReading]:
    """Return the readings of all claims.

    Vectors are computed for all claims at once; the evidence model reads each claim with its most similar sentences.
    """
    if not claims:
        return []
    wordings, vectors = [parse_wording(claim) for claim in claims], embedder.encode(claims)
    readings, joined_texts = [], []
    for claim, vector in zip(wordings, vectors, strict=True):
        indexes = source_index.select_sentences(claim, vector, source_numbers)
        similarities = (
            round_for_comparison(np.clip(np.nan_to_num(source_index.vectors[indexes] @ vector), -1, 1))
            if indexes
            else np.zeros(0)
        )
        texts = [source_index.sentences[index].text for index in indexes]
        probabilities = scorer.probabilities(claim.text, texts, similarities) if indexes else np.zeros(0)
        order = np.argsort(-round_for_comparison(probabilities + similarities), kind="stable")
        indexes = [indexes[index] for index in order]
        readings.append((claim, tuple(indexes), probabilities[order], similarities[order]))
        joined_texts.append(
            " ".join(source_index.sentences[index].text for index in sorted(indexes[:MAX_JOINT_SENTENCES]))
        )
    joined_vectors = np.nan_to_num(embedder.encode(joined_texts))
    return [
        ClaimReading(claim, source_index, indexes, probabilities, similarities, float(vector @ joined_vector))
        for (claim, indexes, probabilities, similarities), vector, joined_vector in zip(
            readings, vectors, joined_vectors, strict=True
        )
    ]
