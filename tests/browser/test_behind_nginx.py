"""The service below a path of nginx, configured as in docs/how-to/proxy.md: nothing asks for anything outside the path."""

from __future__ import annotations

import re
import shutil
import socket
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect

from highlighter.client import Client
from tests.browser.conftest import ANSWER_TIMEOUT_MS, READ_WITHIN, text_file
from tests.browser.every_page import ADDRESSES, DELAY, EMPTY
from tests.browser.host_pages import serve_host_pages
from tests.browser.nginx import deployed_proxy, documented_proxy
from tests.browser.serving import serving

PATH = "/papers/"
LINK = re.compile(r"""\b(?:href|src|action|formaction)=["'](/[^"']*)""")


@pytest.fixture(scope="module")
def proxy_folder(tmp_path_factory):
    """The folder of nginx, with its logs."""
    return tmp_path_factory.mktemp("proxied")


@pytest.fixture(scope="module")
def service(proxy_folder, samples_folder):
    """The URL of a server with the samples."""
    shutil.copytree(samples_folder, proxy_folder / "data")
    with serving(proxy_folder / "data", TRUSTED_PROXIES="127.0.0.1", REQUIRE_KEYS="0") as site:
        yield site


@pytest.fixture(scope="module")
def proxied(service, proxy_folder):
    """The URL of the server as readers see it, behind nginx."""
    with documented_proxy(service, proxy_folder) as address:
        yield address


@pytest.fixture
def watched_page(proxied, open_page):
    """A page at the library, and the list of all requests that it makes and that their responses refuse."""
    page, requests = open_page(f"{proxied}/documents", fresh=True), []
    page.context.on("request", lambda request: requests.append(request.url))
    refused = []
    page.context.on("response", lambda response: response.status >= 400 and refused.append(response.url))
    yield page
    assert [url for url in requests if not url.startswith((f"{proxied}/", "blob:", "data:"))] == []
    assert len(requests) > 5
    assert refused == []


def find_document(http, proxied: str, name: str) -> str:
    documents = http.get(f"{proxied}/api/v1/documents?limit=100").json()["documents"]
    document = next(document for document in documents if name in document["name"])
    return f"{proxied}/documents/{document['document_id']}"


def ask(page: Page, proxied: str, question: str) -> None:
    page.goto(f"{proxied}/")
    page.get_by_role("textbox", name="Question").fill(question)
    with page.expect_response(lambda response: response.request.method == "POST") as sent:
        page.get_by_role("button", name="Ask").click()
    assert sent.value.headers["content-type"].startswith("text/event-stream")
    page.locator(".answer .chip").first.wait_for(timeout=ANSWER_TIMEOUT_MS)


def test_links_of_every_page_stay_below_the_path(http, proxied):
    contract = find_document(http, proxied, "Harbour Works Contract")
    names = {"site": proxied, "contract": contract, "document": contract.rpartition("/")[2],
             "council": find_document(http, proxied, "南灣"), "kept": f"{proxied}/"}  # fmt: skip
    for name, address in ADDRESSES.items():
        if address.startswith(EMPTY):
            continue
        page = http.get(address.format(**names)).text()
        outside = [link for link in LINK.findall(page) if not link.startswith(PATH)]
        assert (name, outside) == (name, [])


def test_client_uses_the_service_below_the_path(proxied):
    with Client(proxied) as client:
        hit = client.search(DELAY, limit=1).hits[0]
        assert hit.name == "Harbour Works Contract.pdf"
        assert all(link.startswith(PATH) for link in hit.links.values() if link)
        assert [step.name for step in client.stream(DELAY)][-1] == "done"


def test_answer_streams_and_its_citation_opens(watched_page, proxied):
    ask(watched_page, proxied, DELAY)
    watched_page.locator(".answer .chip").first.click()
    shown = watched_page.locator("iframe").last.content_frame
    expect(shown.locator("mark").first).to_contain_text("4,200", timeout=ANSWER_TIMEOUT_MS)
    watched_page.reload()
    watched_page.goto(f"{proxied}/answers")
    expect(watched_page.get_by_role("link", name=DELAY)).to_be_visible()  # the cookie has come back


def test_upload_is_read_and_shown_on_its_page(watched_page, proxied):
    watched_page.locator("input[type=file]").set_input_files(
        text_file("Ferry.txt", "The ferry leaves at noon. It takes cars.")
    )
    watched_page.wait_for_url(f"{proxied}/documents/*", timeout=ANSWER_TIMEOUT_MS)
    watched_page.locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)
    watched_page.get_by_label("Ask this document").fill("When does the ferry leave?")
    watched_page.get_by_role("button", name="Ask").click()
    watched_page.wait_for_url("**/chunks/*", timeout=ANSWER_TIMEOUT_MS)
    watched_page.locator("#page-1 img").wait_for()
    watched_page.get_by_role("link", name="Text", exact=True).click()
    expect(watched_page.locator("mark").first).to_contain_text("leaves at noon")


def test_viewer_is_shown_in_the_frame_of_another_site(http, proxied, open_page):
    contract = find_document(http, proxied, "Harbour Works Contract").rpartition("/")[2]
    with serve_host_pages(proxied) as host:
        link = host.link(document_id=contract, question=DELAY)
        assert link.startswith(f"{proxied}/embed/")
        page = open_page(host.viewing(link, view="text"), fresh=True)
        page.wait_for_function("said.some(({type}) => type === 'ready')", timeout=ANSWER_TIMEOUT_MS)
        expect(page.frame_locator("citation-viewer iframe").locator("mark").first).to_contain_text("4,200")
        assert page.frames[1].url.startswith(f"{proxied}/embed/")


CANARY = "canaryq7x2"
# Each holds the canary where a question, a signed link, or the page before it is.
LOGGED_REQUESTS = [
    f"GET /?q={CANARY} HTTP/1.1",
    f"GET /embed/{CANARY} HTTP/1.1",
    f"GET /embed/{CANARY}/pages/1?view=text HTTP/1.1",
    f"GET //embed//{CANARY}.{CANARY}/x HTTP/1.1",
    f"GET /%65mbed/{CANARY} HTTP/1.1",
    f"GET /x/../embed/{CANARY} HTTP/1.1",
    f"GET /oembed?url=http%3A%2F%2Flocalhost%2Fembed%2F{CANARY} HTTP/1.1",
    f"GET /healthz HTTP/1.1\r\nReferer: http://localhost/?q={CANARY}",
    f"GET /healthz HTTP/1.1\r\nAuthorization: Bearer {CANARY}\r\nUser-Agent: {CANARY}",
    # What nginx itself refuses, and writes to its error log.
    f"POST /api/v1/documents?q={CANARY} HTTP/1.1\r\nContent-Length: 99999999999",
    f"GET /?q={CANARY} HTTP/9.9",
    f"GET /{CANARY * 8000} HTTP/1.1",
    f"GET /healthz HTTP/1.1\r\nX: {CANARY * 8000}",
]


@pytest.mark.parametrize("prefix", ["/papers", ""], ids=["documented", "deployed"])
def test_log_of_nginx_holds_no_question_and_no_signed_link(service, tmp_path, prefix):
    port_of_service = int(service.rpartition(":")[2])
    proxy = documented_proxy(service, tmp_path) if prefix else deployed_proxy([port_of_service], tmp_path)
    with proxy as address:
        port = int(str(address).removesuffix(prefix).rpartition(":")[2])
        for request in LOGGED_REQUESTS:
            method, path, rest = request.split(" ", 2)
            send_request(port, f"{method} {prefix}{path} {rest}\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    access_log = (tmp_path / "access.log").read_text(encoding="utf-8")
    assert f'"GET {prefix}/embed/TOKEN/pages/1" ' in access_log
    assert len(access_log.splitlines()) > len(LOGGED_REQUESTS)
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path.suffix == ".log"}
    assert [name for name, text in written.items() if CANARY in text] == []


def send_request(port: int, request: str) -> None:
    """Send a request to nginx as it stands, and read what is answered."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as client, suppress(ConnectionError):
        client.sendall(request.encode())
        while client.recv(1 << 16):
            pass
