from __future__ import annotations

from langchain_core.documents import Document

from highlighter.adapters.langchain import HighlighterRetriever, citation_links
from highlighter.facade import Highlighter
from tests.highlighter.adapters.conftest import SENTENCE, TICKET, awaited


def test_documents_know_what_is_lit_and_where_to_see_it(library, note, opens):
    (found,) = HighlighterRetriever(library=library, limit=1).invoke(TICKET)
    told = found.metadata
    assert SENTENCE in found.page_content
    assert (found.id, told["document_id"], told["chunk_index"]) == (f"{note.id}/0", note.id, 0)
    assert (told["source"], told["page"], told["collection"]) == ("note.txt", 1, "default")
    (lit,) = told["lit"]
    at = lit["start"] - told["start"]
    assert (lit["text"], lit["page"], found.page_content[at : at + len(SENTENCE)]) == (SENTENCE, 1, SENTENCE)
    assert f">{SENTENCE}</mark>" in opens(told["links"]["highlight"]).replace("\n", "")
    assert opens(told["links"]["self"])


def test_it_looks_where_it_is_told_to(library):
    assert HighlighterRetriever(library=library, collection="none").invoke(TICKET) == []
    assert HighlighterRetriever(library=library, where={"kind": "pdf"}).invoke(TICKET) == []
    assert HighlighterRetriever(library=library, min_score=1).invoke(TICKET) == []
    assert len(awaited(lambda: HighlighterRetriever(library=library, limit=1).ainvoke(TICKET))) == 1


def test_the_python_class_will_do(tmp_path):
    (tmp_path / "note.txt").write_text("The harbour closes at nine.", encoding="utf-8")
    with Highlighter(tmp_path / "data", port=8125) as h:
        h.ingest(tmp_path / "note.txt")
        (found,) = HighlighterRetriever(library=h).invoke("When does the harbour close?")
    assert found.metadata["links"]["document"].startswith("http://127.0.0.1:8125/documents/")


def test_the_marks_of_an_answer_lead_to_their_documents(library):
    documents = HighlighterRetriever(library=library, limit=1).invoke(TICKET)
    other = Document("Nothing of it.", metadata={"source": "tides.pdf", "page": 7})
    answer = "Four pounds [1]. 票價四鎊【note.txt, p.1】. High at noon [tides, p.7]. So they say [9] [fares.pdf, p.2]."
    first, named, foreign, *unknown = citation_links(answer, [*documents, other])
    assert all(answer[one.start : one.end] == one.label for one in (first, named, foreign, *unknown))
    assert (first.label, first.document, first.page) == ("[1]", documents[0], 1)
    assert first.links == named.links == documents[0].metadata["links"]
    assert (foreign.document, foreign.page, foreign.links) == (other, 7, {})
    assert [(one.label, one.document, one.links) for one in unknown] == [
        ("[9]", None, None),
        ("[fares.pdf, p.2]", None, None),
    ]
    assert all(one.why for one in unknown)
    assert citation_links("Nothing is cited here.", documents) == []


def test_a_page_that_was_not_shown_is_not_linked(library):
    documents = HighlighterRetriever(library=library, limit=1).invoke(TICKET)
    (one,) = citation_links("Four pounds [note.txt, p.40].", documents)
    assert one.document is None
    assert one.why
