"""The page of an answer, rendered from answers with all their fields filled."""

from __future__ import annotations

import re

import pytest
from flask import render_template

from highlighter.answering.drafters import NO_EVIDENCE, NO_MODEL, SCHEMA_NEEDS_MODEL
from highlighter.answering.extractive_answer import NOT_JUDGED
from highlighter.answering.pipeline import NO_SOURCES
from highlighter.grounding.verdicts import FALSE_CLAIMS_SUPPORTED_PERCENT, TRUE_CLAIMS_SUPPORTED_PERCENT
from highlighter.locale import ENGLISH, set_language
from highlighter.web.pages.answer_presenter import build_answer_presentation
from tests.highlighter.web.pages.answer_factory import answer

MARKER = "[Harbour, p.2]"


@pytest.fixture(autouse=True)
def in_english():
    yield
    set_language(ENGLISH)


@pytest.fixture
def page(app):
    def render(answer_out, format="", **rest) -> str:
        with app.test_request_context("/"):
            html = render_template(
                "_answer_fragment.html",
                fragment="answer",
                presentation=build_answer_presentation(answer_out, "", "/?q=Who", format=format, **rest),
            )
        return re.sub(r"\s+", " ", html)

    return render


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<template>.*?</template>|<[^>]*>", "", html))


def _parts(*answered: bool | None) -> list[dict]:
    return [{"text": f"Part {n}?", "sentences": 2, "documents": 1, "best_score": 0.934, "answered": one}
            for n, one in enumerate(answered)]  # fmt: skip


def _claims(*verdicts: str) -> list[dict]:
    return [{"claim": "A.", "verdict": verdict} for verdict in verdicts]


@pytest.mark.parametrize(
    ("headline", "claims", "shown", "weak"),
    [
        ({"parts": 3, "parts_answered": 2, "claims": 5, "claims_supported": 4}, _claims("unsupported"),
         "2 of 3 parts answered · 1 claim not supported", 2),
        ({"parts": 1, "parts_answered": 1, "claims": 1, "claims_supported": 1}, _claims("supported"),
         "Question answered · 1 claim supported", 0),
        ({"parts": 1, "parts_answered": 0, "claims": 5, "claims_supported": 2},
         _claims("contradicted", "partly", "wrong_source"),
         "Question not answered · 1 claim contradicted by a source · 1 claim not supported · 1 claim partly supported", 4),
        ({"claims": 2, "claims_supported": 2}, (), "all 2 claims supported", 0),
        ({}, (), None, 0),
    ],
)  # fmt: skip
def test_one_headline_sums_the_answer_up_and_marks_what_is_weak(page, headline, claims, shown, weak):
    html = page(answer("A.", claims=claims, headline=headline, confidence=0.974, grounding_score=0.5))
    found = re.findall(r'<p class="headline">(.*?)</p>', html)
    assert [words(item) for item in found] == ([shown] if shown else [])
    assert "".join(found).count('class="weak"') == weak
    assert not re.search("confidence|grounding|0.97", words(html))


def test_each_part_says_whether_it_is_answered_and_its_best_score(page):
    html = page(answer("A.", sub_questions=_parts(True, False, None)))
    assert re.findall(r'<li class="(\w+)">', html)[:3] == ["answered", "none", "found"]
    shown = words(html[html.index("<summary>Details") :])
    assert "best match" not in html[: html.index("<summary>Details")]
    assert "Part 0? 2 sentences in 1 document · best match 0.93 · answered" in shown
    assert "Part 1? 2 sentences in 1 document · best match 0.93 · not answered" in shown
    assert "Part 2? 2 sentences in 1 document · best match 0.93 " in shown


def test_exact_quote_and_answer_to_the_question_are_two_statements(page):
    exact = {"label": MARKER, "quoted": "verified", "probability": 0.123}
    html = page(answer(f"“Boats pay.” {MARKER}", [exact]))
    card = html[html.index("<template>") : html.index("</template>")]
    for place in (card, html[html.index('class="sources"') :]):
        assert "✓ quoted exactly · ●○○ answers the question: 0.12" in re.sub("<[^>]*>", "", place)
    unjudged = page(answer(f"“Boats pay.” {MARKER}", [{**exact, "probability": 0.0}]))
    assert "quoted exactly" in unjudged
    assert "answers the question" not in unjudged


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
def test_page_says_what_supported_means(page, language):
    set_language(language)
    html = page(answer("A.", claims=[{"claim": "A.", "verdict": "supported"}], model_used="openai/m"))
    verdict = re.search(r'<span class="supported"><span aria-hidden="true">✓</span> (.*?)</span>', html)[1]
    legend = re.search(r"<summary>[^<]*</summary> <p>(.*?)</p>", html)[1]
    assert re.match(f"[“「]{verdict}", legend, re.IGNORECASE)
    shares = {"100", str(FALSE_CLAIMS_SUPPORTED_PERCENT), str(TRUE_CLAIMS_SUPPORTED_PERCENT)}
    assert set(re.findall(r"\d+", legend)) == shares  # how often it is wrong


def test_answer_that_could_not_be_judged_says_so_and_shows_its_quotes(page):
    text = f"It could not be judged. “Boats pay.” {MARKER}"
    html = page(answer(text, [{"label": MARKER, "quoted": "verified", "probability": 0.0}], refused=True,
                       refusal_reason=NOT_JUDGED, sub_questions=[{"text": "Who?", "sentences": 0, "documents": 0}]))  # fmt: skip
    assert "Could not be judged" in words(html)
    assert "Boats pay." in words(html)
    assert not re.search("No answer|no evidence|Add the document", words(html))


def test_status_line_shows_model_and_time(page):
    assert "Quoted directly, no AI model used · 0.3 s" in words(page(answer("A. B.")))
    assert "Answered by big/model · 2.0 s · 1,234 tokens" in words(
        page(answer("A.", model_used="big/model", tokens_used=1234, latency_ms=2000))
    )


def test_several_tables_have_numbered_labels(page):
    table = "| Pier | Depth |\n|---|---|\n| North | 7 m |\n"
    assert re.findall(r'role="region" aria-label="(Table[^"]*)"', page(answer(table), format="markdown")) == ["Table"]
    both = page(answer(f"{table}\nAnd then:\n\n{table}"), format="markdown")
    assert re.findall(r'role="region" aria-label="(Table[^"]*)"', both) == ["Table 1", "Table 2"]


def test_unsupported_claim_is_underlined_with_reason(page):
    html = page(answer("A. B.", claims=[{"claim": "B.", "verdict": "unsupported", "why": "Nothing speaks of <b>."}]))
    assert '<span class="claim unsupported">B.</span>' in html
    assert re.search(r'<span class="verdict unsupported" tabindex="0"><span aria-hidden="true">○</span>', html)
    assert "○ not supported by any source: Nothing speaks of &lt;b&gt;." in words(html)
    assert "A source says otherwise" not in html
    assert "contradicted by a source" in page(answer("B.", claims=[{"claim": "B.", "verdict": "contradicted"}]))


def test_each_sentence_carries_its_verdict_with_source_and_reason(page):
    evidence = [{"source": 0, "start": 0, "end": 10, "text": "Boats pay.", "score": 0.9}]
    claims = [
        {"claim": "Boats pay.", "verdict": "supported", "evidence": evidence},
        {"claim": "Ships do not.", "verdict": "contradicted", "why": "A source says otherwise.",
         "evidence": [{**evidence[0], "text": "Ships pay.", "marks": [(0, 5)]}]},
        {"claim": "Rafts may.", "verdict": "partly"},
    ]  # fmt: skip
    html = page(answer("Boats pay. Ships do not. Rafts may.", claims=claims))
    assert re.findall(r'class="claim (\w+)">(.*?)<', html) == [
        ("supported", "Boats pay."), ("contradicted", "Ships do not."), ("partly", "Rafts may.")
    ]  # fmt: skip
    cards = re.findall(r"<template>(.*?)</template>", html)
    assert [words(card).split() for card in cards] == [
        text.split()
        for text in (
            "✓ supported Boats pay. Harbour, p.2",
            "▲ contradicted by a source A source says otherwise. Ships pay. Harbour, p.2",
            "◐ partly supported No sentence of the sources says this.",
        )
    ]
    assert "<mark>Ships</mark> pay." in cards[1]
    assert "data-verdict-switch" in html
    assert "data-verdict-switch" not in page(answer("A."))


def test_parts_of_a_question_differ_by_colour(page):
    """In the legend, the headings, the citations and their links; colours recur after the sixth part."""
    text = "Part 1? [one] [two]"
    citations = [{"label": "[one]", "sub_question_index": 1}, {"label": "[two]", "sub_question_index": 6}]
    html = page(answer(text, citations, sub_questions=_parts(*[True] * 7)))
    legend = html[html.index('<ul class="parts"') :].partition("</ul>")[0]
    assert re.findall(r"tint-(\d)", legend) == list("1234561")
    assert re.findall(r'<a class="chip tint-(\d)"[^>]*href="[^"]*&amp;tint=(\d)" data-frame="[^"]*&amp;tint=(\d)"', html) == [
        ("2", "2", "2"), ("1", "1", "1")
    ]  # fmt: skip
    assert '<h3 class="part tint-2">Part 1?</h3>' in page(
        answer("Part 1?\nBoats pay.", sub_questions=_parts(True, True))
    )
    assert "tint" not in page(answer("A [one]", [{"label": "[one]"}]))


def test_claim_with_wrong_source_is_marked_and_not_counted_as_supported(page):
    claims = [{"claim": "B.", "verdict": "wrong_source", "why": "The cited source does not say this; Pier.pdf does."}]
    html = page(answer("B.", claims=claims, headline={"claims": 1, "claims_supported": 0}))
    assert '<span class="claim wrong_source">B.</span>' in html
    assert "◇ wrong source cited: The cited source does not say this; Pier.pdf does." in words(html)
    assert "1 claim not supported" in words(html)


def test_unresolved_marker_is_no_link_and_shows_reason(page):
    unresolved = {
        "label": "[Moon, p.9]",
        "why": "It cites “Moon, p.9”, which is not among the sources.",
        "candidates": [0],
    }
    html = page(answer("Yes [Moon, p.9].", unresolved=[unresolved]))
    assert '<span class="chip unresolved"' in html
    assert "href" not in html[html.index("chip unresolved") : html.index("</p>", html.index("chip unresolved"))]
    assert (
        "[Moon, p.9] has no matching source: It cites “Moon, p.9”, which is not among the sources. Possible matches: Harbour, p.2."
        in words(html)
    )
    assert "1 citation has no matching source" in words(html)


def test_citation_of_whole_document_has_its_own_style_and_label(page):
    whole = {"label": MARKER, "chunk_index": None, "quote": "", "links": {"document": "/documents/d"}}
    html = page(answer(f"Yes {MARKER}.", [whole]))
    assert re.search(r'<a class="chip whole-document"[^>]*href="/documents/d"', html)
    assert "data-frame" not in html
    assert "Whole document" in words(html)
    assert "View document" in words(html)
    assert "data-open-menu" not in html


def test_caller_source_has_no_link(page):
    html = page(answer(f"Yes {MARKER}.", [{"label": MARKER, "document_id": None, "links": {}}]))
    assert re.search(r'<span class="chip whole-document"[^>]*tabindex="0"', html)


def test_altered_quotation_is_flagged_in_text_and_list(page):
    html = words(page(answer(f"“Boots pay.” {MARKER}", [{"label": MARKER, "quoted": "altered"}])))
    assert html.count("quote altered") == 2


def test_sentence_quoted_in_two_ways_is_listed_with_both_statements(page):
    citations = [{"label": "[one]", "quoted": "verified"}, {"label": "[two]", "quoted": "altered"}]
    html = page(answer("“Boats pay.” [one] “Boots pay.” [two]", citations))
    shown = words(html[html.index('class="sources"') :])
    assert "[1] page 2 · ✓ quoted exactly" in shown
    assert "[2] page 2 · ▲ quote altered" in shown


def test_page_shows_warnings_data_and_evidence_pack_where_present(page):
    html = page(
        answer("A.", warnings=["Only words were searched."], data={"a": "<b>"}), pack_url="/answers/a1/pack.zip"
    )
    assert '<p class="notice warn"><span>Only words were searched.</span></p>' in html
    assert "&lt;b&gt;" in html or "\\u003cb\\u003e" in html
    assert 'href="/answers/a1/pack.zip"' in html
    assert "Evidence pack" not in page(answer("A."))


def test_refusal_shows_reason_and_next_step(page):
    refused = answer("", refused=True, refusal_reason="no relevant sources found", model_used="")
    html = page(refused)
    assert "No document matches this question" in html
    assert "/search?q=Who" in html
    assert "data-copy" not in html
    assert "a reason of its own" in page(answer("", refused=True, refusal_reason="a reason of its own"))


@pytest.mark.parametrize("reason", [NO_SOURCES, NO_EVIDENCE, NOT_JUDGED, NO_MODEL, SCHEMA_NEEDS_MODEL])
def test_refusal_reason_is_translated(page, reason):
    set_language("zh-Hant")
    reason_text = re.search(r"<p data-reason>(.*?)</p>", page(answer("", refused=True, refusal_reason=reason)))[1]
    assert re.search("[\u4e00-\u9fff]", reason_text)
    assert reason not in reason_text


def test_unknown_refusal_reason_is_escaped_and_marked_english(page):
    set_language("zh-Hant")
    html = page(answer("", refused=True, refusal_reason="100 % of <b>%(it)s</b> failed"))
    assert '<p data-reason><span lang="en">100 % of &lt;b&gt;%(it)s&lt;/b&gt; failed</span></p>' in html


def test_refusal_text_is_shown_only_where_a_model_wrote_it(page):
    text = "The sources do not answer this question."
    refused = {"refused": True, "refusal_reason": "no relevant sources found"}
    assert f"<p>{text}</p>" not in page(answer(text, **refused, model_used=""))
    assert f"<p>{text}</p>" in page(answer(text, **refused, model_used="ollama/llama3.1"))


def test_text_question_and_names_are_escaped(page):
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)>{{7*7}}'
    marker = f"[{evil}]"
    answer_out = answer(
        f"{evil} {marker}", [{"label": marker, "filename": evil, "quote": evil}], question=evil, warnings=[evil]
    )
    for format in ("", "markdown"):
        html = page(answer_out, format)
        assert not re.search(r"<(script|img)", html)
        assert "{{7*7}}" in html


def test_printed_sources_have_the_colour_of_their_sub_question(page):
    parts = [{"text": "Who?", "sentences": 1, "documents": 1}, {"text": "When?", "sentences": 1, "documents": 1}]
    citations = [
        {"label": label, "quote_start": index, "quote_end": index + 5, "sub_question_index": index}
        for index, label in enumerate(("[one]", "[two]"))
    ]
    html = page(answer("A [one] B [two]", citations, sub_questions=parts))
    tints = re.findall(r'class="tint-(\d)"><span class="numbers">', html)
    assert tints == re.findall(r'class="cited tint-(\d)"', html) == ["1", "2"]


def test_citations_are_numbered_in_the_order_of_the_text(page):
    """In the text, in the list of sources, and in the evidence pack; a sentence that is cited twice is listed once."""
    text = "A [one] B [two] C [three] D [four]"
    spans = {"[four]": (5, 15), "[one]": (20, 30), "[three]": (20, 30), "[two]": (40, 50)}
    citations = [
        {"label": label, "quote_start": start, "quote_end": end, "number": 7, "document_id": "e" if label == "[two]" else "d",
         "filename": "Pier.pdf" if label == "[two]" else "Harbour.pdf"}
        for label, (start, end) in spans.items()
    ]  # fmt: skip
    html = page(answer(text, citations))
    # In the text, the sources, their menus and the footnotes.
    assert words(html[html.index('class="prose"') :]).count("[") == 4 * 4
    assert re.findall(r'class="chip"[^>]* data-number="(\d)" data-name="(\w+)', html) == [
        ("1", "Harbour"), ("2", "Pier"), ("3", "Harbour"), ("4", "Harbour")
    ]  # fmt: skip
    sources, footnotes = html[html.index('class="sources"') :].split('class="footnotes"')
    assert re.findall(r'class="numbers">(.*?)<', footnotes) == ["[1][3]", "[2]", "[4]"]
    assert re.findall(r'<b[^>]*>(.*?)</b>|class="numbers">(.*?)<', sources) == [
        ("Harbour.pdf", ""), ("", "[1] [3]"), ("", "[4]"), ("Pier.pdf", ""), ("", "[2]")
    ]  # fmt: skip


def test_each_paragraph_of_an_answer_has_its_language_and_direction(page):
    arabic, english = (
        "تُفتح القاعة من الساعة 9:00 إلى 17:00 في كل يوم، ويُمنع التدخين داخل القاعة.",
        "The hall is in the harbour.",
    )
    quoted = {"label": MARKER, "quote": arabic}
    html = page(answer(f"{arabic} {MARKER}\n\n{english}", [quoted], question="When is the hall open?"))
    assert '<div class="prose" lang="ar" dir="rtl">' in html
    assert f'<p lang="en" dir="ltr">{english}</p>' in html
    assert f'<p class="excerpt" lang="ar" dir="rtl">{arabic}</p>' in html
    assert "page 2 · Arabic" in words(html)
