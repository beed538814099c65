import numpy as np
import pytest

from bench.evidence.metrics import best_threshold, calibration_error, compute_f1, compute_figures, highlighted_share

SCORES = [np.array([0.9, 0.2, 0.6]), np.array([0.4, 0.3])]
GOLD = [np.array([True, False, False]), np.array([False, True])]


def test_figures_of_two_passages():
    figures_of_passages = compute_figures(SCORES, GOLD)
    assert figures_of_passages.p_at_1 == 0.5
    assert figures_of_passages.mrr == pytest.approx(0.75)
    assert figures_of_passages.average_precision == pytest.approx(0.75)
    assert figures_of_passages.f1 == pytest.approx(2 / 4)  # one of two lit is gold, one of two gold is lit


def test_the_best_threshold_is_at_least_as_good_as_any():
    best = best_threshold(SCORES, GOLD)
    assert compute_f1(SCORES, GOLD, best) >= compute_f1(SCORES, GOLD, 0.5)


def test_passages_lit_are_counted_not_sentences():
    assert highlighted_share([np.array([0.9, 0.9]), np.array([0.1, 0.2])]) == 0.5


def test_a_claim_that_holds_as_often_as_it_says_has_no_error():
    scores = [np.array([0.7, 0.1])] * 10
    gold = [np.array([n < 7, False]) for n in range(10)]
    assert calibration_error(scores, gold) == pytest.approx(np.mean([0.3] * 7 + [0.7] * 3))
    assert calibration_error([np.array([1.0, 0.0])] * 10, [np.array([True, False])] * 10) == 0
