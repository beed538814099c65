"""Copying a highlighted sentence with its citation, and feedback on highlights."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, question_url, read_highlighted_sentences
from tests.browser.every_page import SEVERAL

SECOND = "Delay damages stop at ten per cent of the total of the prices."


@pytest.fixture
def read(contract, open_page) -> Page:
    return open_page(
        question_url(contract, SEVERAL), reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
    )


def clipboard(page: Page) -> str:
    return page.evaluate("navigator.clipboard.readText()")


def test_keyboard_copies_current_sentence_with_citation(read):
    read.keyboard.press("n")
    read.keyboard.press("c")
    expect(read.get_by_role("button", name="APA-like")).to_be_focused()
    read.keyboard.press("Enter")
    expect(read.locator(".quote-export:not([hidden]) [data-status]")).to_have_text("Copied")
    assert clipboard(read).startswith(f"“{SECOND}” (Harbour Works Contract, n.d., p. 3). http://")
    expect(read.locator("[data-menu]").nth(1).locator("summary")).to_be_focused()
    read.keyboard.press("Enter")
    read.keyboard.press("Escape")
    expect(read.locator("[data-menu][open]")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "holds"), [("BibTeX", "@misc{harbour-works-contract-p2,"), ("Markdown", "> 6.4 For each")]
)
def test_menu_has_each_citation_format(name, holds, read):
    read.locator(".quote-export:not([hidden]) summary").click()
    read.get_by_role("button", name=name).click()
    read.get_by_role("button", name="Copied").wait_for()
    assert clipboard(read).startswith(holds)


def test_copied_link_opens_highlighted_sentence(read):
    sentence = read_highlighted_sentences(read)[0]
    read.locator(".quote-export:not([hidden]) summary").click()
    read.get_by_role("button", name="Link only").click()
    read.get_by_role("button", name="Copied").wait_for()
    read.goto(clipboard(read))
    assert read_highlighted_sentences(read) == [sentence]


@pytest.mark.parametrize("view", ["text", "page"])
def test_wrong_highlight_is_reported_with_note_and_withdrawn(view, contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view))
    bar = page.locator(".quote-export:not([hidden])")
    wrong = bar.get_by_role("button", name="Wrong highlight?")
    wrong.click()
    expect(bar.locator("[data-status]")).to_contain_text("Thanks for the feedback.")
    expect(wrong).to_have_attribute("aria-pressed", "true")
    bar.get_by_label("What is wrong? (optional)").fill("It is about something else.")
    bar.get_by_role("button", name="Send").click()
    expect(bar.get_by_label("What is wrong? (optional)")).to_have_count(0)
    bar.get_by_role("button", name="Undo").click()
    expect(bar.locator("[data-status]")).to_have_text("Feedback withdrawn.")
    expect(wrong).not_to_have_attribute("aria-pressed", "true")


def test_without_javascript_feedback_form_leads_to_thanks_page(contract, open_page):
    page = open_page(question_url(contract, SEVERAL), java_script_enabled=False)
    assert page.locator(".quote-export").count() == page.locator("mark[id]").count()
    assert not page.locator("[data-menu]").first.is_visible()
    page.get_by_role("button", name="Wrong highlight?").first.click()
    expect(page.locator("h1")).to_have_text("Thanks for the feedback")
    page.get_by_label("What is wrong?").fill("Not this.")
    page.get_by_role("button", name="Send note").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("h1")).to_have_text("Feedback withdrawn")
    page.get_by_role("link", name="Back").click()
    page.locator("mark").first.wait_for()


def test_feedback_works_in_citation_panel(pages, open_page):
    page = open_page(pages["an answer"])
    page.locator(".answer .chip").first.click(timeout=ANSWER_TIMEOUT_MS)
    framed = page.frame_locator(".citation-panel iframe")
    bar = framed.locator(".quote-export:not([hidden])")
    expect(bar).to_have_count(1, timeout=ANSWER_TIMEOUT_MS)
    bar.get_by_role("button", name="Correct highlight").click()
    expect(bar.locator("[data-status]")).to_contain_text("Thanks")
