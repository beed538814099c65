"""A claim's verdict: what was fitted says how surely it holds, what differs says why it does not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from highlighter.cpu_budget import check_cpu
from highlighter.evidence.weighing import Weighing
from highlighter.grounding.claims import Said
from highlighter.grounding.columns import CLAIM_NAMES, WORD_NAMES, Reading, claim_columns, word_columns
from highlighter.grounding.contrast import DATE, NEGATION, NUMBER, OPPOSITE, Contrast
from highlighter.grounding.reading import Meanings
from highlighter.grounding.score import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, VERDICTS
from highlighter.locale import N_
from highlighter.models import Claim, Support
from highlighter.rounding import rounded

log = logging.getLogger(__name__)

FOLDER = Path(__file__).parent / "model"
# From here on a claim holds; a word is said.
HOLDS = WORD_HOLDS = 0.5
# A claim that shares less with the sentences than this is about something else, not partly supported.
PARTLY_SHARES = 0.5
# A sentence that shares this much of a claim speaks of the same thing, and so can contradict it.
CONTRADICTS_FROM = 0.5
# One that shares this much says the same but for a "not" or a word turned round, whatever the weighing makes of it.
SAME_WORDS = 0.8
# Sentences shown with a verdict, and how likely each must at least be evidence, or share of the claim's words.
SHOWN, SHOWN_CHANCE, SHOWN_SHARE = 3, 0.2, 0.4
# What an outer judge says otherwise moves the score just over the border, and no further: it gives no probability.
JUST_OVER, JUST_UNDER = 0.51, 0.49
# Runs of words that "why" names, at most.
RUNS_NAMED = 3

NOTHING_SAYS_SO = N_("No sentence of the sources says this.")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an outer judge says of a claim: one of the verdicts, and why as a sentence for people."""

    verdict: str
    why: str = ""


# Claim and evidence sentences in; an opinion out, or None where it has none. It may be a language model.
OuterJudge = Callable[[str, Sequence[str]], Opinion | None]


@dataclass(frozen=True, slots=True)
class Weighings:
    words: Weighing
    claims: Weighing

    def save(self, folder: Path) -> None:
        self.words.save(folder / "words.npz")
        self.claims.save(folder / "claims.npz")


@cache
def carried(folder: Path = FOLDER) -> Weighings:
    return Weighings(Weighing.load(folder / "words.npz", WORD_NAMES), Weighing.load(folder / "claims.npz", CLAIM_NAMES))


class Judge:
    def __init__(self, meanings: Meanings, weighings: Weighings | None = None, outer: OuterJudge | None = None):
        self.meanings = meanings
        self.weighings = weighings or carried()
        self.outer = outer

    def claim(self, said: Said, reading: Reading) -> Claim:
        check_cpu()
        held, score = self.weigh(reading)
        against = _against(reading)
        if against and against[1].kind in (NEGATION, OPPOSITE) and reading.shares[against[0]] >= SAME_WORDS:
            score = min(score, JUST_UNDER)
        verdict, why = _verdict(reading, held, score, against)
        evidence = _evidence(reading, against if verdict == CONTRADICTED else None)
        if self.outer and (opinion := self._asked(said, evidence, reading)):
            verdict, why = opinion.verdict, opinion.why or (why if verdict == opinion.verdict else "")
            score = max(score, JUST_OVER) if verdict == SUPPORTED else min(score, JUST_UNDER)
        return Claim(said.text, said.start, said.end, verdict, round(score, 4), evidence, why)

    def weigh(self, reading: Reading) -> tuple[np.ndarray, float]:
        """How surely each telling word is said, and how surely the whole."""
        held = rounded(self.weighings.words.probabilities(word_columns(reading, self.meanings)))
        score = float(rounded(self.weighings.claims.probabilities(claim_columns(reading, held)))[0])
        return held, score if reading.chosen else 0.0

    def _asked(self, said: Said, evidence: Sequence[Support], reading: Reading) -> Opinion | None:
        texts = [one.text for one in evidence] or [line.text for line in reading.lines[:SHOWN]]
        try:
            opinion = self.outer(said.text, texts)
        except Exception as err:  # whatever it is made of: the local verdict stands
            log.warning("The outer judge failed, and the local verdict is kept: %s", err)
            return None
        return opinion if opinion and opinion.verdict in VERDICTS else None


def _against(reading: Reading) -> tuple[int, Contrast] | None:
    """The contrast that weighs most: numbers and dates before a turned word, that before a "not"."""
    strong = [(at, one) for at, one in reading.contrasts if reading.shares[at] >= CONTRADICTS_FROM]
    ranks = {NUMBER: 0, DATE: 0, NEGATION: 2}
    return min(strong, key=lambda found: (ranks.get(found[1].kind, 1), found[0]), default=None)


def _verdict(reading: Reading, held: np.ndarray, score: float, against: tuple[int, Contrast] | None) -> tuple[str, str]:
    if score >= HOLDS:
        return SUPPORTED, ""
    if against is not None:
        return CONTRADICTED, against[1].why
    share = float(held.mean()) if len(held) else 0.0
    if share < PARTLY_SHARES or not _evidence(reading, None):
        return UNSUPPORTED, NOTHING_SAYS_SO
    missing = _unsaid(reading, held)
    return PARTLY, N_(f"The sources do not say “{missing}”.") if missing else N_("The sources say only a part of this.")


def _unsaid(reading: Reading, held: np.ndarray) -> str:
    """The runs of words that no sentence says, as the claim writes them."""
    text, words = reading.claim.text, reading.claim.telling
    bad = [h < WORD_HOLDS for h in held]
    if not any(bad) and len(held):
        bad = [h == held.min() for h in held]
    runs: list[list[int]] = []
    for at, (word, wrong) in enumerate(zip(words, bad, strict=True)):
        if not wrong:
            continue
        if runs and at and bad[at - 1]:
            runs[-1][1] = word.end
        else:
            runs.append([word.start, word.end])
    return " … ".join(text[start:end] for start, end in runs[:RUNS_NAMED])


def _evidence(reading: Reading, against: tuple[int, Contrast] | None) -> tuple[Support, ...]:
    """What speaks for it, or against it, the weightiest first."""
    order = list(range(len(reading.chosen)))
    if against is not None:
        order.insert(0, order.pop(against[0]))
    shown = [
        at
        for n, at in enumerate(order)
        if (against and n == 0) or reading.chances[at] >= SHOWN_CHANCE or reading.shares[at] >= SHOWN_SHARE
    ]
    # A sentence may be evidence in other words, or say the claim's own: whichever is surer.
    lines = [
        (reading.told.lines[reading.chosen[at]], float(max(reading.chances[at], reading.shares[at])))
        for at in shown[:SHOWN]
    ]
    return tuple(Support(line.source, line.start, line.end, line.text, round(surely, 4)) for line, surely in lines)
