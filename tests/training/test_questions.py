"""Training of the question reader: its examples, its loss, and the weights with which it begins."""

import random

import numpy as np
import pytest
import torch

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import open_vocabulary
from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.grounding.entailment import MODEL_FILE, EntailmentModel
from training.entailment.export import read_exported
from training.entailment.judged_pairs import CONTRADICTED, NEUTRAL, JudgedPair
from training.entailment.model import ClaimReader
from training.questions.examples import MAX_TOKENS, Example, ask_by_claim, build_example, build_tensors, select_passages
from training.sentence_loss import compute_question_loss

pytestmark = pytest.mark.integrations

PASSAGE = JudgedPassage(
    "one", "1", "group", "Who pays?", ("It rained.", "The tenant pays."), (False, True), ((1, 4, 10),)
)
CLAIM = JudgedPair("two", "number", "Es kostet £5.", ("It rained.", "It costs £6."), CONTRADICTED, (1,), "en", "de")
OTHER = JudgedPair("two", "number", "No.", ("Another text.",), NEUTRAL, (), "en", "en")


@pytest.fixture(scope="module")
def tokenizer():
    return open_vocabulary(MULTILINGUAL).tokenizer


def test_claim_asks_for_the_sentences_that_decide_it():
    passage = ask_by_claim(CLAIM, [CLAIM, OTHER], random.Random(1))
    assert {text for text, gold in zip(passage.sentences, passage.gold, strict=True) if gold} == {"It costs £6."}
    assert set(passage.sentences) == {"It rained.", "It costs £6.", "Another text."}


def test_claims_across_languages_are_drawn_most():
    drawn = select_passages([], [CLAIM, OTHER], random.Random(1))
    questions = [passage.question for passage, _ in drawn]
    assert questions.count(CLAIM.claim) > questions.count(OTHER.claim) == 1


def test_long_passage_is_cut_around_its_evidence(tokenizer):
    texts = ["The weather was fine on that day, as on others."] * 60 + ["The tenant pays."]
    passage = JudgedPassage("one", "1", "group", "Who pays?", tuple(texts), (False,) * 60 + (True,), ())
    example = build_example(passage, 1.0, tokenizer)
    assert len(example.ids) <= MAX_TOKENS
    assert example.gold.sum() == 1


def test_loss_falls_when_the_right_sentence_leads_and_when_nothing_leads_without_one():
    def measure(none, *sentences, gold):
        example = Example(np.zeros(4, int), np.array([-1, 0, 1, 1]), np.array(gold, np.float32), 1.0)
        verdicts = torch.tensor([[0.0, none, 0.0]])
        return float(compute_question_loss(verdicts, torch.tensor([sentences]), build_tensors([example])))

    assert measure(0.0, -3.0, 3.0, gold=[0, 1]) < measure(0.0, 3.0, -3.0, gold=[0, 1])
    assert measure(3.0, -3.0, -3.0, gold=[0, 0]) < measure(-3.0, 3.0, -3.0, gold=[0, 0])


def test_carried_graph_gives_its_weights_back(tokenizer):
    model = ClaimReader()
    missing, unexpected = model.load_state_dict(read_exported(MODEL_FILE), strict=False)
    assert (missing, unexpected) == (["body.embeddings.word_embeddings.weight"], [])
    example = build_example(PASSAGE, 1.0, tokenizer)
    embedded = open_vocabulary(MULTILINGUAL).look_up(example.ids[None])
    with torch.no_grad():
        _, sentences = model.eval()(torch.from_numpy(embedded), torch.from_numpy(example.owners[None]))
    carried = EntailmentModel().read(PASSAGE.question, PASSAGE.sentences).deciding
    assert torch.sigmoid(sentences)[0].numpy() == pytest.approx(carried, abs=0.15)
