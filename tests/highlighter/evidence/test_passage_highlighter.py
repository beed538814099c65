"""Highlighting the sentences of chunks and of callers' own texts."""

import pytest

from highlighter.answering.request import QuestionRequest
from highlighter.embedding.embedder import Embedder
from highlighter.errors import Unavailable
from highlighter.evidence import passage_highlighter
from highlighter.evidence.passage_highlighter import (
    NOTHING_HIGHLIGHTED,
    WHOLE_PASSAGE_HIGHLIGHTED,
    PassageHighlighter,
    PassageRequest,
    highlight_passages,
)
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.services import Services
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES


def list_highlighted(evidence):
    return [scored.sentence.text for scored in evidence.sentences if scored.highlighted]


def test_answering_sentence_is_highlighted(services, note):
    chunk = services.catalog.chunk(note, 0)
    evidence = services.passage_highlighter.highlight_chunk("How much is a ticket?", chunk)
    assert list_highlighted(evidence) == ["Tickets cost four pounds and are sold on board."]


def test_sentences_of_a_stored_chunk_are_not_encoded_again(services, note, monkeypatch):
    """Only the question is encoded, and only once."""
    encoded_texts = []
    encode = Embedder._encode
    monkeypatch.setattr(
        Embedder, "_encode", lambda self, texts, prefix: encoded_texts.extend(texts) or encode(self, texts, prefix)
    )
    question = "When may the captain cancel the crossing today?"
    for _ in range(2):
        services.passage_highlighter.highlight_chunk(question, services.catalog.chunk(note, 0))
    assert encoded_texts == [question]


def test_what_was_found_lately_is_not_computed_again(services, note, monkeypatch):
    """A click on a citation asks for the question and the chunk that the answer has just scored."""
    scored = []
    score = services.evidence_scorer.score
    monkeypatch.setattr(
        services.evidence_scorer, "score", lambda *args, **how: scored.append(args) or score(*args, **how)
    )
    chunk = services.catalog.chunk(note, 0)
    highlight = services.passage_highlighter.highlight_chunk
    first = highlight("Do small children pay?", chunk)
    assert highlight("Do small children pay?", services.catalog.chunk(note, 0)) is first
    assert len(scored) == 1
    highlight("Do small children pay?", chunk, threshold=0.9)
    highlight("Do dogs pay?", chunk)
    assert len(scored) == 3


def test_evidence_without_the_model_is_not_remembered(services, note, monkeypatch):
    def fail(self, text):
        raise Unavailable("gone")

    chunk = services.catalog.chunk(note, 0)
    with monkeypatch.context() as patch:
        patch.setattr(Embedder, "encode_question", fail)
        assert services.passage_highlighter.highlight_chunk("Do children pay?", chunk).degraded
    assert not services.passage_highlighter.highlight_chunk("Do children pay?", chunk).degraded


def test_stored_chunk_and_same_text_have_the_same_evidence(services, note):
    chunk = services.catalog.chunk(note, 0)
    question = "Do small children pay?"
    stored = services.passage_highlighter.highlight_chunk(question, chunk)
    stateless = services.passage_highlighter.highlight_text(question, chunk.text)
    assert list_highlighted(stored) == list_highlighted(stateless)
    for first, second in zip(stored.sentences, stateless.sentences, strict=True):
        assert first.similarity == pytest.approx(second.similarity, abs=1e-4)


def test_passage_of_a_batch_has_the_evidence_of_the_passage_alone(services):
    questions = ("Who leaves at noon?", "Alice stays.")
    text = "Alice stays. Bob leaves at noon."
    requests = [PassageRequest(question, question, text) for question in questions]
    found = highlight_passages(requests, services.embedder, services.evidence_scorer, "evidence", 0.5)
    for request, evidence in found:
        alone = services.passage_highlighter.highlight_text(request.question, text)
        assert evidence.sentences == alone.sentences


def test_offsets_refer_to_the_callers_own_text(services):
    text = "  😀 Alice stays.\r\n\r\nBob leaves at noon. "
    for scored in services.passage_highlighter.highlight_text("When does Bob leave?", text).sentences:
        assert text[scored.sentence.start : scored.sentence.end] == scored.sentence.text


def test_nothing_is_highlighted_without_an_embedding_model(services, note):
    broken = Embedder("/there/is/no/such/model")
    chunk = services.catalog.chunk(note, 0)
    evidence = PassageHighlighter(services.catalog, broken, services.evidence_scorer, "evidence", 0.5).highlight_chunk(
        "How much is a ticket?", chunk
    )
    assert evidence.degraded == NOTHING_HIGHLIGHTED
    assert list_highlighted(evidence) == []
    assert len(evidence.sentences) == note.sentences


def test_whole_text_is_highlighted_when_it_cannot_be_split(services, monkeypatch):
    def fail(text):
        raise RuntimeError("no sentences today")

    monkeypatch.setattr(passage_highlighter, "split_sentences", fail)
    evidence = services.passage_highlighter.highlight_text("Who?", "Alice stays. Bob leaves.")
    assert evidence.degraded == WHOLE_PASSAGE_HIGHLIGHTED
    assert list_highlighted(evidence) == ["Alice stays. Bob leaves."]


def test_heading_is_not_highlighted(services, process_pool):
    document = ingest_file(SAMPLES / "Harbour Works Contract.pdf", services, process_pool).document
    for chunk in services.catalog.chunks(document):
        if "6.3 Early warning." in chunk.text:
            highlighted = list_highlighted(
                services.passage_highlighter.highlight_chunk("When must the Contractor give an early warning?", chunk)
            )
            assert any(
                sentence.startswith("An early warning is given within two working days") for sentence in highlighted
            )
            assert "6.3 Early warning." not in highlighted


def test_what_an_answer_found_is_not_computed_again_by_another_process(services, note, monkeypatch):
    """The answer's scores are stored with it: a click on a citation computes nothing, whoever serves it."""
    question = "Do small children pay?"
    answer = services.answer_pipeline.answer(QuestionRequest(question))
    chunk = services.catalog.chunk(note, answer.citations[0].chunk_index)
    found = services.passage_highlighter.highlight_chunk(question, chunk)

    def fail(*_args, **_kwargs):
        raise Unavailable("gone")

    monkeypatch.setattr(Embedder, "_encode", fail)
    monkeypatch.setattr(EvidenceScorer, "score", fail)
    other = Services(services.settings).passage_highlighter
    assert list_highlighted(found)
    assert other.highlight_chunk(question, chunk) == found
    assert other.highlight_chunk(question, chunk, threshold=0.0).sentences[0].highlighted
    assert other.highlight_chunk("Do dogs pay?", chunk).degraded


def test_stored_scores_of_another_scorer_are_not_used(services, note):
    question, chunk = "Do small children pay?", services.catalog.chunk(note, 0)
    highlighter = services.passage_highlighter
    highlighter.save_evidence([(chunk, highlighter.highlight_chunk(question, chunk))])
    stored = highlighter.stored_scores
    assert stored.find_scores(chunk, question, "evidence", highlighter._scorer_name) is not None
    without_joint = EvidenceScorer(services.evidence_scorer.calibration, None)
    assert without_joint.fingerprint != services.evidence_scorer.fingerprint
    assert stored.find_scores(chunk, question, "evidence", without_joint.fingerprint) is None
    services.catalog.delete(note.id)
    assert stored.find_scores(chunk, question, "evidence", highlighter._scorer_name) is None


@pytest.mark.parametrize(
    ("question", "threshold"),
    [("Calories per portion of food?", 0.3), ("How many calories per portion of berries?", 0.15)],
)
def test_header_row_of_a_table_is_not_highlighted(services, process_pool, tmp_path, question, threshold):
    """Neither when its score is computed, nor when it is stored and the threshold is lower."""
    path = tmp_path / "Portions.md"
    rows = "| Food | Calories per portion |\n|---|---|\n| Apples | 95 |\n| Berries | 57 |\n"
    path.write_text(f"# Portions\n\nA portion has calories.\n\n{rows}", encoding="utf-8")
    chunk = services.catalog.chunk(ingest_file(path, services, process_pool).document, 0)
    computed = services.passage_highlighter.highlight_chunk(question, chunk, threshold=threshold)
    services.passage_highlighter.save_evidence([(chunk, services.passage_highlighter.highlight_chunk(question, chunk))])
    stored = Services(services.settings).passage_highlighter.highlight_chunk(question, chunk, threshold=threshold)
    for evidence in (computed, stored):
        assert "Food\tCalories per portion" in [scored.sentence.text for scored in evidence.sentences]
        assert {scored.sentence.text: scored.score for scored in evidence.sentences}[
            "Food\tCalories per portion"
        ] == 0.0
        assert "Food\tCalories per portion" not in list_highlighted(evidence)
        assert list_highlighted(evidence)


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Which food has 57 calories?", "Berries\t57\t1.1"),
        ("How many calories does an apple have?", "Apple\t95\t0.5"),
        ("Which food has 2.7 grams of protein?", "Rye bread\t83\t2.7"),
    ],
)
def test_row_of_a_table_is_judged_with_its_headers(services, process_pool, tmp_path, question, row):
    path = tmp_path / "Portions.md"
    rows = "| Apple | 95 | 0.5 |\n| Berries | 57 | 1.1 |\n| Rye bread | 83 | 2.7 |\n"
    path.write_text(f"# Portions\n\n| Food | Calories | Protein in grams |\n|---|---|---|\n{rows}", encoding="utf-8")
    chunk = services.catalog.chunk(ingest_file(path, services, process_pool).document, 0)
    assert list_highlighted(services.passage_highlighter.highlight_chunk(question, chunk)) == [row]


FAQ = """# Frequently asked questions – CityBike Halden

## Is there a monthly pass?
Yes, for 19 euros; students pay 12.

## Are the cargo bikes electric?
Not all of them. The blue ones are; the green ones are not.

## Do I need a helmet?
The law does not require one, but we recommend it.
"""
DATA_SHEET = """# Safety Data Sheet – Kalorit 40 (descaler)

Date of issue: 5 November 2024, Brandt Chemie

## First aid
Skin: wash at once with plenty of water and take off contaminated clothing.

## Properties
The density is 1.27 g/cm³. The boiling point is about 105 °C.

## Storage
Store between 5 and 30 °C, away from chlorine bleach and strong bases, in the closed original container.
"""


@pytest.mark.parametrize(
    ("text", "question", "sentence"),
    [
        (FAQ, "Are the cargo bikes electric?", "The blue ones are; the green ones are not."),
        (FAQ, "Do I need a helmet?", "The law does not require one, but we recommend it."),
        (FAQ, "Which cargo bikes of CityBike Halden are electric?", "The blue ones are; the green ones are not."),
        (FAQ, "How much is a day ticket for the ferry?", ""),
        (DATA_SHEET, "What is the density of Kalorit 40?", "The density is 1.27 g/cm³."),
        (DATA_SHEET, "At what temperatures does Brandt Chemie store Kalorit 40?", "Store between 5 and 30 °C"),
        (DATA_SHEET, "What is the price of Kalorit 40?", ""),
    ],
)
def test_title_and_question_above_a_sentence_are_read_with_it(
    services, process_pool, tmp_path, text, question, sentence
):
    path = tmp_path / "notes.md"
    path.write_text(text, encoding="utf-8")
    document = ingest_file(path, services, process_pool).document
    evidence = [
        services.passage_highlighter.highlight_chunk(question, chunk) for chunk in services.catalog.chunks(document)
    ]
    highlighted = [text for found in evidence for text in list_highlighted(found)]
    assert bool(highlighted) == bool(sentence)
    assert not sentence or any(sentence in text for text in highlighted)
