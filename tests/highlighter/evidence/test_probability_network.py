import numpy as np
import pytest

from highlighter.evidence.probability_network import ProbabilityNetwork, fit_network


@pytest.fixture(scope="module")
def fitted():
    drawn = np.random.default_rng(1)
    columns = drawn.normal(size=(4000, 2)).astype(np.float32)
    gold = drawn.random(4000) < 1 / (1 + np.exp(-3 * columns[:, 0]))
    return fit_network(("telling", "noise"), columns, gold, np.ones(4000))


def test_what_comes_out_is_a_probability(fitted):
    drawn = np.random.default_rng(2)
    columns = drawn.normal(size=(4000, 2)).astype(np.float32)
    true = 1 / (1 + np.exp(-3 * columns[:, 0]))
    assert np.abs(fitted.probabilities(columns) - true).mean() < 0.05


def test_what_is_kept_is_what_was_fitted(fitted, tmp_path):
    fitted.save(tmp_path / "own.npz")
    columns = np.array([[0.3, 1.0], [-50.0, 50.0]], dtype=np.float32)
    kept = ProbabilityNetwork.load(tmp_path / "own.npz", fitted.names)
    assert np.array_equal(kept.probabilities(columns), fitted.probabilities(columns))


def test_columns_that_have_changed_are_refused(fitted, tmp_path):
    fitted.save(tmp_path / "own.npz")
    with pytest.raises(ValueError, match="fit it again"):
        ProbabilityNetwork.load(tmp_path / "own.npz", ("telling", "other"))
