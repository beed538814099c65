from __future__ import annotations

import pytest
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

from highlighter.adapters.llamaindex import HighlighterPostprocessor
from tests.highlighter.adapters.conftest import SENTENCE, TICKET, awaited

FERRY = "The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars."
TICKETS = f"{SENTENCE} Children under five travel free of charge."
NOWHERE = "Whales are mammals. A ticket to the whale museum costs nine crowns."


def nodes(*texts: str, **metadata) -> list[NodeWithScore]:
    return [NodeWithScore(node=TextNode(text=one, metadata=dict(metadata)), score=0.5) for one in texts]


def test_nodes_know_what_is_lit_in_them_and_where_it_stands(library, opens):
    ferry, tickets, nowhere = HighlighterPostprocessor(library=library).postprocess_nodes(
        nodes(FERRY, TICKETS, NOWHERE, file_name="mine.txt"), query_str=TICKET
    )
    (lit,) = tickets.node.metadata["lit"]
    assert (lit["text"], tickets.node.text[lit["start"] : lit["end"]]) == (SENTENCE, SENTENCE)
    assert f">{SENTENCE}</mark>" in opens(tickets.node.metadata["links"]["self"]).replace("\n", "")
    assert (ferry.node.metadata["lit"], ferry.node.metadata["links"]) == ([], {})
    assert nowhere.node.metadata["lit"][0]["text"] == "A ticket to the whale museum costs nine crowns."
    assert nowhere.node.metadata["links"] == {}
    assert (tickets.score, tickets.node.metadata["file_name"]) == (0.5, "mine.txt")


def test_what_is_put_in_costs_a_model_nothing(library):
    (one,) = HighlighterPostprocessor(library=library).postprocess_nodes(nodes(TICKETS, page=1), query_str=TICKET)
    assert one.node.get_content(MetadataMode.LLM) == one.node.get_content(MetadataMode.EMBED) == f"page: 1\n\n{TICKETS}"


def test_nodes_without_evidence_are_dropped_when_asked_to(library):
    lighting = HighlighterPostprocessor(library=library, drop=True)
    kept = awaited(lambda: lighting.apostprocess_nodes(nodes(FERRY, TICKETS, " "), query_str=TICKET))
    assert [one.node.text for one in kept] == [TICKETS]
    assert lighting.postprocess_nodes(nodes(FERRY), query_str=TICKET) == []


def test_the_document_that_a_node_names_is_the_one_that_is_looked_in(library, note):
    lighting = HighlighterPostprocessor(library=library)
    (one,) = lighting.postprocess_nodes(nodes(TICKETS, document_id=note.id), query_str=TICKET)
    assert f"/documents/{note.id}/" in one.node.metadata["links"]["self"]


def test_an_id_of_another_index_is_no_hindrance(library, note):
    (one,) = HighlighterPostprocessor(library=library).postprocess_nodes(
        nodes(TICKETS, document_id="mine-17"), query_str=TICKET
    )
    assert f"/documents/{note.id}/" in one.node.metadata["links"]["self"]


def test_the_same_nodes_can_be_lit_again(library):
    lighting, again = HighlighterPostprocessor(library=library), nodes(TICKETS)
    for _ in range(2):
        (one,) = lighting.postprocess_nodes(again, query_str=TICKET)
    assert one.node.excluded_llm_metadata_keys == ["lit", "links"]


def test_without_a_question_there_is_no_evidence(library):
    with pytest.raises(ValueError, match="A question is required"):
        HighlighterPostprocessor(library=library).postprocess_nodes(nodes(TICKETS))
