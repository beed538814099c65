"""Verifying quotes: highlighted match, tier badge, miss; and find in document by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import read_highlighted_sentences
from tests.browser.test_viewer import PHONE, is_in_sight

IMPARTIAL = "The Engineer acts for the Client but decides questions of time and price impartially."


def check(open_page, site: str, quote: str, **options) -> Page:
    page = open_page(f"{site}/open", **options)
    page.get_by_label("Quote", exact=True).fill(quote)
    page.get_by_role("button", name="Verify").click()
    return page


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_quote_opens_highlighted_match_with_tier(script, site, contract, open_page):
    page = check(open_page, site, IMPARTIAL, viewport=PHONE, java_script_enabled=script)
    assert read_highlighted_sentences(page) == [IMPARTIAL]
    expect(page.locator(".tier")).to_contain_text("Exact")
    assert is_in_sight(page)


@pytest.mark.parametrize("keys", ["Enter", "Control+Enter"])
def test_enter_verifies_quote(keys, site, contract, open_page):
    page = open_page(f"{site}/open")
    page.get_by_label("Quote", exact=True).fill(IMPARTIAL)
    page.get_by_label("Quote", exact=True).press(keys)
    assert read_highlighted_sentences(page) == [IMPARTIAL]


def test_quote_with_typo_shows_difference(site, contract, open_page):
    page = check(open_page, site, IMPARTIAL.replace("questions", "qestions"))
    assert read_highlighted_sentences(page) == [IMPARTIAL]
    expect(page.locator(".tier")).to_contain_text("Nearly")
    expect(page.locator("del").first).to_contain_text("qestions")
    expect(page.locator("ins").first).to_contain_text("questions")


def test_quote_without_match_highlights_nothing_and_offers_search(site, contract, open_page):
    page = check(open_page, site, IMPARTIAL.replace("but decides", "and never decides"))
    expect(page.locator("h1")).to_have_text("Quote not found")
    expect(page.locator(".tier")).to_contain_text("Not found")
    assert page.locator("mark").count() == 0
    page.get_by_placeholder("Find in this document").press("Enter")
    page.wait_for_url("**/chunks/*find=*")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_back_from_find_opens_page_view_again(contract, open_page):
    page = open_page(f"{contract}/chunks/3?view=page")
    page.keyboard.press("f")
    page.keyboard.type("contractor")
    page.keyboard.press("Enter")
    expect(page.locator(".find-position")).to_contain_text("of 34")
    page.go_back()
    expect(page.locator("[data-zoom]")).to_be_visible()
    expect(page.locator(".document-page .text-layer").first).to_be_attached()


def test_finds_are_stepped_through_by_keyboard(contract, open_page):
    page = open_page(f"{contract}/chunks/3")
    page.evaluate(
        "window.stayed = true; document.addEventListener('highlighter:found', (e) => (window.told = e.detail))"
    )
    page.keyboard.press("f")
    page.keyboard.type("contractor")
    page.keyboard.press("Enter")
    status = page.locator(".find-position")
    expect(status).to_contain_text("of 34")
    first = int(status.inner_text().split()[1])
    for key, number in [("Enter", first + 1), ("Enter", first + 2), ("Shift+Enter", first + 1)]:
        page.keyboard.press(key)
        expect(status).to_contain_text(f"{number} of 34")
        current = page.locator("mark[data-current]")
        assert current.inner_text().lower() == "contractor"
        assert is_in_sight(page, "mark[data-current]")
    assert page.evaluate("window.stayed")
    assert page.evaluate("window.told.end - window.told.start") == len("Contractor")
    assert page.evaluate("document.activeElement.name") == "find"
    page.go_back()
    expect(status).to_contain_text(f"{first + 2} of 34")


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_find_steps_lead_across_chunks(script, contract, open_page):
    page = open_page(f"{contract}/chunks/0?find=adjudicator", viewport=PHONE, java_script_enabled=script)
    count = int(page.locator(".find-position").inner_text().split()[1])
    for number in range(1, count + 1):
        page.get_by_role("link", name="Next result").click()
        expect(page.locator(".find-position")).to_contain_text(f"{number} of {count}")
        assert page.locator("mark[data-current]").inner_text().lower().startswith("adjudicator")


def test_search_by_meaning_is_offered_without_word_match(contract, open_page):
    page = open_page(f"{contract}/chunks/0")
    page.get_by_placeholder("Find in this document").fill("penalty for lateness")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Find by meaning").click()
    expect(page.locator(".find-position")).to_contain_text("1 of")
    assert is_in_sight(page, "mark[data-current]")
