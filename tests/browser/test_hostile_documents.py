"""Hostile content and names of documents are shown as text and run nothing."""

from __future__ import annotations

import pytest

from tests.browser.conftest import fetch_link, question_url, read_highlighted_sentences, text_file

NAME = """"><img src=x onerror=alert(1)> {{7*7}} &amp; <script>alert(2)<script>.txt"""
SCRIPTED = (
    """The password is <script>alert(3)</script><img src=x onerror="alert(4)"> and {{7*7}} &amp; {% raw %} &lt;b&gt;."""
)
TEXT = f"""Heading <svg onload=alert(5)>

{SCRIPTED}

Another sentence says </mark></p></article><style>body{{display:none}}</style> nothing at all.
"""


@pytest.fixture(scope="module")
def hostile(upload_once) -> str:
    return upload_once(text_file(NAME, TEXT))


def test_hostile_text_is_shown_as_text(hostile, open_page):
    page = open_page(question_url(hostile, "What is the password?"))
    assert SCRIPTED in read_highlighted_sentences(page)
    shown = page.locator(".text").inner_text()
    assert "</mark></p></article><style>body{display:none}</style> nothing at all." in shown
    assert page.locator(".text :is(script, img, svg, style, article)").count() == 0


def test_hostile_name_is_shown_as_text(hostile, site, open_page):
    for page in (open_page(hostile), open_page(f"{hostile}/chunks/0"), open_page(f"{site}/documents")):
        assert NAME in page.locator("main").inner_text()
        assert page.locator("main :is(script, img)").count() == 0


def test_hostile_question_is_shown_as_text(hostile, open_page):
    question = '"><script>alert(6)</script>{{7*7}}'
    page = open_page(question_url(f"{hostile}/chunks/0", question))
    assert page.get_by_label("Ask this document").input_value() == question
    assert page.locator("main script").count() == 0


def test_hostile_original_is_sent_as_plain_file(hostile, open_page):
    page = open_page(hostile)
    answer = fetch_link(page.get_by_role("link", name="Original"))
    assert answer.headers["content-type"].startswith("text/plain")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
