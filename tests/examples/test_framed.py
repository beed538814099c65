"""What the Streamlit and the Gradio snippet show, without either: the answer, its sources, and the frames' HTML."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from examples.framed import answered, frame
from tests.browser.conftest import ANSWERED_WITHIN, browser, open_page  # noqa: F401 - fixtures
from tests.browser.hosting import somebody
from tests.highlighter.adapters.conftest import SENTENCE, TICKET


@pytest.fixture
def asked(far_away, key, monkeypatch):
    """Its environment, and an origin of somebody's own."""
    monkeypatch.setenv("HIGHLIGHTER_URL", far_away[0])
    monkeypatch.setenv("HIGHLIGHTER_KEY", key)
    with somebody(far_away[0]) as ui:
        yield ui


def test_each_cited_sentence_is_lit_in_a_frame_of_ones_own_page(asked, key, open_page):  # noqa: F811
    text, sources = answered(TICKET, asked.origin)
    assert "four pounds" in text
    assert [title for title, _ in sources] == ["note.txt, page 1"]
    written = "".join(frame(url, title) for title, url in sources)
    assert key not in written
    shown = open_page(asked.page(written)).frame_locator("iframe[title='note.txt, page 1']")
    expect(shown.locator("mark").first).to_contain_text(SENTENCE, timeout=ANSWERED_WITHIN)


def test_nobody_else_may_frame_it(asked, browser):  # noqa: F811
    _, sources = answered(TICKET, "https://other.example")
    page = browser.new_page()
    with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
        page.goto(asked.page(frame(sources[0][1], "note")))
    page.close()


def test_a_title_is_a_title_and_nothing_more():
    written = frame("http://127.0.0.1:8000/embed/x?a=1&view=page", '<b onclick="x">.pdf')
    assert "<b" not in written
    assert urlsplit("http://127.0.0.1:8000/embed/x?a=1&amp;view=page").query in written
