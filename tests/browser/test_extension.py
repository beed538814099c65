"""The browser extension of packages/extension, loaded into the whole Chromium, on pages of other origins."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from highlighter.services import Services
from highlighter.settings import Settings
from tests.browser.chromium import FLAGS, executable
from tests.browser.conftest import ANSWER_TIMEOUT_MS
from tests.browser.serving import ROOT, free_port, serving

SOURCE = ROOT / "packages" / "extension"
EXTENSION_ID = "hjmmjgnnnoidjoeggeeopnikhbkhbndm"  # of the public key in the manifest
SENTENCE = "The Contractor pays £4,200 for each day of delay [Harbour Works Contract, p. 3]."
PAGE = f"""<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Chat</title>
<link rel="icon" href="data:,"><main style="font: 1.1rem/1.6 system-ui; max-width: 40rem; margin: 2rem auto; padding: 0 1rem">
<h1>Delay</h1> <p id="first">{SENTENCE}</p> <p id="second">It starts on a Monday [Harbour Works Contract, p. 1].</p></main>"""
HEADERS = {
    "/strict": ("Content-Security-Policy", "default-src 'self'; img-src data:; style-src 'unsafe-inline'"),
    "/isolated": ("Cross-Origin-Embedder-Policy", "require-corp"),
}


@pytest.fixture(scope="module")
def protected_site(tmp_path_factory, samples_folder) -> Iterator[tuple[str, str]]:
    """(the URL of a service with the samples, a key that it requires)"""
    folder = tmp_path_factory.mktemp("extension") / "data"
    shutil.copytree(samples_folder, folder)
    services = Services(Settings(data_dir=folder))
    _, key = services.api_keys.create_key("The extension", ["read"])
    services.close()
    with serving(folder, TRUSTED_HOSTS="", CORS_ORIGINS=f"chrome-extension://{EXTENSION_ID}") as address:
        yield address, key


@pytest.fixture(scope="module")
def chat() -> Iterator[str]:
    """The URL of a page with citations; below it, pages with the headers of HEADERS."""

    class Chat(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            if self.path in HEADERS:
                self.send_header(*HEADERS[self.path])
            self.end_headers()
            self.wfile.write(PAGE.encode())

        def log_message(self, *parts: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Chat) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def context(driver, tmp_path_factory) -> Iterator[BrowserContext]:
    """A browser with the extension as it is built. Nobody can press its question for the service's host, so that is granted."""
    folder = tmp_path_factory.mktemp("built") / "extension"
    runpy.run_path(str(SOURCE / "build.py"))["build_extension"](folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["host_permissions"] = ["http://127.0.0.1/*"]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    extension = [f"--disable-extensions-except={folder}", f"--load-extension={folder}"]
    started = driver.chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=executable(driver),
        headless=False,  # Playwright's own switch would be for the shell, which takes no extensions
        args=[*FLAGS, "--headless=new", "--enable-unsafe-extension-debugging", *extension],
    )
    if not started.service_workers:
        started.wait_for_event("serviceworker")
    yield started
    started.close()


@pytest.fixture(autouse=True)
def close_pages(request) -> Iterator[None]:
    yield
    if "context" in request.fixturenames:
        for page in request.getfixturevalue("context").pages[1:]:
            page.close()


@pytest.fixture
def set_options(context) -> Callable[..., Page]:
    def set_address_and_key(address: str, key: str) -> Page:
        page = context.new_page()
        page.goto(f"chrome-extension://{EXTENSION_ID}/options.html")
        page.get_by_label("Address of the service").fill(address)
        page.get_by_label("Key").fill(key)
        page.get_by_role("button", name="Save and test").click()
        return page

    return set_address_and_key


@pytest.fixture
def press_button(context) -> Callable[[Page], None]:
    """Press the extension's button in the toolbar, which grants it the shown tab as `activeTab`."""

    def press(page: Page) -> None:
        page.bring_to_front()
        session = context.browser.new_browser_cdp_session()
        tabs = session.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
        (target,) = [tab["targetId"] for tab in tabs if tab["url"] == page.url]
        session.send("Extensions.triggerAction", {"id": EXTENSION_ID, "targetId": target})

    return press


def read_catalogues() -> dict[str, dict[str, str]]:
    files = sorted((SOURCE / "_locales").glob("*/messages.json"))
    read = {file.parent.name: json.loads(file.read_text(encoding="utf-8")) for file in files}
    return {code: {name: entry["message"] for name, entry in entries.items()} for code, entries in read.items()}


def test_each_language_has_every_sentence_of_the_extension():
    catalogues = read_catalogues()
    assert set(catalogues) == {"en", "zh_TW", "zh_CN"}
    sources = "".join(
        file.read_text(encoding="utf-8") for file in SOURCE.glob("*.*") if file.suffix in (".js", ".html", ".json")
    )
    used = set(re.findall(r"getMessage\(\"(\w+)\"|data-text=\"(\w+)\"|__MSG_(\w+)__", sources))
    for sentences in catalogues.values():
        assert {name for names in used for name in names if name} <= set(sentences) == set(catalogues["en"])
        assert all(
            re.findall(r"\$\w+\$", sentences[name]) == re.findall(r"\$\w+\$", text)
            for name, text in catalogues["en"].items()
        )


@pytest.mark.integrations
def test_options_say_what_is_wrong_with_address_and_key(protected_site, chat, set_options):
    address, key = protected_site
    nothing = f"http://127.0.0.1:{free_port()}"
    for service, given, sentence in (
        (nothing, "", f"{nothing} cannot be reached."),
        (chat.replace("localhost", "127.0.0.1"), "", "answers, but not as Highlighter does"),
        (address, "", "The service needs a key."),
        (address, "hk_wrong", "The service does not accept this key."),
        (f"{address}/", key, "Saved. The service answers; documents that you can see: "),
    ):
        page = set_options(service, given)
        expect(page.get_by_role("status")).to_contain_text(sentence, timeout=ANSWER_TIMEOUT_MS)


@pytest.mark.integrations
@pytest.mark.parametrize("path", ["/", "/strict"])
def test_citations_of_a_foreign_page_open_their_sentence_without_showing_the_key(
    protected_site, chat, context, set_options, press_button, path
):
    expect(set_options(*protected_site).get_by_role("status")).to_contain_text("Saved", timeout=ANSWER_TIMEOUT_MS)
    page = context.new_page()
    page.goto(chat + path)
    press_button(page)
    expect(page.locator(".highlighter-citation")).to_have_count(2, timeout=ANSWER_TIMEOUT_MS)
    expect(page.get_by_role("status")).to_contain_text("Citations found: 2.")
    page.locator("#first .highlighter-citation").click()
    frame = page.frame_locator("dialog[open] citation-viewer iframe")
    expect(frame.locator("mark").first).to_contain_text("delay damages of £4,200", timeout=ANSWER_TIMEOUT_MS)
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert protected_site[1] not in page.content()


@pytest.mark.integrations
def test_page_cannot_open_a_citation_that_its_reader_did_not_press(
    protected_site, chat, context, set_options, press_button
):
    expect(set_options(*protected_site).get_by_role("status")).to_contain_text("Saved", timeout=ANSWER_TIMEOUT_MS)
    page = context.new_page()
    page.goto(chat)
    press_button(page)
    second = page.locator("#second .highlighter-citation")
    expect(second).to_be_visible(timeout=ANSWER_TIMEOUT_MS)
    second.evaluate("button => button.click()")
    expect(page.locator("dialog[open] [role=status]")).to_have_text("Press the citation to open it.")
    assert page.locator("citation-viewer iframe").get_attribute("src") is None


@pytest.mark.integrations
def test_only_selected_citations_open(protected_site, chat, context, set_options, press_button):
    expect(set_options(*protected_site).get_by_role("status")).to_contain_text("Saved", timeout=ANSWER_TIMEOUT_MS)
    page = context.new_page()
    page.goto(chat)
    page.evaluate("() => { const s = getSelection(); s.selectAllChildren(document.querySelector('#second')) }")
    press_button(page)
    expect(page.locator("#second .highlighter-citation")).to_have_text(
        "[Harbour Works Contract, p. 1]", timeout=ANSWER_TIMEOUT_MS
    )
    assert page.locator("#first .highlighter-citation").count() == 0


@pytest.mark.integrations
def test_where_a_page_forbids_frames_the_passage_opens_in_a_tab(
    protected_site, chat, context, set_options, press_button
):
    expect(set_options(*protected_site).get_by_role("status")).to_contain_text("Saved", timeout=ANSWER_TIMEOUT_MS)
    page = context.new_page()
    page.goto(f"{chat}/isolated")
    press_button(page)
    page.locator(".highlighter-citation").first.wait_for(timeout=ANSWER_TIMEOUT_MS)
    with context.expect_page() as opened:
        page.locator("#first .highlighter-citation").click()
    expect(opened.value.locator("mark").first).to_contain_text("delay damages of £4,200", timeout=ANSWER_TIMEOUT_MS)
    expect(page.get_by_role("status")).to_contain_text("does not allow frames")


def test_package_asks_for_no_host_before_its_reader_names_one(tmp_path: Path):
    folder = runpy.run_path(str(SOURCE / "build.py"))["build_extension"](tmp_path / "extension")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert sorted(manifest["permissions"]) == ["activeTab", "contextMenus", "scripting", "storage"]
    assert not {"host_permissions", "content_scripts"} & set(manifest)
    assert (folder / "embed.js").read_bytes() == (ROOT / "static" / "embed.js").read_bytes()
