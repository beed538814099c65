"""A question, its answer, and the sentence behind each citation, as somebody who asks meets them."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWERED_WITHIN, fetched
from tests.browser.cutting import stalling_line
from tests.browser.serving import serving
from tests.browser.test_for_everyone import TOO_WIDE, USABLE
from tests.browser.test_reading import PHONE

DELAY = "How much does the Contractor pay for each day of delay?"
SAID = "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."
WARNING = "When must the Contractor give an early warning?"
SEVERAL = "What does the contract say about delay damages and when must an early warning be given?"
NOBODY = "Who won the chess championship of 1972?"
HOSTILE = {"name": "<img src=x onerror=alert(9)>.txt", "mimeType": "text/plain"}
ASTRAL = "The secret password of the 𝔸𝔹ℂ guild 😀 is <script>alert(7)</script><img src=x onerror=alert(8)> {{7*7}}."


def ask(page: Page, question: str) -> None:
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Your question").press("Enter")


def answered(page: Page, question: str) -> Page:
    ask(page, question)
    heading(page, question)
    return page


def heading(page: Page, question: str) -> None:
    expect(page.locator(".answer > h2")).to_have_text(question, timeout=ANSWERED_WITHIN)


def current_in_frame(page: Page):
    return page.frame_locator(".citation-panel iframe").locator("mark[aria-current]").first


@pytest.fixture
def start(site, contract, open_page) -> Page:
    return open_page(f"{site}/")


def test_a_chip_shows_its_sentence_and_opens_it_beside_the_answer(start):
    page = answered(start, DELAY)
    chip = page.locator(".answer .chip").first
    expect(chip).to_have_text("Harbour Works Contract, p.2")
    chip.hover()
    expect(page.get_by_role("tooltip").locator("mark")).to_have_text(SAID)
    chip.click()
    expect(page.get_by_role("tooltip")).to_be_hidden()
    expect(current_in_frame(page)).to_have_text(SAID, timeout=ANSWERED_WITHIN)
    expect(chip).to_have_attribute("aria-current", "true")
    beside = page.locator(".citation-panel")
    assert beside.bounding_box()["x"] > chip.bounding_box()["x"] + chip.bounding_box()["width"]
    assert fetched(beside.get_by_role("link", name="View PDF")).body().startswith(b"%PDF")
    beside.get_by_role("link", name="View highlighted").click()
    expect(page.locator("mark[aria-current]").first).to_have_text(SAID)
    page.go_back()
    heading(page, DELAY)  # and no second question was asked for it


def test_what_is_shown_of_a_chip_stays_when_pointed_at_and_goes_by_escape(start):
    page = answered(start, DELAY)
    page.locator(".answer .chip").first.hover()
    card = page.get_by_role("tooltip")
    card.hover()
    page.wait_for_timeout(600)  # longer than it stays by itself
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["on a phone", "on a desk"])
def test_without_javascript_the_same_answer_comes_as_a_page(viewport, site, contract, open_page):
    page = open_page(f"{site}/", java_script_enabled=False, viewport=viewport)
    page.get_by_label("Your question").fill(DELAY)
    page.get_by_role("button", name="Ask", exact=True).click()
    heading(page, DELAY)
    assert page.evaluate(TOO_WIDE) == 0
    expect(page.locator(".answer .prose")).to_contain_text(SAID)
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_hidden()
    page.locator(".answer .chip").first.click()
    expect(page.locator("mark[data-current]").first).to_have_text(SAID)


def test_on_a_phone_the_sentence_comes_as_a_sheet_and_the_focus_comes_back(site, contract, open_page):
    page = answered(open_page(f"{site}/", viewport=PHONE), DELAY)
    assert page.evaluate(TOO_WIDE) == 0
    chip = page.locator(".answer .chip").first
    chip.click()
    expect(page.locator(".citation-panel:modal")).to_be_visible()
    expect(current_in_frame(page)).to_be_in_viewport(timeout=ANSWERED_WITHIN)
    assert page.evaluate(TOO_WIDE) == 0
    page.locator(".citation-panel").get_by_role("button", name="Close").click()
    expect(page.locator(".citation-panel")).to_be_hidden()
    expect(chip).to_be_focused()
    chip.press("Enter")
    expect(page.locator(".citation-panel h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".citation-panel")).to_be_hidden()
    expect(chip).to_be_focused()


def test_everything_can_be_done_by_the_keyboard(start):
    page = start
    page.keyboard.press("/")
    page.keyboard.type(SEVERAL)
    page.keyboard.press("Enter")
    heading(page, SEVERAL)
    expect(page.locator(".answer > h2")).to_be_focused()
    chips = page.locator(".answer .chip[data-frame]")
    count = chips.count()
    assert count > 1
    for key, at in [("n", 0), ("n", 1), ("p", 0), ("p", count - 1)]:
        page.keyboard.press(key)
        expect(chips.nth(at)).to_be_focused()
        expect(page.get_by_role("tooltip")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".citation-panel h2")).to_be_focused()
    expect(page.locator(".citation-panel h2")).to_contain_text(f"{count} of {count}")
    page.keyboard.press("n")
    expect(page.locator(".citation-panel h2")).to_contain_text(f"1 of {count}")
    current_in_frame(page).wait_for(timeout=ANSWERED_WITHIN)
    current_in_frame(page).press("Escape")
    expect(page.locator(".citation-panel")).to_be_hidden()
    expect(chips.first).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Your question")).to_have_value(SEVERAL)


def test_an_answer_that_is_not_there_says_why_and_what_to_do(start):
    page = answered(start, NOBODY)
    expect(page.locator("[data-reason]")).to_contain_text("No document matches")
    expect(page.locator(".chip")).to_have_count(0)
    expect(page.locator("[data-conversation-note]")).to_be_hidden()
    expect(page.get_by_placeholder("Ask a question")).to_be_visible()
    page.get_by_role("link", name="Search all documents").click()
    expect(page.get_by_label("Search all documents")).to_have_value(NOBODY)


def test_a_stream_that_breaks_off_says_so_keeps_what_came_and_can_be_tried_again(site, contract, open_page):
    with stalling_line(site, after=b"event: citation") as (line, cut):
        page = open_page(f"{line}/")
        ask(page, DELAY)
        expect(page.locator("[data-live] .chip")).to_have_text("Harbour Works Contract, p.2", timeout=ANSWERED_WITHIN)
        cut()
        expect(page.get_by_role("alert")).to_contain_text("Connection lost")
        expect(page.locator("[data-live]")).to_contain_text(SAID)
        expect(page.get_by_label("Your question")).to_have_value(DELAY)
        page.get_by_role("button", name="Try again").click()
        heading(page, DELAY)
        expect(page.get_by_role("alert")).to_be_empty()


def test_sub_questions_are_ticked_when_they_have_been_looked_up(site, contract, open_page):
    tick = "[...document.querySelectorAll('.steps li')].map((step) => getComputedStyle(step, '::before').content)"
    with stalling_line(site, after=b"event: sub_questions") as (line, _):
        page = open_page(f"{line}/")
        ask(page, SEVERAL)
        expect(page.locator(".progress .count")).to_have_text(["searching …", "searching …"], timeout=ANSWERED_WITHIN)
        assert page.evaluate(tick) == ['""', '""']
        answered(page, SEVERAL)  # later answers come through
        assert {content[:3] for content in page.evaluate(tick)} == {'"✓"'}


def test_an_answer_can_be_stopped_while_it_is_written(site, contract, open_page):
    with stalling_line(site, after=b"event: token") as (line, _):
        page = open_page(f"{line}/")
        ask(page, DELAY)
        expect(page.locator(".progress .count")).to_have_text(re.compile(r"\d+ sentences? in 1 document"))
        expect(page.locator("[data-live]")).to_contain_text(SAID, timeout=ANSWERED_WITHIN)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("alert")).to_contain_text("Stopped.")
        expect(page.locator("[data-live]")).to_contain_text(SAID)


def test_without_a_connection_the_question_is_kept(site, contract, open_page):
    start = open_page(f"{site}/", fresh=True)
    start.context.set_offline(True)
    ask(start, DELAY)
    expect(start.get_by_role("alert").filter(has_text="You are offline")).to_be_visible()
    expect(start.get_by_label("Your question")).to_have_value(DELAY)
    start.context.set_offline(False)
    start.get_by_role("button", name="Try again").click()
    heading(start, DELAY)


def test_what_the_server_refuses_is_told_in_its_words(start):
    start.get_by_text("More options", exact=True).click()
    start.locator("[name=mode] option").first.evaluate("option => { option.value = 'poetic'; }")
    start.locator("[name=mode]").select_option("poetic")
    ask(start, DELAY)
    expect(start.get_by_role("alert")).to_contain_text("No mode is called 'poetic'", timeout=ANSWERED_WITHIN)


def test_a_session_is_kept_gone_back_to_sent_along_and_cleared(site, contract, open_page):
    page = answered(open_page(f"{site}/", fresh=True), DELAY)
    with page.expect_request(lambda request: request.method == "POST") as sent:
        answered(page, WARNING)
    body = sent.value.post_data
    assert DELAY in body
    assert "£4,200" in body  # what was answered: a follow-up may speak of it
    session = page.get_by_role("region", name="In this session")
    expect(session.get_by_role("button", name=WARNING)).to_have_attribute("aria-current", "true")
    page.on("request", lambda request: pytest.fail("asked again") if request.method == "POST" else None)
    session.get_by_role("button", name=DELAY).click()
    heading(page, DELAY)
    page.reload()
    heading(page, DELAY)
    page.go_back()
    heading(page, WARNING)
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".answer")).to_have_count(0)
    expect(session).to_be_hidden()
    expect(page.locator("[data-conversation-note]")).to_be_hidden()


def test_without_javascript_a_follow_up_sends_the_conversation_too(site, contract, open_page):
    page = open_page(f"{site}/", java_script_enabled=False)
    for question in (DELAY, WARNING):
        page.get_by_label("Your question").fill(question)
        with page.expect_request(lambda request: request.method == "POST") as sent:
            page.get_by_role("button", name="Ask", exact=True).click()
        heading(page, question)
    assert parse_qs(sent.value.post_data)["asked"] == [DELAY]


def test_a_link_with_a_question_is_answered_and_can_be_shared(site, contract, open_page):
    page = open_page(f"{site}/?{urlencode({'q': DELAY})}", permissions=["clipboard-read", "clipboard-write"])
    heading(page, DELAY)
    link = page.locator("[data-share]")
    assert fetched(link).ok
    link.click()
    expect(link).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link.evaluate("link => link.href")
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f"“{SAID}” [Harbour Works Contract, p.2]({site}/documents/" in copied


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_a_question_to_try_is_one_click(script, site, contract, open_page):
    page = open_page(f"{site}/", java_script_enabled=script)
    page.get_by_role("form", name="Suggested questions").get_by_role("button").first.click()
    expect(page.locator(".answer > h2")).to_be_visible(timeout=ANSWERED_WITHIN)


@pytest.mark.parametrize("under_way", [True, False], ids=["while it is written", "when it is done"])
def test_text_question_and_name_are_only_text_and_offsets_count_code_points(under_way, site, taken_in, open_page):
    taken_in({**HOSTILE, "buffer": f"About the guild.\n\n{ASTRAL}\n".encode()})
    question = 'What is the secret password of the guild <script>alert(6)</script>"><b>?'
    with stalling_line(site, after=b"event: citation") as (line, _):
        page = open_page(f"{line if under_way else site}/")
        ask(page, question)
        said = page.locator("[data-live]" if under_way else ".answer .prose")
        said.locator(".chip").first.wait_for(timeout=ANSWERED_WITHIN)
        assert said.inner_text().startswith(f"“{ASTRAL}” <img src=x onerror=alert(9)>")
        expect(said.locator(".chip").first).to_contain_text("<img src=x onerror=alert(9)>")
        expect(page.locator("main :is(script, img, b:not(.answer b, .card b))")).to_have_count(0)
        said.locator(".chip").first.hover()
        expect(page.get_by_role("tooltip").locator("mark")).to_have_text(ASTRAL)
        expect(page.get_by_role("tooltip").locator(":is(script, img)")).to_have_count(0)


def test_an_empty_library_offers_documents_and_the_samples(tmp_path_factory, open_page):
    with serving(tmp_path_factory.mktemp("empty")) as site:
        page = open_page(f"{site}/")
        expect(page.locator("main")).to_contain_text("No documents yet")
        expect(page.get_by_role("link", name="Add documents")).to_be_visible()
        page.get_by_role("button", name="Or try the sample").click()
        expect(page).to_have_url(f"{site}/documents")
        expect(page.get_by_role("link", name="Harbour Works Contract.pdf", exact=True)).to_be_visible()


def test_an_answer_fits_a_small_window_and_everything_in_it_has_a_name(site, contract, open_page):
    page = answered(open_page(f"{site}/", viewport={"width": 320, "height": 640}), SEVERAL)
    assert page.evaluate(TOO_WIDE) == 0
    page.get_by_text("More options", exact=True).click()
    assert page.evaluate(TOO_WIDE) == 0
    nameless = page.locator(USABLE).evaluate_all(
        "all => all.filter((one) => one.checkVisibility() && !one.innerText?.trim() && !one.labels?.length"
        " && !one.getAttribute('aria-label')).map((one) => one.outerHTML)"
    )
    assert nameless == []
    assert (
        page.evaluate("new Set([...document.querySelectorAll('[id]')].map((one) => one.id)).size")
        == page.locator("[id]").count()
    )
