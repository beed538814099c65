"""Conversations: follow-ups below what was answered, and one address for each answer."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, READ_WITHIN, text_file
from tests.browser.test_asking import DELAY, NOBODY, WARNING, wait_for_answer
from tests.browser.test_axe import list_violations

ANSWER = re.compile(r"/answers/\w+$")


def test_each_answer_has_its_address_and_is_never_asked_again(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", fresh=True), DELAY)
    expect(page).to_have_url(ANSWER)
    first = page.url
    with page.expect_request(lambda request: request.method == "POST") as sent:
        wait_for_answer(page, WARNING)
    assert DELAY in sent.value.post_data
    assert "£4,200" in sent.value.post_data  # what was answered: a follow-up may speak of it
    second, questions = page.url, page.locator(".answer > h2")
    assert second != first
    page.on("request", lambda request: pytest.fail("asked again") if request.method == "POST" else None)
    expect(questions.last).to_be_in_viewport()
    steps = [
        (page.go_back, first, [DELAY]),
        (page.go_forward, second, [DELAY, WARNING]),
        (page.reload, second, [DELAY, WARNING]),
        (page.go_back, first, [DELAY]),
        (page.reload, first, [DELAY]),
        (page.go_back, f"{site}/", []),
        (page.go_forward, first, [DELAY]),
    ]
    for move, url, shown in steps:
        move()
        expect(page).to_have_url(url)
        expect(questions).to_have_text(shown)
    with page.context.expect_page() as another:
        page.evaluate("url => open(url)", second)
    expect(another.value.locator(".answer > h2").last).to_have_text(WARNING)


def test_answers_that_are_not_stored_leave_the_address_as_it_is(limited_site, open_page):
    page = open_page(f"{limited_site}/documents", fresh=True)
    page.locator("input[type=file]").set_input_files(text_file("delay.txt", "£4,200 is paid for each day of delay."))
    page.wait_for_url("**/documents/*", timeout=ANSWER_TIMEOUT_MS)
    page.locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)
    page.goto(f"{limited_site}/")
    questions = page.locator(".answer > h2")
    for question in (DELAY, WARNING):
        wait_for_answer(page, question)
    for move, shown in (
        (page.go_back, [DELAY]),
        (page.go_forward, [DELAY, WARNING]),
        (page.reload, [DELAY, WARNING]),
        (page.go_back, [DELAY]),
        (page.go_back, []),
    ):
        move()
        expect(questions).to_have_text(shown)
        expect(page).to_have_url(f"{limited_site}/")
    expect(page.get_by_placeholder("Ask a question")).to_be_visible()


@pytest.mark.parametrize("link", ["New conversation", "Ask"])
def test_ask_page_starts_fresh_when_reader_comes_back(link, site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", fresh=True), DELAY)
    page.get_by_role("link", name=link, exact=True).click()
    expect(page).to_have_url(f"{site}/")
    expect(page.get_by_placeholder("Ask a question")).to_be_visible()
    expect(page.locator("[data-conversation-note]")).to_be_hidden()
    with page.expect_request(lambda request: request.method == "POST") as sent:
        wait_for_answer(page, WARNING)
    assert DELAY not in sent.value.post_data
    expect(page.locator(".answer")).to_have_count(1)


def test_refused_question_joins_conversation_on_page_only(site, contract, open_page):
    page = wait_for_answer(wait_for_answer(open_page(f"{site}/", fresh=True), DELAY), NOBODY)
    with page.expect_request(lambda request: request.method == "POST") as sent:
        wait_for_answer(page, WARNING)
    expect(page.locator(".answer > h2")).to_have_text([DELAY, NOBODY, WARNING])
    assert DELAY in sent.value.post_data
    assert NOBODY not in sent.value.post_data


def test_history_offers_undo_without_axe_violations(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", fresh=True), DELAY)
    page.get_by_role("link", name="History").click()
    question = page.get_by_role("link", name=DELAY)
    expect(question).to_be_visible()
    page.get_by_role("button", name=f"Pin the answer to “{DELAY}”").click()
    expect(page.locator(".history")).to_contain_text("Pinned")
    page.get_by_role("button", name=f"Delete the answer to “{DELAY}” from your history").click()
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect(question).to_be_visible()
    assert list_violations(page) == []
    question.click()
    expect(page).to_have_url(ANSWER)


def test_shared_follow_up_leads_to_the_question_before_it(site, contract, open_page):
    page = open_page(site, fresh=True)
    wait_for_answer(page, DELAY)
    first = page.url
    wait_for_answer(page, WARNING)
    expect(page).not_to_have_url(first)
    page.reload()
    expect(page.locator(".answer > h2")).to_have_text([DELAY, WARNING])
    expect(page.locator(".continued")).to_be_hidden()  # the turn before it is above
    reader = open_page(page.url, fresh=True)
    link = reader.locator(".continued a")
    expect(link).to_have_text(DELAY)
    assert link.evaluate("link => link.href") == first
