"""Tests of the adapter for LlamaIndex, which they import themselves: it takes seconds, and each process collects this file."""

from __future__ import annotations

import pytest

from tests.highlighter.adapters.conftest import SENTENCE, TICKET, run_in_new_loop

FERRY = "The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars."
TICKETS = f"{SENTENCE} Children under five travel free of charge."
NOWHERE = "Whales are mammals. A ticket to the whale museum costs nine crowns."


def create_postprocessor(**options):
    from highlighter.adapters.llamaindex import HighlighterPostprocessor

    return HighlighterPostprocessor(**options)


def nodes(*texts: str, **metadata) -> list:
    from llama_index.core.schema import NodeWithScore, TextNode

    return [NodeWithScore(node=TextNode(text=text, metadata=dict(metadata)), score=0.5) for text in texts]


def test_nodes_have_highlighted_sentences_and_links(library, open_link):
    ferry, tickets, nowhere = create_postprocessor(library=library).postprocess_nodes(
        nodes(FERRY, TICKETS, NOWHERE, file_name="mine.txt"), query_str=TICKET
    )
    (highlighted,) = tickets.node.metadata["lit"]
    assert (highlighted["text"], tickets.node.text[highlighted["start"] : highlighted["end"]]) == (SENTENCE, SENTENCE)
    assert f">{SENTENCE}</mark>" in open_link(tickets.node.metadata["links"]["self"]).replace("\n", "")
    assert (ferry.node.metadata["lit"], ferry.node.metadata["links"]) == ([], {})
    assert nowhere.node.metadata["lit"][0]["text"] == "A ticket to the whale museum costs nine crowns."
    assert nowhere.node.metadata["links"] == {}
    assert (tickets.score, tickets.node.metadata["file_name"]) == (0.5, "mine.txt")


def test_added_metadata_is_not_shown_to_models(library):
    from llama_index.core.schema import MetadataMode

    (scored,) = create_postprocessor(library=library).postprocess_nodes(nodes(TICKETS, page=1), query_str=TICKET)
    assert (
        scored.node.get_content(MetadataMode.LLM)
        == scored.node.get_content(MetadataMode.EMBED)
        == f"page: 1\n\n{TICKETS}"
    )


def test_drop_leaves_out_nodes_without_evidence(library):
    postprocessor = create_postprocessor(library=library, drop=True)
    scored_nodes = run_in_new_loop(
        lambda: postprocessor.apostprocess_nodes(nodes(FERRY, TICKETS, " "), query_str=TICKET)
    )
    assert [scored.node.text for scored in scored_nodes] == [TICKETS]
    assert postprocessor.postprocess_nodes(nodes(FERRY), query_str=TICKET) == []


def test_document_of_node_is_searched_first(library, note):
    postprocessor = create_postprocessor(library=library)
    (scored,) = postprocessor.postprocess_nodes(nodes(TICKETS, document_id=note.id), query_str=TICKET)
    assert f"/documents/{note.id}/" in scored.node.metadata["links"]["self"]


def test_id_of_other_index_is_ignored(library, note):
    (scored,) = create_postprocessor(library=library).postprocess_nodes(
        nodes(TICKETS, document_id="mine-17"), query_str=TICKET
    )
    assert f"/documents/{note.id}/" in scored.node.metadata["links"]["self"]


def test_nodes_can_be_highlighted_twice(library):
    postprocessor, same_nodes = create_postprocessor(library=library), nodes(TICKETS)
    for _ in range(2):
        (scored,) = postprocessor.postprocess_nodes(same_nodes, query_str=TICKET)
    assert scored.node.excluded_llm_metadata_keys == ["lit", "links"]


def test_missing_question_is_refused(library):
    with pytest.raises(ValueError, match="A question is required"):
        create_postprocessor(library=library).postprocess_nodes(nodes(TICKETS))
