"""Fitting, saving and loading the network that computes probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from highlighter.evidence.calibration import BUNDLED_CALIBRATION_NAMES, load_calibration
from highlighter.evidence.joint_model import JointScorer
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


def test_fitting_leaves_the_threads_of_pytorch_as_they_were(network):
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        fit_network(network.names, np.eye(2, dtype=np.float32), np.array([True, False]), np.ones(2))
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(threads)


def test_loaded_network_equals_the_saved_one(network, tmp_path):
    network.save(tmp_path / "own.npz")
    columns = np.array([[0.3, 1.0], [-50.0, 50.0]], dtype=np.float32)
    loaded = ProbabilityNetwork.load(tmp_path / "own.npz", network.names)
    assert np.array_equal(loaded.probabilities(columns), network.probabilities(columns))


def test_network_fitted_on_other_columns_is_refused(network, tmp_path):
    network.save(tmp_path / "own.npz")
    with pytest.raises(ValueError, match="fit it again"):
        ProbabilityNetwork.load(tmp_path / "own.npz", ("telling", "other"))


def test_network_names_the_joint_model_that_it_was_fitted_to(network, tmp_path):
    replace(network, joint_model="abc").save(tmp_path / "own.npz")
    assert ProbabilityNetwork.load(tmp_path / "own.npz", network.names).joint_model == "abc"


@pytest.mark.parametrize("name", sorted(set(BUNDLED_CALIBRATION_NAMES.values())))
def test_carried_calibration_was_fitted_to_the_carried_joint_model(name, tmp_path):
    assert load_calibration(name, tmp_path).full.joint_model == JointScorer().compute_hash()
