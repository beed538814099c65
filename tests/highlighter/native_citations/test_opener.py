"""Tests of opened citations: recorded responses of each vendor lead to their sentences in the library."""

from __future__ import annotations

import pytest

from highlighter.access import VisibleCollections
from highlighter.native_citations.opener import NativeRequest
from tests.highlighter.native_formats.recorded_responses import RESPONSES


def open_response(services, response, **options):
    return services.citation_opener.open(NativeRequest(response, **options), VisibleCollections())


@pytest.mark.parametrize("recorded", RESPONSES, ids=lambda recorded: recorded.name)
def test_recorded_response_opens_its_sentences(note_services, recorded):
    opened = open_response(note_services, recorded.response, answer=recorded.answer, sources=tuple(recorded.sources))
    outcome = [
        {
            "cited": None if one.start is None else opened.text[one.start : one.end].strip(),
            "opens": [sentence.text for sentence in one.sentences],
            "tier": one.located.tier,
        }
        for one in opened.citations
    ]
    assert (opened.format, outcome) == (recorded.format, recorded.citations)
    for one in opened.citations:
        assert (one.located.place is None) == (one.located.tier == "none")
        assert one.located.place or one.located.reason.endswith(".")


def test_document_without_cited_words_opens_at_the_sentence_of_the_statement(services, contract):
    answer = "No diver may enter the water alone [1]. The Contractor pays £4,200 for each day of delay [1]."
    divers, damages = open_response(services, answer, sources=(contract.name,)).citations
    assert [sentence.text for sentence in divers.sentences] == [
        "4.3 No diver enters the water alone, at night, or while plant is moving within thirty metres."
    ]
    assert damages.sentences[-1].text == (
        "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."
    )
    assert divers.located.tier == damages.located.tier == "document"
