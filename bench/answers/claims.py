"""Claim verdicts on pages that nothing was fitted on, compared with word overlap at its best threshold."""

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
from training.claims.claim_readings import ClaimExample, build_claim_examples
from training.claims.judged_claims import ALTERED, FM2, WICE, JudgedClaim, read_judged_claims

GOAL = ">= 0.75"
MAX_CLAIMS_PER_SET = 600  # claims of each set that are measured
_WHAT = {
    WICE: "wice: claims as they are, against what of them is supported",
    ALTERED: "altered: sentences said again and true claims, against altered ones",
    FM2: "fm2: claims made to mislead (no goal)",
}


def rows(folder: Path, data: Path, max_claims: int = MAX_CLAIMS_PER_SET) -> list[Row]:
    """Return the balanced accuracy of "supported" against the rest.

    `data` holds wice_tokens.jsonl.gz and fm2_claims.jsonl.gz.
    """
    services = Services(Settings(data_dir=folder / "claims"))
    try:
        return list(_measure_sets(data, services, max_claims))
    finally:
        services.close()


def _measure_sets(data: Path, services: Services, max_claims: int) -> Iterator[Row]:
    judged = [claim for claim in read_judged_claims(data) if claim.measured]
    for name in (WICE, ALTERED, FM2):
        claims_of_set = [claim for claim in judged if claim.set == name]
        examples = build_claim_examples(
            _sample_claims(claims_of_set, max_claims), services.embedder, services.evidence_scorer
        )
        yield from _rows(name, examples, Judge(WordVectors(services.embedder)))


def _sample_claims(claims_of_set: Sequence[JudgedClaim], max_claims: int) -> list[JudgedClaim]:
    return random.Random(2).sample(claims_of_set, min(len(claims_of_set), max_claims))


def _rows(name: str, examples: Sequence[ClaimExample], judge: Judge) -> list[Row]:
    gold = np.array([example.judged.holds for example in examples])
    claims = [judge.judge_claim(ClaimSentence(example.judged.text, 0, 0), example.reading) for example in examples]
    predicted = np.array([claim.verdict == SUPPORTED for claim in claims])
    overlap = np.array([_compute_overlap(example) for example in examples])
    threshold = max(np.unique(overlap), key=lambda candidate: balanced_accuracy(gold, overlap >= candidate))
    predicted_by_overlap = overlap >= threshold
    table_rows = [
        _row(
            f"{_WHAT[name]} ({len(gold)})",
            gold,
            predicted,
            predicted_by_overlap,
            GOAL if name != FM2 else "-",
            balanced_accuracy,
        )
    ]
    if name == ALTERED:
        kinds = np.array([example.judged.kind for example in examples])
        for kind in sorted(set(kinds)):
            is_kind = kinds == kind
            outcome = "called supported" if kind == "true" else "caught"
            table_rows.append(
                _row(
                    f"  {kind}: {outcome} ({is_kind.sum()})",
                    gold[is_kind],
                    predicted[is_kind],
                    predicted_by_overlap[is_kind],
                    "",
                    _compute_accuracy,
                )
            )
    return table_rows


def _row(
    measurement: str, gold: np.ndarray, predicted: np.ndarray, predicted_by_overlap: np.ndarray, goal: str,
    compute_figure: Callable[[np.ndarray, np.ndarray], float],
) -> Row:  # fmt: skip
    our_figure, overlap_figure = compute_figure(gold, predicted), compute_figure(gold, predicted_by_overlap)
    return Row(
        measurement,
        f"{our_figure:.3f}",
        f"overlap {overlap_figure:.3f}",
        f"{our_figure / overlap_figure:.2f}" if overlap_figure else "-",
        goal,
    )


def balanced_accuracy(gold: np.ndarray, predicted: np.ndarray) -> float:
    """Return the mean of the accuracies on true and on false claims: 0.5 is chance."""
    return float((predicted[gold].mean() + (~predicted[~gold]).mean()) / 2)


def _compute_accuracy(gold: np.ndarray, predicted: np.ndarray) -> float:
    return float((gold == predicted).mean())


def _compute_overlap(example: ClaimExample) -> float:
    """Return the largest share of the claim's words that one sentence contains, as most systems do.

    Its threshold is the best one for these very claims, which nobody knows beforehand.
    """
    wanted = set(extract_terms(example.judged.text))
    return max(
        (
            len(wanted & set(extract_terms(line.text))) / max(len(wanted), 1)
            for line in example.reading.source_index.sentences
        ),
        default=0.0,
    )
