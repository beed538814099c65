"""Find in document in the page view: results are drawn at their words, next to the evidence."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from highlighter.pages.pdf_highlights import FIND_STRENGTH, HIGHLIGHT_COLOURS
from tests.browser.conftest import ANSWER_TIMEOUT_MS, SAMPLES, fetch_link, question_url
from tests.browser.test_page_view import IS_VISIBLE_SCRIPT, WORDS_IN_BOXES, plain, read_pdf_highlights, wait_until_drawn
from tests.browser.test_viewer import PHONE, SEVERAL, is_in_sight

CURRENT = ".hit[data-current]"
WORD = "contractor"


def shown(page: Page, what: str = CURRENT) -> None:
    """Wait until the current find is visible on a drawn page with its text layer."""
    page.locator(f"{what} rect").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    leaf = page.locator(".document-page", has=page.locator(what))
    leaf.locator("img").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    leaf.locator(".text-layer").first.wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
    assert page.evaluate(IS_VISIBLE_SCRIPT, what)


def find_in_page_view(page: Page, words: str) -> None:
    page.keyboard.press("f")
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def finds(page: Page, document: str, words: str, by: str = "words") -> list[dict]:
    site, _, identity = document.rpartition("/documents/")
    answer = page.request.get(f"{site}/api/v1/documents/{identity}/find", params={"q": words, "by": by})
    return answer.json()["spans"]


def number(page: Page) -> int:
    return int(page.locator(".find-position").inner_text().split()[1])


def test_finds_are_stepped_through_without_reload(contract, open_page):
    page = open_page(f"{contract}/chunks/3?view=page")
    wanted = finds(page, contract, "days")
    page.locator("#page-2 img").wait_for(timeout=ANSWER_TIMEOUT_MS)
    find_in_page_view(page, "days")
    expect(page.locator(".find-position")).to_contain_text(f"of {len(wanted)}")
    page.evaluate("document.querySelectorAll('.document-page').forEach((leaf) => (leaf.isKept = true))")
    first = number(page)
    leaves = set()
    for step in range(len(wanted)):
        at = (first + step - 1) % len(wanted)
        expect(page.locator(".find-position")).to_contain_text(f"{at + 1} of")
        shown(page)
        (words,) = page.evaluate(WORDS_IN_BOXES, CURRENT)
        assert plain(words).lower() == "days"
        leaves.add(page.locator(".document-page", has=page.locator(CURRENT)).get_attribute("data-page"))
        page.keyboard.press("Enter")
    assert leaves == {"1", "2", "3", "4"}
    assert page.evaluate("[...document.querySelectorAll('.document-page')].every((leaf) => leaf.isKept)")
    assert page.evaluate("document.activeElement.name") == "find"


def test_finds_are_drawn_at_their_words(contract, open_page):
    page = open_page(f"{contract}/find?find={WORD}&view=page")
    shown(page)
    for leaf in page.locator(".document-page").all():
        leaf.scroll_into_view_if_needed()
        leaf.locator(".text-layer").wait_for(state="attached", timeout=ANSWER_TIMEOUT_MS)
    drawn_words = page.evaluate(WORDS_IN_BOXES, ".hit")
    assert [plain(one).lower() for one in drawn_words] == [WORD] * len(finds(page, contract, WORD))


def test_finds_look_different_from_evidence(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"))
    wait_until_drawn(page)
    highlighted = page.evaluate(WORDS_IN_BOXES)
    assert len(highlighted) == 2
    find_in_page_view(page, WORD)
    shown(page)
    wait_until_drawn(page)
    assert page.evaluate(WORDS_IN_BOXES) == highlighted
    assert page.get_by_label("Ask this document").input_value() == SEVERAL
    assert page.locator(".highlight line").count() > 0 == page.locator(".hit line").count()
    stroke = "rect => getComputedStyle(rect).stroke"
    assert (
        page.locator(".highlight rect").first.evaluate(stroke)
        == "none"
        != page.locator(".hit rect").first.evaluate(stroke)
    )


def test_n_and_p_step_like_arrow_links(contract, open_page):
    page = open_page(f"{contract}/find?find={WORD}&view=page")
    shown(page)
    for key, wanted in [("n", 2), ("n", 3), ("p", 2)]:
        page.keyboard.press(key)
        expect(page.locator(".find-position")).to_contain_text(f"{wanted} of")
        shown(page)


def test_zoom_is_kept_between_finds(contract, open_page):
    page = open_page(f"{contract}/find?find={WORD}&view=page")
    shown(page)
    page.get_by_role("button", name="Zoom in").click()
    wide = page.locator(".document-page").first.evaluate("leaf => leaf.getBoundingClientRect().width")
    page.get_by_role("link", name="Next result").click()
    expect(page.locator(".find-position")).to_contain_text("2 of")
    shown(page)
    assert page.locator(".document-page").first.evaluate("leaf => leaf.getBoundingClientRect().width") == wide
    assert page.locator("[data-zoom-now]").inner_text() == "125 %"
    page.get_by_role("button", name="Fit width").click()
    assert page.locator(".document-page").first.evaluate("leaf => leaf.getBoundingClientRect().width") < wide


def test_text_page_and_pdf_show_same_find(contract, open_page, tmp_path):
    page = open_page(f"{contract}/find?find=adjudicator&view=page")
    page.get_by_role("link", name="Next result").click()
    expect(page.locator(".find-position")).to_contain_text("2 of")
    shown(page)
    at = page.locator(".document-page", has=page.locator(CURRENT)).get_attribute("data-page")
    pdf = page.get_by_role("link", name="PDF", exact=True)
    assert pdf.get_attribute("href").endswith(f"#page={at}")
    (tmp_path / "found.pdf").write_bytes(fetch_link(pdf).body())
    (note,) = (
        one.get_object() for sheet in PdfReader(tmp_path / "found.pdf").pages for one in sheet.get("/Annots", [])
    )
    assert [float(part) for part in note["/C"]] == pytest.approx(HIGHLIGHT_COLOURS[FIND_STRENGTH], abs=0.01)
    assert [plain(words).lower() for words in read_pdf_highlights(tmp_path / "found.pdf")] == ["adjudicator"]
    page.get_by_role("link", name="Text", exact=True).click()
    expect(page.locator(".find-position")).to_contain_text("2 of")
    assert page.locator("mark#found").inner_text().lower() == "adjudicator"
    assert is_in_sight(page, "#found")
    page.get_by_role("link", name="Page", exact=True).click()
    shown(page)


def test_pdf_contains_evidence_and_find(contract, open_page, tmp_path):
    page = open_page(question_url(contract, SEVERAL, view="page"))
    wait_until_drawn(page)
    evidence = [plain(words) for words in page.evaluate(WORDS_IN_BOXES)]
    find_in_page_view(page, WORD)
    shown(page)
    path = tmp_path / "both.pdf"
    path.write_bytes(fetch_link(page.get_by_role("link", name="PDF", exact=True)).body())
    assert sorted(plain(words).lower() for words in read_pdf_highlights(path)) == sorted(
        [*map(str.lower, evidence), WORD]
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("南灣區議會文件 避風塘改善工程.pdf", "避風塘"),
        ("员工食堂管理办法.txt", "食堂"),
        ("HR Policy - Leave and Flexible Working.docx", "annual leave"),
        ("Laboratory Safety Note.txt", "gloves"),
    ],
)
def test_finds_are_drawn_for_each_document_kind(name, words, upload_once, open_page):
    document = upload_once(SAMPLES / name)
    page = open_page(f"{document}/find", viewport={"width": 700, "height": 700})
    page.goto(f"{document}/find?find={words}&view=page")
    wanted = finds(page, document, words)
    for at, span in enumerate(wanted[:4], 1):
        expect(page.locator(".find-position")).to_contain_text(f"{at} of {len(wanted)}")
        shown(page)
        (highlighted,) = page.evaluate(WORDS_IN_BOXES, CURRENT)
        assert plain(highlighted) == plain(span["text"])
        page.keyboard.press("n")


def test_finds_by_meaning_are_drawn(contract, open_page):
    page = open_page(f"{contract}/find?find=penalty+for+lateness&by=meaning&view=page")
    shown(page)
    wanted = finds(page, contract, "penalty for lateness", "meaning")[0]
    (highlighted,) = page.evaluate(WORDS_IN_BOXES, CURRENT)
    assert plain(highlighted) == plain(wanted["text"])


def test_clearing_find_keeps_evidence(contract, open_page):
    page = open_page(question_url(contract, SEVERAL, view="page"))
    wait_until_drawn(page)
    find_in_page_view(page, WORD)
    shown(page)
    page.get_by_role("link", name="Clear").click()
    wait_until_drawn(page)
    assert page.locator(".hit").count() == 0
    assert page.get_by_role("link", name="Page", exact=True).get_attribute("aria-current") == "page"
    assert page.locator("[data-position]").is_visible()


def test_without_javascript_steps_load_pages(contract, open_page):
    page = open_page(
        f"{contract}/find?find=adjudicator&view=page", java_script_enabled=False, viewport={"width": 700, "height": 500}
    )
    for _ in finds(page, contract, "adjudicator"):
        page.locator(f"{CURRENT} rect").first.wait_for()
        box = page.locator(f"{CURRENT} rect").first.bounding_box()
        assert 0 <= box["y"] < 500
        page.get_by_role("link", name="Next result").click()


def test_find_is_visible_on_phone(contract, open_page):
    page = open_page(f"{contract}/find?find={WORD}&view=page", viewport=PHONE)
    for _ in range(12):
        shown(page)
        before = number(page)
        page.get_by_role("link", name="Next result").click()
        expect(page.locator(".find-position")).to_contain_text(f"{before + 1} of")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_late_response_does_not_replace_newer_find(contract, open_page):
    late = []
    page = open_page(f"{contract}/chunks/3?view=page", {"**/find?*slow*": lambda route: late.append(route)})
    find_in_page_view(page, "slow")
    while not late:
        page.wait_for_timeout(50)
    box = page.locator("[data-find] input[type=search]")
    box.fill(WORD)
    box.press("Enter")
    shown(page)
    late[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(box).to_have_value(WORD)
    expect(page.locator(".find-position")).to_contain_text(f"of {len(finds(page, contract, WORD))}")
