"""Choosing what is asked: ticked documents, tags, and the chips of the ask page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import text_file
from tests.browser.test_asking import DELAY, wait_for_answer
from tests.browser.test_axe import list_violations

CONTRACT, REPORT = "Harbour Works Contract.pdf", "Breakwater Condition Report 2024.pdf"


def tick(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_label(f"Select {name}").check()


def list_chips(page: Page):
    return page.locator("[data-source] > span[lang], [data-source] > span:not(.note)")


@pytest.fixture
def library(site, contract, report, open_page):
    return open_page(f"{site}/documents", fresh=True)


def test_ticked_documents_are_asked_and_so_is_the_follow_up(library, site):
    expect(library.locator("[data-selection]")).to_be_hidden()
    tick(library, CONTRACT, REPORT)
    expect(library.locator("[data-selected-count]")).to_have_text("2 documents selected")
    assert list_violations(library) == []
    library.get_by_role("button", name="Ask these 2").click()
    expect(library).to_have_url(re.compile(r"/\?doc=\w+&doc=\w+$"))
    expect(library.get_by_label("Your question")).to_be_focused()
    chosen = library.url
    while not library.evaluate("history.state?.isStart"):  # the script is not there yet: the cross is a link
        library.wait_for_timeout(50)
    library.get_by_role("link", name=f"Leave out {REPORT}").press("Enter")
    expect(list_chips(library)).to_have_text([CONTRACT])
    expect(library.get_by_role("link", name=f"Leave out {CONTRACT}")).to_be_focused()
    assert list_violations(library) == []
    shorter = library.url
    left = shorter.partition("=")[2]
    assert f"doc={left}" in chosen
    wait_for_answer(library, DELAY)
    with library.expect_request(lambda request: request.method == "POST") as sent:
        wait_for_answer(library, "When must an early warning be given?")
    assert left in sent.value.post_data
    library.reload()
    expect(list_chips(library)).to_have_text([CONTRACT])
    library.get_by_role("link", name="New conversation").click()
    expect(library).to_have_url(shorter)


def test_ticks_stay_when_list_is_refreshed_and_go_with_their_documents(library):
    tick(library, CONTRACT, REPORT)
    library.locator("tr", has_text=CONTRACT).evaluate("row => row.querySelector('time').remove()")
    library.locator("tr", has_text=REPORT).evaluate("row => row.remove()")
    library.locator("[data-upload]").evaluate("form => form.dataset.maxBytes = 1")
    library.set_input_files("#file", text_file("Note.txt", "Refused, and then the list is refreshed."))
    expect(library.locator("tr", has_text=CONTRACT).locator("time")).to_have_count(1)
    expect(library.locator("[data-selected-count]")).to_have_text("1 document selected")
    expect(library.get_by_label(f"Select {CONTRACT}")).to_be_checked()
    library.get_by_role("button", name="Clear selection").click()
    expect(library.locator("[data-selection]")).to_be_hidden()
    expect(library.get_by_label(f"Select {CONTRACT}")).to_be_focused()


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_tag_is_added_filters_is_asked_and_removed(script, site, contract, report, open_page):
    page = open_page(f"{site}/documents", java_script_enabled=script)
    tick(page, CONTRACT)
    page.get_by_label("Tags to add or remove").fill("signed")
    page.get_by_role("button", name="Add tag").click()
    page.get_by_role("link", name="signed", exact=True).click()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_text("Edit tag").click()
    page.get_by_label("New name of the tag").fill("closed")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("link", name="Ask the documents tagged closed").click()
    expect(page).to_have_url(f"{site}/?tag=closed")
    expect(list_chips(page)).to_have_text(["closed"])
    page.get_by_role("link", name="Leave out closed").click()
    expect(list_chips(page)).to_have_count(0)
    expect(page).to_have_url(f"{site}/")
    page.goto(f"{site}/documents?tag=closed")
    page.get_by_text("Edit tag").click()
    page.get_by_role("button", name="Remove from 1 document").click()
    expect(page.locator(".tag")).to_have_count(0)
