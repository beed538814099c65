"""An answer opened again, by people who read on a phone, and by those who use the keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import lit_sentences

TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"


def test_it_is_whole_on_a_narrow_screen(kept, open_page):
    page = open_page(kept, viewport={"width": 320, "height": 640}, color_scheme="dark")
    assert page.evaluate(TOO_WIDE) == 0


def test_a_mark_is_reached_by_the_keyboard_and_leads_to_the_lit_sentence(kept, open_page):
    page = open_page(kept)
    page.get_by_role("heading", level=1).wait_for()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.locator("a.chip:focus").count():
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/chunks/"))
    assert any("£4,200" in sentence for sentence in lit_sentences(page))


def test_the_pack_is_saved(kept, open_page):
    page = open_page(kept)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Evidence pack").click()
    assert re.fullmatch(r"answer-\w{12}\.zip", saving.value.suggested_filename)


def test_a_citation_shows_its_sentence_and_the_answer_can_be_copied(kept, open_page):
    page = open_page(kept, permissions=["clipboard-read", "clipboard-write"])
    page.locator("a.chip").first.hover()
    page.locator("#card .quoted-text").filter(has_text="£4,200").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    assert "£4,200" in page.evaluate("navigator.clipboard.readText()")


def test_a_button_pressed_twice_says_its_own_words_again(kept, open_page):
    page = open_page(kept, fresh=True, permissions=["clipboard-read", "clipboard-write"])
    page.clock.install()
    button = page.locator("button[data-copy]").first
    for _ in range(2):
        button.click()
        expect(button).to_have_text("Copied")
        page.clock.run_for(300)
    page.clock.run_for(5000)
    expect(button).to_have_text("Copy")
