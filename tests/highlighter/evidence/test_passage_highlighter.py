import pytest

from highlighter.embedding.embedder import Embedder
from highlighter.evidence import passage_highlighter
from highlighter.evidence.passage_highlighter import NOTHING_HIGHLIGHTED, WHOLE_PASSAGE_HIGHLIGHTED, PassageHighlighter
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES


def lit(evidence):
    return [scored.sentence.text for scored in evidence.sentences if scored.highlighted]


def test_the_sentence_that_answers_is_lit(services, note):
    chunk = services.catalog.chunk(note, 0)
    found = services.passage_highlighter.highlight_chunk("How much is a ticket?", chunk)
    assert lit(found) == ["Tickets cost four pounds and are sold on board."]


def test_a_stored_chunk_is_not_embedded_again(services, note, monkeypatch):
    """Only the question is read by the model, and only once."""
    read = []
    encode = Embedder.encode
    monkeypatch.setattr(Embedder, "encode", lambda self, t: read.extend(t) or encode(self, t))
    question = "When may the captain cancel the crossing today?"
    for _ in range(2):
        services.passage_highlighter.highlight_chunk(question, services.catalog.chunk(note, 0))
    assert read == [question]


def test_stored_and_stateless_agree(services, note):
    chunk = services.catalog.chunk(note, 0)
    question = "Do small children pay?"
    stored = services.passage_highlighter.highlight_chunk(question, chunk)
    stateless = services.passage_highlighter.highlight_text(question, chunk.text)
    assert lit(stored) == lit(stateless)
    for a, b in zip(stored.sentences, stateless.sentences, strict=True):
        assert a.similarity == pytest.approx(b.similarity, abs=1e-4)


def test_offsets_of_a_stateless_call_index_the_callers_own_text(services):
    text = "  😀 Alice stays.\r\n\r\nBob leaves at noon. "
    for scored in services.passage_highlighter.highlight_text("When does Bob leave?", text).sentences:
        assert text[scored.sentence.start : scored.sentence.end] == scored.sentence.text


def test_without_a_model_the_plain_passage_and_a_notice(services, note):
    broken = Embedder("/there/is/no/such/model")
    chunk = services.catalog.chunk(note, 0)
    found = PassageHighlighter(services.catalog, broken, services.evidence_scorer, "evidence", 0.5).highlight_chunk(
        "How much is a ticket?", chunk
    )
    assert found.degraded == NOTHING_HIGHLIGHTED
    assert lit(found) == []
    assert len(found.sentences) == note.sentences


def test_sentences_that_cannot_be_told_apart_mark_the_whole(services, monkeypatch):
    def fail(text):
        raise RuntimeError("no sentences today")

    monkeypatch.setattr(passage_highlighter, "split_sentences", fail)
    found = services.passage_highlighter.highlight_text("Who?", "Alice stays. Bob leaves.")
    assert found.degraded == WHOLE_PASSAGE_HIGHLIGHTED
    assert lit(found) == ["Alice stays. Bob leaves."]


def test_a_heading_is_not_lit(services, process_pool):
    document = ingest_file(SAMPLES / "Harbour Works Contract.pdf", services, process_pool).document
    for chunk in services.catalog.chunks(document):
        if "6.3 Early warning." in chunk.text:
            found = lit(
                services.passage_highlighter.highlight_chunk("When must the Contractor give an early warning?", chunk)
            )
            assert any(sentence.startswith("An early warning is given within two working days") for sentence in found)
            assert "6.3 Early warning." not in found
