"""What an answer's page shows when all its fields are filled: the template on answers made for it."""

from __future__ import annotations

import re

import pytest
from flask import render_template

from highlighter.answering.drafters import NO_EVIDENCE, NO_MODEL, SCHEMA_NEEDS_MODEL
from highlighter.answering.pipeline import NO_SOURCES
from highlighter.locale import ENGLISH, set_language
from highlighter.web.pages.answer_presenter import build_answer_presentation, format_citation_chip
from tests.highlighter.web.pages.answer_factory import answer

MARK = "[Harbour, p.2]"


@pytest.fixture(autouse=True)
def in_english():
    yield
    set_language(ENGLISH)


@pytest.fixture
def page(app):
    def rendered(made, format="", **rest) -> str:
        with app.test_request_context("/"):
            html = render_template(
                "_told.html", part="answer", shown=build_answer_presentation(made, "", "/?q=Who", format=format, **rest)
            )
        return re.sub(r"\s+", " ", html)

    return rendered


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<template>.*?</template>|<[^>]*>", "", html))


def test_the_line_below_says_what_is_known_of_the_answer(page):
    claims = [{"said": "A.", "verdict": "supported"}, {"said": "B.", "verdict": "unsupported"}]
    full = answer("A. B.", claims=claims, confidence=0.874, confidence_level="high", grounding_score=0.5)
    assert (
        "1 of 2 claims supported · grounding 0.50 · confidence high (0.87) · quoted directly, no AI model used · 0.3 s"
        in words(page(full))
    )
    assert "Answered by big/model · 2.0 s · 1,234 tokens" in words(
        page(answer("A.", model_used="big/model", tokens_used=1234, latency_ms=2000))
    )
    assert "confidence" not in words(page(answer("A.")))


def test_several_tables_have_labels_of_their_own(page):
    table = "| Pier | Depth |\n|---|---|\n| North | 7 m |\n"
    assert re.findall(r'role="region" aria-label="(Table[^"]*)"', page(answer(table), format="markdown")) == ["Table"]
    both = page(answer(f"{table}\nAnd then:\n\n{table}"), format="markdown")
    assert re.findall(r'role="region" aria-label="(Table[^"]*)"', both) == ["Table 1", "Table 2"]


def test_a_doubted_claim_is_underlined_and_says_why(page):
    html = page(answer("A. B.", claims=[{"said": "B.", "verdict": "unsupported", "why": "Nothing speaks of <b>."}]))
    assert '<span class="claim unsupported">B.</span>' in html
    assert (
        '<span class="pill unsupported"><span aria-hidden="true">○</span> <span>Nothing speaks of &lt;b&gt;.</span></span>'
        in html
    )
    assert "A source says otherwise" not in html
    assert "contradicted by a source" in page(answer("B.", claims=[{"said": "B.", "verdict": "contradicted"}]))


def test_a_mark_that_means_no_source_is_no_link_and_says_why(page):
    lost = {"label": "[Moon, p.9]", "why": "No source is called Moon.", "candidates": [0]}
    html = page(answer("Yes [Moon, p.9].", unresolved=[lost]))
    assert '<span class="chip lost"' in html
    assert "href" not in html[html.index("chip lost") : html.index("</p>", html.index("chip lost"))]
    assert "[Moon, p.9] has no matching source: No source is called Moon. Possible matches: Harbour, p.2." in words(
        html
    )
    assert "1 citation has no matching source" in words(html)


def test_a_citation_without_a_passage_is_told_apart_in_style_and_words(page):
    whole = {"label": MARK, "chunk_index": None, "quote": "", "links": {"document": "/documents/d"}}
    html = page(answer(f"Yes {MARK}.", [whole]))
    assert re.search(r'<a class="chip whole"[^>]*href="/documents/d"', html)
    assert "data-frame" not in html
    assert "Whole document" in words(html)
    assert "View document" in words(html)
    assert "View highlighted" not in html


def test_a_source_of_the_caller_s_own_has_no_link(page):
    html = page(answer(f"Yes {MARK}.", [{"label": MARK, "document_id": None, "links": {}}]))
    assert re.search(r'<span class="chip whole"[^>]*tabindex="0"', html)


def test_an_altered_quotation_says_so_where_it_stands_and_in_the_list(page):
    html = words(page(answer(f"“Boots pay.” {MARK}", [{"label": MARK, "quoted": "altered"}])))
    assert html.count("quote altered") == 2


def test_warnings_data_and_the_evidence_pack_are_there_when_they_are(page):
    html = page(
        answer("A.", warnings=["Only words were searched."], data={"a": "<b>"}), pack_url="/answers/a1/pack.zip"
    )
    assert '<p class="notice warn"><span>Only words were searched.</span></p>' in html
    assert "&lt;b&gt;" in html or "\\u003cb\\u003e" in html
    assert 'href="/answers/a1/pack.zip"' in html
    assert "Evidence pack" not in page(answer("A."))


def test_a_refusal_says_why_and_what_can_be_done(page):
    refused = answer("", refused=True, refusal_reason="no relevant sources found", model_used="")
    html = page(refused)
    assert "No document matches this question" in html
    assert "/search?q=Who" in html
    assert "data-copy" not in html
    assert "a reason of its own" in page(answer("", refused=True, refusal_reason="a reason of its own"))


@pytest.mark.parametrize("reason", [NO_SOURCES, NO_EVIDENCE, NO_MODEL, SCHEMA_NEEDS_MODEL])
def test_each_reason_of_ours_is_said_in_the_language_of_the_page(page, reason):
    set_language("zh-Hant")
    said = re.search(r"<p data-reason>(.*?)</p>", page(answer("", refused=True, refusal_reason=reason)))[1]
    assert re.search("[\u4e00-\u9fff]", said)
    assert reason not in said


def test_a_reason_that_is_not_ours_is_only_text(page):
    set_language("zh-Hant")
    html = page(answer("", refused=True, refusal_reason="100 % of <b>%(it)s</b> failed"))
    assert '<p data-reason><span lang="en">100 % of &lt;b&gt;%(it)s&lt;/b&gt; failed</span></p>' in html


def test_a_refusal_is_not_said_twice_but_a_model_is_heard(page):
    said = "The sources do not answer this question."
    refused = {"refused": True, "refusal_reason": "no relevant sources found"}
    assert f"<p>{said}</p>" not in page(answer(said, **refused, model_used=""))
    assert f"<p>{said}</p>" in page(answer(said, **refused, model_used="ollama/llama3.1"))


def test_text_question_and_names_are_only_text(page):
    evil = '<script>alert(1)</script>"><img src=x onerror=alert(2)>{{7*7}}'
    mark = f"[{evil}]"
    made = answer(f"{evil} {mark}", [{"label": mark, "filename": evil, "quote": evil}], question=evil, warnings=[evil])
    for format in ("", "markdown"):
        html = page(made, format)
        assert not re.search(r"<(script|img)", html)
        assert "{{7*7}}" in html


def test_chips_are_named_by_their_mark_and_by_their_source_where_several_share_one():
    text = "A [Harbour, p.2] B ¹² C [[Harbour]] D 【港口, 第3頁】"
    labels = ["[Harbour, p.2]", "¹²", "[[Harbour]]", "【港口, 第3頁】"]
    made = answer(text, [{"label": label} for label in labels])
    assert [format_citation_chip(one) for one in made.citations] == ["Harbour, p.2", "12", "Harbour", "港口, 第3頁"]
    assert format_citation_chip(made.citations[1], alone=False) == "Harbour, p.2"
