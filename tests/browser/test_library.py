"""The library: search, paging, filters, deletion and undo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from highlighter.models import Document
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.browser.conftest import ANSWER_TIMEOUT_MS, SAMPLES, read_highlighted_sentences, text_file
from tests.browser.serving import serving

QUESTION = "When is the fire alarm tested?"
NOTE = "Laboratory Safety Note.txt"
WAITING = 59  # documents that stand in the list and are never read; together with the two others more than a page


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture(scope="module")
def manual(folder, tmp_path_factory, embedder, process_pool) -> Document:
    """A long document in a library of several pages; it and a short one are the oldest."""
    path = tmp_path_factory.mktemp("manual") / "Manual.txt"
    chapters = (f"{n} Chapter {n}\n\n" + f"Rule {n} holds on every day of the year. " * 70 for n in range(1, 30))
    path.write_text("\n\n".join(chapters), encoding="utf-8")
    services = Services(Settings(data_dir=folder), embedder)
    long, short = (ingest_file(file, services, process_pool).document for file in (path, SAMPLES / NOTE))
    assert long.chunks > 50
    for document in (long, short):
        services.catalog._update_document(document.id, added="2020-01-01T00:00:00+00:00")
    for number in range(WAITING):
        document = services.catalog.register("default", f"{number:064}", f"Torn {number:02}.pdf", "pdf", 1)
        services.catalog.set_state(document.id, "damaged", "Its end is missing.")
    services.close()
    return long


@pytest.fixture(scope="module")
def shelf(folder, manual) -> Iterator[str]:
    """The URL of the library's server; its deletions stay pending during the tests."""
    with serving(folder, UNDO_SECONDS="3600") as address:
        yield address


def row(page: Page, name: str):
    return page.locator("tr", has=page.get_by_role("link", name=name, exact=True))


def undo_bar(page: Page, name: str):
    return page.locator("[data-restore]", has_text=name)


# -- searching ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_search_result_opens_sentence_in_document(script, shelf, open_page):
    page = open_page(f"{shelf}/documents", java_script_enabled=script)
    page.get_by_label("Search all documents").fill(QUESTION)
    page.get_by_role("button", name="Search").click()
    first = page.locator(".results li").first
    first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    (highlighted,) = first.locator("mark").all_inner_texts()
    assert "first Monday of each month" in highlighted
    assert "(generated)" in first.locator(".crumb").inner_text()
    first.get_by_role("link", name=NOTE, exact=True).click()
    page.wait_for_url("**/chunks/*view=page*")
    assert page.locator(".document-page .highlight rect").count() >= 1
    page.get_by_role("link", name="Text", exact=True).click()
    assert highlighted in read_highlighted_sentences(page)


def test_slash_focuses_search_box_and_can_be_typed_in_it(shelf, open_page):
    page = open_page(f"{shelf}/documents")
    box = page.get_by_label("Search all documents")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    page.keyboard.type("and/or")
    assert box.input_value() == "and/or"
    page.keyboard.press("Enter")
    page.wait_for_url("**/search?q=and%2For*")
    page.locator("main").focus()
    page.keyboard.press("/")
    expect(page.get_by_label("Search all documents")).to_be_focused()


def test_slash_focuses_question_box_of_document(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Safety")
    page.get_by_role("link", name=NOTE, exact=True).click()
    page.wait_for_url("**/documents/*")
    page.keyboard.press("/")
    expect(page.get_by_label("Ask this document")).to_be_focused()


def test_empty_search_and_refusal_are_shown(shelf, open_page):
    page = open_page(f"{shelf}/search?q=quantum+chromodynamics")
    expect(page.get_by_role("status")).to_contain_text("No results", timeout=ANSWER_TIMEOUT_MS)
    assert "61 documents" in open_page(f"{shelf}/search").locator(".empty").inner_text()


# -- going through it --------------------------------------------------------------------------------------------


def test_document_list_is_paged(shelf, open_page):
    page = open_page(f"{shelf}/documents")
    assert page.locator(".library tbody tr").count() == 50
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**page=2*")
    assert page.locator(".library tbody tr").count() == 11
    assert row(page, NOTE).count() == 1
    page.get_by_role("link", name="Previous").click()
    page.wait_for_url("**page=1*")
    assert row(page, NOTE).count() == 0


def test_document_list_is_filtered_by_state_and_name(shelf, open_page):
    page = open_page(f"{shelf}/documents")
    page.get_by_label("Status").select_option("Ready")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".library tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Show all").click()
    page.get_by_label("Filter by name").fill("torn 1")
    page.keyboard.press("Enter")
    expect(page.locator(".library tbody tr")).to_have_count(10)


# -- deleting ----------------------------------------------------------------------------------------------------


def test_deletion_lists_losses_and_is_undone_by_keyboard(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0")
    page.get_by_role("button", name="Delete Torn 03.pdf").press("Enter")
    dialog = page.get_by_role("dialog", name="Delete “Torn 03.pdf”?")
    assert "the original file" in dialog.inner_text()
    expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    undo = page.get_by_role("button", name="Undo the deletion of Torn 03.pdf")
    expect(undo).to_be_focused()
    assert row(page, "Torn 03.pdf").count() == 0
    assert "60 documents" in page.locator("[data-live=totals]").inner_text()
    assert re.fullmatch(r"\d+ s", undo_bar(page, "Torn 03.pdf").locator("[data-clock]").inner_text())
    page.keyboard.press("Enter")
    expect(row(page, "Torn 03.pdf").get_by_role("link")).to_be_focused()
    assert page.locator("[data-restore]").count() == 0


@pytest.mark.parametrize("way", ["Cancel", "Escape", "beside"])
def test_cancelled_deletion_deletes_nothing(way, shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0")
    page.get_by_role("button", name="Delete Torn 04.pdf").click()
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    if way == "Cancel":
        dialog.get_by_role("link", name=way).click()
    elif way == "Escape":
        page.keyboard.press("Escape")
    else:
        page.mouse.click(5, 5)
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete Torn 04.pdf")).to_be_focused()
    assert row(open_page(f"{shelf}/documents?name=Torn+0"), "Torn 04.pdf").count() == 1


def test_undo_is_offered_on_every_library_page(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0")
    page.get_by_role("button", name="Delete Torn 05.pdf").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    undo_bar(page, "Torn 05.pdf").wait_for()
    page.close()
    other = open_page(f"{shelf}/documents?page=2")
    undo_bar(other, "Torn 05.pdf").get_by_role("button").click()
    expect(other.locator("[data-restore]")).to_have_count(0)
    assert row(open_page(f"{shelf}/documents?name=Torn+0"), "Torn 05.pdf").count() == 1


def test_two_deletions_are_undone_separately(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0")
    for name in ("Torn 06.pdf", "Torn 07.pdf"):
        page.get_by_role("button", name=f"Delete {name}").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(undo_bar(page, name).get_by_role("button")).to_be_focused()
    undo_bar(page, "Torn 06.pdf").get_by_role("button").click()
    row(page, "Torn 06.pdf").wait_for()
    assert row(page, "Torn 07.pdf").count() == 0
    undo_bar(page, "Torn 07.pdf").get_by_role("button").click()
    row(page, "Torn 07.pdf").wait_for()


def test_without_javascript_deletion_is_confirmed_and_undone(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0", java_script_enabled=False)
    page.get_by_role("button", name="Delete Torn 08.pdf").click()
    assert "Delete “Torn 08.pdf”?" in page.locator("h1").inner_text()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/documents")
    assert "Deleted" in undo_bar(page, "Torn 08.pdf").inner_text()
    undo_bar(page, "Torn 08.pdf").get_by_role("button", name="Undo").click()
    assert undo_bar(page, "Torn 08.pdf").count() == 0
    page.goto(f"{shelf}/documents?name=Torn+08")
    assert row(page, "Torn 08.pdf").count() == 1


def test_deletion_is_final_after_countdown_even_with_page_closed(limited_site, open_page):
    page = open_page(f"{limited_site}/documents")
    note = text_file("Short.txt", "It is gone in a moment.")
    page.locator("input[type=file]").set_input_files(note)
    page.wait_for_url("**/documents/*")
    address = page.url
    page.get_by_role("button", name="Delete this document").click()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/documents")
    page.close()
    later = open_page(f"{limited_site}/documents")
    expect(later.locator("[data-restore]")).to_have_count(0, timeout=ANSWER_TIMEOUT_MS)
    assert "was not found" in open_page(address).locator("main").inner_text()


def test_undo_bar_and_dialog_fit_320_pixels(shelf, open_page):
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    page = open_page(f"{shelf}/documents?name=Torn+0", viewport={"width": 320, "height": 640})
    page.get_by_role("button", name="Delete Torn 09.pdf").click()
    page.get_by_role("dialog").wait_for()
    assert page.evaluate(wide) == 0
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    undo = undo_bar(page, "Torn 09.pdf").get_by_role("button")
    undo.wait_for()
    assert page.evaluate(wide) == 0
    box = undo.bounding_box()
    assert box["x"] + box["width"] <= 320
    undo.click()
    row(page, "Torn 09.pdf").wait_for()


# -- a long document ---------------------------------------------------------------------------------------------


def test_long_document_is_paged_and_opened_at_page(shelf, manual, open_page):
    page = open_page(f"{shelf}/documents/{manual.id}")
    assert page.locator(".sections li").count() == 50
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**parts=2*")
    assert page.locator(".sections li").count() == min(50, manual.chunks - 50)
    page.get_by_label("Go to page").fill(str(manual.pages))
    page.keyboard.press("Enter")
    page.wait_for_url("**#part-*")
    assert str(manual.pages) in page.locator(":target .note").inner_text()


def test_event_source_reports_states_until_ready(shelf, open_page):
    page = open_page(f"{shelf}/documents")
    states = page.evaluate("""async () => {
      const sent = new FormData();
      sent.append("file", new File(["Somebody follows this one."], "Followed.txt"));
      const { links } = await (await fetch("/api/v1/documents", { method: "POST", body: sent })).json();
      const states = [];
      const source = new EventSource(links.events);
      source.addEventListener("state", (event) => states.push(JSON.parse(event.data).state));
      await new Promise((resolve) => source.addEventListener("error", () => source.readyState === 2 && resolve()));
      return states;
    }""")
    assert states[-1] == "ready"
    assert states.count("ready") == 1


def test_upload_is_visible_despite_active_filter(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn&page=2")
    files = [text_file(f"{word}.txt", f"The {word} came in.") for word in ("One more", "Another")]
    page.locator("input[type=file]").set_input_files(files)
    for file in files:
        row(page, file["name"]).wait_for(timeout=ANSWER_TIMEOUT_MS)


@pytest.mark.parametrize("width", [720, 768, 900])
def test_names_have_room_in_windows_of_middle_width(site, open_page, width):
    page = open_page(f"{site}/documents", viewport={"width": width, "height": 800})
    name = page.locator(".library tbody tr td:first-child").first
    assert name.bounding_box()["width"] > 0.42 * width
    assert page.evaluate("document.documentElement.scrollWidth") == width
