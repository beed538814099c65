"""The ask page: questions, streamed answers and the cited sentences."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, fetch_link
from tests.browser.serving import serving
from tests.browser.stalling_proxy import stalling_proxy
from tests.browser.test_accessibility import TOO_WIDE, USABLE
from tests.browser.test_viewer import PHONE

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


def wait_for_answer(page: Page, question: str) -> Page:
    ask(page, question)
    heading(page, question)
    return page


def heading(page: Page, question: str) -> None:
    """Wait until the last answer of the conversation is the one to a question."""
    expect(page.locator(".answer > h2").last).to_have_text(question, timeout=ANSWER_TIMEOUT_MS)


def current_in_frame(page: Page):
    return page.frame_locator(".citation-panel iframe").locator("mark[aria-current]").first


@pytest.fixture
def ask_page(site, contract, open_page) -> Page:
    return open_page(f"{site}/")


def test_chip_shows_its_sentence_and_opens_citation_panel(ask_page):
    page = wait_for_answer(ask_page, DELAY)
    chip = page.locator(".answer .chip").first
    expect(chip).to_have_text("[1], Harbour Works Contract.pdf, page 2")
    chip.hover()
    expect(page.get_by_role("tooltip").locator("mark")).to_have_text(SAID)
    chip.click()
    expect(page.get_by_role("tooltip")).to_be_hidden()
    expect(current_in_frame(page)).to_have_text(SAID, timeout=ANSWER_TIMEOUT_MS)
    expect(chip).to_have_attribute("aria-current", "true")
    beside = page.locator(".citation-panel")
    assert beside.bounding_box()["x"] > chip.bounding_box()["x"] + chip.bounding_box()["width"]
    beside.locator("summary").click()
    ways = ["Highlighted text", "Page", "PDF with highlights", "Original", "PDF of this section"]
    expect(beside.locator("[data-open-menu] a")).to_contain_text(ways)
    for name in ways[2:]:
        assert fetch_link(beside.get_by_role("link", name=name)).body().startswith(b"%PDF")
    page.keyboard.press("Escape")  # closes the menu, and not the panel
    expect(beside.get_by_role("link", name="Original")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(beside.get_by_role("link", name="Highlighted text")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("mark[aria-current]").first).to_have_text(SAID)
    page.go_back()
    heading(page, DELAY)  # and no second question was asked for it


def test_citation_card_stays_on_hover_and_closes_with_escape(ask_page):
    page = wait_for_answer(ask_page, DELAY)
    page.locator(".answer .chip").first.hover()
    card = page.get_by_role("tooltip")
    card.hover()
    page.wait_for_timeout(600)  # longer than it stays by itself
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}], ids=["on a phone", "on a desk"])
def test_without_javascript_answer_comes_as_page(viewport, site, contract, open_page):
    page = open_page(f"{site}/", java_script_enabled=False, viewport=viewport)
    page.get_by_label("Your question").fill(DELAY)
    page.get_by_role("button", name="Ask", exact=True).click()
    heading(page, DELAY)
    assert page.evaluate(TOO_WIDE) == 0
    expect(page.locator(".answer .prose")).to_contain_text(SAID)
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_hidden()
    page.locator(".answer .chip").first.click()
    expect(page.locator("mark[data-current]").first).to_have_text(SAID)


def test_on_phone_citation_panel_is_sheet_and_returns_focus(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", viewport=PHONE), DELAY)
    assert page.evaluate(TOO_WIDE) == 0
    chip = page.locator(".answer .chip").first
    chip.click()
    expect(page.locator(".citation-panel:modal")).to_be_visible()
    expect(current_in_frame(page)).to_be_in_viewport(timeout=ANSWER_TIMEOUT_MS)
    assert page.evaluate(TOO_WIDE) == 0
    page.locator(".citation-panel").get_by_role("button", name="Close").click()
    expect(page.locator(".citation-panel")).to_be_hidden()
    expect(chip).to_be_focused()
    chip.press("Enter")
    expect(page.locator(".citation-panel h2")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".citation-panel")).to_be_hidden()
    expect(chip).to_be_focused()


def test_ask_page_works_with_keyboard_alone(ask_page):
    page = ask_page
    page.keyboard.press("/")
    page.keyboard.type(SEVERAL)
    page.keyboard.press("Enter")
    heading(page, SEVERAL)
    expect(page.locator(".answer > h2")).to_be_focused()
    chips = page.locator(".answer .chip[data-frame]")
    count = chips.count()
    assert count > 1
    page.keyboard.press("Tab")
    chips.last.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".citation-panel h2")).to_be_focused()
    expect(page.locator(".citation-panel h2")).to_contain_text(f"{count} of {count}")
    page.keyboard.press("n")
    expect(page.locator(".citation-panel h2")).to_contain_text(f"1 of {count}")
    current_in_frame(page).wait_for(timeout=ANSWER_TIMEOUT_MS)
    current_in_frame(page).press("Escape")
    expect(page.locator(".citation-panel")).to_be_hidden()
    expect(chips.first).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Your question")).to_have_value(SEVERAL)


def test_refusal_shows_reason_and_next_steps(ask_page):
    page = wait_for_answer(ask_page, NOBODY)
    expect(page.locator("[data-reason]")).to_contain_text("No document matches")
    expect(page.locator(".chip")).to_have_count(0)
    expect(page.locator("[data-conversation-note]")).to_be_hidden()
    expect(page.get_by_placeholder("Ask a question")).to_be_visible()
    page.get_by_role("link", name="Search all documents").click()
    expect(page.get_by_label("Search all documents")).to_have_value(NOBODY)


def test_interrupted_stream_keeps_text_and_offers_retry(site, contract, open_page):
    with stalling_proxy(site, after=b"event: citation") as (line, cut):
        page = open_page(f"{line}/")
        ask(page, DELAY)
        expect(page.locator("[data-live] .chip")).to_have_text(
            "[1], Harbour Works Contract.pdf, page 2", timeout=ANSWER_TIMEOUT_MS
        )
        cut()
        expect(page.get_by_role("alert")).to_contain_text("Connection lost")
        expect(page.locator("[data-live]")).to_contain_text(SAID)
        expect(page.get_by_label("Your question")).to_have_value(DELAY)
        page.get_by_role("button", name="Try again").click()
        heading(page, DELAY)
        expect(page.get_by_role("alert")).to_be_empty()


def test_sub_questions_are_ticked_when_answered(site, contract, open_page):
    tick = "[...document.querySelectorAll('.steps li')].map((step) => getComputedStyle(step, '::before').content[1])"
    with stalling_proxy(site, after=b"event: sub_questions") as (line, _):
        page = open_page(f"{line}/")
        ask(page, SEVERAL)
        expect(page.locator(".progress .count")).to_have_text(["searching …", "searching …"], timeout=ANSWER_TIMEOUT_MS)
        assert page.evaluate(tick) == ['"', '"']
        wait_for_answer(page, SEVERAL)  # later answers come through
        assert page.evaluate(tick) == ["✓", "✓", "•", "•"]  # answered; the hidden progress below it says what was found


def test_running_answer_can_be_stopped(site, contract, open_page):
    with stalling_proxy(site, after=b"event: token") as (line, _):
        page = open_page(f"{line}/")
        ask(page, DELAY)
        expect(page.locator(".progress .count")).to_have_text(re.compile(r"\d+ sentences? in 1 document"))
        expect(page.locator("[data-live]")).to_contain_text(SAID, timeout=ANSWER_TIMEOUT_MS)
        page.get_by_role("button", name="Stop").click()
        expect(page.get_by_role("alert")).to_contain_text("Stopped.")
        expect(page.locator("[data-live]")).to_contain_text(SAID)


def test_question_is_kept_without_connection(site, contract, open_page):
    ask_page = open_page(f"{site}/", fresh=True)
    ask_page.context.set_offline(True)
    ask(ask_page, DELAY)
    expect(ask_page.get_by_role("alert").filter(has_text="You are offline")).to_be_visible()
    expect(ask_page.get_by_label("Your question")).to_have_value(DELAY)
    ask_page.context.set_offline(False)
    ask_page.get_by_role("button", name="Try again").click()
    heading(ask_page, DELAY)


def test_refused_request_shows_sentence_of_server(ask_page):
    ask_page.get_by_text("More options", exact=True).click()
    ask_page.locator("[name=mode] option").first.evaluate("option => { option.value = 'poetic'; }")
    ask_page.locator("[name=mode]").select_option("poetic")
    ask(ask_page, DELAY)
    expect(ask_page.get_by_role("alert")).to_contain_text("No mode is called 'poetic'", timeout=ANSWER_TIMEOUT_MS)


def test_without_javascript_follow_up_sends_conversation(site, contract, open_page):
    page = open_page(f"{site}/", java_script_enabled=False)
    for question in (DELAY, WARNING):
        page.get_by_label("Your question").fill(question)
        with page.expect_request(lambda request: request.method == "POST") as sent:
            page.get_by_role("button", name="Ask", exact=True).click()
        heading(page, question)
    assert parse_qs(sent.value.post_data)["asked"] == [DELAY]


def test_link_with_question_is_answered_and_shareable(site, contract, open_page):
    page = open_page(f"{site}/?{urlencode({'q': DELAY})}", permissions=["clipboard-read", "clipboard-write"])
    heading(page, DELAY)
    link = page.locator("[data-share]")
    assert fetch_link(link).ok
    link.click()
    expect(link).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == link.evaluate("link => link.href")
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert f"“{SAID}” [Harbour Works Contract, p.2]({site}/documents/" in copied


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_suggested_question_is_asked_with_one_click(script, site, contract, open_page):
    page = open_page(f"{site}/?doc={contract.rsplit('/', 1)[1]}", java_script_enabled=script)
    page.get_by_role("form", name="Suggested questions").get_by_role("button").first.click()
    expect(page.locator(".answer > h2")).to_be_visible(timeout=ANSWER_TIMEOUT_MS)


@pytest.mark.parametrize("under_way", [True, False], ids=["while it is written", "when it is done"])
def test_hostile_text_is_escaped_and_offsets_count_code_points(under_way, site, upload_once, open_page):
    upload_once({**HOSTILE, "buffer": f"About the guild.\n\n{ASTRAL}\n".encode()})
    question = 'What is the secret password of the guild <script>alert(6)</script>"><b>?'
    with stalling_proxy(site, after=b"event: citation") as (line, _):
        page = open_page(f"{line if under_way else site}/")
        ask(page, question)
        message = page.locator("[data-live]" if under_way else ".answer .prose")
        message.locator(".chip").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
        assert message.inner_text().startswith(f"“{ASTRAL}”")
        expect(message.locator(".chip").first).to_contain_text("<img src=x onerror=alert(9)>")
        expect(page.locator("main :is(script, img, b:not(.answer b, .card b))")).to_have_count(0)
        message.locator(".chip").first.hover()
        expect(page.get_by_role("tooltip").locator("mark")).to_have_text(ASTRAL)
        expect(page.get_by_role("tooltip").locator(":is(script, img)")).to_have_count(0)


def test_empty_library_offers_upload_and_samples(tmp_path_factory, open_page):
    with serving(tmp_path_factory.mktemp("empty")) as site:
        page = open_page(f"{site}/")
        expect(page.locator("main")).to_contain_text("No documents yet")
        expect(page.get_by_role("link", name="Add documents")).to_be_visible()
        page.get_by_role("button", name="Or try the sample").click()
        expect(page).to_have_url(f"{site}/documents")
        expect(page.get_by_role("link", name="Harbour Works Contract.pdf", exact=True)).to_be_visible()


def test_answer_fits_small_window_and_controls_have_names(site, contract, open_page):
    page = wait_for_answer(open_page(f"{site}/", viewport={"width": 320, "height": 640}), SEVERAL)
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
