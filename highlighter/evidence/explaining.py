"""Why a sentence is lit, or is not: shared words, similarity, and what spoke against. For people who must check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from highlighter.evidence.asked_for import NAME, NUMBER, REASON, TIME, expected
from highlighter.evidence.features import NAMES, features
from highlighter.evidence.words import Words
from highlighter.folding import fold
from highlighter.locale import N_
from highlighter.models import Evidence
from highlighter.terms import EMPTY_WORDS, is_cjk, terms, words

# What the question asks for: what is said of a sentence that holds it, and of one that does not.
_KINDS = {
    NUMBER: (N_("holds a number, as asked for"), N_("holds no number, which is asked for")),
    TIME: (N_("holds a time, as asked for"), N_("holds no time, which is asked for")),
    NAME: (N_("holds a name, as asked for"), N_("holds no name, which is asked for")),
    REASON: (N_("holds a reason, as asked for"), N_("holds no reason, which is asked for")),
}

# Wider than the column that is weighed (asked_for.gives), whose weights were learnt of it as it is: people are told of
# rarer number words, too, and a word that only holds the letters of one ("written") is none.
_NUMBERS = re.compile(
    r"\d+|[〇零一二三四五六七八九十廿卅百千万亿两]+|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|millions?"
    r"|billions?|half|dozens?|per ?cent|single|several)\b"
)

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
        Because(_shared(asked.asked, text), *_reasons(row, kind, row["kind_given"] or _tells(kind, text, question)))
        for text, row in zip(texts, (dict(zip(NAMES, row, strict=True)) for row in columns), strict=True)
    ]


def _tells(kind: str | None, text: str, question: str) -> bool:
    """Whether it holds a number, in digits or in words, that the question does not say itself."""
    said, asked = (set(_NUMBERS.findall(fold(words))) for words in (text, question))
    return kind == NUMBER and not said <= asked


def _reasons(row: dict[str, float], kind: str | None, given: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    speaks_for, against = [N_(f"similarity {row['similarity']:.2f}")], []
    if row["below_best_similarity"] == 0:
        speaks_for = [N_(f"similarity {row['similarity']:.2f}, the passage's highest")]
    elif row["below_best_similarity"] < -FAR_BELOW:
        against.append(N_(f"another sentence is more similar ({row['best_similarity']:.2f})"))
    if row["bm25"] > 0 and row["below_best_bm25"] == 0:
        speaks_for.append(N_("shares more of the question's words than any other sentence"))
    elif row["bm25"] == 0:
        against.append(N_("shares no word with the question"))
    if row["numbers_shared"] > 0:
        speaks_for.append(N_("has the question's number"))
    if row["numbers_differ"]:
        against.append(N_("has other numbers than the question"))
    if row["names_missing"]:
        against.append(N_("does not have the names of the question"))
    if kind and given:
        speaks_for.append(_KINDS[kind][0])
    elif kind:
        against.append(_KINDS[kind][1])
    if row["negation_differs"]:
        against.append(N_("one of the two is negated, the other is not"))
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
