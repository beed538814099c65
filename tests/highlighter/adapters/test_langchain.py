"""Tests of the adapter for LangChain, which they import themselves: it takes a second, and each process collects this file."""

from __future__ import annotations

from highlighter.facade import Highlighter
from tests.highlighter.adapters.conftest import SENTENCE, TICKET, run_in_new_loop


def create_retriever(**options):
    from highlighter.adapters.langchain import HighlighterRetriever

    return HighlighterRetriever(**options)


def test_documents_have_highlighted_sentences_and_links(library, note, open_link):
    (document,) = create_retriever(library=library, limit=1).invoke(TICKET)
    metadata = document.metadata
    assert SENTENCE in document.page_content
    assert (document.id, metadata["document_id"], metadata["chunk_index"]) == (f"{note.id}/0", note.id, 0)
    assert (metadata["source"], metadata["page"], metadata["collection"]) == ("note.txt", 1, "default")
    (highlighted,) = metadata["lit"]
    offset = highlighted["start"] - metadata["start"]
    assert (highlighted["text"], highlighted["page"], document.page_content[offset : offset + len(SENTENCE)]) == (
        SENTENCE,
        1,
        SENTENCE,
    )
    assert f">{SENTENCE}</mark>" in open_link(metadata["links"]["highlight"]).replace("\n", "")
    assert open_link(metadata["links"]["self"])


def test_retriever_passes_filters_on(library):
    assert create_retriever(library=library, collection="none").invoke(TICKET) == []
    assert create_retriever(library=library, where={"kind": "pdf"}).invoke(TICKET) == []
    assert create_retriever(library=library, min_score=1).invoke(TICKET) == []
    assert len(run_in_new_loop(lambda: create_retriever(library=library, limit=1).ainvoke(TICKET))) == 1


def test_retriever_accepts_highlighter(tmp_path):
    (tmp_path / "note.txt").write_text("The harbour closes at nine.", encoding="utf-8")
    with Highlighter(tmp_path / "data", port=8125) as h:
        h.ingest(tmp_path / "note.txt")
        (document,) = create_retriever(library=h).invoke("When does the harbour close?")
    assert document.metadata["links"]["document"].startswith("http://127.0.0.1:8125/documents/")


def test_markers_of_answer_lead_to_their_documents(library):
    from langchain_core.documents import Document

    from highlighter.adapters.langchain import citation_links

    documents = create_retriever(library=library, limit=1).invoke(TICKET)
    other = Document("Nothing of it.", metadata={"source": "tides.pdf", "page": 7})
    answer = "Four pounds [1]. 票價四鎊【note.txt, p.1】. High at noon [tides, p.7]. So they say [9] [fares.pdf, p.2]."
    first, named, foreign, *unknown = citation_links(answer, [*documents, other])
    assert all(
        answer[citation.start : citation.end] == citation.label for citation in (first, named, foreign, *unknown)
    )
    assert (first.label, first.document, first.page) == ("[1]", documents[0], 1)
    assert first.links == named.links == documents[0].metadata["links"]
    assert (foreign.document, foreign.page, foreign.links) == (other, 7, {})
    assert [(citation.label, citation.document, citation.links) for citation in unknown] == [
        ("[9]", None, None),
        ("[fares.pdf, p.2]", None, None),
    ]
    assert all(citation.why for citation in unknown)
    assert citation_links("Nothing is cited here.", documents) == []


def test_marker_with_unknown_page_is_not_linked(library):
    from highlighter.adapters.langchain import citation_links

    documents = create_retriever(library=library, limit=1).invoke(TICKET)
    (citation,) = citation_links("Four pounds [note.txt, p.40].", documents)
    assert citation.document is None
    assert citation.why
