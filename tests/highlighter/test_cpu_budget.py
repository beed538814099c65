"""A request over its processor time budget is stopped with an error; time spent waiting does not count."""

import time
from dataclasses import replace

import numpy as np
import pytest

from highlighter.cpu_budget import charge_cpu, check_cpu, set_cpu_budget
from highlighter.errors import CpuBudgetExceeded
from highlighter.evidence.explanations import explain_evidence
from highlighter.evidence.features import compute_features
from highlighter.evidence.joint_model import MODEL_FOLDER, JointTokenizer
from highlighter.models import Evidence, ScoredSentence, Sentence
from highlighter.serializers.search import serialize_highlights
from highlighter.text.model_instructions import find_model_instructions
from highlighter.text.sentences import split_sentences

QUOTE = "The ferry leaves the island at seven in the morning."
REQUESTS = {
    "check": {"answer": QUOTE, "sources": [{"text": QUOTE}]},
    "locate": {"quote": QUOTE},
    "highlight": {"question": "When does the ferry leave?", "text": QUOTE},
    "search": {"question": "When does the ferry leave?"},
    "answers": {"question": "When does the ferry leave?"},
    "citations/resolve": {"text": "It leaves at seven [note.txt, p.1]."},
}

EVIDENCE = Evidence(
    "When does it leave?", (ScoredSentence(Sentence(0, 0, len(QUOTE), QUOTE), 0.5, 0.5, True),), 0.5, "evidence"
)
# The steps of a highlight in a text of the caller's own, beside its embedding.
STEPS = {
    "splitting": lambda: split_sentences(QUOTE),
    "instructions": lambda: find_model_instructions([QUOTE]),
    "features": lambda: compute_features(EVIDENCE.question, [QUOTE], np.zeros(1)),
    "tokens": lambda: JointTokenizer(MODEL_FOLDER / "tokenizer.json").tokenize_passage(EVIDENCE.question, [QUOTE]),
    "explanation": lambda: explain_evidence(EVIDENCE),
    "response": lambda: serialize_highlights(EVIDENCE),
}


@pytest.fixture
def budget():
    yield set_cpu_budget
    set_cpu_budget(None)


@pytest.mark.parametrize("route", REQUESTS)
def test_request_over_its_cpu_budget_is_refused_with_advice(client, services, note, route):
    services.settings = replace(services.settings, request_cpu_seconds=0)
    refused = client.post(f"/api/v1/{route}", json=REQUESTS[route])
    assert (refused.status_code, refused.mimetype) == (503, "application/problem+json")
    assert int(refused.headers["Retry-After"]) > 0
    assert "Send a shorter text or fewer sources" in refused.json["detail"]


def test_streamed_answer_over_its_cpu_budget_ends_with_the_same_problem(client, services, note):
    services.settings = replace(services.settings, request_cpu_seconds=0)
    response = client.post("/api/v1/answers", json={"question": "When does the ferry leave?", "stream": True})
    last = response.get_data(as_text=True).strip().rpartition("event: ")[2]
    assert last.startswith("error")
    assert "more than 0 seconds of processor time" in last


def test_next_request_has_its_own_budget(client, services, note):
    services.settings = replace(services.settings, request_cpu_seconds=0)
    client.post("/api/v1/locate", json=REQUESTS["locate"])
    services.settings = replace(services.settings, request_cpu_seconds=60)
    assert client.post("/api/v1/locate", json=REQUESTS["locate"]).status_code == 200
    check_cpu()  # this thread has no budget after the request


def test_processor_time_of_other_threads_counts_and_waiting_does_not(budget):
    budget(0.2)
    time.sleep(0.3)
    check_cpu()
    with pytest.raises(CpuBudgetExceeded, match=r"more than 0\.2 seconds"):
        charge_cpu(0.3)


def test_encoding_many_texts_stops_at_the_budget(embedder, budget):
    budget(0)
    with pytest.raises(CpuBudgetExceeded):
        embedder.encode([f"Ferry {n} leaves." for n in range(50)])
    budget(None)
    assert embedder.encode(["The ferry leaves.", "It rains."]).shape == (2, 384)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_of_a_highlight_stops_at_the_budget(budget, step):
    budget(0)
    with pytest.raises(CpuBudgetExceeded):
        STEPS[step]()
    budget(None)
    STEPS[step]()
