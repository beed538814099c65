"""The features of a passage's sentences for a question: the columns that the probability networks read."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import ENGLISH_MONTHS, ENGLISH_WEEKDAYS
from highlighter.text.terms import extract_terms

KIND_NUMBER, KIND_TIME, KIND_NAME, KIND_REASON = "number", "time", "name", "reason"

_QUESTION_PATTERNS = (
    (KIND_TIME, re.compile(
        r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|century|decade)\b|\bhow (?:long|soon|often|old)\b|\bdeadline\b"
        r"|什么时候|什麼時候|何时|何時|哪年|哪一年|几月|幾月|多久|年份|いつ"
        r"|\bwann\b|\bcu[aá]ndo\b|\bquand\b|\bкогда\b|в каком году|\bπότε\b|متى",
        re.IGNORECASE)),
    (KIND_NUMBER, re.compile(
        r"\bhow (?:many|much|far|tall|high|large|big|deep|wide|fast|heavy)\b|\b(?:percentage|percent|number of|amount|rate|price|cost|fee|total)\b"
        r"|多少|几个|幾個|几名|幾名|多大|多高|多远|いくつ|何人|何個"
        r"|\bwie ?viele?\b|\bcu[aá]nt[oa]s?\b|\bcombien\b|\bсколько\b|\bπόσ\w+|كم",
        re.IGNORECASE)),
    (KIND_REASON, re.compile(r"\bwhy\b|\bwhat (?:caused|causes|reason)\b|为什么|為什麼|为何|為何|原因|なぜ|\bwarum\b|por qué|\bpourquoi\b|почему", re.IGNORECASE)),
    (KIND_NAME, re.compile(
        r"\bwho(?:m|se)?\b|\bwhere\b|\b(?:what|which) (?:person|city|country|state|team|company|party|place|name|university|president)\b"
        r"|谁|誰|哪里|哪裡|何处|哪个|哪個|哪位|どこ|だれ|\bwer\b|\bwo\b|qui[eé]n|d[oó]nde|\bqui\b|\bкто\b|\bгде\b",
        re.IGNORECASE)),
)  # fmt: skip

_ANSWER_PATTERNS = {
    KIND_NUMBER: re.compile(
        r"\d|[一二三四五六七八九十百千万萬亿億两兩]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty"
        r"|forty|fifty|hundreds?|thousands?|millions?|billions?|half|dozen|percent|single|several)\b",
        re.IGNORECASE,
    ),
    KIND_TIME: re.compile(
        r"\b1\d{3}\b|\b20\d{2}\b|(?<!\d)\d+[:.]\d\d\b|[年月日]|\b"
        rf"(?:{ENGLISH_MONTHS}|{ENGLISH_WEEKDAYS}|century|days?|weeks?|months?|years?|hours?|minutes?"
        r"|morning|evening|night|today|spring|summer|autumn|winter|during|until|before|after|anniversary)\b",
        re.IGNORECASE,
    ),
    KIND_REASON: re.compile(
        r"\b(?:because|since|due to|as a result|so that|in order to|therefore|thus|owing to|caused?|reason|leads? to|led to)\b"
        r"|因为|因為|由于|由於|所以|因此|导致|導致|から|ため|\bweil\b|porque|\bcar\b|потому",
        re.IGNORECASE,
    ),
    KIND_NAME: re.compile(r"(?<=[\w,;:’'\"] )[A-ZÀ-ÞΑ-ΩА-Я][\w’'-]+"),
}


def detect_expected_kind(question: str) -> str | None:
    """Return the kind of thing that a question asks for, or None."""
    for kind, pattern in _QUESTION_PATTERNS:
        if pattern.search(question):
            return kind
    return None


def has_expected_kind(kind: str, text: str, question: str) -> bool:
    """Return whether a text holds a thing of this kind that the question does not contain."""
    return any(match.group() not in question for match in _ANSWER_PATTERNS[kind].finditer(text))


# BM25 over stems and CJK bigrams, within one passage. These are its usual constants: how soon a repeated word stops
# counting, and how strongly a long sentence is penalised.
BM25_SATURATION, BM25_LENGTH_PENALTY = 1.2, 0.75


@dataclass(frozen=True)
class PassageTerms:
    """The terms of a question and of a passage's sentences, counted once for all features."""

    question_terms: tuple[str, ...]
    sentence_terms: tuple[tuple[str, ...], ...]

    @classmethod
    def from_passage(cls, question: str, sentences: Sequence[str]) -> PassageTerms:
        sentence_terms = tuple(tuple(extract_terms(sentence)) for sentence in _within_budget(sentences))
        return cls(tuple(extract_terms(question)), sentence_terms)

    @cached_property
    def term_counts(self) -> list[Counter[str]]:
        return [Counter(terms) for terms in self.sentence_terms]

    @cached_property
    def term_weights(self) -> Mapping[str, float]:
        """Return the weight of each of the question's terms: a term that few of the sentences hold counts more."""
        weights = {}
        for term in dict.fromkeys(self.question_terms):
            holders = sum(term in counts for counts in self.term_counts)
            weights[term] = math.log(1 + (len(self.term_counts) - holders + 0.5) / (holders + 0.5))
        return weights

    @cached_property
    def bm25_scores(self) -> np.ndarray:
        lengths = [len(terms) for terms in self.sentence_terms]
        mean_length = (sum(lengths) / len(lengths) if lengths else 0) or 1.0
        scores = np.zeros(len(self.term_counts), dtype=np.float32)
        for index, counts in enumerate(self.term_counts):
            saturation = BM25_SATURATION * (
                1 - BM25_LENGTH_PENALTY + BM25_LENGTH_PENALTY * lengths[index] / mean_length
            )
            scores[index] = sum(
                weight * counts[term] * (BM25_SATURATION + 1) / (counts[term] + saturation)
                for term, weight in self.term_weights.items()
                if term in counts
            )
        return scores


def compute_bm25(question: str, sentences: Sequence[str]) -> np.ndarray:
    """Return the BM25 score of each sentence."""
    return PassageTerms.from_passage(question, sentences).bm25_scores


# The names are stored with the fitted networks, which refuse columns that have changed since.
FEATURE_NAMES = (
    # Similarity, by itself and relative to the passage's other sentences.
    "similarity", "below_best_similarity", "above_mean_similarity", "neighbour_similarity",
    # Words shared with the question.
    "bm25", "below_best_bm25", "covered", "below_best_covered", "rarest_shared", "pairs_shared", "covered_by_neighbours",
    # Numbers, names and negation.
    "numbers_shared", "numbers_differ", "names_shared", "names_missing", "kind_asked_for", "kind_given", "negation_differs",
    # The sentence.
    "length", "first", "last", "asks", "only_words",
    # The passage: how strong its best sentence is, and whether one stands out.
    "best_similarity", "best_covered", "similarity_gap", "bm25_gap", "sentences", "question_length", "best_in_both",
)  # fmt: skip

_NUMBER_PATTERN = compile_later(r"\d+(?:[.,:/]\d+)*")
_NAME_PATTERN = compile_later(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-ÞΑ-ΩА-Я][\w’'-]+")
_NEGATION_PATTERN = compile_later(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nothing|except|unless|fail\w*|\w+n['’]t)\b"
    r"|[不没無无未非勿]|\b(?:nicht|kein\w*|pas|jamais|nunca|ningun\w*|não|не|нет|ни)\b",
    re.IGNORECASE,
)


def compute_features(
    question: str, texts: Sequence[str], similarities: np.ndarray, passage_terms: PassageTerms | None = None
) -> np.ndarray:
    """Return the features: one row for each sentence, one column for each of FEATURE_NAMES."""
    passage_terms = passage_terms or PassageTerms.from_passage(question, texts)
    count = len(texts)
    similarity, bm25 = similarities.astype(np.float32), passage_terms.bm25_scores
    weights = passage_terms.term_weights
    total_weight = sum(weights.values()) or 1.0
    covered = np.array(
        [
            sum(weight for term, weight in weights.items() if term in counts) / total_weight
            for counts in passage_terms.term_counts
        ],
        np.float32,
    )
    max_weight = max(weights.values(), default=1.0)
    rarest_shared = np.array(
        [
            max((weight for term, weight in weights.items() if term in counts), default=0) / max_weight
            for counts in passage_terms.term_counts
        ]
    )
    question_pairs = set(pairwise(passage_terms.question_terms))
    shared_pairs = np.array([len(question_pairs & set(pairwise(terms))) for terms in passage_terms.sentence_terms])
    numbers = set(_NUMBER_PATTERN.findall(fold(question)))
    names = {fold(name) for name in _NAME_PATTERN.findall(question)}
    folded = [fold(text) for text in _within_budget(texts)]
    sentence_numbers = [set(_NUMBER_PATTERN.findall(text)) for text in folded]
    kind = detect_expected_kind(question)
    is_question_negated = bool(_NEGATION_PATTERN.search(question))
    columns = (
        similarity,
        similarity - similarity.max(),
        similarity - similarity.mean(),
        _max_of_neighbours(similarity),
        bm25,
        bm25 - bm25.max(),
        covered,
        covered - covered.max(),
        rarest_shared,
        shared_pairs / max(len(question_pairs), 1),
        _max_of_neighbours(covered),
        [len(numbers & present) / len(numbers) if numbers else 0.0 for present in sentence_numbers],
        [float(bool(numbers) and bool(present) and not numbers & present) for present in sentence_numbers],
        [sum(name in text for name in names) / len(names) if names else 0.0 for text in folded],
        [float(bool(names) and not any(name in text for name in names)) for text in folded],
        np.full(count, float(kind is not None)),
        [float(kind is not None and has_expected_kind(kind, text, question)) for text in _within_budget(texts)],
        [float(bool(_NEGATION_PATTERN.search(text)) != is_question_negated) for text in texts],
        np.log1p([len(terms) for terms in passage_terms.sentence_terms]),
        np.arange(count) == 0,
        np.arange(count) == count - 1,
        [float(text.rstrip().endswith(("?", "？", "؟"))) for text in texts],
        [float(len(terms) < 4) for terms in passage_terms.sentence_terms],
        np.full(count, similarity.max()),
        np.full(count, covered.max()),
        np.full(count, _lead_over_second(similarity)),
        np.full(count, _lead_over_second(bm25)),
        np.full(count, np.log1p(count)),
        np.full(count, np.log1p(len(passage_terms.question_terms))),
        (np.arange(count) == similarity.argmax()) & (np.arange(count) == bm25.argmax()),
    )
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)


def _within_budget(texts: Sequence[str]) -> Iterator[str]:
    """Yield texts while the request has processor time left."""
    for text in texts:
        check_cpu()
        yield text


def _max_of_neighbours(values: np.ndarray) -> np.ndarray:
    """Return for each value the larger of its two neighbours."""
    padded = np.concatenate([[0.0], values, [0.0]])
    larger: np.ndarray = np.maximum(padded[:-2], padded[2:])
    return larger


def _lead_over_second(values: np.ndarray) -> float:
    """Return by how much the largest value exceeds the second largest."""
    if len(values) < 2:
        return float(values.max())
    second, first = np.partition(values, -2)[-2:]
    return float(first - second)
