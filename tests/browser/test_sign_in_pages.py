"""The pages of signing in, in Chromium: they fit, and axe-core finds nothing, with the provider of these tests."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.serving import serving
from tests.browser.sign_in_site import make_library
from tests.browser.test_accessibility import TOO_WIDE
from tests.browser.test_axe import list_violations
from tests.browser.test_every_page import NARROW, assert_reflows
from tests.openid_server import CLIENT_ID, CLIENT_SECRET, OpenIdServer


@pytest.fixture(scope="module")
def provider():
    server = OpenIdServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory, embedder, process_pool, provider):
    data = tmp_path_factory.mktemp("site")
    settings = {"OIDC_ISSUER": provider.issuer, "OIDC_CLIENT_ID": CLIENT_ID, "OIDC_CLIENT_SECRET": CLIENT_SECRET}
    with serving(data, **settings, **make_library(data, embedder, process_pool)) as address:
        assert f"People sign in at {provider.issuer}." in (data / "server.log").read_text()
        yield address


def assert_accessible(page) -> None:
    assert page.evaluate(TOO_WIDE) == 0
    assert list_violations(page) == []


def test_pages_of_sign_in_are_accessible_and_fit(site, provider, open_page):
    provider.user = {"sub": "ann", "name": "Annabella Maximiliana von der Hafenverwaltung", "groups": ["contracts"]}
    page = open_page(f"{site}/documents", viewport=NARROW, fresh=True)
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Sign in with").click()
    expect(page.get_by_role("link", name="Lease.txt")).to_be_visible()
    page.locator(".person-menu summary").press("Enter")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert_accessible(page)
    assert page.locator(".menu-panel").evaluate("one => one.getBoundingClientRect().left") >= 0
    page.set_viewport_size({"width": 768, "height": 640})
    assert page.evaluate(TOO_WIDE) == 0
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Sign out")).to_be_hidden()
    page.evaluate("sessionStorage.setItem('highlighter.session', '[]')")
    page.locator(".person-menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{site}/signed-out")  # by way of the provider
    assert_accessible(page)
    assert page.evaluate("sessionStorage.length") == 0  # nothing of a conversation stays for the next person


def test_page_without_access_is_accessible_and_leads_out(site, provider, open_page):
    provider.user = {"sub": "cho", "name": "Cho", "groups": []}
    provider.metadata = {"end_session_endpoint": None}  # as at Google
    page = open_page(f"{site}/zh-Hant/documents", fresh=True)
    page.locator("a.btn").click()
    expect(page.locator("[data-sentence]")).to_contain_text("library@harbour.example")
    assert page.locator("html").get_attribute("lang") == "zh-Hant"  # the page that was wanted
    assert_accessible(page)
    page.locator(".person-menu summary").click()
    page.locator(".menu-panel button").click()
    page.wait_for_url(f"{site}/zh-Hant/sign-out")
    expect(page.get_by_role("heading")).to_be_visible()
    assert_accessible(page)
    page.goto(f"{site}/documents")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert_reflows(page)
