"""Files added during an upload: each is sent, and the page navigates only after the last one."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS, text_file


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
