"""Extractive answers from the samples: quoted sentences with citations, or a refusal."""

from __future__ import annotations

import json

import pytest

from highlighter.access import get_visible_collections
from highlighter.answering.answer import CitationEvent, DoneEvent, EvidenceEvent, SubQuestionsEvent, TokenEvent
from highlighter.answering.drafters import VAGUE_QUESTION
from highlighter.answering.extractive_answer import select_sentences
from highlighter.answering.passage_search import AnswerPassage
from highlighter.answering.quotation import select_quotation
from highlighter.answering.request import CITATION_STYLES, CallerSource, QuestionRequest
from highlighter.errors import BadRequest
from highlighter.grounding.cited_sources import check_answer
from highlighter.grounding.verdicts import SUPPORTED
from highlighter.models import Sentence, Source
from highlighter.store.source_texts import load_source_texts
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES

QUESTIONS = [
    (entry["file"], item["question"], item["answer"])
    for entry in json.loads((SAMPLES / "making" / "questions.json").read_text(encoding="utf-8"))
    for item in entry["questions"]
]


@pytest.mark.parametrize(("file", "question", "sentence"), QUESTIONS[::3])
def test_answer_cites_sentence_that_answers(sampled, file, question, sentence):
    answer = sampled.answer_pipeline.answer(QuestionRequest(question))
    best = answer.citations[0]
    assert (best.filename, _normalize_space(best.quote)) == (file, _normalize_space(sentence))
    assert answer.text[best.start : best.end] == best.label
    document = sampled.catalog.document(best.document_id)
    assert sampled.catalog.text(document)[best.quote_start : best.quote_end] == best.quote
    assert best.sha256 == document.sha256


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What are delay damages?", ["pays delay damages of £4,200", "Delay damages stop at ten per cent"]),
        ("What are the delay damages?", ["pays delay damages of £4,200", "Delay damages stop at ten per cent"]),
    ],
)
def test_sentences_cover_question_and_are_few(sampled, question, parts):
    answer = sampled.answer_pipeline.answer(QuestionRequest(question))
    quotes = [_normalize_space(citation.quote) for citation in answer.citations]
    assert all(any(part in quote for quote in quotes) for part in parts)
    assert len(quotes) <= 3
    assert len(answer.claims) == len(quotes)


@pytest.mark.parametrize(
    ("mode", "texts", "quoted"),
    [
        ("grounded", ("The monthly rent is 900 euros.", "每月租金為三萬五千元。"), ["The monthly rent is 900 euros."]),
        ("comparison", ("The monthly rent is 900 euros.", "每月租金為三萬五千元。"), ["The monthly rent is 900 euros.", "每月租金為三萬五千元。"]),
        ("grounded", ("The garden is shared.", "每月租金為三萬五千元。"), ["每月租金為三萬五千元。"]),
    ],
)  # fmt: skip
def test_sentences_in_other_languages_are_not_added_to_the_best_in_the_language_of_the_question(
    sampled, mode, texts, quoted
):
    sources = [CallerSource(text, f"{number}.txt") for number, text in enumerate(texts)]
    answer = sampled.answer_pipeline.answer(QuestionRequest("How much is the monthly rent?", mode, sources=sources))
    assert sorted(citation.quote for citation in answer.citations) == sorted(quoted)


@pytest.mark.parametrize(
    ("mode", "score", "quoted"),
    [
        ("grounded", 0.5, []),
        ("grounded", 0.75, ["每月租金為三萬五千元。"]),
        ("comparison", 0.5, ["每月租金為三萬五千元。"]),
    ],
)
def test_passages_in_other_languages_answer_only_beside_no_better_one_in_the_language_of_the_question(
    sampled, mode, score, quoted
):
    question = "How much is the monthly rent?"
    passages = []
    for text, hit_score in (
        ("The rent falls due on the first day of a month.", 0.8),
        ("每月租金為三萬五千元。", score),
    ):
        evidence = sampled.passage_highlighter.highlight_text(question, text)
        passages.append(AnswerPassage(Source(filename="a.txt", text=text), None, None, ((0, evidence),), hit_score))
    selected = select_sentences(QuestionRequest(question, mode), passages, 0, question)
    assert [extract.text for extract in selected if extract.is_evidence] == quoted


@pytest.mark.parametrize(
    ("score", "score_of_other", "quoted"),
    [(0.6, 0.3, ["每月租金為三萬五千元。"]), (0.6, 0.6, ["每月租金為三萬五千元。"]), (0.3, 0.6, []), (0.3, 0.0, ["每月租金為三萬五千元。"])],
)  # fmt: skip
def test_passage_in_another_language_answers_where_it_is_near_to_the_question_and_nearer_than_others(
    sampled, score, score_of_other, quoted
):
    question = "How much is the monthly rent?"
    passages = []
    for name, text, hit_score in (
        ("a", "每月租金為三萬五千元。", score),
        ("b", "Le chat dort près de la fenêtre.", score_of_other),
    ):
        evidence = sampled.passage_highlighter.highlight_text(question, text)
        passages.append(AnswerPassage(Source(filename=name, text=text), None, None, ((0, evidence),), hit_score))
    selected = select_sentences(QuestionRequest(question), passages, 0, question)
    assert [extract.text for extract in selected if extract.is_evidence] == quoted


def test_row_of_a_table_is_quoted_with_the_headers_of_its_columns(services, process_pool, tmp_path):
    path = tmp_path / "Fees.md"
    rows = "| Monthly fee | 4.50 | 9.00 |\n| Stopping a cheque | 12.00 | 6.00 |\n"
    path.write_text(f"# Fees\n\n| Service | Classic account | Plus account |\n|---|---|---|\n{rows}", encoding="utf-8")
    ingest_file(path, services, process_pool)
    answer = services.answer_pipeline.answer(
        QuestionRequest("What is the fee for stopping a cheque with the Plus account?")
    )
    assert answer.text.startswith(
        "“Stopping a cheque 12.00 6.00” (Service: Stopping a cheque, Classic account: 12.00, Plus account: 6.00) ["
    )
    assert [claim.text for claim in answer.claims] == ["Stopping a cheque 12.00 6.00"]


@pytest.mark.parametrize(
    ("table", "quoted"),
    [
        (("No.", "Event"), "“The diving team paid 219 crowns for the broken capstan.” (No.: 1, Event) ["),
        (("", ""), "“The diving team paid 219 crowns for the broken capstan.” ["),
    ],
)
def test_sentence_in_a_cell_is_quoted_once_without_the_number_of_its_row(
    services, process_pool, tmp_path, table, quoted
):
    path = tmp_path / "Payments.html"
    header = f"<tr><th>{table[0]}<th>{table[1]}" if table[0] else ""
    rows = "<tr><td>1<td>The diving team paid 219 crowns for the broken capstan.<tr><td>2<td>The ferry came in May."
    path.write_text(f"<h1>Payments</h1><table>{header}{rows}<tr><td>3<td>It left in June.</table>", encoding="utf-8")
    ingest_file(path, services, process_pool)
    answer = services.answer_pipeline.answer(
        QuestionRequest("How much did the diving team pay for the broken capstan?")
    )
    assert answer.text.startswith(quoted)
    assert [claim.text for claim in answer.claims] == ["The diving team paid 219 crowns for the broken capstan."]


@pytest.mark.parametrize(
    ("text", "row", "around", "expected"),
    [
        ("1. It is due.", "", "1. It is due.\n2. It is paid.", ("It is due.", "")),
        ("(2) It is due.", "", "(1) It is paid.\n(2) It is due.", ("It is due.", "")),
        ("• It is due.", "", "• It is due.", ("It is due.", "")),
        ("1. September ist der Tag.", "", "1. September ist der Tag.\nEr kam.", ("1. September ist der Tag.", "")),
        ("4.1 It is due.", "", "4.1 It is due.\n4.2 So.", ("4.1 It is due.", "")),
        ("7\t8.50", "Age: 7, Fee: 8.50", "", ("7 8.50", "Age: 7, Fee: 8.50")),
        ("N1\tOle\tHe pays the fee now.", "Berth: N1, Owner: Ole, Terms: He pays the fee now.", "",
         ("He pays the fee now.", "Berth: N1, Owner: Ole, Terms")),
        ("N1\tHe pays the fee now.", "", "", ("N1 He pays the fee now.", "")),
        ("He pays the fee now.\tShe pays no fee now.", "A: He pays the fee now., B: She pays no fee now.", "",
         ("He pays the fee now. She pays no fee now.", "A, B")),
        ("It is due for everybody.", "Duty: It is due for everybody.", "", ("It is due for everybody.", "Duty")),
    ],
)  # fmt: skip
def test_quotation_has_no_number_of_an_item_and_no_cell_twice(text, row, around, expected):
    assert select_quotation(Sentence(0, 0, len(text), text, row=row), around) == expected


def test_quote_that_reads_like_refusal_is_an_answer(sampled):
    quote = "The available documents do not mention the amount that was paid for the barge."
    source = CallerSource(f"The audit was closed in May. {quote} The auditor asked for the invoices.", "Audit.txt")
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("What do the documents say of the amount paid for the barge?", sources=[source])
    )
    assert not answer.refused
    assert answer.citations[0].quote == quote


def test_question_without_evidence_is_refused(sampled):
    answer = sampled.answer_pipeline.answer(QuestionRequest("Who won the chess championship of 1972?"))
    assert answer.refused
    assert answer.refusal_reason
    assert not answer.citations


@pytest.mark.parametrize(
    ("style", "marker", "list_start"), [("footnote", "¹", "¹ Harbour"), ("endnote", "[1]", "[1] Harbour")]
)
def test_footnotes_and_endnotes_number_and_list_sources(sampled, style, marker, list_start):
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("How much does the Contractor pay for each day of delay?", citation_style=style)
    )
    assert answer.citations[0].label == marker
    assert answer.text.splitlines()[-1].startswith(list_start)


@pytest.mark.parametrize("style", ["footnote", "endnote"])
def test_notes_name_the_page_of_the_cited_sentence(sampled, style):
    """One of the two cited chunks is on pages 2 and 3."""
    request = QuestionRequest("Who pays for delay, and how much?", citation_style=style)
    answer = sampled.answer_pipeline.answer(request)
    notes = [line for line in answer.text.splitlines() if "Harbour Works Contract, p" in line]
    assert [note.partition("Contract, ")[2] for note in notes] == ["p.2", "p.3"]


@pytest.mark.parametrize(
    "options", [*({"citation_style": style} for style in CITATION_STYLES), {"require_grounding": True}]
)
@pytest.mark.parametrize("question", ["Who pays for delay, and how much?", "What must be worn in the laboratory?"])
def test_citations_of_every_style_resolve_and_check_to_the_same_pages(sampled, question, options):
    visible, catalog = get_visible_collections(), sampled.catalog
    answer = sampled.answer_pipeline.answer(QuestionRequest(question, **options))
    cited = [(citation.filename, citation.page, citation.start) for citation in answer.citations]
    assert cited

    lookup = sampled.reference_lookup.resolve(answer.text, visible)
    assert not lookup.unresolved
    resolved = [(lookup.sources[item.source].filename, item.page, item.start) for item in lookup.citations]
    assert resolved == cited

    files = {citation.filename: citation.document_id for citation in answer.citations}
    named = [Source(name, document_id=document_id) for name, document_id in files.items()]
    report = check_answer(sampled.answer_checker, answer.text, load_source_texts(named, catalog, visible))
    assert [claim.verdict for claim in report.claims] == [SUPPORTED] * len(answer.claims)
    assert [list(files)[claim.evidence[0].source] for claim in report.claims] == [name for name, _, _ in cited]


def test_answer_without_markers_still_has_citations(sampled):
    answer = sampled.answer_pipeline.answer(QuestionRequest("When is the fire alarm tested?", include_citations=False))
    assert "[" not in answer.text
    assert answer.citations[0].filename == "Laboratory Safety Note.txt"


def test_answer_uses_texts_of_caller(sampled):
    sources = (
        CallerSource("The ferry leaves at seven. It carries no cars.", "ferry.txt"),
        CallerSource("Bread costs two pounds."),
    )
    answer = sampled.answer_pipeline.answer(QuestionRequest("When does the ferry leave?", sources=sources))
    assert answer.citations[0].quote == "The ferry leaves at seven."
    assert (answer.citations[0].filename, answer.citations[0].document_id) == ("ferry.txt", "")


def test_sources_without_text_give_refusal_with_reason(sampled):
    answer = sampled.answer_pipeline.answer(
        QuestionRequest("When does the ferry leave?", sources=(CallerSource("  "),))
    )
    assert answer.refused
    assert "no text" in answer.refusal_reason


def test_events_come_in_order_and_tokens_form_text(sampled):
    events = list(sampled.answer_pipeline.stream_events(QuestionRequest("Who may cancel a dive?")))
    assert [type(event) for event in events[:2]] == [SubQuestionsEvent, EvidenceEvent]
    assert isinstance(events[-1], DoneEvent)
    answer = events[-1].answer
    assert "".join(event.text for event in events if isinstance(event, TokenEvent)) == answer.text
    assert tuple(event.citation for event in events if isinstance(event, CitationEvent)) == answer.citations


def test_each_source_has_its_own_label(sampled):
    answer = sampled.answer_pipeline.answer(QuestionRequest("What does the Contractor pay?", limit=20))
    labels = [source.label for source in answer.sources]
    assert len(labels) == len(set(labels)) > 2


@pytest.mark.parametrize(
    "fields",
    [{"question": " "}, {"question": "x" * 5000}, {"question": "a?", "mode": "x"}, {"question": "a?", "limit": 0}],
)
def test_invalid_request_is_refused_with_sentence(fields):
    with pytest.raises(BadRequest) as refusal:
        QuestionRequest(**fields)
    assert refusal.value.detail.endswith(".")


def _normalize_space(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("question", ["Tell me more", "What about it?", "And then?", "還有呢？"])
def test_question_that_names_nothing_is_not_answered_by_whatever_is_there(sampled, question):
    answer = sampled.answer_pipeline.answer(QuestionRequest(question))
    assert (answer.refused, answer.refusal_reason, answer.citations) == (True, VAGUE_QUESTION, ())
    assert answer.headline.text == "question not answered"


def test_follow_up_that_names_nothing_is_answered_as_the_question_before(sampled):
    question = "How much are the delay damages for each day?"
    before = sampled.answer_pipeline.answer(QuestionRequest(question))
    again = sampled.answer_pipeline.answer(QuestionRequest("Tell me more", history=((question, before.text),)))
    assert [part.text for part in again.sub_questions] == [question]
    assert again.text == before.text
