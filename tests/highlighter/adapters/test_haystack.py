"""Tests of the adapter for Haystack, in pipelines of the real package."""

from __future__ import annotations

import pytest

from tests.highlighter.adapters.conftest import SENTENCE, TICKET

pytestmark = pytest.mark.integrations

FERRY = "The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars."
TICKETS = f"{SENTENCE} Children under five travel free of charge."


@pytest.fixture(autouse=True)
def without_telemetry(monkeypatch):
    monkeypatch.setenv("HAYSTACK_TELEMETRY_ENABLED", "False")


def test_retriever_finds_highlighted_sentences_in_pipeline(library, open_link, note):
    from haystack import Pipeline

    from highlighter.adapters.haystack import LibraryRetriever

    pipeline = Pipeline()
    pipeline.add_component("retriever", LibraryRetriever(library=library, top_k=1))
    (document,) = pipeline.run({"retriever": {"query": TICKET}})["retriever"]["documents"]
    assert (document.id, document.meta["source"], document.meta["page"]) == (f"{note.id}/0", "note.txt", 1)
    assert SENTENCE in document.content
    assert document.meta["lit"][0]["text"] == SENTENCE
    assert f">{SENTENCE}</mark>" in open_link(document.meta["links"]["self"].replace("view=page&", "")).replace(
        "\n", ""
    )
    assert LibraryRetriever(library=library).run(TICKET, filters={"form": "NEC4"}) == {"documents": []}


def test_documents_of_other_retriever_are_highlighted_linked_and_dropped(library, open_link):
    from haystack import Document, Pipeline
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    from highlighter.adapters.haystack import DocumentHighlighter

    store = InMemoryDocumentStore()
    stored = [Document(content=FERRY), Document(content=TICKETS, meta={"document_id": "mine-17"}), Document()]
    store.write_documents(stored)
    pipeline = Pipeline()
    pipeline.add_component("retriever", InMemoryBM25Retriever(store))
    pipeline.add_component("highlighter", DocumentHighlighter(library=library, drop=True))
    pipeline.connect("retriever.documents", "highlighter.documents")
    question = "How much do tickets cost?"  # BM25 compares whole words
    found = pipeline.run({"retriever": {"query": question}, "highlighter": {"query": question}})
    (document,) = found["highlighter"]["documents"]
    (highlighted,) = document.meta["lit"]
    assert document.content[highlighted["start"] : highlighted["end"]] == highlighted["text"] == SENTENCE
    assert f">{SENTENCE}</mark>" in open_link(document.meta["links"]["self"]).replace("\n", "")
    remaining = DocumentHighlighter(library=library).run(TICKET, stored)["documents"]
    assert [len(one.meta["lit"]) for one in remaining] == [0, 1, 0]
    assert "lit" not in stored[1].meta
