"""Why a sentence is highlighted or not: shared words, similarity and reasons against it, for people who check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.evidence.across_languages import find_texts_in_other_languages
from highlighter.evidence.features import (
    FEATURE_NAMES,
    KIND_NAME,
    KIND_NUMBER,
    KIND_REASON,
    KIND_TIME,
    PassageTerms,
    compute_features,
    detect_expected_kind,
)
from highlighter.locale import N_
from highlighter.models import Evidence
from highlighter.text.characters import fold
from highlighter.text.terms import STOP_WORDS, extract_terms, find_words, is_cjk

# By expected kind of answer: the reason for a sentence that holds one, and the reason against a sentence that does not.
_KIND_REASONS = {
    KIND_NUMBER: (N_("contains a number, as the question asks"), N_("contains no number, which the question asks for")),
    KIND_TIME: (N_("contains a time, as the question asks"), N_("contains no time, which the question asks for")),
    KIND_NAME: (N_("contains a name, as the question asks"), N_("contains no name, which the question asks for")),
    KIND_REASON: (N_("contains a reason, as the question asks"), N_("contains no reason, which the question asks for")),
}

# Wider than the feature "kind_given", which must stay as the weights were fitted to it: explanations also know rarer
# number words, and a word that merely contains the letters of one ("written") does not count.
_NUMBER_WORDS = re.compile(
    r"\d+|[〇零一二三四五六七八九十廿卅百千万亿两]+|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?"
    r"|billions?|half|dozens?|per ?cent|single|several)\b"
)

# A sentence this much less similar than the passage's best gets a reason against it.
MIN_SIMILARITY_DEFICIT = 0.15


@dataclass(frozen=True, slots=True)
class Explanation:
    """The reasons for and against highlighting one sentence."""

    shared: tuple[str, ...]  # as the sentence writes them
    speaks_for: tuple[str, ...]
    speaks_against: tuple[str, ...]


def explain_evidence(evidence: Evidence) -> list[Explanation]:
    """Return one explanation for each sentence of the evidence.

    The joint model gives no reasons: its effect shows in the score alone.
    """
    question, texts = evidence.question, [scored.sentence.read_text for scored in evidence.sentences]
    if not texts:
        return []
    similarities = np.array([scored.similarity for scored in evidence.sentences])
    is_other = find_texts_in_other_languages(question, texts)
    rows = np.flatnonzero(~is_other).tolist()
    explained = iter(
        _explain_in_one_language(question, [texts[row] for row in rows], similarities[rows]) if rows else ()
    )
    best = similarities.max()
    return [
        _explain_by_meaning(similarity, best) if other else next(explained)
        for other, similarity in zip(is_other.tolist(), similarities.tolist(), strict=True)
    ]


def _explain_in_one_language(question: str, texts: Sequence[str], similarities: np.ndarray) -> list[Explanation]:
    passage_terms = PassageTerms.from_passage(question, texts)
    columns = compute_features(question, texts, similarities, passage_terms)
    kind = detect_expected_kind(question)
    return [
        Explanation(
            _find_shared_words(passage_terms.question_terms, text),
            *_list_reasons(row, kind, row["kind_given"] or _has_new_number(kind, text, question)),
        )
        for text, row in zip(texts, (dict(zip(FEATURE_NAMES, row, strict=True)) for row in columns), strict=True)
    ]


def _explain_by_meaning(similarity: float, best: float) -> Explanation:
    """Explain a sentence in another language than the question, where words and signs are not compared."""
    speaks_for, against = _list_similarity_reasons(similarity, similarity - best, best)
    return Explanation(
        (), (*speaks_for, N_("in another language than the question, so only the meaning counts")), against
    )


def _list_similarity_reasons(similarity: float, lead: float, best: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if lead == 0:
        return (N_("similarity {similarity:.2f}, the highest in the passage", similarity=similarity),), ()
    against = (
        (N_("another sentence is more similar ({best:.2f})", best=best),) if lead < -MIN_SIMILARITY_DEFICIT else ()
    )
    return (N_("similarity {similarity:.2f}", similarity=similarity),), against


def _has_new_number(kind: str | None, text: str, question: str) -> bool:
    """Return whether a sentence holds a number, in digits or in words, that the question does not contain."""
    text_numbers, question_numbers = (set(_NUMBER_WORDS.findall(fold(words))) for words in (text, question))
    return kind == KIND_NUMBER and not text_numbers <= question_numbers


def _list_reasons(
    row: dict[str, float], kind: str | None, is_kind_given: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    speaks_for, against = map(
        list, _list_similarity_reasons(row["similarity"], row["below_best_similarity"], row["best_similarity"])
    )
    if row["bm25"] > 0 and row["below_best_bm25"] == 0:
        speaks_for.append(N_("shares more of the question's words than any other sentence"))
    elif row["bm25"] == 0:
        against.append(N_("shares no word with the question"))
    if row["numbers_shared"] > 0:
        speaks_for.append(N_("contains the number in the question"))
    if row["numbers_differ"]:
        against.append(N_("contains other numbers than the question"))
    if row["names_missing"]:
        against.append(N_("does not contain the names in the question"))
    if kind and is_kind_given:
        speaks_for.append(_KIND_REASONS[kind][0])
    elif kind:
        against.append(_KIND_REASONS[kind][1])
    if row["negation_differs"]:
        against.append(N_("only one of question and sentence is negated"))
    return tuple(speaks_for), tuple(against)


def _find_shared_words(question_terms: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the words of a text that the question shares.

    Spaced words match by their stems; of a CJK run, the stretches match whose every two characters are in the question.
    """
    wanted, folded, shared = set(question_terms), fold(text), []
    for start, end in find_words(folded):
        word = folded[start:end]
        if is_cjk(word):
            shared += _find_shared_runs(wanted, text, word, start)
        elif word not in STOP_WORDS and wanted.intersection(extract_terms(word)):
            shared.append(text[start:end])
    return tuple(dict.fromkeys(shared))


def _find_shared_runs(wanted: set[str], text: str, run: str, start: int) -> list[str]:
    shared, run_start = [], None
    for index in range(len(run)):
        if run[index : index + 2] in wanted and index + 1 < len(run):
            run_start = index if run_start is None else run_start
        elif run_start is not None:
            shared.append(text[start + run_start : start + index + 1])
            run_start = None
    return shared
