"""Take screenshots of every page at three widths, light and dark: python -m tests.browser.screenshots OUTDIR"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import launch
from tests.browser.host_pages import serve_host_pages
from tests.browser.serving import ROOT, serving

WIDTHS = (360, 768, 1440)
SCHEMES = ("light", "dark")
SLOW = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 300_000}
FRAME = '<!doctype html><body style="margin:0;background:#ccc"><iframe src="{}" width="320" height="560"></iframe>'


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        data = Path(folder) / "full"
        with serving(Path(folder) / "empty") as site:
            shoot(browser, out, "ask-empty", f"{site}/")
            shoot(browser, out, "library-empty", f"{site}/documents")
            upload(browser, out, site)
        subprocess.run(
            [sys.executable, "-m", "ingest", "samples/"],
            cwd=ROOT,
            env={**os.environ, "DATA_DIR": str(data)},
            capture_output=True,
        )
        with serving(data) as site:
            contract = documents(browser, site)["Harbour Works Contract.pdf"]
            early = urlencode({"q": questions()["Harbour Works Contract.pdf"][0]})
            shoot(browser, out, "warming", f"{site}{contract}/chunks/6?{early}", widths=(360, 1440), schemes=("light",))
        with serving(data) as site:
            everything(browser, out, site)
        with serving(data, EMBEDDING_MODEL="/nonexistent") as site:
            shoot(browser, out, "degraded", f"{site}{contract}/chunks/6?{early}", settle=4000)
        browser.close()


def everything(browser: Browser, out: Path, site: str) -> None:
    shoot(browser, out, "library", f"{site}/documents")
    shoot(browser, out, "history", f"{site}/answers")
    shoot(browser, out, "library-narrowed-to-none", f"{site}/documents?name=nothing+like+that")
    answers(browser, out, site)
    searches(browser, out, site)
    found = documents(browser, site)
    for name, requested in questions().items():
        if name not in found:
            continue
        short = name.split(".")[0].replace(" ", "-")[:12]
        shoot(browser, out, f"document-{short}", f"{site}{found[name]}")
        for number, question in enumerate(requested[:3]):
            for view in ("text", "page"):
                address = f"{site}{found[name]}?{urlencode({'q': question, 'view': view})}"
                shoot(browser, out, f"asked-{short}-{number}-{view}", address, settle=1000)
    contract = found["Harbour Works Contract.pdf"]
    shoot(browser, out, "document-scan", f"{site}{found['Scanned letter 14 March.pdf']}")
    shoot(browser, out, "table", f"{site}{contract}/chunks/11")
    shoot(browser, out, "none-lit", f"{site}{contract}/chunks/0?{urlencode({'q': 'What do penguins eat?'})}")
    message = "A working day is a day other than a Sunday or public holliday in Skerry Point."
    shoot(browser, out, "quote-form", f"{site}/open")
    shoot(browser, out, "quote-nearly", f"{site}/open?{urlencode({'quote': message})}")
    shoot(browser, out, "quote-not-found", f"{site}/open?{urlencode({'quote': message.replace('other', 'not other')})}")
    shoot(browser, out, "finds", f"{site}{contract}/find?{urlencode({'find': 'contractor', 'from': 3})}")
    on_pages = urlencode({"find": "contractor", "from": 6, "view": "page", "q": "What delay damages are paid?"})
    shoot(browser, out, "finds-page", f"{site}{contract}/find?{on_pages}", settle=1000)
    shoot(browser, out, "finds-none", f"{site}{contract}/find?{urlencode({'find': 'penguin'})}")
    shoot(browser, out, "error-404", f"{site}/documents/0123456789")
    shoot(browser, out, "error-400", f"{site}/api/v1/chunks/highlight?chunk_index=1")
    identity = contract.rsplit("/", 1)[1]
    requested = {
        "document_id": identity,
        "chunk_index": 6,
        "sub_question": questions()["Harbour Works Contract.pdf"][0],
    }
    bare = f"{site}/api/v1/chunks/highlight?{urlencode(requested)}"
    shoot(browser, out, "bare", bare, widths=(360, 1440))
    framed(browser, out, site, bare)
    embedded(browser, out, site)
    shoot(browser, out, "delete", f"{site}{contract}/delete")
    deleting(browser, out, site)


def answers(browser: Browser, out: Path, site: str) -> None:
    """Shoot an answer with a citation card and the citation panel, and a refusal."""
    shoot(browser, out, "ask", f"{site}/")
    question = "What does the contract say about delay damages and when must an early warning be given?"
    for scheme in SCHEMES:
        for width in WIDTHS:
            with browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
                page.goto(f"{site}/?{urlencode({'q': question})}")
                page.locator(".answer .chip").first.hover()
                page.locator("#card").wait_for()
                page.screenshot(path=out / f"answer-{width}-{scheme}.png")
                page.locator(".answer .chip").first.click()
                page.frame_locator(".citation-panel iframe").locator("mark[aria-current]").first.wait_for()
                page.wait_for_timeout(300)
                page.screenshot(path=out / f"answer-beside-{width}-{scheme}.png")
                page.goto(f"{site}/?{urlencode({'q': 'Who won the chess championship of 1972?'})}")
                page.locator("[data-reason]").wait_for()
                page.screenshot(path=out / f"answer-refused-{width}-{scheme}.png")


def searches(browser: Browser, out: Path, site: str) -> None:
    for name, requested in {
        "start": "", "found": "When must an early warning be given?", "chinese": "避風塘", "none": "quantum chromodynamics",
        "too-long": "x" * 2001,
    }.items():  # fmt: skip
        shoot(browser, out, f"search-{name}", f"{site}/search?{urlencode({'q': requested})}")


def deleting(browser: Browser, out: Path, site: str) -> None:
    """Shoot the confirmation dialog and the undo bar; the deletion is undone."""
    for scheme in SCHEMES:
        for width in WIDTHS:
            with browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
                page.goto(f"{site}/documents")
                page.get_by_role("button", name="Delete Harbour Works Contract.pdf").click()
                page.locator("dialog[open]").wait_for()
                page.screenshot(path=out / f"delete-dialog-{width}-{scheme}.png")
                page.locator("dialog .danger").click()
                page.locator("[data-restore]").wait_for()
                page.screenshot(path=out / f"deleted-{width}-{scheme}.png")
                page.locator("[data-restore] button").click()
                page.get_by_role("link", name="Harbour Works Contract.pdf", exact=True).wait_for()


def shoot(
    browser: Browser, out: Path, name: str, address: str, settle: int = 0, widths=WIDTHS, schemes=SCHEMES
) -> None:
    for scheme in schemes:
        for width in widths:
            with browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme) as page:
                page.goto(address)
                if name not in ("warming", "degraded"):
                    page.wait_for_selector("body:not([data-warming])")
                page.wait_for_timeout(settle if width == widths[0] else 100)
                page.screenshot(path=out / f"{name}-{width}-{scheme}.png")


def upload(browser: Browser, out: Path, site: str) -> None:
    """Shoot two uploads, one of them refused, and the library during processing."""
    for width in WIDTHS:
        with browser.new_page(viewport={"width": width, "height": 800}) as page:
            page.goto(f"{site}/documents")
            wire = page.context.new_cdp_session(page)
            wire.send("Network.enable")
            wire.send("Network.emulateNetworkConditions", SLOW)
            note = {"name": "Note.txt", "mimeType": "text/plain", "buffer": b"One sentence. Another one. " * 9000}
            empty_file = {"name": "Empty.txt", "mimeType": "text/plain", "buffer": b""}
            page.set_input_files(
                "#file", [empty_file, note, {**note, "name": "A second note with quite a long name.txt"}]
            )
            page.wait_for_timeout(900)
            page.screenshot(path=out / f"uploading-{width}-light.png")
            page.wait_for_timeout(2500)
            page.screenshot(path=out / f"uploaded-{width}-light.png")


def framed(browser: Browser, out: Path, site: str, address: str) -> None:
    with browser.new_page(viewport={"width": 360, "height": 600}) as page:
        page.route(f"{site}/frame", lambda route: route.fulfill(body=FRAME.format(address), content_type="text/html"))
        page.goto(f"{site}/frame")
        page.wait_for_timeout(800)
        page.screenshot(path=out / "bare-in-a-frame.png")


def embedded(browser: Browser, out: Path, site: str) -> None:
    """Shoot the example's chat page and the dialog that its citations open."""
    with serve_host_pages(site) as chat:
        for mode in ("popover", "side"):
            for scheme in SCHEMES:
                for width in WIDTHS:
                    with browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
                        page.goto(f"{chat.origin}/?mode={mode}")
                        page.frame_locator("#shown iframe").locator("mark").first.wait_for()
                        page.screenshot(path=out / f"host-{width}-{scheme}.png")
                        page.locator(".highlighter-citation").nth(3).click()
                        page.frame_locator("dialog[open] iframe").locator("mark").first.wait_for()
                        page.wait_for_timeout(300)
                        page.screenshot(path=out / f"host-{mode}-{width}-{scheme}.png")


def documents(browser: Browser, site: str) -> dict[str, str]:
    with browser.new_page() as page:
        page.goto(f"{site}/documents")
        return {link.inner_text(): link.get_attribute("href") for link in _links(page)}


def _links(page: Page):
    return page.locator(".library td:first-child > a").all()


def questions() -> dict[str, list[str]]:
    listing = json.loads((ROOT / "samples" / "making" / "questions.json").read_text(encoding="utf-8"))
    return {entry["file"]: [item["question"] for item in entry["questions"]] for entry in listing}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
