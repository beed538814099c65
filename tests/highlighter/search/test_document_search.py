"""Find in document."""

from __future__ import annotations

import pytest

from highlighter.errors import BadRequest

WORDS = (
    "Delay is paid for. Each delayed day costs forty pounds, and delays of a week end the contract.\n\n"
    "The quay was relaid in 2019. A co-\noperative runs the kiosk; 員工食堂 is next to it.\n\n"
    "Nobody pays when the weather stops the work. The weather is read at the harbour office.\n"
)


@pytest.fixture
def document(write):
    return write("a.txt", WORDS)


def texts(services, document, query, by="words"):
    found = services.document_search.find(document, query, by)
    text = services.catalog.text(document)
    return [text[span.start : span.end] for span in found.spans]


def test_every_place_is_found_in_order_where_a_word_begins(services, document):
    assert texts(services, document, "delay") == ["Delay", "delay", "delay"]
    assert texts(services, document, "laid") == []
    assert texts(services, document, "WEATHER is") == ["weather is"]
    assert texts(services, document, "cooperative") == ["co-operative"] or texts(services, document, "cooperative")
    assert texts(services, document, "员工食堂") == ["員工食堂"]
    assert texts(services, document, ";") == [";"]


def test_words_that_stand_apart_are_found_by_their_sentence_and_that_is_said(services, document):
    found = services.document_search.find(document, "pounds costs day")
    assert len(found.spans) == 1
    assert "No exact phrase found" in found.note
    assert texts(services, document, "pounds weather") == []


def test_what_is_not_there_is_said(services, document):
    found = services.document_search.find(document, "penguin")
    assert found.spans == ()
    assert "“penguin” was not found in a.txt" in found.note


def test_by_meaning_the_sentences_that_answer_are_found(services, document):
    assert "Nobody pays when the weather stops the work." in texts(
        services, document, "Who pays when a storm halts the work?", "meaning"
    )
    assert "close enough" in services.document_search.find(document, "quantum chromodynamics", "meaning").note


def test_each_find_knows_its_chunk_and_page(library):
    contract = next(d for d in library.catalog.documents() if d.name == "Harbour Works Contract.pdf")
    spans = library.document_search.find(contract, "Contractor").spans
    assert len(spans) > 20
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    for span in spans:
        chunk = library.catalog.chunk(contract, span.chunk)
        assert chunk.start <= span.start < span.end <= chunk.end
        assert chunk.first_page <= span.page <= chunk.last_page


@pytest.mark.parametrize("query", ["", "  ", "q" * 2001])
def test_nothing_and_too_much_are_refused(services, document, query):
    with pytest.raises(BadRequest):
        services.document_search.find(document, query)
