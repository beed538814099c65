"""Every page, visited once: small windows with large text, axe-core in both themes, and use by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import ANSWER_TIMEOUT_MS, VIEWPORT
from tests.browser.every_page import ADDRESSES, AWAITED_SELECTORS
from tests.browser.test_accessibility import TOO_WIDE, USABLE
from tests.browser.test_axe import list_violations
from tests.waiting import wait_until

NARROW = {"width": 320, "height": 640}

# The lines, letters and words apart that WCAG 1.4.12 asks to bear.
LOOSEN_SPACING_SCRIPT = """for (const one of document.querySelectorAll("main *, header *"))
  Object.assign(one.style, { lineHeight: "1.5", letterSpacing: ".12em", wordSpacing: ".16em" })"""

# Of what has the focus: its name, whether that is shown, and whether some of it can be seen (WCAG 2.4.11).
DESCRIBE_FOCUS = """() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const shown = [element, element.nextElementSibling, element.closest(".ask")].filter(Boolean).map(getComputedStyle);
  const boxes = [...element.getClientRects()].flatMap(({ left, right, top, bottom }) =>
    [[left + 2, top + 2], [right - 2, bottom - 2], [(left + right) / 2, (top + bottom) / 2]]);
  const seen = boxes.map(([x, y]) => document.elementFromPoint(x, y)).filter(Boolean);
  return {
    name: element.outerHTML.replace(' aria-describedby="card"', '').slice(0, 140),
    shows: shown.some((style) => (style.outlineStyle !== "none" && style.outlineWidth !== "0px") || style.boxShadow !== "none"),
    seen: element.matches("input[type=file]") || seen.some((one) => element.contains(one) || one.contains(element)),
  };
}"""

# Describe the focus whenever a Tab key goes up, by when the focus has moved: a request from here after each key costs as much again.
RECORD_FOCUS = f"""() => {{
  const describeFocus = {DESCRIBE_FOCUS};
  const reached = [], record = ({{ key }}) => key === "Tab" && reached.push(describeFocus());
  addEventListener("keyup", record, true);
  window.takeReached = () => {{
    removeEventListener("keyup", record, true);
    return reached;
  }};
}}"""

BY_KEYBOARD = (
    "the ask page", "an answer", "the library", "a quote without match", "finds", "a search", "a deletion page",
    "a document", "a chunk with highlights", "a page view with highlights", "a chunk with a table", "an error",
)  # fmt: skip


# What repeats the elements before it, hundreds of times: axe takes as long for it as for ten other pages.
REPEATED_ELEMENTS = {"the API": ".api section:nth-of-type(n+9), .api .contents li:nth-of-type(n+9)"}


@pytest.mark.parametrize("name", ADDRESSES)
def test_page_is_accessible(name, pages, open_page, subtests):
    page = open_page(pages[name], viewport=NARROW)
    if name in AWAITED_SELECTORS:
        page.locator(AWAITED_SELECTORS[name]).first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    with subtests.test("fits a narrow window"):
        assert page.evaluate(TOO_WIDE) == 0
    page.set_viewport_size(VIEWPORT)
    with subtests.test("has no violations of axe"), hidden(page.locator(REPEATED_ELEMENTS.get(name, ":not(*)"))):
        assert list_violations(page) == []
    if name in BY_KEYBOARD:
        with subtests.test("is used by keyboard"):
            assert_keyboard_reaches_all_controls(page)
    with subtests.test("reflows with large and loose text"):
        assert_reflows(page)


@contextmanager
def hidden(elements: Locator) -> Iterator[None]:
    """Hide elements for a while; they may be none."""
    hide = "(all, isHidden) => all.forEach((one) => (one.hidden = isHidden))"
    elements.evaluate_all(hide, True)
    yield
    elements.evaluate_all(hide, False)


def assert_reflows(page: Page) -> None:
    """Assert WCAG 1.4.10, 1.4.4 and 1.4.12; the page stays changed."""
    page.set_viewport_size(NARROW)
    page.evaluate(LOOSEN_SPACING_SCRIPT)
    wait_until(lambda: page.evaluate(TOO_WIDE) == 0)  # what listens to the width may take a moment
    page.set_viewport_size({"width": 640, "height": 640})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    wait_until(lambda: page.evaluate(TOO_WIDE) == 0)


def assert_keyboard_reaches_all_controls(page: Page) -> None:
    """Assert that Tab reaches everything that can be used, and that the focus is visible both ways, in the light theme."""
    page.set_viewport_size({"width": 700, "height": 420})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    usable = page.locator(USABLE).evaluate_all(
        "all => all.filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 140))"
    )
    reached = _press_tab(page, len(usable) + 8)  # summaries are come to as well
    assert set(usable) - {one["name"] for one in reached} == set()
    reached += _press_tab(page, len(usable), is_backwards=True)
    assert [one for one in reached if not (one["shows"] and one["seen"])] == []


def _press_tab(page: Page, times: int, is_backwards: bool = False) -> list[dict]:
    """Press Tab so often from the start of the page, and return what had the focus after each time."""
    page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
    page.locator("body").evaluate("body => { body.tabIndex = -1; body.focus(); body.removeAttribute('tabindex'); }")
    page.evaluate(RECORD_FOCUS)
    if is_backwards:
        page.keyboard.down("Shift")
    for _ in range(times):
        page.keyboard.press("Tab")
    if is_backwards:
        page.keyboard.up("Shift")
    reached = page.evaluate("takeReached()")
    assert len(reached) == times
    return [one for one in reached if one]
