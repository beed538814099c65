"""Text, Page and PDF of each kind of sample: what is lit in one is lit in all, and it is the sentence."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from highlighter.pages.page_characters import read_page_characters
from tests.browser.conftest import ANSWERED_WITHIN, SAMPLES, asking, fetched, lit_sentences
from tests.browser.test_from_upload_to_highlight import MEDIA_TYPES, READABLE, SCAN
from tests.browser.test_reading import PHONE, SEVERAL, embedded

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
SEEN = """(what) => {
  const box = document.querySelector(`${what ?? ".highlight[aria-current]"} rect`).getBoundingClientRect();
  const header = document.querySelector(".sheet > header").getBoundingClientRect();
  const top = getComputedStyle(document.querySelector(".sheet > header")).position === "sticky" ? header.bottom : 0;
  return box.top >= top && box.bottom <= innerHeight && box.left >= 0 && box.left < innerWidth;
}"""

sample = pytest.mark.parametrize("name", READABLE)


def plain(words: str) -> str:
    """Letters and digits: hyphens at line ends and marks set apart are read differently by everyone."""
    return "".join(char for char in unicodedata.normalize("NFKC", words) if char.isalnum())


def alike(lit: list[str], sentences: list[str]) -> bool:
    """The same letters sentence by sentence, in whatever order a table's cells were gone through."""
    return [sorted(plain(one)) for one in lit] == [sorted(plain(one)) for one in sentences]


def drawn(page: Page) -> None:
    """The first lit sentence's page is there as a picture with its words."""
    leaf = page.locator(".document-page", has=page.locator("#mark-1"))
    leaf.locator("img").wait_for(timeout=ANSWERED_WITHIN)
    leaf.locator(".text-layer").wait_for(state="attached", timeout=ANSWERED_WITHIN)
    page.wait_for_function(
        "() => [...document.querySelectorAll('.document-page')].filter((leaf) => leaf.querySelector('.highlight'))"
        ".every((leaf) => leaf.querySelector('.text-layer') && leaf.querySelector('img')?.naturalWidth > 0)"
    )


def in_quads(path: Path) -> list[str]:
    """The letters that stand in each highlight of a PDF; one over two pages is put together by its name."""
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
            words = "".join(char for char, held in zip(letters.text, inside, strict=True) if held)
            name = str(note["/NM"]).rpartition("-")[0]
            found[name] = found.get(name, "") + words
    return list(found.values())


def test_every_sample_is_clicked_through():
    files = {file.name for file in SAMPLES.iterdir() if file.suffix in MEDIA_TYPES}
    assert files == {*READABLE, SCAN}  # the scan has no text to light, and says so


@sample
def test_text_page_and_pdf_light_the_same_sentences(name, taken_in, open_page, sample_questions, tmp_path):
    wanted = sample_questions[name][0]
    page = open_page(taken_in(SAMPLES / name))
    page.get_by_label("Ask this document").fill(wanted["question"])
    page.get_by_role("button", name="Ask").click()
    page.wait_for_url("**/chunks/*view=page*", timeout=ANSWERED_WITHIN)  # the place comes first, not the cut
    drawn(page)
    assert page.evaluate(SEEN)
    on_page = page.evaluate(WORDS_IN_BOXES)
    at = page.locator(".document-page", has=page.locator("#mark-1")).get_attribute("data-page")
    pdf = tmp_path / "lit.pdf"
    link = page.get_by_role("link", name="PDF", exact=True)
    assert link.get_attribute("href").endswith(f"#page={at}")
    answer = fetched(link)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    pdf.write_bytes(answer.body())
    page.get_by_role("link", name="Text", exact=True).click()
    sentences = lit_sentences(page)
    assert wanted["answer"] in sentences
    assert alike(on_page, sentences)
    assert alike(in_quads(pdf), sentences)


def test_the_place_is_kept_from_tab_to_tab(contract, open_page):
    page = open_page(asking(contract, SEVERAL, view="page"), reduced_motion="reduce")
    drawn(page)
    page.keyboard.press("n")
    assert page.locator("[data-position]").inner_text() == "2 of 2"
    assert page.evaluate("document.activeElement.id") == "mark-2"
    assert page.evaluate(SEEN)
    page.get_by_role("link", name="Text", exact=True).click()
    page.locator("mark#mark-2[aria-current]").wait_for()
    page.keyboard.press("p")
    page.get_by_role("link", name="Page", exact=True).click()
    page.locator(".highlight#mark-1[aria-current]").wait_for()
    at = page.locator(".document-page:has(#mark-1)").get_attribute("data-page")
    assert page.get_by_role("link", name="PDF", exact=True).get_attribute("href").endswith(f"#page={at}")


@pytest.mark.whole_browser
def test_the_pdf_opens_in_a_tab_of_its_own_at_the_page(contract, open_page):
    page = open_page(asking(contract, SEVERAL, view="page"))
    link = page.get_by_role("link", name="PDF", exact=True)
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener")
    at = page.locator(".document-page", has=page.locator("#mark-1")).get_attribute("data-page")
    with page.context.expect_page() as tab:
        link.click()
    address, _, place = tab.value.url.partition("#")
    assert place == f"page={at}"
    answer = page.request.get(address)
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")


def test_all_pages_are_there_and_drawn_when_they_come_near(report, open_page):
    page = open_page(f"{report}/chunks/0?view=page", viewport={"width": 600, "height": 300})
    count = page.locator(".document-page").count()
    assert count == 3
    last = page.locator(f"#page-{count}")
    last.scroll_into_view_if_needed()
    last.locator("img").wait_for(timeout=ANSWERED_WITHIN)
    last.locator(".text-layer").wait_for(state="attached", timeout=ANSWERED_WITHIN)


def test_larger_and_smaller_and_back(contract, open_page):
    page = open_page(asking(contract, SEVERAL, view="page"))
    drawn(page)
    wide = "document.querySelector('.document-page').getBoundingClientRect().width"
    whole = page.evaluate(wide)
    page.get_by_role("button", name="Zoom in").click()
    assert page.evaluate(wide) == pytest.approx(1.25 * whole, abs=2)
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.evaluate(wide) == pytest.approx(0.8 * whole, abs=2)
    page.get_by_role("button", name="Fit width").click()
    assert page.evaluate(wide) == pytest.approx(whole, abs=1)


def test_words_can_be_selected_on_the_page(contract, open_page):
    page = open_page(asking(contract, SEVERAL, view="page"))
    drawn(page)
    line = page.locator("#page-2 .text-layer text").filter(has_text="Early warning").first
    selected = line.evaluate("line => (getSelection().selectAllChildren(line), getSelection().toString())")
    assert selected.startswith("6.3 Early warning. The Contractor")


def test_on_a_phone_the_sentence_is_large_enough_to_read(contract, open_page):
    page = open_page(asking(contract, SEVERAL, view="page"), viewport=PHONE)
    drawn(page)
    assert page.evaluate(SEEN)
    height = page.locator("#mark-1 rect").first.evaluate("rect => rect.getBoundingClientRect().height")
    assert height > 10
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_without_javascript_the_pages_are_shown_with_what_is_lit(contract, open_page):
    page = open_page(asking(contract, SEVERAL, view="page"), java_script_enabled=False, viewport=PHONE)
    page.locator("#page-2 img").wait_for()
    assert page.locator(".highlight rect").count() > 2
    assert not page.get_by_role("button", name="Zoom in").is_visible()
    page.get_by_role("link", name="Text", exact=True).click()
    assert page.locator("mark").count() > 1


def test_a_page_that_cannot_be_drawn_says_so_in_its_place(contract, open_page):
    refusal = {"status": 422, "content_type": "text/html"}
    refusal["body"] = "<p data-sentence>Page 1 cannot be displayed: it takes too long.</p>"
    page = open_page(f"{contract}/chunks/0?view=page", {"**/pages/1.webp*": lambda route: route.fulfill(**refusal)})
    page.locator("#page-1 .page-error").wait_for()
    assert "it takes too long" in page.locator("#page-1").inner_text()


def test_embedded_pages_take_no_focus_and_keep_the_text_a_tab_away(site, contract, open_page):
    page = open_page(f"{embedded(site, contract, SEVERAL)}&view=page", viewport=PHONE)
    drawn(page)
    assert page.locator(".site").count() == 0
    page.get_by_role("link", name="Text", exact=True).click()
    page.locator("mark").first.wait_for()
    assert page.locator(".site").count() == 0
