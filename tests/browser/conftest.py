"""Real servers and a real browser. The test files of one process share a server with the samples; a file whose tests
need a library of their own starts its own server."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import (
    APIRequestContext,
    APIResponse,
    Browser,
    Error,
    Locator,
    Page,
    Route,
)

from tests.browser.chromium import launch
from tests.browser.every_page import ADDRESSES, DELAY
from tests.browser.serving import ROOT, serving
from tests.long_pdf import write_long_pdf

SAMPLES = ROOT / "samples"
BOOK_PAGES = 60
# Milliseconds. Nobody waits so long, save on a machine that does much besides.
READ_WITHIN = 120_000  # the first file also waits for the model
ANSWER_TIMEOUT_MS = 60_000
# What can be set on a page that is there already, and what it is where a test does not say.
EMULATED = {"color_scheme": "light", "reduced_motion": "no-preference", "forced_colors": "none"}
VIEWPORT = {"width": 1024, "height": 768}


@pytest.fixture(scope="session")
def whole_browser(driver) -> Iterator[Browser]:
    """The whole browser, which shows a PDF in a tab where the headless shell downloads it."""
    started = launch(driver, whole=True)
    yield started
    started.close()


@pytest.fixture(scope="session")
def http(driver) -> Iterator[APIRequestContext]:
    """Requests without a page."""
    context = driver.request.new_context()
    yield context
    context.dispose()


@pytest.fixture(scope="session")
def site(tmp_path_factory, samples_folder) -> Iterator[str]:
    """The server that test files share: it holds the samples, and what their tests upload."""
    folder = tmp_path_factory.mktemp("server") / "data"
    shutil.copytree(samples_folder, folder)
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="session")
def limited_site(tmp_path_factory) -> Iterator[str]:
    """A server that starts empty, takes files of one megabyte at most, stores no answers, and lets a deletion be undone
    for one second."""
    limits = {"MAX_UPLOAD_MB": "1", "KEEP_ANSWERS": "0", "UNDO_SECONDS": "1"}
    with serving(tmp_path_factory.mktemp("limited"), **limits) as address:
        yield address


class PagePool:
    """A pool of pages for the tests of one file: a new page takes a quarter of a second of CPU time."""

    def __init__(self) -> None:
        self._free: dict[str, list[Page]] = {}
        self._taken: list[tuple[str | None, Page]] = []
        self.complaints: list[str] = []

    def take(self, browser: Browser, fresh: bool, **options) -> Page:
        """Return a page that behaves like a new one with these options; a fresh one is not reused after the test."""
        emulated = {name: options.pop(name, usual) for name, usual in EMULATED.items()}
        viewport = options.pop("viewport", VIEWPORT)
        key = None if fresh else repr((id(browser), sorted(options.items())))
        free = self._free.get(key, [])
        if free:
            page = free.pop(0)
            for frame in page.frames:
                with suppress(Error):  # some have no storage
                    frame.evaluate("localStorage.clear(); sessionStorage.clear()")
            page.mouse.move(0, 0)
            page.set_viewport_size(viewport)
            page.emulate_media(media="null", **emulated)
        else:
            page = browser.new_context(viewport=viewport, **emulated, **options).new_page()
            watch(page, self.complaints)
        self._taken.append((key, page))
        return page

    def give_back(self) -> list[str]:
        """Reset the pages of a test and return their complaints."""
        for key, page in self._taken:
            if key is None or page.is_closed():
                page.context.close()
                continue
            for other in page.context.pages:
                if other is not page:
                    other.close()
            page.unroute_all(behavior="ignoreErrors")
            page.context.set_offline(False)
            page.context.clear_cookies()
            self._free.setdefault(key, []).append(page)
        self._taken.clear()
        complaints, self.complaints[:] = list(self.complaints), []
        return complaints

    def close(self) -> None:
        for page in (page for pages in self._free.values() for page in pages):
            page.context.close()


@pytest.fixture(scope="module")
def page_pool(driver) -> Iterator[PagePool]:
    pool = PagePool()
    yield pool
    pool.close()


@pytest.fixture
def open_page(request, page_pool) -> Iterator[Callable[..., Page]]:
    """Open URLs in watched pages: any complaint of a page fails the test at its end. What is to be
    answered otherwise is routed before the page is there: one that is there already may still ask past the route.

    A test gets pages that earlier tests of the file had, with nothing of theirs left but their history. Who leaves scripts
    or listeners on a page, or counts on its history, asks for a fresh one.
    """
    whole = request.node.get_closest_marker("whole_browser")
    browser = request.getfixturevalue("whole_browser" if whole else "browser")

    def opened(
        address: str, routes: Mapping[str, Callable[[Route], None]] | None = None, fresh: bool = False, **options
    ) -> Page:
        page = page_pool.take(browser, fresh or bool(routes), **options)
        for pattern, answer in (routes or {}).items():
            page.route(pattern, answer)
        page.goto(address)
        return page

    yield opened
    assert page_pool.give_back() == []


def watch(page: Page, complaints: list[str]) -> None:
    """Collect errors, dialogs and violations of the content security policy, which the browser logs to its console."""
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def record_console_message(message) -> None:
        # That a page we asked for on purpose is a 404 is no complaint.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            complaints.append(f"console: {message.text}")

    page.on("console", record_console_message)


@pytest.fixture(scope="session")
def upload_once(browser, site, http) -> Callable[..., str]:
    """Return the URL of a file's document on the shared server; a file that is no sample is uploaded once."""
    listed = http.get(f"{site}/api/v1/documents?limit=100").json()["documents"]
    known = {document["name"]: f"{site}/documents/{document['document_id']}" for document in listed}

    def address(file: Path | dict) -> str:
        name = file.name if isinstance(file, Path) else file["name"]
        if name not in known:
            with new_page(browser) as page:
                page.goto(f"{site}/documents")
                page.locator("input[type=file]").set_input_files(file)
                page.wait_for_url("**/documents/*", timeout=ANSWER_TIMEOUT_MS)
                page.locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)
                assert page.locator(".state").inner_text().endswith("ready")
                known[name] = page.url
        return known[name]

    return address


def text_file(name: str, words: str) -> dict[str, str | bytes]:
    """Return a text file for an upload form without writing it to disk."""
    return {"name": name, "mimeType": "text/plain", "buffer": words.encode()}


@contextmanager
def new_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    try:
        yield page
    finally:
        page.close()


@pytest.fixture(scope="session")
def contract(upload_once) -> str:
    return upload_once(SAMPLES / "Harbour Works Contract.pdf")


@pytest.fixture(scope="session")
def report(upload_once) -> str:
    return upload_once(SAMPLES / "Breakwater Condition Report 2024.pdf")


@pytest.fixture(scope="session")
def book(upload_once) -> str:
    return upload_once({"name": "book.pdf", "mimeType": "application/pdf", "buffer": write_long_pdf(BOOK_PAGES)})


@pytest.fixture(scope="session")
def empty_site(tmp_path_factory) -> Iterator[str]:
    """A server that stays empty: a test that uploads starts its own server."""
    with serving(tmp_path_factory.mktemp("empty")) as address:
        yield address


@pytest.fixture(scope="session")
def stored_answer_url(site, contract, http) -> str:
    """The URL of a stored answer."""
    return site + http.post(f"{site}/api/v1/answers", data={"question": DELAY}).json()["links"]["self"]


@pytest.fixture(scope="session")
def pages(site, empty_site, contract, stored_answer_url, upload_once) -> dict[str, str]:
    """The URL of each page by its name."""
    council = upload_once(SAMPLES / "南灣區議會文件 避風塘改善工程.pdf")
    known = {"site": site, "empty": empty_site, "contract": contract, "council": council, "kept": stored_answer_url}
    return {name: address.format(**known, document=contract.rsplit("/")[-1]) for name, address in ADDRESSES.items()}


def question_url(document: str, question: str, view: str = "text") -> str:
    """Return the URL that answers a question to a document, in its text or page view."""
    return f"{document}?{urlencode({'q': question, 'view': view})}"


def read_highlighted_sentences(page: Page) -> list[str]:
    """Return the highlighted sentences; the segments of one sentence are joined."""
    page.locator("mark").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    parts = page.locator("mark").evaluate_all("marks => marks.map((mark) => [mark.dataset.n, mark.textContent])")
    numbers = dict.fromkeys(number for number, _ in parts)
    return [" ".join(text for n, text in parts if n == number) for number in numbers]


def fetch_link(link: Locator) -> APIResponse:
    """Fetch the target of a link without opening a viewer or a download."""
    return link.page.request.get(link.evaluate("link => link.href"))
