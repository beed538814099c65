"""The built-in answerer, on the samples: the sentence itself, cited in its place, or a refusal."""

from __future__ import annotations

import json

import pytest

from highlighter.answering.answer import CitationEvent, DoneEvent, EvidenceEvent, SubQuestionsEvent, TokenEvent
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.errors import BadRequest
from tests.conftest import SAMPLES

QUESTIONS = [
    (entry["file"], item["question"], item["answer"])
    for entry in json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    for item in entry["questions"]
]


@pytest.mark.parametrize(("file", "question", "sentence"), QUESTIONS[::3])
def test_cites_the_sentence_that_answers(sampled, file, question, sentence):
    answer = sampled.answer_pipeline.answer(QuestionRequest(question))
    best = answer.citations[0]
    assert (best.filename, _plain(best.quote)) == (file, _plain(sentence))
    assert answer.text[best.start : best.end] == best.label
    document = sampled.catalog.document(best.document_id)
    assert sampled.catalog.text(document)[best.quote_start : best.quote_end] == best.quote
    assert best.sha256 == document.sha256


def test_a_quotation_that_says_that_something_is_not_said_is_an_answer(sampled):
    said = "The available documents do not mention the amount that was paid for the barge."
    source = CallerSource(f"The audit was closed in May. {said} The auditor asked for the invoices.", "Audit.txt")
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("What do the documents say of the amount paid for the barge?", sources=[source])
    )
    assert not answer.refused
    assert answer.citations[0].quote == said


def test_refuses_what_no_document_answers(sampled):
    answer = sampled.answer_pipeline.answer(QuestionRequest("Who won the chess championship of 1972?"))
    assert answer.refused
    assert answer.refusal_reason
    assert not answer.citations


@pytest.mark.parametrize(
    ("style", "mark", "listed"), [("footnote", "¹", "¹ Harbour"), ("endnote", "[1]", "[1] Harbour")]
)
def test_styles_number_the_sources_and_list_them(sampled, style, mark, listed):
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("How much does the Contractor pay for each day of delay?", citation_style=style)
    )
    assert answer.citations[0].label == mark
    assert answer.text.splitlines()[-1].startswith(listed)


def test_without_citations_the_text_has_no_marks_and_the_answer_still_knows_them(sampled):
    answer = sampled.answer_pipeline.answer(QuestionRequest("When is the fire alarm tested?", include_citations=False))
    assert "[" not in answer.text
    assert answer.citations[0].filename == "Laboratory Safety Note.txt"


def test_answers_from_texts_of_the_callers_own(sampled):
    given = (
        CallerSource("The ferry leaves at seven. It carries no cars.", "ferry.txt"),
        CallerSource("Bread costs two pounds."),
    )
    answer = sampled.answer_pipeline.answer(QuestionRequest("When does the ferry leave?", sources=given))
    assert answer.citations[0].quote == "The ferry leaves at seven."
    assert (answer.citations[0].filename, answer.citations[0].document_id) == ("ferry.txt", "")


def test_sources_without_text_are_refused_with_the_reason(sampled):
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("When does the ferry leave?", sources=(CallerSource("  "),))
    )
    assert answer.refused
    assert "no text" in answer.refusal_reason


def test_each_step_is_told_in_order_and_the_tokens_are_the_text(sampled):
    steps = list(sampled.answer_pipeline.stream_events(QuestionRequest("Who may cancel a dive?")))
    assert [type(step) for step in steps[:2]] == [SubQuestionsEvent, EvidenceEvent]
    assert isinstance(steps[-1], DoneEvent)
    answer = steps[-1].answer
    assert "".join(step.text for step in steps if isinstance(step, TokenEvent)) == answer.text
    assert tuple(step.citation for step in steps if isinstance(step, CitationEvent)) == answer.citations


def test_labels_are_no_two_sources(sampled):
    answer = sampled.answer_pipeline.answer(QuestionRequest("What does the Contractor pay?", limit=20))
    labels = [source.label for source in answer.sources]
    assert len(labels) == len(set(labels)) > 2


@pytest.mark.parametrize(
    "how",
    [{"question": " "}, {"question": "x" * 5000}, {"question": "a?", "mode": "x"}, {"question": "a?", "limit": 0}],
)
def test_what_cannot_be_asked_is_refused_in_words(how):
    with pytest.raises(BadRequest) as refusal:
        QuestionRequest(**how)
    assert refusal.value.detail.endswith(".")


def _plain(text: str) -> str:
    return " ".join(text.split())
