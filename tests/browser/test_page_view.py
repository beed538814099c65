"""Text view, page view and PDF of each kind of sample highlight the same sentence."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from highlighter.pages.page_characters import read_page_characters
from tests.browser.conftest import ANSWER_TIMEOUT_MS, SAMPLES, fetch_link, question_url, read_highlighted_sentences
from tests.browser.test_from_upload_to_highlight import MEDIA_TYPES, READABLE, SCAN
from tests.browser.test_viewer import PHONE, SEVERAL, embedded

# The words of the text layer that stand in the boxes of each lit sentence, as a browser has laid them out.
WORDS_IN_BOXES = """(what) => {
  const found = {};
  const inside = (box, { x, y, width, height }) =>
    x + width / 2 > box.left && x + width / 2 < box.right && y + height / 2 > box.top && y + height / 2 < box.bottom;
  for (const group of document.querySelectorAll(`.document-page ${what ?? ".highlight"}`)) {
    const boxes = [...group.querySelectorAll("rect")].map((rect) => rect.getBoundingClientRect());
    for (const line of group.closest("svg").querySelectorAll(".text-layer text")) {
      for (let at = 0; at < line.getNumberOfChars(); at += 1) {
        const at0 = line.getExtentOfChar(at);
        const corner = new DOMPoint(at0.x, at0.y).matrixTransform(line.getScreenCTM());
        const other = new DOMPoint(at0.x + at0.width, at0.y + at0.height).matrixTransform(line.getScreenCTM());
        const place = { x: Math.min(corner.x, other.x), y: Math.min(corner.y, other.y),
                        width: Math.abs(other.x - corner.x), height: Math.abs(other.y - corner.y) };
        const letter = line.textContent.slice(at, at + 1);
        if (letter.trim() && boxes.some((box) => inside(box, place))) (found[group.dataset.n ?? group.dataset.hit] ??= []).push(letter);
      }
    }
  }
  return Object.values(found).map((letters) => letters.join(""));
}"""
# Whether the first box of what is current can be seen, with a picture behind it.
IS_VISIBLE_SCRIPT = """(what) => {
  const box = document.querySelector(`${what ?? ".highlight[aria-current]"} rect`).getBoundingClientRect();
  const header = document.querySelector(".sheet > header").getBoundingClientRect();
  const top = getComputedStyle(document.querySelector(".sheet > header")).position === "sticky" ? header.bottom : 0;
  return box.top >= top && box.bottom <= innerHeight && box.left >= 0 && box.left < innerWidth;
}"""

sample = pytest.mark.parametrize("name", READABLE)


def plain(words: str) -> str:
    """Return letters and digits alone: readers treat hyphens at line ends and punctuation differently."""
    return "".join(char for char in unicodedata.normalize("NFKC", words) if char.isalnum())


def has_same_letters(highlighted: list[str], sentences: list[str]) -> bool:
    """Return whether the sentences have the same letters, in any order of a table's cells."""
    return [sorted(plain(one)) for one in highlighted] == [sorted(plain(one)) for one in sentences]


def wait_until_drawn(page: Page) -> None:
    """Wait until the page of the first highlight has its image and text layer."""
    leaf = page.locator(".document-page", has=page.locator("#mark-1"))
    leaf.locator("img").wait_for(timeout=ANSWER_TIMEOUT_MS)
    leaf.locator(".text-layer").wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.document-page')].filter((leaf) => leaf.querySelector('.highlight'))"
        ".every((leaf) => leaf.querySelector('.text-layer') && leaf.querySelector('img')?.naturalWidth > 0)"
    )


def read_pdf_highlights(path: Path) -> list[str]:
    """Return the letters in each highlight of a PDF; parts on two pages are joined by name."""
    found: dict[str, str] = {}
    pages = PdfReader(path).pages
    for number, sheet in enumerate(pages, 1):
        notes = [one.get_object() for one in sheet.get("/Annots", [])]
        letters = read_page_characters(path, [number])[0]
        for note in notes:
            quads = np.array(note["/QuadPoints"], float).reshape(-1, 4, 2) - (letters.left, letters.bottom)
            middle = (letters.box[:, :2] + letters.box[:, 2:]) / 2
            inside = np.zeros(len(letters.text), bool)
            for quad in quads:
                inside |= (middle > quad.min(axis=0)).all(axis=1) & (middle < quad.max(axis=0)).all(axis=1)
            words = "".join(char for char, hold_uploads in zip(letters.text, inside, strict=True) if hold_uploads)
            name = str(note["/NM"]).rpartition("-")[0]
            found[name] = found.get(name, "") + words
    return list(found.values())


def test_every_sample_is_tested():
    files = {file.name for file in SAMPLES.iterdir() if file.suffix in MEDIA_TYPES}
    assert files == {*READABLE, SCAN}  # the scan has no text to light, and says so


@sample
def test_text_page_and_pdf_highlight_same_sentences(name, upload_once, open_page, sample_questions, tmp_path):
    wanted = sample_questions[name][-1]
    page = open_page(upload_once(SAMPLES / name))
    page.get_by_label("Ask this document").fill(wanted["question"])
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/chunks/*view=page*", timeout=ANSWER_TIMEOUT_MS)  # the place comes first, not the cut
    wait_until_drawn(page)
    assert page.evaluate(IS_VISIBLE_SCRIPT)
    on_page = page.evaluate(WORDS_IN_BOXES)
    at = page.locator(".document-page", has=page.locator("#mark-1")).get_attribute("data-page")
    pdf = tmp_path / "lit.pdf"
    link = page.get_by_role("link", name="PDF", exact=True)
    assert link.get_attribute("href").endswith(f"#page={at}")
    answer = fetch_link(link)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    pdf.write_bytes(answer.body())
    page.get_by_role("link", name="Text", exact=True).click()
    sentences = read_highlighted_sentences(page)
    assert wanted["answer"] in sentences
    assert has_same_letters(on_page, sentences)
    assert has_same_letters(read_pdf_highlights(pdf), sentences)


def test_tabs_keep_position(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"), reduced_motion="reduce")
    wait_until_drawn(page)
    page.keyboard.press("n")
    assert page.locator("[data-position]").inner_text() == "2 of 2"
    assert page.evaluate("document.activeElement.id") == "mark-2"
    assert page.evaluate(IS_VISIBLE_SCRIPT)
    page.get_by_role("link", name="Text", exact=True).click()
    page.locator("mark#mark-2[aria-current]").wait_for()
    page.keyboard.press("p")
    page.get_by_role("link", name="Page", exact=True).click()
    page.locator(".highlight#mark-1[aria-current]").wait_for()
    at = page.locator(".document-page:has(#mark-1)").get_attribute("data-page")
    assert page.get_by_role("link", name="PDF", exact=True).get_attribute("href").endswith(f"#page={at}")


@pytest.mark.whole_browser
def test_pdf_opens_in_new_tab_at_page(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"))
    link = page.get_by_role("link", name="PDF", exact=True)
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    at = page.locator(".document-page", has=page.locator("#mark-1")).get_attribute("data-page")
    with page.context.expect_page() as tab:
        link.click()
    address, _, place = tab.value.url.partition("#")
    assert place == f"page={at}"
    answer = page.request.get(address)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")


def test_pages_are_drawn_when_they_come_near_window(report, open_page):
    page = open_page(f"{report}/chunks/0?view=page", viewport={"width": 600, "height": 300})
    count = page.locator(".document-page").count()
    assert count == 3
    last = page.locator(f"#page-{count}")
    last.scroll_into_view_if_needed()
    last.locator("img").wait_for(timeout=ANSWER_TIMEOUT_MS)
    last.locator(".text-layer").wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)


def test_zoom_in_out_and_reset(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"))
    wait_until_drawn(page)
    wide = "document.querySelector('.document-page').getBoundingClientRect().width"
    whole = page.evaluate(wide)
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(wide) == pytest.approx(1.25 * whole, abs=2)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.evaluate(wide) == pytest.approx(0.8 * whole, abs=2)
    page.get_by_role("button", name="Fit width").click()
    assert page.evaluate(wide) == pytest.approx(whole, abs=1)


def test_text_can_be_selected_in_page_view(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"))
    wait_until_drawn(page)
    line = page.locator("#page-2 .text-layer text").filter(has_text="Early warning").first
    selected = line.evaluate("line => (getSelection().selectAllChildren(line), getSelection().toString())")
    assert selected.startswith("6.3 Early warning. The Contractor")


def test_highlight_is_readable_on_phone(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"), viewport=PHONE)
    wait_until_drawn(page)
    assert page.evaluate(IS_VISIBLE_SCRIPT)
    height = page.locator("#mark-1 rect").first.evaluate("rect => rect.getBoundingClientRect().height")
    assert height > 10
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    zoom, quote_bar = page.locator("[data-zoom]").bounding_box(), page.locator("[data-quote-exports]").bounding_box()
    assert zoom["y"] + zoom["height"] <= quote_bar["y"]


def test_without_javascript_pages_show_highlights(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"), java_script_enabled=False, viewport=PHONE)
    page.locator("#page-2 img").wait_for()
    assert page.locator(".highlight rect").count() > 2
    assert not page.get_by_role("button", name="Zoom in").is_visible()
    page.get_by_role("link", name="Text", exact=True).click()
    assert page.locator("mark").count() > 1


def test_page_that_fails_to_render_shows_message(contract, open_page):
    refusal = {"status": 422, "content_type": "text/html"}
    refusal["body"] = "<p data-sentence>Page 1 cannot be displayed: it takes too long.</p>"
    page = open_page(f"{contract}/chunks/0?view=page", {"**/pages/1.webp*": lambda route: route.fulfill(**refusal)})
    page.locator("#page-1 .page-error").wait_for()
    assert "it takes too long" in page.locator("#page-1").inner_text()


def test_embedded_page_view_takes_no_focus_and_offers_text(site, contract, open_page):
    page = open_page(f"{embedded(site, contract, SEVERAL)}&view=page", viewport=PHONE)
    wait_until_drawn(page)
    assert page.locator(".site").count() == 0
    page.get_by_role("link", name="Text", exact=True).click()
    page.locator("mark").first.wait_for()
    assert page.locator(".site").count() == 0


def test_page_box_shows_page_of_current_highlight_wherever_it_stands_in_window(contract, open_page):
    question = "Who pays for early damage of delay?"
    page = open_page(question_url(contract, question, "page"), viewport={"width": 1024, "height": 2600})
    highlight = page.locator(".highlight[aria-current]").first
    highlight.wait_for(timeout=ANSWER_TIMEOUT_MS)
    number = highlight.evaluate("part => part.closest('figure').dataset.page")
    box = page.locator("[data-page-box] input[name=page]")
    # A third of the way down the window another page begins, whose number the box shows only after the reader scrolls.
    lower = page.evaluate("document.elementFromPoint(innerWidth / 2, innerHeight / 3).closest('figure')?.dataset.page")
    assert lower != number
    expect(box).to_have_value(number)
    page.keyboard.press("o")
    thumbnails = page.locator("[data-side-tab=thumbnails]")
    thumbnails.click()
    expect(page.locator("[data-side-pane=thumbnails] [aria-current]")).to_have_attribute(
        "href", re.compile(f"{number}$")
    )
    page.mouse.move(500, 1300)
    page.mouse.wheel(0, 40)
    expect(box).not_to_have_value(number)
