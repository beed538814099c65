"""Real servers and a real browser. All files that one process runs share a server that holds the samples; a file whose
tests need a library of their own starts a server of its own."""

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
    Playwright,
    Route,
    expect,
    sync_playwright,
)

from tests.browser.chromium import launch
from tests.browser.every_page import ADDRESSES, DELAY
from tests.browser.serving import ROOT, serving

SAMPLES = ROOT / "samples"
# Milliseconds. Nobody waits so long, save on a machine that does much besides.
READ_WITHIN = 120_000  # the first file also waits for the model
ANSWERED_WITHIN = 60_000
EXPECTED_WITHIN = 30_000  # the library's own five seconds are too few beside much other work
# What can be set on a page that is there already, and what it is where a test does not say.
EMULATED = {"color_scheme": "light", "reduced_motion": "no-preference", "forced_colors": "none"}
VIEWPORT = {"width": 1024, "height": 768}


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """Playwright, started once: its synchronous interface cannot be started twice in one process."""
    expect.set_options(timeout=EXPECTED_WITHIN)
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver) -> Iterator[Browser]:
    """The browser that tests share: the headless shell where this machine has it."""
    started = launch(driver)
    yield started
    started.close()


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
    """A server that starts empty, takes files of one megabyte at most, and lets a deletion be undone for one second."""
    with serving(tmp_path_factory.mktemp("limited"), MAX_UPLOAD_MB="1", UNDO_SECONDS="1") as address:
        yield address


class PagePool:
    """Pages that the tests of one file take one after another: a new page costs a quarter of a second of CPU time."""

    def __init__(self) -> None:
        self._free: dict[str, list[Page]] = {}
        self._taken: list[tuple[str | None, Page]] = []
        self.complaints: list[str] = []

    def take(self, browser: Browser, fresh: bool, **options) -> Page:
        """A page that is like a new one with these options, or is a new one that nobody takes after this test."""
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
        """Undo what the test did to its pages, and return what they complained of."""
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
    """Opens addresses in pages that are watched: whatever a page complains of in the end fails the test. What is to be
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
    """Errors, dialogs, and what the content security policy refused (the browser says that on its console)."""
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def hear(message) -> None:
        # That a page we asked for on purpose is a 404 is no complaint.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            complaints.append(f"console: {message.text}")

    page.on("console", hear)


@pytest.fixture(scope="session")
def taken_in(browser, site, http) -> Callable[..., str]:
    """The address of a file's page on the shared server; what is no sample goes in through the upload form, once."""
    listed = http.get(f"{site}/api/v1/documents?limit=100").json()["documents"]
    known = {document["name"]: f"{site}/documents/{document['document_id']}" for document in listed}

    def address(file: Path | dict) -> str:
        name = file.name if isinstance(file, Path) else file["name"]
        if name not in known:
            with new_page(browser) as page:
                page.goto(f"{site}/documents")
                page.locator("input[type=file]").set_input_files(file)
                page.wait_for_url("**/documents/*", timeout=ANSWERED_WITHIN)
                page.locator(".state:not(.busy)").wait_for(timeout=READ_WITHIN)
                assert page.locator(".state").inner_text().endswith("ready")
                known[name] = page.url
        return known[name]

    return address


def text_file(name: str, words: str) -> dict[str, str | bytes]:
    """As a form takes it, without a file on disk."""
    return {"name": name, "mimeType": "text/plain", "buffer": words.encode()}


@contextmanager
def new_page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    try:
        yield page
    finally:
        page.close()


@pytest.fixture(scope="session")
def contract(taken_in) -> str:
    return taken_in(SAMPLES / "Harbour Works Contract.pdf")


@pytest.fixture(scope="session")
def report(taken_in) -> str:
    return taken_in(SAMPLES / "Breakwater Condition Report 2024.pdf")


@pytest.fixture(scope="session")
def empty(tmp_path_factory) -> Iterator[str]:
    """A server that stays empty: whoever puts something in makes one of their own."""
    with serving(tmp_path_factory.mktemp("empty")) as address:
        yield address


@pytest.fixture(scope="session")
def kept(site, contract, http) -> str:
    """The address of an answer that is kept."""
    return site + http.post(f"{site}/api/v1/answers", data={"question": DELAY}).json()["links"]["self"]


@pytest.fixture(scope="session")
def pages(site, empty, contract, kept, taken_in) -> dict[str, str]:
    """Where each page stands, by its name."""
    council = taken_in(SAMPLES / "南灣區議會文件 避風塘改善工程.pdf")
    known = {"site": site, "empty": empty, "contract": contract, "council": council, "kept": kept}
    return {name: address.format(**known, document=contract.rsplit("/")[-1]) for name, address in ADDRESSES.items()}


def asking(document: str, question: str, view: str = "text") -> str:
    """Where a question to a document is answered: in its text, or on its pages."""
    return f"{document}?{urlencode({'q': question, 'view': view})}"


def lit_sentences(page: Page) -> list[str]:
    """What is lit, sentence by sentence; one that runs over lines or cells is put together again."""
    page.locator("mark").first.wait_for(timeout=ANSWERED_WITHIN)
    parts = page.locator("mark").evaluate_all("marks => marks.map((mark) => [mark.dataset.n, mark.textContent])")
    numbers = dict.fromkeys(number for number, _ in parts)
    return [" ".join(text for n, text in parts if n == number) for number in numbers]


def fetched(link: Locator) -> APIResponse:
    """What a link leads to, without a viewer's or a download's detour."""
    return link.page.request.get(link.evaluate("link => link.href"))
