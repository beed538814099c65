"""People sign in at a real OpenID provider, the `oidc-provider` of npm, through its own pages in Chromium."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.serving import free_port, running, serving
from tests.browser.sign_in_site import make_library

pytestmark = [pytest.mark.integrations, pytest.mark.npm]

PROVIDER = Path(__file__).parent / "openid_provider"
CLIENT, SECRET = "highlighter", "a-secret-for-these-tests-alone-1234"
LEASE, SURVEY = "Lease.txt", "Survey.txt"


@pytest.fixture(scope="module")
def provider_folder(tmp_path_factory) -> Path:
    """The provider with the packages of its lock."""
    folder = tmp_path_factory.mktemp("provider") / "app"
    shutil.copytree(PROVIDER, folder)
    subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def site(provider_folder, tmp_path_factory, embedder, process_pool):
    """The URL of a service at which people sign in."""
    port, provider_port = free_port(), free_port()
    address, issuer = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{provider_port}"
    command = ["node", "server.mjs", str(provider_port), CLIENT, SECRET, address]
    metadata = f"{issuer}/.well-known/openid-configuration"
    data = tmp_path_factory.mktemp("site")
    settings = {
        "PORT": str(port), "OIDC_ISSUER": issuer, "OIDC_CLIENT_ID": CLIENT, "OIDC_CLIENT_SECRET": SECRET,
        "OIDC_SCOPES": "openid profile groups", "OIDC_NAME": "the harbour", **make_library(data, embedder, process_pool),
    }  # fmt: skip
    with running(command, {}, metadata, data / "provider.log", provider_folder), serving(data, **settings) as site:
        yield site


def sign_in(page: Page, name: str) -> None:
    """Sign in from the sign-in page, through the pages of the provider."""
    page.get_by_role("link", name="Sign in with the harbour").click()
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill("any")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()


def open_menu(page: Page) -> None:
    page.locator(".person-menu summary").click()


def test_groups_open_collections_and_sign_out_closes_them(site, open_page):
    ann = open_page(f"{site}/documents?name=e", fresh=True)
    sign_in(ann, "ann")
    ann.wait_for_url(f"{site}/documents?name=e")  # the page that was wanted
    expect(ann.get_by_role("link", name=LEASE)).to_be_visible()
    expect(ann.get_by_role("link", name=SURVEY)).to_have_count(0)
    ann.goto(f"{site}/")
    ann.get_by_label("Your question").fill("When does the lease of the quay end?")
    ann.get_by_label("Your question").press("Enter")
    ann.locator(".answer .chip").first.click(timeout=ANSWER_TIMEOUT_MS)
    highlighted = ann.frame_locator(".citation-panel iframe").locator("mark[aria-current]").first
    expect(highlighted).to_have_text("The lease of the quay ends in March.", timeout=ANSWER_TIMEOUT_MS)

    bob = open_page(f"{site}/documents", fresh=True)
    sign_in(bob, "bob")
    expect(bob.get_by_role("link", name=SURVEY)).to_be_visible()
    expect(bob.get_by_role("link", name=LEASE)).to_have_count(0)
    bob.goto(f"{site}/answers")
    expect(bob.get_by_text("When does the lease")).to_have_count(0)  # Ann's question is her own

    ann.goto(f"{site}/answers")
    expect(ann.get_by_role("link", name="When does the lease of the quay end?")).to_be_visible()
    open_menu(ann)
    ann.get_by_role("button", name="Sign out").click()
    ann.get_by_role("button", name=re.compile("^Yes, sign me out")).click()  # the provider asks for its own session
    ann.wait_for_url(re.compile(f"^{re.escape(site)}/signed-out"))
    expect(ann.get_by_role("heading", name="Signed out")).to_be_visible()
    ann.goto(f"{site}/documents")
    ann.get_by_role("link", name="Sign in with the harbour").click()
    expect(ann.locator("input[name=login]")).to_be_visible()  # the provider has forgotten her, too
    bob.reload()
    expect(bob.get_by_text("Signed in as Bob of the harbour").first).to_be_attached()


def test_person_of_no_group_is_told_whom_to_ask(site, open_page):
    page = open_page(f"{site}/documents", fresh=True)
    sign_in(page, "cho")
    expect(page.get_by_role("heading", name="No access")).to_be_visible()
    expect(page.locator("[data-sentence]")).to_contain_text("Ask library@harbour.example for access.")


def test_sign_in_that_is_cancelled_can_be_begun_again(site, open_page):
    page = open_page(f"{site}/documents", fresh=True)
    page.get_by_role("link", name="Sign in with the harbour").click()
    page.get_by_role("link", name=re.compile("Cancel")).click()
    expect(page.get_by_role("heading", name="Sign-in failed")).to_be_visible()
    page.get_by_role("link", name="Sign in", exact=True).click()
    expect(page.get_by_role("link", name="Sign in with the harbour")).to_be_visible()
