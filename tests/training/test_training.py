"""Training on a few judged passages: every step must run, the result need not be good."""

import gzip
import json

import numpy as np
import pytest

from highlighter.embedding.bundled_model import BUNDLED_MODELS
from highlighter.evidence.joint_model import JOINT_COLUMN_NAMES, JointScorer
from highlighter.evidence.judged_passages import JudgedPassage, is_gold_overlap, read_datasets
from training.__main__ import main
from training.altered_passages import exchange_letters, exchange_question_detail, remove_evidence
from training.example_selection import (
    MEASURED_ARTICLES,
    REPETITIONS,
    build_training_examples,
    is_held_out,
    is_measured,
)

pytestmark = pytest.mark.integrations


@pytest.fixture
def data(tmp_path):
    rows = []
    for n in range(60):
        context = f"Mr Brown sold {n} boats in 19{n:02}. It rained. Nobody was hurt on the quay."
        rows.append({"id": f"q{n}", "group": f"d{n}", "question": f"How many boats did Mr Brown sell in 19{n:02}?",
                     "context": context, "spans": [[0, context.index(".") + 1]], "answer_spans": [[14, 15]]})  # fmt: skip
    (tmp_path / "train").mkdir()
    with gzip.open(tmp_path / "train" / "boats.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_trained_model_can_be_loaded(data, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["training", str(data), "--minutes", "0.02", "--layers", "1",
                                     "--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")])  # fmt: skip
    assert main() == 0
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {"joint.onnx", "tokenizer.json", "calibrations"}
    for name in BUNDLED_MODELS:
        assert {path.name for path in (out / "calibrations" / name).iterdir()} == {"quick.npz", "full.npz"}
    reading = JointScorer(tmp_path / "out").score_passage("How many boats?", ["Ten boats.", "It rained."], np.zeros(2))
    assert reading.sentence_indexes == (0, 1)
    assert reading.columns.shape == (2, len(JOINT_COLUMN_NAMES))
    assert np.isfinite(reading.columns).all()


def test_exported_graph_gives_the_logits_of_the_trained_model(tmp_path):
    import torch

    from highlighter.embedding.engines import open_session
    from training.model import JointModel
    from training.onnx_export import export

    torch.manual_seed(0)
    model = JointModel(30_522, layers=2).eval()
    for parameter in (model.kinds.weight, model.answer.weight, model.none.weight, model.none.bias):
        torch.nn.init.normal_(parameter, std=0.1)
    torch.save(model.state_dict(), tmp_path / "model.pt")
    export(tmp_path / "model.pt", 2, tmp_path / "joint.onnx")
    generator = np.random.default_rng(0)
    ids, kinds = generator.integers(1_000, 20_000, (1, 40)), generator.integers(0, 6, (1, 40))
    positions = np.array([[-1] * 10 + [0] * 12 + [1] * 18])
    with torch.no_grad():
        none, sentences, _ = model(torch.tensor(ids), torch.tensor(kinds), torch.tensor(positions))
    member = (positions[:, None, :] == np.arange(2)[None, :, None]).astype(np.float32)
    exported = open_session(tmp_path / "joint.onnx").run(None, {"ids": ids, "kinds": kinds, "member": member})
    np.testing.assert_allclose(exported[0], none.numpy(), atol=0.05)
    np.testing.assert_allclose(exported[1], sentences.numpy(), atol=0.05)


def test_same_documents_are_always_held_out(data):
    passages = list(read_datasets(data / "train"))
    held_out = [passage for passage in passages if is_held_out(passage)]
    assert 0 < len(held_out) < len(passages) / 4
    assert held_out == [passage for passage in passages if is_held_out(passage)]


def test_measured_articles_are_never_learned():
    from highlighter.evidence.joint_model import MODEL_FOLDER

    passages = [
        JudgedPassage(name, "i", article, "Who asks?", ("Bo asks.", "It rains."), (False, False), ())
        for name in ("squad2_adversarial", "squad2_adversarial.noevidence")
        for article in (*MEASURED_ARTICLES, "Warsaw")
    ]
    assert [is_measured(passage) for passage in passages] == [True, True, False] * 2
    learned = build_training_examples(passages, MODEL_FOLDER / "tokenizer.json")
    assert len(learned) == REPETITIONS["squad2_adversarial"] + REPETITIONS["squad2_adversarial.noevidence"]


def test_sentence_is_gold_when_more_than_half_of_the_shorter_is_shared():
    assert is_gold_overlap(0, 10, 4, 100)
    assert not is_gold_overlap(0, 10, 5, 100)
    assert is_gold_overlap(0, 100, 98, 100)


def build_passage(question="How many boats did Mr Brown sell in 1950?"):
    return JudgedPassage(
        "s", "i", "g", question, ("Mr Brown sold 9 boats.", "It rained.", "So it was."), (True, False, False), ()
    )


def test_passage_without_its_evidence_has_no_gold_sentence():
    altered = remove_evidence(build_passage())
    assert altered.sentences == ("It rained.", "So it was.")
    assert not any(altered.gold)


def test_question_of_another_passage_has_no_gold_sentence():
    import random

    other = exchange_question_detail(
        build_passage(), [build_passage("What did Ms Green buy in 1961?")], random.Random(0)
    )
    assert other.question != build_passage().question
    assert not any(other.gold)


def test_invented_words_are_still_shared():
    import random

    for seed in range(10):
        altered = exchange_letters(build_passage(), random.Random(seed))
        question_words, sentence_words = altered.question.split(), altered.sentences[0].split()
        assert question_words[2] == sentence_words[4].rstrip(".")
        assert question_words[2] != "boats"
        assert altered.gold == build_passage().gold
