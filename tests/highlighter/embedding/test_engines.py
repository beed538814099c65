"""Sessions of the carried models: how many threads a run takes does not change its result, and each is charged."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

import highlighter
from highlighter.embedding import engines
from highlighter.embedding.engines import ReaderSession, open_session

JOINT_MODEL = Path(highlighter.__file__).parent / "evidence" / "model" / "joint.onnx"


@pytest.fixture
def two_threads(monkeypatch):
    monkeypatch.setattr(engines, "_count_cores", lambda: 2)
    monkeypatch.setattr(engines, "open_session", open_session)  # and not one that other tests opened
    return ReaderSession(JOINT_MODEL)


def build_input(tokens):
    """Return an input of the joint model with one sentence after a question of four tokens."""
    ids = np.random.default_rng(tokens).integers(1_000, 20_000, (1, tokens))
    member = np.zeros((1, 1, tokens), np.float32)
    member[..., 4:] = 1
    return {"ids": ids, "kinds": np.where(member[0] > 0, 3, 0), "member": member}


def test_two_threads_give_the_same_bits_as_one(two_threads):
    alone = open_session(JOINT_MODEL)
    for tokens in (17, 100, 383):
        inputs = build_input(tokens)
        expected = [values.tobytes() for values in alone.run(None, inputs)]
        assert [values.tobytes() for values in two_threads.run(inputs)] == expected


def test_second_thread_is_charged_to_the_request(two_threads, monkeypatch):
    charged = []
    monkeypatch.setattr(engines, "charge_cpu", charged.append)
    two_threads.run(build_input(100))
    assert len(charged) == 1
    assert charged[0] > 0


def test_copied_process_runs_the_model_though_its_second_thread_was_not_copied(two_threads):
    inputs = build_input(300)
    expected = [values.tobytes() for values in two_threads.run(inputs)]
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if [values.tobytes() for values in two_threads.run(inputs)] == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
