"""Claim verdicts on pages that nothing was fitted on, beside the plain overlap heuristic with its best threshold."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.table import Row
from highlighter.grounding.claim_features import WordVectors
from highlighter.grounding.claims import ClaimSentence
from highlighter.grounding.judge import Judge
from highlighter.grounding.verdicts import SUPPORTED
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.text.terms import extract_terms
from training.claims.judged import ALTERED, FM2, WICE, JudgedClaim, read
from training.claims.shown import Shown, shown

GOAL = ">= 0.75"
A_SET = 600  # claims of each set that are measured
_WHAT = {
    WICE: "wice: claims as they are, against what of them is supported",
    ALTERED: "altered: sentences said again and true claims, against altered ones",
    FM2: "fm2: claims made to mislead (no goal)",
}


def rows(folder: Path, data: Path, most: int = A_SET) -> list[Row]:
    """Balanced accuracy of "supported" against the rest. `data` holds wice_tokens.jsonl.gz and fm2_claims.jsonl.gz."""
    services = Services(Settings(data_dir=folder / "claims"))
    try:
        return list(_sets(data, services, most))
    finally:
        services.close()


def _sets(data: Path, services: Services, most: int) -> Iterator[Row]:
    judged = [one for one in read(data) if one.measured]
    for name in (WICE, ALTERED, FM2):
        some = [one for one in judged if one.set == name]
        measured = shown(_drawn(some, most), services.embedder, services.evidence_scorer)
        yield from _rows(name, measured, Judge(WordVectors(services.embedder)))


def _drawn(some: Sequence[JudgedClaim], most: int) -> list[JudgedClaim]:
    return random.Random(2).sample(some, min(len(some), most))


def _rows(name: str, measured: Sequence[Shown], judge: Judge) -> list[Row]:
    gold = np.array([one.judged.holds for one in measured])
    claims = [judge.judge_claim(ClaimSentence(one.judged.text, 0, 0), one.reading) for one in measured]
    ours = np.array([claim.verdict == SUPPORTED for claim in claims])
    overlap = np.array([_overlap(one) for one in measured])
    threshold = max(np.unique(overlap), key=lambda at: balanced_accuracy(gold, overlap >= at))
    theirs = overlap >= threshold
    out = [_row(f"{_WHAT[name]} ({len(gold)})", gold, ours, theirs, GOAL if name != FM2 else "-", balanced_accuracy)]
    if name == ALTERED:
        kinds = np.array([one.judged.kind for one in measured])
        for kind in sorted(set(kinds)):
            own = kinds == kind
            said = "called supported" if kind == "true" else "caught"
            out.append(_row(f"  {kind}: {said} ({own.sum()})", gold[own], ours[own], theirs[own], "", _right))
    return out


def _row(
    what: str, gold: np.ndarray, ours: np.ndarray, theirs: np.ndarray, goal: str,
    figure: Callable[[np.ndarray, np.ndarray], float],
) -> Row:  # fmt: skip
    mine, its = figure(gold, ours), figure(gold, theirs)
    return Row(what, f"{mine:.3f}", f"overlap {its:.3f}", f"{mine / its:.2f}" if its else "-", goal)


def balanced_accuracy(gold: np.ndarray, said: np.ndarray) -> float:
    """The mean of how many true ones were called true, and false ones false: 0.5 is what a coin reaches."""
    return float((said[gold].mean() + (~said[~gold]).mean()) / 2)


def _right(gold: np.ndarray, said: np.ndarray) -> float:
    return float((gold == said).mean())


def _overlap(one: Shown) -> float:
    """What most systems do: the share of the claim's words that its best sentence holds. The threshold is the best one
    for these very claims, which nobody knows beforehand."""
    claim = set(extract_terms(one.judged.text))
    return max(
        (
            len(claim & set(extract_terms(line.text))) / max(len(claim), 1)
            for line in one.reading.source_index.sentences
        ),
        default=0.0,
    )
