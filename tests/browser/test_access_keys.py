"""A service that requires keys: the browser asks once, and the key works for everything."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from highlighter.services import Services
from highlighter.settings import Settings
from tests.browser.conftest import ANSWER_TIMEOUT_MS, READ_WITHIN, text_file
from tests.browser.serving import serving

WORDS = "The lighthouse keeper feeds the gulls at noon. Nobody else may climb the tower."


@pytest.fixture(scope="module")
def protected_site(tmp_path_factory):
    """(URL, a key with all scopes for one collection)"""
    data = tmp_path_factory.mktemp("guarded")
    services = Services(Settings(data_dir=data))
    _, key = services.api_keys.create_key("A person", ["admin"], ["tower"])
    services.close()
    with serving(data, TRUSTED_HOSTS="") as address:
        assert "Keys are required" in (data / "server.log").read_text()
        yield address, key


def test_key_as_password_allows_upload_and_questions(protected_site, open_page):
    address, key = protected_site
    page = open_page(f"{address}/documents", http_credentials={"username": "me", "password": key})
    page.locator("input[type=file]").set_input_files(text_file("tower.txt", WORDS))
    page.wait_for_url("**/documents/*", timeout=ANSWER_TIMEOUT_MS)
    page.locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)  # it is told so by events
    assert page.locator(".state").inner_text().endswith("ready")
    page.goto(f"{address}/")
    page.get_by_label("Your question").fill("When are the gulls fed?")
    page.get_by_label("Your question").press("Enter")
    page.locator(".answer .chip").first.click(timeout=ANSWER_TIMEOUT_MS)
    highlighted = page.frame_locator(".citation-panel iframe").locator("mark[aria-current]").first
    expect(highlighted).to_have_text("The lighthouse keeper feeds the gulls at noon.", timeout=ANSWER_TIMEOUT_MS)


def test_wrong_key_shows_what_to_do(protected_site, open_page):
    page = open_page(f"{protected_site[0]}/", http_credentials={"username": "me", "password": "hk_wrong"})
    expect(page.get_by_role("heading", name="A key is needed")).to_be_visible()
    expect(page.locator("[data-sentence]")).to_contain_text("Ask the administrator")
