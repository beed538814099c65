"""The measurement of claims, on two judged claims."""

import numpy as np
import pytest

from bench.answers.claims import _compute_overlap, balanced_accuracy
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.scorer import EvidenceScorer
from training.claims.claim_readings import build_claim_examples
from training.claims.judged_claims import JudgedClaim


def test_overlap_is_the_largest_share_of_the_claims_words_in_one_sentence(embedder, tmp_path):
    scorer = EvidenceScorer(load_calibration(embedder.name, tmp_path), None)
    judged = [
        JudgedClaim(
            "wice", "true", "g", "Brown sold seven boats.", "It rained. Brown sold seven boats in May.", True, ()
        ),
        JudgedClaim("wice", "partly", "g", "Brown bought ten horses.", "It rained. Brown sold boats.", False, None),
    ]
    examples = build_claim_examples(judged, embedder, scorer)
    assert [_compute_overlap(example) for example in examples] == pytest.approx([1.0, 0.25])


def test_balanced_accuracy_counts_true_and_false_claims_alike():
    gold = np.array([True, True, True, False])
    assert balanced_accuracy(gold, np.array([True, True, True, True])) == 0.5
