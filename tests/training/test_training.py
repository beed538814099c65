"""The road from judged passages to what is shipped, walked in small: it must go through, not be good."""

import gzip
import json

import numpy as np
import pytest

from highlighter.evidence.joint_model import JOINT_COLUMN_NAMES, JointScorer
from highlighter.evidence.judged_passages import JudgedPassage, is_gold_overlap, read_datasets
from training.__main__ import main
from training.altered import asking_of_another, in_no_language, without_evidence
from training.lessons import kept_back


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


@pytest.mark.slow
def test_what_is_made_can_be_read(data, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["training", str(data), "--minutes", "0.02", "--layers", "1",
                                     "--work", str(tmp_path / "work"), "--out", str(tmp_path / "out")])  # fmt: skip
    assert main() == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "joint.onnx",
        "tokenizer.json",
        "quick.npz",
        "full.npz",
    }
    word = JointScorer(tmp_path / "out").score_passage("How many boats?", ["Ten boats.", "It rained."], np.zeros(2))
    assert word.sentence_indexes == (0, 1)
    assert word.columns.shape == (2, len(JOINT_COLUMN_NAMES))
    assert np.isfinite(word.columns).all()


def test_some_documents_are_kept_back_and_not_by_chance(data):
    judged = list(read_datasets(data / "train"))
    kept = [one for one in judged if kept_back(one)]
    assert 0 < len(kept) < len(judged) / 4
    assert kept == [one for one in judged if kept_back(one)]


def test_a_sentence_is_gold_when_more_than_half_of_the_shorter_is_shared():
    assert is_gold_overlap(0, 10, 4, 100)
    assert not is_gold_overlap(0, 10, 5, 100)
    assert is_gold_overlap(0, 100, 98, 100)


def judged(question="How many boats did Mr Brown sell in 1950?"):
    return JudgedPassage(
        "s", "i", "g", question, ("Mr Brown sold 9 boats.", "It rained.", "So it was."), (True, False, False), ()
    )


def test_what_lost_its_evidence_holds_none():
    cut = without_evidence(judged())
    assert cut.sentences == ("It rained.", "So it was.")
    assert not any(cut.gold)


def test_a_question_asks_of_another():
    import random

    other = asking_of_another(judged(), [judged("What did Ms Green buy in 1961?")], random.Random(0))
    assert other.question != judged().question
    assert not any(other.gold)


def test_in_no_language_the_same_words_are_still_shared():
    import random

    for seed in range(10):
        made = in_no_language(judged(), random.Random(seed))
        asked, told = made.question.split(), made.sentences[0].split()
        assert asked[2] == told[4].rstrip(".")
        assert asked[2] != "boats"
        assert made.gold == judged().gold
