"""Training of the claim reader: its lessons, its examples, its loss and its graph."""

import json
import random
from itertools import islice

import numpy as np
import pytest
import torch

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.engines import open_session
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.evidence.judged_passages import JudgedPassage
from training.entailment.examples import MAX_TOKENS, build_example, build_tensors, draw_batches, vary
from training.entailment.export import build_graph
from training.entailment.judged_pairs import (
    CONTRADICTED,
    ENTAILED,
    LESSONS_FOLDER,
    NEUTRAL,
    JudgedPair,
    read_lessons,
    read_quoted_lessons,
)
from training.entailment.made_pairs import (
    alter_sentence,
    join_claims,
    make_from_passages,
    make_unrelated,
    reword_sentence,
    shorten_sentence,
)
from training.entailment.model import ClaimReader, compute_loss
from training.lesson_purposes import LEARNED, MEASURED, WEIGHED

pytestmark = pytest.mark.integrations

PAIR = JudgedPair("one", "number", "It pays £5.", ("It rained.", "It pays £5."), ENTAILED, (1,), "en", "en")
OTHERS = [JudgedPair("two", "number", "No.", ("Another text.",), NEUTRAL, (), "en", "en")]


@pytest.fixture(scope="module")
def tokenizer():
    return open_vocabulary(MULTILINGUAL).tokenizer


@pytest.mark.parametrize("path", sorted(LESSONS_FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_lesson_is_well_formed(path):
    scenarios = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({scenario["id"] for scenario in scenarios}) == len(scenarios)
    for scenario in scenarios:
        texts = [claim[0] for claim in scenario["claims"]]
        assert len(set(texts)) == len(texts), scenario["id"]
        for text, label, _, deciding, *_ in scenario["claims"]:
            assert label in (ENTAILED, NEUTRAL, CONTRADICTED), text
            assert set(deciding) <= set(range(len(scenario["sentences"]))), text
            assert deciding or label == NEUTRAL, text


def test_measured_lessons_are_never_trained_on():
    trained, weighed, measured = (list(read_lessons(purpose=purpose)) for purpose in (LEARNED, WEIGHED, MEASURED))
    texts = {pair.sentences for pair in trained}
    assert texts.isdisjoint({pair.sentences for pair in (*weighed, *measured)})
    assert 0.05 < len(measured) / len(trained) < 0.2
    assert 0.02 < len(weighed) / len(trained) < 0.1
    assert {pair.sentences for pair in read_quoted_lessons()} == {pair.sentences for pair in trained}


def test_deciding_sentences_are_followed_wherever_others_are_put():
    for seed in range(60):
        varied = vary(PAIR, OTHERS, random.Random(seed))
        assert [varied.sentences[index] for index in varied.carried_by] == ["It pays £5."]


def test_example_marks_the_tokens_of_claim_and_sentences(tokenizer):
    example = build_example(PAIR, tokenizer)
    assert sorted(set(example.owners)) == [-1, 0, 1]
    assert example.carries.tolist() == [0, 1]
    first = int(np.argmax(example.owners == 1))
    assert "pays" in tokenizer.decode(example.ids[first:].tolist())
    long = JudgedPair("one", "", "It is.", ("word " * MAX_TOKENS,), ENTAILED, None, "en", "en")
    assert build_example(long, tokenizer) is None


def test_sets_are_drawn_by_weight_in_batches_of_limited_size(tokenizer):
    batches = list(islice(draw_batches({3.0: [PAIR], 1.0: OTHERS}, tokenizer, 300, random.Random(0)), 60))
    assert all(len(batch) * max(len(example.ids) for example in batch) <= 300 for batch in batches)
    labels = [example.label for batch in batches for example in batch]
    assert 0.6 < labels.count(0) / len(labels) < 0.9


def test_loss_asks_for_two_classes_where_a_set_tells_only_two():
    batch = {"labels": torch.tensor([3]), "carries": torch.full((1, 1), -1.0)}
    none = torch.zeros(1, 1)
    for verdicts in ([-9.0, 9.0, 0.0], [-9.0, 0.0, 9.0]):
        assert compute_loss(torch.tensor([verdicts]), none, batch) < 0.01
    assert compute_loss(torch.tensor([[9.0, 0.0, 0.0]]), none, batch) > 5


def test_passages_make_quoted_absent_and_altered_sentences():
    sentences = tuple(f"The town had {n} thousand inhabitants in 19{n}0." for n in range(2, 9))
    passage = JudgedPassage("set", "1", "1", "How many?", sentences, (True,) * 7, ())
    pairs = list(make_from_passages([passage] * 60, random.Random(0)))
    assert {pair.label for pair in pairs} == {ENTAILED, NEUTRAL, CONTRADICTED}
    assert all((pair.claim in pair.sentences) == (pair.label == ENTAILED) for pair in pairs)


def test_sentences_that_do_not_decide_leave_a_claim_open():
    pairs = [pair for pair in read_lessons() if pair.carried_by][:300]
    texts = {pair.claim: pair for pair in pairs}
    made = list(make_unrelated(pairs, random.Random(0)))
    assert {pair.kind for pair in made} == {"undecided", "unrelated"}
    for pair in made:
        source = texts[pair.claim]
        deciding = {source.sentences[index] for index in source.carried_by}
        assert (pair.label, pair.carried_by) == (NEUTRAL, ())
        assert pair.sentences
        assert deciding.isdisjoint(pair.sentences)
        assert (pair.kind == "undecided") == set(pair.sentences).issubset(source.sentences)


def test_joined_claims_are_true_when_both_are():
    pairs = list(read_lessons())[:200]
    truth = {pair.claim.rstrip(".。")[1:]: pair.label for pair in pairs}
    joined = list(join_claims(pairs, random.Random(0)))
    assert {pair.label for pair in joined} == {ENTAILED, NEUTRAL, CONTRADICTED}
    for pair in joined:
        labels = {label for claim, label in truth.items() if claim in pair.claim}
        assert (labels == {ENTAILED}) == (pair.label == ENTAILED), pair.claim


@pytest.mark.parametrize(
    ("text", "restatements"),
    [
        ("The Tenant shall pay within 28 days.", {"must"}),
        ("Interest runs at 4 per cent.", {"4%", "4 percent"}),
        ("The licence runs for four years.", {"4 years"}),
    ],
)
def test_restated_sentence_says_the_same_in_other_words(text, restatements):
    restated = {reword_sentence(text, random.Random(seed)) for seed in range(20)} - {None}
    assert all(any(words in claim for words in restatements) for claim in restated)
    assert len(restated) >= len(restatements)


@pytest.mark.parametrize(
    ("text", "shortened"),
    [
        ("The mayor opened the new harbour (the third one) in the spring.", {"The mayor opened the new harbour in the spring.", "The mayor opened the new harbour (the third one)."}),
        ("The film was shown and the critics were pleased.", {"The film was shown.", "The critics were pleased."}),
        ("Only members opened the new harbour in the spring.", set()),
        ("The mayor did not open the new harbour in the spring.", set()),
    ],
)  # fmt: skip
def test_shortened_sentence_lacks_a_place_a_time_or_an_aside(text, shortened):
    assert {shorten_sentence(text, random.Random(seed)) for seed in range(40)} - {None} == shortened


@pytest.mark.parametrize("text", ["公司利润增加。", "他是医生。", "The fee is 40 euros."])
def test_altered_sentence_differs(text):
    assert alter_sentence(text, random.Random(1)) not in (None, text)


def test_exported_graph_says_what_pytorch_says(tmp_path, tokenizer):
    import onnx

    torch.manual_seed(0)
    model = ClaimReader(layers=2).eval()
    torch.nn.init.normal_(model.roles.weight)
    weights = {name.removeprefix("body."): tensor.numpy() for name, tensor in model.state_dict().items()}
    onnx.save(build_graph(weights), tmp_path / "reader.onnx")
    tensors = build_tensors([build_example(PAIR, tokenizer)])
    embedded = torch.from_numpy(open_vocabulary(MULTILINGUAL).look_up(tensors["ids"].numpy()))
    owners = tensors["owners"].numpy()
    with torch.no_grad():
        verdicts, carries = model(embedded, tensors["owners"])
    read = open_session(tmp_path / "reader.onnx").run(
        None,
        {
            "embedded": embedded.numpy(),
            "roles": (owners >= 0).astype(np.int64),
            "member": (owners[:, None] == np.arange(2)[None, :, None]).astype(np.float32),
            "claim": (owners == -1).astype(np.float32)[:, None],
        },
    )
    assert np.allclose(read[0], verdicts, atol=1e-4)
    assert np.allclose(read[1], carries, atol=1e-4)
