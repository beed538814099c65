"""Uploads of several files: their order, what is refused before it is sent, and the line that sums them up."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, text_file
from tests.browser.test_axe import list_violations


def note(name: str) -> dict:
    return text_file(f"{name}.txt", f"The {name} came in.")


def hold_uploads(waiting: list[Route]) -> dict:
    """Hold uploads until the test releases them."""
    return {
        "**/documents": lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_()
    }


def until(page: Page, waiting: list[Route], count: int) -> None:
    while len(waiting) < count:
        page.wait_for_timeout(50)


def test_files_added_during_upload_are_queued(limited_site, open_page):
    waiting: list[Route] = []
    page = open_page(f"{limited_site}/documents", hold_uploads(waiting))
    page.locator("input[type=file]").set_input_files([note("First"), note("Second")])
    until(page, waiting, 1)
    page.locator("input[type=file]").set_input_files(note("Third"))
    expect(page.locator("[data-uploading] .name")).to_have_text(["First.txt", "Second.txt", "Third.txt"])
    for number in range(3):
        until(page, waiting, number + 1)
        assert len(waiting) == number + 1  # one at a time
        waiting[number].continue_()
    for name in ("First", "Second", "Third"):
        link = page.locator(".library").get_by_role("link", name=f"{name}.txt", exact=True)
        link.wait_for(timeout=ANSWER_TIMEOUT_MS)
    assert page.url == f"{limited_site}/documents"
    page.locator("input[type=file]").set_input_files(note("Fourth"))
    until(page, waiting, 4)
    expect(page.locator("[data-uploading] .name")).to_have_text(["Fourth.txt"])
    waiting[3].continue_()
    page.wait_for_url("**/documents/*", timeout=ANSWER_TIMEOUT_MS)  # one alone is opened


def test_many_files_are_summed_up_in_one_line(limited_site, open_page):
    page = open_page(f"{limited_site}/documents")
    song = {"name": "Song.mp3", "mimeType": "audio/mpeg", "buffer": b"ID3"}
    sheet = {"name": "Sheet.xls", "mimeType": "application/vnd.ms-excel", "buffer": b"\xd0\xcf"}
    damaged = {"name": "Damaged.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 and nothing else"}
    with_tags = page.locator(".upload-details")
    with_tags.locator("summary").click()
    with_tags.get_by_label("Tags").fill("batch")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.locator("#file").set_input_files([note("Fifth"), song, note("Sixth"), damaged, sheet, note("Seventh")])
    summary = page.locator("[data-upload-summary]")
    expect(summary).to_have_text("6 files: 3 ready, 3 failed", timeout=ANSWER_TIMEOUT_MS)
    assert len(sent) == 4  # the song and the sheet were refused before
    expect(page.locator(".uploading li").first).to_be_hidden()
    summary.press("Enter")
    rows = page.locator(".uploading li")
    expect(rows.nth(1)).to_contain_text("Files of this kind are not read")
    expect(rows.nth(4)).to_contain_text(".docx, .xlsx or .pptx")
    expect(rows.nth(3).locator(".state.bad")).to_be_visible()
    expect(page.locator("[data-upload-status]")).to_have_text("6 files: 3 ready, 3 failed")
    expect(page.locator("tbody tr", has=page.get_by_role("link", name="batch", exact=True))).to_have_count(4)
    assert list_violations(page) == []


def test_file_that_could_not_be_sent_is_sent_again(limited_site, open_page):
    attempts: list[str] = []

    def break_first_upload(route: Route) -> None:
        is_first_upload = route.request.method == "POST" and not attempts
        attempts.extend([route.request.url] if route.request.method == "POST" else [])
        route.abort() if is_first_upload else route.continue_()

    page = open_page(f"{limited_site}/documents", {"**/documents": break_first_upload})
    page.locator("#file").set_input_files([note("Eighth"), note("Ninth")])
    page.get_by_role("button", name="Retry Eighth.txt").click()
    expect(page.locator("[data-upload-summary]")).to_have_text("2 files: 2 ready", timeout=ANSWER_TIMEOUT_MS)
    expect(page).to_have_url(f"{limited_site}/documents")
