"""Claims are held to what they cite: an invented or wrong source gets no tick, and no citation of ours in its place."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace

import pytest

from highlighter.access import VisibleCollections
from highlighter.adapters.library import LocalLibrary
from highlighter.adapters.mcp_results import build_check_result
from highlighter.answering.answer import CheckEvent, CitationEvent, DoneEvent, TokenEvent
from highlighter.answering.citation_builder import ATTRIBUTED_TIER
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.app import create_app
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, WRONG_SOURCE
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import CONTRACT, NOTE, SAMPLES
from tests.scripted.fake_replies import Says

SOURCES = (
    CallerSource("The ferry leaves the island at seven in the morning. It carries sixty passengers.", "Ferry.txt"),
    CallerSource("Tickets cost four pounds. Children under five travel free of charge.", "Fares.pdf", page=2),
)
QUESTION = "What do tickets cost?"
SINGLE_QUESTION = Says(json.dumps({"questions": [QUESTION]}))
GHOST = "It cites “Ghost.pdf”, which is not among the sources."


@pytest.fixture
def scripted_services(scripted, tmp_path, embedder):
    services = Services(Settings(data_dir=tmp_path / "data", **scripted.settings("openai/m")), embedder)
    yield services
    services.close()


@pytest.fixture
def stream(scripted, scripted_services):
    """A function that returns the events of an answer for which the model writes a text."""

    def stream(text, sources=SOURCES, **options):
        scripted.play("m", SINGLE_QUESTION, Says(text))
        request = QuestionRequest(QUESTION, sources=sources, **options)
        return list(scripted_services.answer_pipeline.stream_events(request))

    return stream


CASES = [
    ("Tickets cost four pounds [Ghost.pdf].", WRONG_SOURCE, f"{GHOST} Fares.pdf, page 2, says this."),
    ("[Ghost.pdf] Tickets cost four pounds.", WRONG_SOURCE, f"{GHOST} Fares.pdf, page 2, says this."),
    ("Tickets cost four pounds. [Ghost.pdf]", WRONG_SOURCE, f"{GHOST} Fares.pdf, page 2, says this."),
    ("Tickets cost four pounds [12].", WRONG_SOURCE,
     "It cites source 12; there are 2 sources. Fares.pdf, page 2, says this."),
    ("Tickets cost four pounds [Fares, p.9].", WRONG_SOURCE,
     "It cites page 9 of Fares.pdf, which is not among the sources. Fares.pdf, page 2, says this."),
    ("The ferry leaves the island at seven in the morning [Fares, p.2].", WRONG_SOURCE,
     "The cited source does not say this; Ferry.txt does."),
    ("Tickets cost four pounds [Ferry].", WRONG_SOURCE,
     "The cited source does not say this; Fares.pdf, page 2, does."),
    ("Tickets cost four pounds [Fares, p.2; Ghost.pdf].", PARTLY, GHOST),
    ("Tickets cost four pounds [Fares, p.2] [Ghost.pdf].", PARTLY, GHOST),
    ("Tickets cost five pounds [Ghost.pdf].", CONTRADICTED, f" {GHOST}"),
    ("The museum displays Roman coins [Ghost.pdf].", UNSUPPORTED, f" {GHOST}"),
    ("Tickets cost four pounds [Fares, p.2].", SUPPORTED, ""),
    ("Tickets cost four pounds [2].", SUPPORTED, ""),
    ("Tickets cost four pounds.", SUPPORTED, ""),
    ("Tickets cost four pounds [^2].\n\n[^2]: Ghost.pdf", WRONG_SOURCE, f"{GHOST} Fares.pdf, page 2, says this."),
    ("Tickets cost four pounds [^2].\n\n[^2]: Fares.pdf, p.2", SUPPORTED, ""),
    ("Tickets cost four pounds [Fares, p.2].\n\nSources:\n[2] Fares.pdf\n[3] Ghost.pdf", SUPPORTED, ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "verdict", "why"), CASES, ids=[text[:60] for text, *_ in CASES])
def test_verdict_says_what_is_wrong_with_the_citation(stream, text, verdict, why):
    *events, done = stream(text)
    (claim,) = done.answer.claims
    assert claim.verdict == verdict
    assert claim.why.endswith(why) if verdict in (CONTRADICTED, UNSUPPORTED) else claim.why == why
    is_uncited = "[" not in text
    assert [citation.tier for citation in done.answer.citations if not citation.label] == [ATTRIBUTED_TIER] * is_uncited
    (check,) = (event for event in events if isinstance(event, CheckEvent))
    assert check.claims == done.answer.claims
    if verdict == WRONG_SOURCE:
        assert (claim.score, done.answer.grounding_score) == (0, 0)
        assert claim.evidence[0].text.removesuffix(".") in text
    if verdict != SUPPORTED:
        assert done.answer.grounding_score < 0.5


@pytest.mark.parametrize("style", ["inline", "footnote", "endnote"])
@pytest.mark.parametrize("options", [{}, {"schema": {}}, {"format": "json"}, {"include_citations": False}])
def test_no_style_and_format_puts_our_citation_in_place_of_an_invented_one(stream, style, options):
    sentences = (
        "Tickets cost four pounds [Ghost.pdf].",
        "The ferry leaves the island at seven in the morning [Ferry].",
        "Children under five travel free of charge.",
    )
    text = " ".join(sentences)
    in_json = options.keys() & {"schema", "format"}
    reply = json.dumps({"answer": text, "key_facts": []}) if in_json else text
    *events, done = stream(reply, citation_style=style, **options)
    assert isinstance(done, DoneEvent)
    answer = done.answer
    assert [claim.verdict for claim in answer.claims] == [WRONG_SOURCE, SUPPORTED, SUPPORTED]
    has_citations = options.get("include_citations", True)
    assert [citation.tier == ATTRIBUTED_TIER for citation in answer.citations] == [False, True][: 1 + has_citations]
    assert [event.citation for event in events if isinstance(event, CitationEvent)] == list(answer.citations)
    assert "".join(event.text for event in events if isinstance(event, TokenEvent)) == answer.text
    assert ("Ghost" in answer.text) == has_citations
    assert [marker.label for marker in answer.unresolved] == ["[Ghost.pdf]"]
    if has_citations:
        assert all(answer.text[marker.start : marker.end] == marker.label for marker in answer.unresolved)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tickets cost four pounds [Fares, p.2].", "Tickets cost four pounds."),
        ("It is so [Ghost.pdf]; tickets cost four pounds [1] [2] now.", "It is so; tickets cost four pounds now."),
        (
            "[Ferry] Tickets cost four pounds.\n- [Ferry] No cars [1]\n- So",
            "Tickets cost four pounds.\n- No cars\n- So",
        ),
        ("It costs [Ferry]four pounds. [Ferry]", "It costs four pounds."),
        ("Line with a break  \nand no marker. ", "Line with a break  \nand no marker."),
        ("票價四鎊 [2]。渡輪七時開出 [1] 。", "票價四鎊。渡輪七時開出。"),
    ],
)
@pytest.mark.parametrize("style", ["inline", "footnote"])
@pytest.mark.parametrize("in_json", [False, True])
def test_citations_that_are_left_out_leave_no_blank(stream, text, expected, style, in_json):
    options = {"schema": {}} if in_json else {}
    reply = json.dumps({"a": text, "b": text}) if in_json else text
    answer = stream(reply, include_citations=False, citation_style=style, **options)[-1].answer
    assert (answer.data == {"a": expected, "b": expected}) if in_json else (answer.text == expected)


def test_page_beyond_the_document_is_named_with_the_number_of_its_pages(
    stream, scripted_services, tmp_path, process_pool
):
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    document = ingest_file(path, scripted_services, process_pool).document
    sources = (CallerSource(document_id=document.id),)
    answer = stream("Tickets cost four pounds and are sold on board [note, p.9].", sources=sources)[-1].answer
    assert answer.claims[0].verdict == WRONG_SOURCE
    assert answer.claims[0].why == "It cites page 9 of note.txt, which has one page. note.txt, page 1, says this."
    assert not answer.citations


def test_footnote_number_and_its_citation_name_the_same_source(stream):
    sources = tuple(
        CallerSource(text, "Rules.txt", page=page)
        for page, text in enumerate(
            ("Dogs stay on the lead.", "Tickets cost four pounds.", "The bar closes at ten."), 1
        )
    )
    answer = stream("Tickets cost four pounds [Rules.txt].", sources=sources, citation_style="endnote")[-1].answer
    (citation,) = answer.citations
    assert citation.quote == "Tickets cost four pounds."
    assert answer.claims[0].verdict == SUPPORTED
    assert citation.label == f"[{citation.number}]"
    assert answer.text.endswith("[1] Rules, p.2")


def test_wrong_page_is_noticed_everywhere(stream, scripted_services, process_pool):
    """The passage is on two pages, and one of its sentences runs over from the first to the second."""
    document = ingest_file(SAMPLES / CONTRACT, scripted_services, process_pool).document
    chunk = next(c for c in scripted_services.catalog.chunks(document) if (c.first_page, c.last_page) == (2, 3))
    sources = (CallerSource(document_id=document.id, chunk_index=chunk.index),)
    caps = "Delay damages stop at ten per cent of the total of the prices"
    rate = "For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200"
    why = "It cites the wrong page; Harbour Works Contract.pdf, page 3, says this."
    for claim, page, verdict, cited_page in (
        (caps, 2, WRONG_SOURCE, 2),
        (caps, 3, SUPPORTED, 3),
        (rate, 2, SUPPORTED, 2),
        (rate, 3, SUPPORTED, 2),  # where the sentence begins
    ):
        text = f"{claim} [Harbour Works Contract, p.{page}]."
        answer = stream(text, sources=sources)[-1].answer
        (citation,), (judged,) = answer.citations, answer.claims
        assert (judged.verdict, judged.why) == (verdict, why if verdict == WRONG_SOURCE else "")
        assert (citation.page, citation.quote == judged.evidence[0].text) == (cited_page, verdict == SUPPORTED)
        whole = [{"document_id": document.id}]
        client = create_app(scripted_services).test_client()
        checked = client.post("/api/v1/check", json={"answer": text, "sources": whole}).get_json()
        assert [(item["verdict"], item["why"]) for item in checked["claims"]] == [(verdict, judged.why or None)]
        (of_tool,) = build_check_result(LocalLibrary(scripted_services).check(text, whole)).claims
        assert (of_tool.verdict, of_tool.why) == (verdict, judged.why or None)
        pack = io.BytesIO()
        scripted_services.evidence_packs.write(answer.id, VisibleCollections(), pack)
        report = zipfile.ZipFile(pack).read("answer.md").decode()
        assert f"- **{verdict.replace('_', ' ')}**" in report
        assert judged.why in report


def test_citation_shows_the_sentence_that_decides(stream, scripted_services):
    """While the text is written, the sentence nearest to the claim is shown, which shares more words with it."""
    rules = (
        "A crane is not used for lifting people. Loads are not carried over the quay while it is open, and lifting stops"
        " when gusts reach 14 metres per second at the jib."
    )
    sources = (CallerSource("Tickets cost four pounds.", "Fares.txt"), CallerSource(rules, "Cranes.txt"))
    claim = "A crane may be used for lifting people when gusts stay below 14 metres per second"
    *events, done = stream(f"{claim} [Cranes].", sources=sources)
    (shown,) = (event.citation for event in events if isinstance(event, CitationEvent))
    (citation,), (judged,) = done.answer.citations, done.answer.claims
    assert judged.verdict == CONTRADICTED
    assert shown.quote != citation.quote == judged.evidence[0].text == "A crane is not used for lifting people."
    assert replace(shown, quote="", quote_start=0, quote_end=0, prefix="", suffix="", probability=0) == replace(
        citation, quote="", quote_start=0, quote_end=0, prefix="", suffix="", probability=0
    )
    stored = scripted_services.answer_records.load(done.answer.id, VisibleCollections()).answer
    assert stored.citations == done.answer.citations
