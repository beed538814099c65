"""A lit sentence taken along with its citation, and called right or wrong, where it is read."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWERED_WITHIN, asking, lit_sentences
from tests.browser.every_page import SEVERAL

SECOND = "Delay damages stop at ten per cent of the total of the prices."


@pytest.fixture
def read(contract, open_page) -> Page:
    return open_page(
        asking(contract, SEVERAL), reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"]
    )


def clipboard(page: Page) -> str:
    return page.evaluate("navigator.clipboard.readText()")


def test_by_the_keyboard_the_sentence_at_hand_is_copied_with_its_citation(read):
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
def test_each_format_is_there(name, holds, read):
    read.locator(".quote-export:not([hidden]) summary").click()
    read.get_by_role("button", name=name).click()
    read.get_by_role("button", name="Copied").wait_for()
    assert clipboard(read).startswith(holds)


def test_the_link_alone_opens_the_sentence_lit(read):
    sentence = lit_sentences(read)[0]
    read.locator(".quote-export:not([hidden]) summary").click()
    read.get_by_role("button", name="Link only").click()
    read.get_by_role("button", name="Copied").wait_for()
    read.goto(clipboard(read))
    assert lit_sentences(read) == [sentence]


@pytest.mark.parametrize("view", ["text", "page"])
def test_a_wrong_highlight_is_told_with_a_note_and_taken_back(view, contract, open_page):
    page = open_page(asking(contract, SEVERAL, view))
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


def test_without_javascript_each_sentence_has_its_line_and_a_page_thanks(contract, open_page):
    page = open_page(asking(contract, SEVERAL), java_script_enabled=False)
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


def test_each_citation_of_an_answer_can_be_judged_in_its_sheet(pages, open_page):
    page = open_page(pages["an answer"])
    page.locator(".answer .chip").first.click(timeout=ANSWERED_WITHIN)
    framed = page.frame_locator(".citation-panel iframe")
    bar = framed.locator(".quote-export:not([hidden])")
    expect(bar).to_have_count(1, timeout=ANSWERED_WITHIN)
    bar.get_by_role("button", name="Correct highlight").click()
    expect(bar.locator("[data-status]")).to_contain_text("Thanks")
