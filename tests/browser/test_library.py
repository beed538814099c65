"""The library as its reader uses it: searched, gone through page by page, cleared of what is not wanted, and put right."""

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
from tests.browser.conftest import ANSWERED_WITHIN, SAMPLES, lit_sentences, text_file
from tests.browser.serving import serving

QUESTION = "When is the fire alarm tested?"
NOTE = "Laboratory Safety Note.txt"
WAITING = 59  # documents that stand in the list and are never read; together with the two others more than a page


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("shelf")


@pytest.fixture(scope="module")
def manual(folder, tmp_path_factory, embedder, process_pool) -> Document:
    """A long document in a library of more than a page, with a short one; these two are the oldest."""
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
    """Its server; nobody waits long enough for a deletion to be carried out."""
    with serving(folder, UNDO_SECONDS="3600") as address:
        yield address


def row(page: Page, name: str):
    return page.locator("tr", has=page.get_by_role("link", name=name, exact=True))


def leaving(page: Page, name: str):
    return page.locator("[data-restore]", has_text=name)


# -- searching ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_a_search_finds_the_sentence_and_leads_to_it_in_its_place(script, shelf, open_page):
    page = open_page(f"{shelf}/documents", java_script_enabled=script)
    page.get_by_label("Search all documents").fill(QUESTION)
    page.get_by_role("button", name="Search").click()
    first = page.locator(".results li").first
    first.wait_for(timeout=ANSWERED_WITHIN)
    (lit,) = first.locator("mark").all_inner_texts()
    assert "first Monday of each month" in lit
    assert "(generated)" in first.locator(".crumb").inner_text()
    first.get_by_role("link", name=NOTE, exact=True).click()
    page.wait_for_url("**/chunks/*view=page*")
    assert page.locator(".document-page .highlight rect").count() >= 1
    page.get_by_role("link", name="Text", exact=True).click()
    assert lit in lit_sentences(page)


def test_slash_goes_to_the_box_and_is_a_letter_in_it(shelf, open_page):
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


def test_slash_goes_to_the_question_where_one_document_is_asked(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Safety")
    page.get_by_role("link", name=NOTE, exact=True).click()
    page.wait_for_url("**/documents/*")
    page.keyboard.press("/")
    expect(page.get_by_label("Ask this document")).to_be_focused()


def test_nothing_found_is_said_and_so_is_a_library_without_an_answer(shelf, open_page):
    page = open_page(f"{shelf}/search?q=quantum+chromodynamics")
    expect(page.get_by_role("status")).to_contain_text("No results", timeout=ANSWERED_WITHIN)
    assert "61 documents" in open_page(f"{shelf}/search").locator(".empty").inner_text()


# -- going through it --------------------------------------------------------------------------------------------


def test_the_list_is_gone_through_page_by_page(shelf, open_page):
    page = open_page(f"{shelf}/documents")
    assert page.locator(".library tbody tr").count() == 50
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**page=2*")
    assert page.locator(".library tbody tr").count() == 11
    assert row(page, NOTE).count() == 1
    page.get_by_role("link", name="Previous").click()
    page.wait_for_url("**page=1*")
    assert row(page, NOTE).count() == 0


def test_the_list_is_narrowed_by_state_and_name(shelf, open_page):
    page = open_page(f"{shelf}/documents")
    page.get_by_label("Status").select_option("Ready")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".library tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Show all").click()
    page.get_by_label("Filter by name").fill("torn 1")
    page.keyboard.press("Enter")
    expect(page.locator(".library tbody tr")).to_have_count(10)


# -- deleting ----------------------------------------------------------------------------------------------------


def test_a_deletion_says_what_is_lost_and_can_be_undone_from_the_keyboard(shelf, open_page):
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
    assert re.fullmatch(r"\d+ s", leaving(page, "Torn 03.pdf").locator("[data-clock]").inner_text())
    page.keyboard.press("Enter")
    expect(row(page, "Torn 03.pdf").get_by_role("link")).to_be_focused()
    assert page.locator("[data-restore]").count() == 0


@pytest.mark.parametrize("way", ["Cancel", "Escape", "beside"])
def test_whoever_thinks_again_loses_nothing(way, shelf, open_page):
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


def test_the_way_back_is_on_whatever_library_page_is_opened_next(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0")
    page.get_by_role("button", name="Delete Torn 05.pdf").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    leaving(page, "Torn 05.pdf").wait_for()
    page.close()
    other = open_page(f"{shelf}/documents?page=2")
    leaving(other, "Torn 05.pdf").get_by_role("button").click()
    expect(other.locator("[data-restore]")).to_have_count(0)
    assert row(open_page(f"{shelf}/documents?name=Torn+0"), "Torn 05.pdf").count() == 1


def test_two_deletions_are_undone_one_by_one(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0")
    for name in ("Torn 06.pdf", "Torn 07.pdf"):
        page.get_by_role("button", name=f"Delete {name}").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete").click()
        expect(leaving(page, name).get_by_role("button")).to_be_focused()
    leaving(page, "Torn 06.pdf").get_by_role("button").click()
    row(page, "Torn 06.pdf").wait_for()
    assert row(page, "Torn 07.pdf").count() == 0
    leaving(page, "Torn 07.pdf").get_by_role("button").click()
    row(page, "Torn 07.pdf").wait_for()


def test_without_javascript_a_page_asks_and_a_button_undoes(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn+0", java_script_enabled=False)
    page.get_by_role("button", name="Delete Torn 08.pdf").click()
    assert "Delete “Torn 08.pdf”?" in page.locator("h1").inner_text()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url("**/documents")
    assert "Deleted" in leaving(page, "Torn 08.pdf").inner_text()
    leaving(page, "Torn 08.pdf").get_by_role("button", name="Undo").click()
    assert leaving(page, "Torn 08.pdf").count() == 0
    page.goto(f"{shelf}/documents?name=Torn+08")
    assert row(page, "Torn 08.pdf").count() == 1


def test_when_the_seconds_are_over_it_is_gone_though_the_page_was_closed(limited_site, open_page):
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
    expect(later.locator("[data-restore]")).to_have_count(0, timeout=ANSWERED_WITHIN)
    assert "was not found" in open_page(address).locator("main").inner_text()


def test_a_screen_of_320_pixels_holds_bar_and_dialog(shelf, open_page):
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    page = open_page(f"{shelf}/documents?name=Torn+0", viewport={"width": 320, "height": 640})
    page.get_by_role("button", name="Delete Torn 09.pdf").click()
    page.get_by_role("dialog").wait_for()
    assert page.evaluate(wide) == 0
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    undo = leaving(page, "Torn 09.pdf").get_by_role("button")
    undo.wait_for()
    assert page.evaluate(wide) == 0
    box = undo.bounding_box()
    assert box["x"] + box["width"] <= 320
    undo.click()
    row(page, "Torn 09.pdf").wait_for()


# -- a long document ---------------------------------------------------------------------------------------------


def test_a_long_document_is_gone_through_and_jumped_into(shelf, manual, open_page):
    page = open_page(f"{shelf}/documents/{manual.id}")
    assert page.locator(".sections li").count() == 50
    page.get_by_role("link", name="Next").click()
    page.wait_for_url("**parts=2*")
    assert page.locator(".sections li").count() == min(50, manual.chunks - 50)
    page.get_by_label("Go to page").fill(str(manual.pages))
    page.keyboard.press("Enter")
    page.wait_for_url("**#part-*")
    assert str(manual.pages) in page.locator(":target .note").inner_text()


def test_an_event_source_hears_of_a_document_to_its_end(shelf, open_page):
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


def test_what_comes_in_while_the_list_is_narrowed_is_seen(shelf, open_page):
    page = open_page(f"{shelf}/documents?name=Torn&page=2")
    files = [text_file(f"{word}.txt", f"The {word} came in.") for word in ("One more", "Another")]
    page.locator("input[type=file]").set_input_files(files)
    for file in files:
        row(page, file["name"]).wait_for(timeout=ANSWERED_WITHIN)
