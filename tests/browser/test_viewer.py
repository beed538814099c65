"""The viewer of one chunk: first highlight, steps, keyboard, embedded view."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import question_url

PHONE = {"width": 360, "height": 600}
ONE_FAR_DOWN = "How much does the Contractor pay for each day of delay?"
SEVERAL = "What does the contract say about delay damages?"

# Whether the mark's first line lies in the window, and is the thing that is seen there (the sticky header is not over it).
IS_IN_SIGHT = """mark => {
  const line = mark.getClientRects()[0];
  return mark.contains(document.elementFromPoint(line.x + line.width / 2, line.y + line.height / 2));
}"""


def is_in_sight(page: Page, mark: str = "#mark-1") -> bool:
    page.locator(mark).wait_for()
    return page.locator(mark).evaluate(IS_IN_SIGHT)


def embedded(site: str, document: str, question: str, part: int = 6) -> str:
    requested = {"document_id": document.rsplit("/", 1)[1], "chunk_index": part, "sub_question": question}
    return f"{site}/api/v1/chunks/highlight?{urlencode(requested)}"


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_first_highlight_is_visible_after_loading(script, site, contract, open_page):
    options = {"viewport": PHONE, "java_script_enabled": script}
    page = open_page(question_url(contract, ONE_FAR_DOWN), **options)
    page.wait_for_url("**/chunks/6*")
    assert is_in_sight(page)
    assert is_in_sight(open_page(embedded(site, contract, ONE_FAR_DOWN), **options))


def test_n_and_p_step_through_highlights_and_show_position(contract, open_page):
    page = open_page(question_url(contract, SEVERAL), viewport=PHONE, reduced_motion="reduce")
    position = page.locator("[data-position][aria-live=polite]")
    page.locator("mark[id]").first.wait_for()
    count = page.locator("mark[id]").count()
    assert count > 1
    for key, number in [("n", 2), ("p", 1), ("p", count), ("n", 1)]:
        page.keyboard.press(key)
        assert position.inner_text() == f"{number} of {count}"
        assert page.evaluate("document.activeElement.id") == f"mark-{number}"
        assert is_in_sight(page, f"#mark-{number}")


def test_arrow_links_step_like_keys(contract, open_page):
    page = open_page(question_url(contract, SEVERAL))
    page.get_by_role("link", name="Next highlight").click()
    assert page.locator("mark[aria-current]").first.get_attribute("id") == "mark-2"
    page.get_by_role("link", name="Previous highlight").click()
    assert page.locator("mark[aria-current]").first.get_attribute("id") == "mark-1"


def test_single_highlight_or_find_has_no_steps_and_n_returns_to_it(contract, open_page):
    page = open_page(question_url(contract, ONE_FAR_DOWN), viewport=PHONE, reduced_motion="reduce")
    for what, arrow in (("#mark-1", "Next highlight"), ("#found", "Next result")):
        if what == "#found":
            page.goto(f"{contract}/find?find=£4,200")
        assert is_in_sight(page, what)
        expect(page.get_by_role("link", name=arrow)).to_be_disabled()
        page.evaluate("scrollTo(0, 0)")
        assert not is_in_sight(page, what)
        page.keyboard.press("n")
        page.wait_for_function(
            "(what) => document.querySelector(what).getBoundingClientRect().top < innerHeight", arg=what
        )
        assert is_in_sight(page, what)


def test_n_is_typed_in_question_box(contract, open_page):
    page = open_page(question_url(contract, SEVERAL))
    field = page.get_by_label("Ask this document")
    field.fill("")
    field.press_sequentially("no opinion")
    assert field.input_value() == "no opinion"
    assert page.locator("mark[aria-current]").first.get_attribute("id") == "mark-1"


def test_mark_contains_only_sentence(contract, open_page):
    """Dots and score are generated content: they are never selected or copied."""
    page = open_page(question_url(contract, ONE_FAR_DOWN))
    mark = page.locator("#mark-1")
    wait_until_drawn = "mark => [getComputedStyle(mark, '::before').content, getComputedStyle(mark, '::after').content]"
    dots, score = mark.evaluate(wait_until_drawn)
    assert "●" in dots
    assert mark.get_attribute("data-score") in score
    selected = mark.evaluate("mark => (getSelection().selectAllChildren(mark), getSelection().toString())")
    assert selected == mark.evaluate("mark => mark.textContent")
    assert selected.endswith("the Contractor pays delay damages of £4,200.")


def test_page_markers_are_shown_but_not_copied(contract, open_page):
    page = open_page(question_url(contract, ONE_FAR_DOWN))
    turn = page.locator("#page-3")
    assert turn.locator("b").is_visible()
    around = turn.evaluate("turn => (getSelection().selectAllChildren(turn.parentElement), getSelection().toString())")
    assert "£4,200. Delay damages stop" in around


def test_question_without_evidence_highlights_nothing_and_says_so(contract, open_page):
    page = open_page(f"{contract}/chunks/0?{urlencode({'q': 'What do penguins eat?'})}")
    assert page.locator("mark").count() == 0
    assert "No strong match" in page.get_by_role("status").inner_text()


def test_embedded_view_takes_no_focus_and_does_not_scroll_host(site, contract, open_page):
    page = open_page(f"{site}/documents", viewport=PHONE)
    frame = f'<input id="own" autofocus><p style="height:2000px"></p><iframe src="{embedded(site, contract, SEVERAL)}">'
    page.route("**/host", lambda route: route.fulfill(body=f"<!doctype html>{frame}", content_type="text/html"))
    page.goto(f"{site}/host")
    page.frame_locator("iframe").locator("mark[aria-current]").first.wait_for()
    assert page.evaluate("[document.activeElement.id, scrollY]") == ["own", 0]


def test_embedded_view_and_errors_have_no_site_header(site, contract, open_page):
    assert open_page(embedded(site, contract, SEVERAL)).locator(".site").count() == 0
    lost = open_page(embedded(site, contract, SEVERAL, part=99))
    assert "has no section 100" in lost.locator("main").inner_text()
    assert lost.locator(".site").count() == 0


def test_missing_document_is_named(site, contract, open_page):
    assert (
        "Document nothing-here was not found"
        in open_page(f"{site}/documents/nothing-here").locator("main").inner_text()
    )
    assert "has no section 100" in open_page(f"{contract}/chunks/99").locator("main").inner_text()
    asked_nothing = open_page(f"{site}/api/v1/chunks/highlight?document_id=x&chunk_index=0")
    assert "sub_question" in asked_nothing.locator("main").inner_text()
