"""What speaks for and against each sentence of a passage, as numbers: the columns that `weighing` weighs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from highlighter.evidence.asked_for import expected, gives
from highlighter.evidence.words import Words
from highlighter.folding import fold

NAMES = (
    # Similarity, by itself and beside the passage's others.
    "similarity", "below_best_similarity", "above_mean_similarity", "neighbour_similarity",
    # Words shared with the question.
    "bm25", "below_best_bm25", "covered", "below_best_covered", "rarest_shared", "pairs_shared", "covered_by_neighbours",
    # What the words are.
    "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    # The sentence.
    "length", "first", "last", "asks", "only_words",
    # The passage: how strong its best is, and whether one stands out.
    "best_similarity", "best_covered", "similarity_gap", "bm25_gap", "sentences", "question_length", "best_in_both",
)  # fmt: skip

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-ÞΑ-ΩА-Я][\w’'-]+")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nothing|except|unless|fail\w*|\w+n['’]t)\b"
    r"|[不没無无未非勿]|\b(?:nicht|kein\w*|pas|jamais|nunca|ningun\w*|não|не|нет|ни)\b",
    re.IGNORECASE,
)


def features(question: str, texts: Sequence[str], similarities: np.ndarray, words: Words | None = None) -> np.ndarray:
    """One row a sentence, one column a name."""
    words = words or Words.of(question, texts)
    count = len(texts)
    cos, bm = similarities.astype(np.float32), words.bm25
    total = sum(words.weights.values()) or 1.0
    covered = np.array([sum(w for t, w in words.weights.items() if t in bag) / total for bag in words.bags], np.float32)
    heaviest = max(words.weights.values(), default=1.0)
    rarest = np.array(
        [max((w for t, w in words.weights.items() if t in bag), default=0) / heaviest for bag in words.bags]
    )
    asked_pairs = set(pairwise(words.asked))
    pairs = np.array([len(asked_pairs & set(pairwise(told))) for told in words.told])
    numbers, names = set(_NUMBER.findall(fold(question))), {fold(name) for name in _NAME.findall(question)}
    folded = [fold(text) for text in texts]
    told_numbers = [set(_NUMBER.findall(text)) for text in folded]
    kind = expected(question)
    negated = bool(_NEGATION.search(question))
    columns = (
        cos,
        cos - cos.max(),
        cos - cos.mean(),
        _beside(cos),
        bm,
        bm - bm.max(),
        covered,
        covered - covered.max(),
        rarest,
        pairs / max(len(asked_pairs), 1),
        _beside(covered),
        [len(numbers & told) / len(numbers) if numbers else 0.0 for told in told_numbers],
        [float(bool(numbers) and bool(told) and not numbers & told) for told in told_numbers],
        [sum(name in text for name in names) / len(names) if names else 0.0 for text in folded],
        [float(bool(names) and not any(name in text for name in names)) for text in folded],
        np.full(count, float(kind is not None)),
        [float(kind is not None and gives(kind, text, question)) for text in texts],
        [float(bool(_NEGATION.search(text)) != negated) for text in texts],
        np.log1p([len(told) for told in words.told]),
        np.arange(count) == 0,
        np.arange(count) == count - 1,
        [float(text.rstrip().endswith(("?", "？", "؟"))) for text in texts],
        [float(len(told) < 4) for told in words.told],
        np.full(count, cos.max()),
        np.full(count, covered.max()),
        np.full(count, _gap(cos)),
        np.full(count, _gap(bm)),
        np.full(count, np.log1p(count)),
        np.full(count, np.log1p(len(words.asked))),
        (np.arange(count) == cos.argmax()) & (np.arange(count) == bm.argmax()),
    )
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _beside(values: np.ndarray) -> np.ndarray:
    """The stronger of a sentence's two neighbours."""
    padded = np.concatenate([[0.0], values, [0.0]])
    return np.maximum(padded[:-2], padded[2:])


def _gap(values: np.ndarray) -> float:
    if len(values) < 2:
        return float(values.max())
    second, first = np.partition(values, -2)[-2:]
    return float(first - second)
