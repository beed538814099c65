"""Training on a GPU: what is prepared for it is what the other trainings read, and its weights come back as they were."""

import argparse
import random

import numpy as np
import pytest
import torch

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.evidence.joint_model import MODEL_FOLDER, JointTokenizer
from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.grounding.entailment import MODEL_FILE
from training.entailment import examples as claim_examples
from training.entailment.export import read_exported
from training.entailment.judged_pairs import CONTRADICTED, ENTAILED, LABELS, NEUTRAL, JudgedPair
from training.entailment.model import ClaimReader
from training.on_gpu.__main__ import CLAIMS, compute_auc, train, unpack_vectors
from training.on_gpu.joint_examples import JointBatches, JointExamples
from training.on_gpu.packed_state import load_packed, save_packed
from training.on_gpu.prepare import SPECIAL
from training.on_gpu.prepared_batches import DrawnBatches
from training.on_gpu.prepared_examples import UNKNOWN, PreparedExamples, TextExample, prepare
from training.on_gpu.unpack import mix
from training.training_examples import build_example, build_tensors

pytestmark = pytest.mark.integrations

PAIRS = [
    JudgedPair("set", "number", "It pays £5.", ("It rained.", "It pays £5."), ENTAILED, (1,), "en", "en"),
    JudgedPair("set", "number", "Sie zahlt 6 €.", ("Sie zahlt 5 €.",), CONTRADICTED, (0,), "de", "de"),
    JudgedPair("set", "number", "It snowed.", ("It rained.", "It pays £5."), NEUTRAL, None, "en", "en"),
]


@pytest.fixture(scope="module")
def vocabulary():
    return open_vocabulary(MULTILINGUAL)


@pytest.fixture
def prepared(vocabulary):
    def describe(pair, is_measured):
        marks = [UNKNOWN if pair.carried_by is None else int(i in pair.carried_by) for i in range(len(pair.sentences))]
        return TextExample(pair.claim, pair.sentences, marks, LABELS.index(pair.label), 1.0, 1.0, is_measured)

    examples = [describe(pair, is_measured) for is_measured in (False, True) for pair in PAIRS]
    return prepare(examples, vocabulary.tokenizer, vocabulary.table, max_statement=64, max_sentence=96, special=SPECIAL)


def test_prepared_batch_is_what_the_training_on_a_cpu_reads(prepared, vocabulary):
    batches = DrawnBatches(prepared, 320, 4096, varies=False)
    ((rows, batch),) = batches.read_measured()
    vectors = unpack_vectors(prepared).numpy()
    expected = {
        len(PAIRS) + number: claim_examples.build_example(pair, vocabulary.tokenizer)
        for number, pair in enumerate(PAIRS)
    }
    for row, (number, _, _) in enumerate(rows):
        example = expected[number]
        length = len(example.ids)
        assert batch["owners"][row, :length].tolist() == example.owners.tolist()
        assert (batch["owners"][row, length:] == -2).all()
        np.testing.assert_allclose(vectors[batch["ids"][row, :length]], vocabulary.look_up(example.ids), atol=1e-6)
        assert batch["labels"][row] == example.label
        known = [-1.0] * len(PAIRS[row].sentences) if example.carries is None else example.carries.tolist()
        assert batch["carries"][row, : len(known)].tolist() == known or number != len(PAIRS) + row


def test_prepared_file_holds_everything(prepared, tmp_path):
    prepared.save(tmp_path / "claims.npz")
    loaded = PreparedExamples.load(tmp_path / "claims.npz")
    assert [loaded.get_sentences(i) for i in range(6)] == [prepared.get_sentences(i) for i in range(6)]
    np.testing.assert_array_equal(unpack_vectors(loaded), unpack_vectors(prepared))


def test_measured_examples_are_never_drawn(prepared):
    drawn = DrawnBatches(prepared, 320, 4096, varies=True)
    assert set(drawn.learned) == {0, 1, 2}
    batch = next(iter(drawn))
    assert batch["labels"].shape[0] > 100
    assert set(batch["labels"].tolist()) <= {0, 1, 2}


def test_deciding_sentences_keep_their_marks_when_others_are_put_in(prepared):
    drawn = DrawnBatches(prepared, 320, 4096, varies=True)
    deciding = prepared.get_sentences(0)[0][1]
    rng = np.random.default_rng(0)
    for _ in range(60):
        _, sentences, marks = drawn._vary(0, rng)
        assert [text for text, mark in zip(sentences, marks, strict=True) if mark == 1] == [deciding]


def test_joint_batches_are_what_the_training_on_a_cpu_reads():
    passage = JudgedPassage(
        "one", "1", "g", "Who pays?", ("It rained.", "The tenant pays."), (False, True), ((1, 4, 10),)
    )
    example = build_example(passage, JointTokenizer(MODEL_FOLDER / "tokenizer.json"), 0.5)
    batches = JointBatches(JointExamples.build([(example, 1.0, False), (example, 0.0, True)]), 4096)
    ((_, batch),) = batches.read_measured()
    for name, tensor in build_tensors([example]).items():
        length = tensor.shape[-1]
        assert batch[name][..., :length].tolist() == tensor.tolist(), name


def test_weights_come_back_as_they_are_carried(tmp_path):
    carried = read_exported(MODEL_FILE)
    save_packed(carried, tmp_path / "state.npz")
    loaded = load_packed(tmp_path / "state.npz")
    assert set(loaded) == set(carried)
    for name, value in carried.items():
        torch.testing.assert_close(loaded[name], value, atol=2e-3, rtol=0)
    mixed = mix(loaded, carried, 1.0)
    assert all(torch.equal(mixed[name], carried[name]) for name in carried)


def test_some_steps_change_the_weights(prepared, tmp_path, capsys):
    prepared.save(tmp_path / "claims.npz")
    save_packed(ClaimReader().state_dict(), tmp_path / "start.npz")
    options = argparse.Namespace(
        folder=tmp_path, reader=CLAIMS, out=tmp_path / "out.npz", minutes=0.02, rate=1e-4, tokens=128, max_tokens=320,
        workers=0, seed=random.Random(0).randrange(9),
    )  # fmt: skip
    train(options)
    before, after = load_packed(tmp_path / "start.npz"), load_packed(tmp_path / "out.npz")
    name = "body.encoder.layer.11.output.dense.weight"
    assert not torch.equal(before[name], after[name])
    assert capsys.readouterr().out.count("AUC") == 3


def test_area_under_the_curve():
    assert compute_auc([0.9, 0.8, 0.1], [True, True, False]) == 1.0
    assert compute_auc([0.9, 0.8, 0.1], [False, True, True]) == 0.0
