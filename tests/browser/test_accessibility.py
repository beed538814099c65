"""Accessibility: contrast, print, reduced motion, announcements. Small windows and the keyboard: test_every_page.py."""

from __future__ import annotations

import pytest

from tests.browser.conftest import question_url
from tests.browser.every_page import SEVERAL

TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Everything that can be used, seen as Tab should come to it.
# The ruler is left out: it repeats other links for the pointer.
USABLE = "a[href]:not(.skip, .ruler a), button, input:not([type=hidden]), select, textarea, [tabindex='0']"

# Text on ground, as they stand over each other.
PAIRS = [
    ("ink", "paper"), ("ink", "card"), ("soft", "paper"), ("soft", "card"), ("accent", "paper"), ("accent", "card"),
    ("accent", "accent-soft"), ("card", "accent"), ("ok", "paper"), ("bad", "paper"), ("ink", "bad-soft"),
    ("ink", "accent-soft"), ("card", "bad"), ("bad", "bad-soft"), ("ink", "mark-1"), ("ink", "mark-2"), ("ink", "mark-3"),
    ("ok", "card"), ("ok", "accent-soft"), ("ok", "bad-soft"), ("bad", "card"), ("bad", "accent-soft"),
    ("soft", "accent-soft"), ("soft", "bad-soft"), ("accent", "bad-soft"), ("mark-line", "mark-1"), ("mark-line", "mark-2"), ("mark-line", "mark-3"),
]  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_sufficient_contrast(scheme, site, open_page):
    """WCAG requires a contrast of 4.5 to 1 for text."""
    page = open_page(f"{site}/documents", color_scheme=scheme)
    style = (
        "names => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim())"
    )
    weak = {pair: round(ratio, 2) for pair in PAIRS if (ratio := _contrast(*page.evaluate(style, list(pair)))) < 4.5}
    assert weak == {}


def test_print_uses_light_colours_in_dark_theme(contract, open_page):
    page = open_page(question_url(contract, SEVERAL), color_scheme="dark")
    ink = "getComputedStyle(document.body).color"
    on_screen = page.evaluate(ink)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ink) == "rgb(31, 30, 27)" != on_screen
    assert page.locator(".highlighted-for").is_visible()
    assert not page.locator(".ask").is_visible()


def test_each_evidence_strength_has_its_own_line_style(contract, open_page):
    """Strength is not shown by shade alone: lines are dotted, dashed or solid, with dots before the sentence."""
    page = open_page(question_url(contract, SEVERAL), reduced_motion="reduce")
    line = "mark => (mark.className = `s${%d}`, getComputedStyle(mark).textDecorationLine + getComputedStyle(mark).textDecorationStyle)"
    mark = page.locator("mark").first
    lines = [mark.evaluate(line % strength) for strength in (1, 2, 3)]
    assert len({one for one in lines if one.startswith("underline")}) == 3


def test_forced_colours_keep_marks_and_current_state(contract, open_page):
    page = open_page(question_url(contract, SEVERAL), forced_colors="active", reduced_motion="reduce")
    decoration_script = "one => [getComputedStyle(one).textDecorationLine, getComputedStyle(one).outlineStyle]"
    assert page.locator("mark[aria-current]").first.evaluate(decoration_script) == ["underline", "solid"]
    assert page.locator("mark:not([aria-current])").first.evaluate(decoration_script) == ["underline", "none"]
    assert page.locator(".tabs [aria-current]").evaluate(decoration_script) == ["underline", "solid"]


def test_reduced_motion_disables_animations(pages, open_page):
    page = open_page(pages["an answer"], viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    page.locator(".answer .chip").first.click()
    assert page.locator(".citation-panel").evaluate("one => getComputedStyle(one).animationName") == "none"


def test_find_step_is_announced_to_screen_readers(pages, open_page):
    """The live region stays when the content is replaced: screen readers ignore a new one."""
    page = open_page(pages["finds"])
    message = page.locator("[data-announce][aria-live=polite]").element_handle()
    page.keyboard.press("n")
    page.locator(".find-position", has_text="10 of 34").wait_for()
    assert message.inner_text() == "Find 10 of 34 results"


def test_page_has_one_h1_and_landmarks(pages, open_page):
    page = open_page(pages["the ask page"])
    for name in (
        "the ask page",
        "an answer",
        "the library",
        "a chunk with highlights",
        "a page view with highlights",
        "an error",
    ):
        page.goto(pages[name])
        counts = {part: page.locator(part).count() for part in ("h1", "main", "header.site", "nav[aria-label]")}
        assert (name, counts) == (name, {**counts, "h1": 1, "main": 1, "header.site": 1})
        assert counts["nav[aria-label]"] >= 1


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
