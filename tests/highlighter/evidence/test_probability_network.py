"""Fitting, saving and loading the network that computes probabilities."""

import numpy as np
import pytest

from highlighter.evidence.probability_network import ProbabilityNetwork, fit_network


@pytest.fixture(scope="module")
def network():
    rng = np.random.default_rng(1)
    columns = rng.normal(size=(4000, 2)).astype(np.float32)
    gold = rng.random(4000) < 1 / (1 + np.exp(-3 * columns[:, 0]))
    return fit_network(("telling", "noise"), columns, gold, np.ones(4000))


def test_output_is_a_probability(network):
    rng = np.random.default_rng(2)
    columns = rng.normal(size=(4000, 2)).astype(np.float32)
    true = 1 / (1 + np.exp(-3 * columns[:, 0]))
    assert np.abs(network.probabilities(columns) - true).mean() < 0.05


def test_loaded_network_equals_the_saved_one(network, tmp_path):
    network.save(tmp_path / "own.npz")
    columns = np.array([[0.3, 1.0], [-50.0, 50.0]], dtype=np.float32)
    loaded = ProbabilityNetwork.load(tmp_path / "own.npz", network.names)
    assert np.array_equal(loaded.probabilities(columns), network.probabilities(columns))


def test_network_fitted_on_other_columns_is_refused(network, tmp_path):
    network.save(tmp_path / "own.npz")
    with pytest.raises(ValueError, match="fit it again"):
        ProbabilityNetwork.load(tmp_path / "own.npz", ("telling", "other"))
