"""The measurement of claims."""

import numpy as np
import pytest

from bench.claims import _check, _compute_overlap, area_under_curve, balanced_accuracy
from highlighter.services import Services
from highlighter.settings import Settings
from training.entailment.judged_pairs import CONTRADICTED, ENTAILED, JudgedPair

TEXT = ("It rained all day.", "Brown sold seven boats in May.")


def judge(claim, label):
    return JudgedPair("lessons", "number", claim, TEXT, label, (1,), "en", "en")


def test_overlap_is_the_share_of_the_claims_words_that_the_text_contains():
    assert _compute_overlap(judge("Brown sold seven boats.", ENTAILED)) == 1
    assert _compute_overlap(judge("Brown bought ten boats.", CONTRADICTED)) == 0.5


def test_checker_is_asked_with_the_text_as_its_only_source(tmp_path):
    services = Services(Settings(data_dir=tmp_path))
    try:
        pairs = [judge(TEXT[1], ENTAILED), judge("Brown sold nine boats in May.", CONTRADICTED)]
        outcomes = list(_check(pairs, services))
    finally:
        services.close()
    assert [(outcome.is_true, outcome.is_ticked) for outcome in outcomes] == [(True, True), (False, False)]


def test_balanced_accuracy_counts_true_and_false_claims_alike():
    gold = np.array([True, True, True, False])
    assert balanced_accuracy(gold, np.array([True, True, True, True])) == 0.5


def test_area_under_the_curve_is_a_half_by_chance_and_one_when_all_is_right():
    gold = np.array([True, False, True, False])
    assert area_under_curve(gold, np.array([0.9, 0.2, 0.8, 0.1])) == 1
    assert area_under_curve(gold, np.array([0.5, 0.5, 0.5, 0.5])) == pytest.approx(0.5)
