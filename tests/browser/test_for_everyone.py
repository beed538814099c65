"""Small windows, keyboards, eyes in bright light and in the dark."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import SAMPLES, asking
from tests.browser.test_reading import SEVERAL, embedded

NARROW = {"width": 320, "height": 640}
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# Everything that can be used, seen as Tab should come to it.
USABLE = "a[href]:not(.skip), button, input:not([type=hidden]), select, textarea, [tabindex='0']"
NAME_OF = "element => element.outerHTML.slice(0, 140)"
SHOWS_FOCUS = """element => {
  const shown = [element, element.nextElementSibling, element.closest(".ask")].filter(Boolean).map(getComputedStyle);
  return shown.some((style) => (style.outlineStyle !== "none" && style.outlineWidth !== "0px") || style.boxShadow !== "none");
}"""

# Text on ground, as they stand over each other.
PAIRS = [
    ("ink", "paper"), ("ink", "card"), ("soft", "paper"), ("soft", "card"), ("accent", "paper"), ("accent", "card"),
    ("accent", "accent-soft"), ("card", "accent"), ("ok", "paper"), ("bad", "paper"), ("ink", "bad-soft"),
    ("ink", "accent-soft"), ("card", "bad"), ("bad", "bad-soft"), ("ink", "mark-1"), ("ink", "mark-2"), ("ink", "mark-3"),
    ("ok", "card"), ("ok", "accent-soft"), ("ok", "bad-soft"), ("bad", "card"), ("bad", "accent-soft"),
    ("soft", "accent-soft"), ("soft", "bad-soft"), ("accent", "bad-soft"), ("mark-line", "mark-1"), ("mark-line", "mark-2"), ("mark-line", "mark-3"),
]  # fmt: skip


@pytest.fixture(scope="session")
def pages(site, contract, taken_in) -> dict[str, str]:
    council = taken_in(SAMPLES / "南灣區議會文件 避風塘改善工程.pdf")
    return {
        "the ask page": f"{site}/",
        "the library": f"{site}/documents",
        "a search": f"{site}/search?{urlencode({'q': SEVERAL})}",
        "a search that finds nothing": f"{site}/search?q=quantum+chromodynamics",
        "a deletion": f"{contract}/delete",
        "a document": contract,
        "a Chinese document": council,
        "a part with marks": asking(contract, SEVERAL),
        "pages with marks": asking(contract, SEVERAL, "page"),
        "a quote to be checked": f"{site}/open",
        "a quote that is not there": f"{site}/open?{urlencode({'quote': SEVERAL})}",
        "a quote with a slip": f"{site}/open?{urlencode({'quote': 'A working day is a day other then a Sunday or a public holiday'})}",
        "finds": f"{contract}/chunks/3?find=contractor&hit=9",
        "a part with a table": f"{contract}/chunks/11",
        "a Chinese part with a table": f"{council}/chunks/1?{urlencode({'q': '工程預計幾時完成？'})}",
        "a part in a frame": embedded(site, contract, SEVERAL),
        "an error": f"{site}/documents/{'nothing' * 30}",
    }


def test_no_page_scrolls_sideways_at_320_pixels(pages, open_page):
    for name, address in pages.items():
        assert (name, open_page(address, viewport=NARROW).evaluate(TOO_WIDE)) == (name, 0)


def test_the_keyboard_reaches_everything_and_shows_where_it_is(pages, open_page):
    for name in (
        "the ask page",
        "the library",
        "a quote that is not there",
        "finds",
        "a search",
        "a deletion",
        "a document",
        "a part with marks",
        "pages with marks",
        "a part with a table",
        "an error",
    ):
        page = open_page(pages[name])
        usable = [e.evaluate(NAME_OF) for e in page.locator(USABLE).all() if _usable(e)]
        assert set(usable) - set(_tabbed(page, len(usable) + 3)) == set(), name


def _usable(element) -> bool:
    return element.evaluate("element => element.checkVisibility()")


def _tabbed(page: Page, times: int) -> list[str]:
    page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges(); scrollTo(0, 0)")
    page.locator("body").evaluate("body => { body.tabIndex = -1; body.focus(); body.removeAttribute('tabindex'); }")
    reached = []
    for _ in range(times):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        if focused.count():
            assert focused.evaluate(SHOWS_FOCUS), focused.evaluate(NAME_OF)
            reached.append(focused.evaluate(NAME_OF))
    return reached


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_what_they_stand_on(scheme, site, open_page):
    """4.5 to 1, as WCAG asks for text."""
    page = open_page(f"{site}/documents", color_scheme=scheme)
    style = (
        "names => names.map((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim())"
    )
    weak = {pair: round(ratio, 2) for pair in PAIRS if (ratio := _contrast(*page.evaluate(style, list(pair)))) < 4.5}
    assert weak == {}


def test_paper_is_light_even_for_those_who_read_in_the_dark(contract, open_page):
    page = open_page(asking(contract, SEVERAL), color_scheme="dark")
    ink = "getComputedStyle(document.body).color"
    on_screen = page.evaluate(ink)
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ink) == "rgb(31, 30, 27)" != on_screen
    assert page.locator(".lit-for").is_visible()
    assert not page.locator(".ask").is_visible()


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
