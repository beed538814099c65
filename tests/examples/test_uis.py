"""The Streamlit and Gradio examples run as documented, over the samples, in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import READ_WITHIN, SAMPLES
from tests.browser.serving import ROOT, serving
from tests.browser.test_accessibility import TOO_WIDE
from tests.examples.uis import ALONE, GRADIO, MISSING, PROGRAMS, STREAMLIT, started

pytestmark = pytest.mark.integrations

DELAY = "How much is paid for each day of delay?"
SAID = "6.4 For each day from the Completion Date until Completion the Contractor pays delay damages of £4,200."
BADGE = "What does the blue badge of the lamplighters cost?"
MARKED_UP = "The blue badge of the lamplighters costs $5 or $7, **never** <b>more</b> ![](https://evil.example/a.png)."
BY_NAME = {"streamlit": STREAMLIT, "gradio": GRADIO}
LOCAL = ("localhost", "127.0.0.1", None)  # None: data: and blob:


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """A service with the samples and a note full of hostile markup."""
    folder = tmp_path_factory.mktemp("service")
    note = folder / "![](https:··evil.example·b.png) $1$.txt"
    note.write_text(f"About badges.\n\n{MARKED_UP}\n", encoding="utf-8")
    command = [sys.executable, "-m", "ingest", str(SAMPLES), str(note)]
    environment = {**os.environ, "DATA_DIR": str(folder / "data")}
    taken = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert taken.returncode == 1, taken.stderr  # one of the samples is a scan, and cannot be read
    with serving(folder / "data") as address:
        yield address


@pytest.fixture(scope="module", params=BY_NAME)
def running_ui(request, service, tmp_path_factory):
    ui = BY_NAME[request.param]
    with started(ui, service, tmp_path_factory.mktemp(request.param)) as address:
        yield ui, address


@pytest.fixture
def requested(running_ui, browser):
    """A function that asks in a window of this width; the page fetches nothing remote and throws nothing."""
    ui, address = running_ui
    fetched, thrown, pages = [], [], []

    def ask(question: str, width: int = 1280) -> Page:
        page = browser.new_page(viewport={"width": width, "height": 900})
        pages.append(page)
        page.on("request", lambda request: fetched.append(request.url))
        page.on("pageerror", lambda error: thrown.append(str(error)))
        page.goto(address)
        ui.ask(page, question)
        return page

    yield ask
    for page in pages:
        page.close()
    assert [url for url in fetched if urlsplit(url).hostname not in LOCAL] == []
    assert thrown == []


@pytest.mark.parametrize("width", [1280, 390])
def test_ui_shows_answer_and_highlighted_frame(requested, width):
    page = requested(DELAY, width)
    highlighted = page.frame_locator("iframe").first.locator("mark[aria-current]")
    expect(highlighted).to_have_text(SAID, timeout=READ_WITHIN)
    expect(highlighted).to_be_in_viewport()
    expect(page.get_by_text("Harbour Works Contract.pdf, page 2")).to_be_visible()
    assert SAID in message(page)
    assert page.evaluate(TOO_WIDE) == 0


def test_ui_shows_hostile_text_and_names_as_text(requested):
    page = requested(BADGE)
    highlighted = page.frame_locator("iframe").first.locator("mark[aria-current]")
    expect(highlighted).to_have_text(MARKED_UP, timeout=READ_WITHIN)
    assert MARKED_UP in message(page)
    expect(page.get_by_text("![](https:··evil.example·b.png) $1$.txt, page 1")).to_be_visible()


def message(page: Page) -> str:
    """Return the text of the page and the values of its fields."""
    return page.evaluate(
        "document.body.innerText + [...document.querySelectorAll('textarea')].map((one) => one.value).join()"
    )


def test_missing_environment_says_how_to_create_it(tmp_path):
    for ui in BY_NAME.values():
        with pytest.raises(FileNotFoundError, match=MISSING), started(ui, "", tmp_path, tmp_path):
            pass


def test_uis_listen_on_this_machine_only():
    reach = "import socket; socket.create_connection(('192.0.2.1', 80), 1)"  # an address kept for documentation
    ended = subprocess.run(
        [PROGRAMS / "python", "-c", reach], env={**os.environ, "PYTHONPATH": str(ALONE)}, capture_output=True, text=True
    )
    assert "Reached out to ('192.0.2.1', 80)" in ended.stderr
