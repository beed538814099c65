"""Why a sentence is lit, or is not: shared words, similarity, and what spoke against. For people who must check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.evidence.asked_for import NAME, NUMBER, REASON, TIME, expected
from highlighter.evidence.features import NAMES, features
from highlighter.evidence.words import Words
from highlighter.folding import fold
from highlighter.models import Evidence
from highlighter.terms import EMPTY_WORDS, is_cjk, terms, words

_KINDS = {NUMBER: "a number", TIME: "a time", NAME: "a name", REASON: "a reason"}

# A sentence this much less similar than the passage's best has that held against it.
FAR_BELOW = 0.15


@dataclass(frozen=True, slots=True)
class Because:
    shared: tuple[str, ...]  # as the sentence writes them
    speaks_for: tuple[str, ...]
    speaks_against: tuple[str, ...]


def explain(evidence: Evidence) -> list[Because]:
    """One a sentence. The joint model gives no reasons: what it adds shows in the score alone."""
    question, texts = evidence.question, [scored.sentence.text for scored in evidence.sentences]
    if not texts:
        return []
    similarities = np.array([scored.similarity for scored in evidence.sentences])
    asked = Words.of(question, texts)
    columns = features(question, texts, similarities, asked)
    kind = expected(question)
    return [
        Because(_shared(asked.asked, text), *_reasons(dict(zip(NAMES, row, strict=True)), kind))
        for text, row in zip(texts, columns, strict=True)
    ]


def _reasons(row: dict[str, float], kind: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    speaks_for, against = [f"similarity {row['similarity']:.2f}"], []
    if row["below_best_similarity"] == 0:
        speaks_for[0] += ", the passage's highest"
    elif row["below_best_similarity"] < -FAR_BELOW:
        against.append(f"another sentence is more similar ({row['best_similarity']:.2f})")
    if row["bm25"] > 0 and row["below_best_bm25"] == 0:
        speaks_for.append("shares more of the question's words than any other sentence")
    elif row["bm25"] == 0:
        against.append("shares no word with the question")
    if row["numbers_shared"] > 0:
        speaks_for.append("has the question's number")
    if row["numbers_differ"]:
        against.append("has other numbers than the question")
    if row["names_missing"]:
        against.append("does not have the names of the question")
    if kind and row["kind_given"]:
        speaks_for.append(f"holds {_KINDS[kind]}, as asked for")
    elif kind:
        against.append(f"holds no {_KINDS[kind].split()[-1]}, which is asked for")
    if row["negation_differs"]:
        against.append("one of the two is negated, the other is not")
    return tuple(speaks_for), tuple(against)


def _shared(asked: Sequence[str], text: str) -> tuple[str, ...]:
    """Whole words by their stems; of a CJK run, the stretches whose every two characters are the question's."""
    wanted, folded, found = set(asked), fold(text), []
    for start, end in words(folded):
        word = folded[start:end]
        if is_cjk(word):
            found += _stretches(wanted, text, word, start)
        elif word not in EMPTY_WORDS and wanted.intersection(terms(word)):
            found.append(text[start:end])
    return tuple(dict.fromkeys(found))


def _stretches(wanted: set[str], text: str, run: str, start: int) -> list[str]:
    found, began = [], None
    for at in range(len(run)):
        if run[at : at + 2] in wanted and at + 1 < len(run):
            began = at if began is None else began
        elif began is not None:
            found.append(text[start + began : start + at + 1])
            began = None
    return found
