"""The instructions of docs/how-to/embed.md, followed in a new page."""

from __future__ import annotations

import json
import re
import shlex

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.host_pages import serve_host_pages
from tests.browser.serving import ROOT

TOLD = (ROOT / "docs" / "how-to" / "embed.md").read_text(encoding="utf-8")
ANSWER = "<p id=answer>For each day of delay the Contractor pays £4,200 [Harbour Works Contract, p.3].</p>"


@pytest.fixture(scope="module")
def chat(site, contract):
    with serve_host_pages(site) as origin:
        yield origin


@pytest.fixture
def block(site, chat):
    """A function that returns a code block of the guide with the URLs of this test."""

    def found(kind: str) -> str:
        (code,) = re.findall(rf"```{kind}\n(.*?)```", TOLD, re.S)
        code = re.sub(r"^   ", "", code, flags=re.M)  # it stands in a list
        return code.replace("http://127.0.0.1:8000", site).replace("http://localhost:5500", chat.origin)

    return found


def test_documented_server_calls_and_page_code_work(block, chat, open_page):
    names: dict = {}
    exec(block("python"), names)
    status, resolved = names["resolve"]("It pays £4,200 [Harbour Works Contract, p.3].")
    (cited,) = resolved["citations"]
    assert status == 200
    claim = "For each day of delay the Contractor pays £4,200"
    _, made = names["link"](cited["document_id"], cited["page"], cited["quote"], claim)
    assert names["link"](cited["document_id"], page=99)[0] == 404
    page = open_page(made["url"])
    expect(page.locator("mark").first).to_contain_text("delay damages of £4,200", timeout=ANSWER_TIMEOUT_MS)
    page = open_page(chat.page(ANSWER + block("html")))
    page.locator(".highlighter-citation").click(timeout=ANSWER_TIMEOUT_MS)
    shown = page.frame_locator("dialog[open] citation-viewer iframe")
    expect(shown.locator("mark").first).to_contain_text("delay damages of £4,200", timeout=ANSWER_TIMEOUT_MS)


def test_documented_page_requests_match_server(block, chat, open_page):
    """Requests have the documented fields, and a refusal's sentence reaches the reader."""
    names: dict = {}
    exec(block("python"), names)
    requested: list = []

    def serve(route) -> None:
        assert route.request.headers["content-type"] == "application/json"
        what = json.loads(route.request.post_data)
        requested.append(what)
        status, answer = names[route.request.url.rsplit("/", 1)[1]](**what)
        route.fulfill(status=status, json=answer)

    message = 'It says "An early warning is given within two working days" [Harbour Works Contract, p.2].'
    host = chat.page(f"<p id=answer>{message}</p>" + block("html"))
    page = open_page(host, {f"{chat.origin}/{path}": serve for path in ("resolve", "link")})
    page.locator(".highlighter-citation").click(timeout=ANSWER_TIMEOUT_MS)
    shown = page.frame_locator("dialog[open] citation-viewer iframe")
    expect(shown.locator("mark").first).to_contain_text("An early warning", timeout=ANSWER_TIMEOUT_MS)
    assert requested[-1]["quote"] == "An early warning is given within two working days"


def test_documented_command_makes_link(site, chat, open_page, http):
    (command,) = re.findall(r"```\n(curl .*?)```", TOLD, re.S)
    requested = shlex.split(command.replace("\\\n", " "))
    body = requested[requested.index("-d") + 1].replace("http://localhost:5500", chat.origin)
    answer = http.post(f"{site}/api/v1/embed/links", data=body, headers={"Content-Type": "application/json"})
    page = open_page(chat.viewing(answer.json()["url"]))
    shown = page.frame_locator("citation-viewer iframe")
    expect(shown.locator("mark").first).to_contain_text("An early warning is given", timeout=ANSWER_TIMEOUT_MS)
