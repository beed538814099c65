"""What the Streamlit and the Gradio snippet show, without either: the answer, its sources, and the frames' HTML."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from examples.framed import answered, frame
from tests.browser.conftest import ANSWERED_WITHIN
from tests.browser.hosting import somebody

DELAY = "How much is paid for each day of delay?"


@pytest.fixture
def ui(site, contract, monkeypatch):
    """An origin of somebody's own, beside a service that has the contract."""
    monkeypatch.setenv("HIGHLIGHTER_URL", site)
    monkeypatch.delenv("HIGHLIGHTER_KEY", raising=False)
    with somebody(site) as origin:
        yield origin


def test_each_cited_sentence_is_lit_in_a_frame_of_ones_own_page(ui, open_page):
    text, sources = answered(DELAY, ui.origin)
    assert "4,200" in text
    title, url = sources[0]
    assert title.startswith("Harbour Works Contract.pdf, page ")
    shown = open_page(ui.page(frame(url, title))).frame_locator(f"iframe[title='{title}']")
    expect(shown.locator("mark").first).to_contain_text("delay damages of £4,200", timeout=ANSWERED_WITHIN)


def test_nobody_else_may_frame_it(ui, browser):
    _, sources = answered(DELAY, "https://other.example")
    page = browser.new_page()
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.goto(ui.page(frame(sources[0][1], "contract")))
    page.close()


def test_a_title_is_a_title_and_nothing_more():
    written = frame("http://127.0.0.1:8000/embed/x?a=1&view=page", '<b onclick="x">.pdf')
    assert "<b" not in written
    assert urlsplit("http://127.0.0.1:8000/embed/x?a=1&amp;view=page").query in written
