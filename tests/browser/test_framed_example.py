"""The HTML that the Streamlit and Gradio examples show: the answer, its sources and the frames."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from examples.framed import answered, frame
from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.host_pages import serve_host_pages

DELAY = "How much is paid for each day of delay?"


@pytest.fixture
def ui(site, contract, monkeypatch):
    """A host origin for a service that has the contract."""
    monkeypatch.setenv("HIGHLIGHTER_URL", site)
    monkeypatch.delenv("HIGHLIGHTER_KEY", raising=False)
    with serve_host_pages(site) as origin:
        yield origin


def test_cited_sentences_are_highlighted_in_frames(ui, open_page):
    text, sources = answered(DELAY, ui.origin)
    assert "4,200" in text
    title, url = sources[0]
    assert title.startswith("Harbour Works Contract.pdf, page ")
    shown = open_page(ui.page(frame(url, title))).frame_locator(f"iframe[title='{title}']")
    expect(shown.locator("mark").first).to_contain_text("delay damages of £4,200", timeout=ANSWER_TIMEOUT_MS)


def test_other_origins_cannot_frame_it(ui, browser):
    _, sources = answered(DELAY, "https://other.example")
    page = browser.new_page()
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.goto(ui.page(frame(sources[0][1], "contract")))
    page.close()


def test_title_is_escaped():
    written = frame("http://127.0.0.1:8000/embed/x?a=1&view=page", '<b onclick="x">.pdf')
    assert "<b" not in written
    assert urlsplit("http://127.0.0.1:8000/embed/x?a=1&amp;view=page").query in written
