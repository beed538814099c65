"""Tests of the search within one document."""

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


def find_texts(services, document, query, by="words"):
    found = services.document_search.find(document, query, by)
    text = services.catalog.text(document)
    return [text[span.start : span.end] for span in found.spans]


def test_words_are_found_in_order_from_their_beginning(services, document):
    assert find_texts(services, document, "delay") == ["Delay", "delay", "delay"]
    assert find_texts(services, document, "laid") == []
    assert find_texts(services, document, "WEATHER is") == ["weather is"]
    assert find_texts(services, document, "cooperative") == ["co-operative"] or find_texts(
        services, document, "cooperative"
    )
    assert find_texts(services, document, "员工食堂") == ["員工食堂"]
    assert find_texts(services, document, ";") == [";"]


def test_scattered_words_are_found_by_sentence_with_note(services, document):
    found = services.document_search.find(document, "pounds costs day")
    assert len(found.spans) == 1
    assert "No exact phrase found" in found.note
    assert find_texts(services, document, "pounds weather") == []


def test_missing_word_gives_note(services, document):
    found = services.document_search.find(document, "penguin")
    assert found.spans == ()
    assert "“penguin” was not found in a.txt" in found.note


def test_search_by_meaning_finds_sentences_that_answer(services, document):
    assert "Nobody pays when the weather stops the work." in find_texts(
        services, document, "Who pays when a storm halts the work?", "meaning"
    )
    assert "close enough" in services.document_search.find(document, "quantum chromodynamics", "meaning").note


def test_each_match_has_chunk_and_page(library):
    contract = next(d for d in library.catalog.documents() if d.name == "Harbour Works Contract.pdf")
    spans = library.document_search.find(contract, "Contractor").spans
    assert len(spans) > 20
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    for span in spans:
        chunk = library.catalog.chunk(contract, span.chunk)
        assert chunk.start <= span.start < span.end <= chunk.end
        assert chunk.first_page <= span.page <= chunk.last_page


@pytest.mark.parametrize("query", ["", "  ", "q" * 2001])
def test_empty_and_too_long_queries_are_refused(services, document, query):
    with pytest.raises(BadRequest):
        services.document_search.find(document, query)


def test_numbers_are_found_in_every_form(services, write):
    text = "Pay within thirty days. Or within 30 days. Not within 130 days. 租客須於三十天內付款。"
    document = write("forms.txt", text)
    for query, expected in (
        ("30 days", ["thirty days", "30 days", "三十天"]),
        ("30天", ["thirty days", "30 days", "三十天"]),
    ):
        spans = services.document_search.find(document, query).spans
        assert [text[span.start : span.end] for span in spans] == expected
