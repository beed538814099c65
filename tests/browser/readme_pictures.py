"""Create the pictures of the README: python -m tests.browser.readme_pictures (make screenshots)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import launch
from tests.browser.screenshots import documents
from tests.browser.serving import ROOT, serving

OUT = ROOT / "docs" / "pictures"
MAX_PICTURE_BYTES = 150_000
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 800}
QUESTION = "What does the contract say about delay damages and when must an early warning be given?"
DAMAGES = "What does the contract say about delay damages?"
CHINESE = "工程預計幾時完成？"


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        given = {**os.environ, "DATA_DIR": folder}
        subprocess.run([sys.executable, "-m", "ingest", "samples/"], cwd=ROOT, env=given, capture_output=True)
        with serving(Path(folder)) as site, launch(playwright) as browser:
            found = documents(browser, site)
            contract = site + found["Harbour Works Contract.pdf"]
            council = f"{site}/zh-Hant{found['南灣區議會文件 避風塘改善工程.pdf']}"

            def page(address: str, size=DESK, scheme: str = "light", wait: str = "main") -> Page:
                made = browser.new_page(
                    viewport=size, color_scheme=scheme, device_scale_factor=1, reduced_motion="reduce"
                )
                made.goto(address)
                made.locator(wait).first.wait_for()
                return made

            answer = page(f"{site}/?{urlencode({'q': QUESTION})}", wait=".answer .chip")
            answer.locator(".answer .chip").first.click()
            answer.frame_locator(".citation-panel iframe").locator("mark[aria-current]").first.wait_for()
            keep(answer, "answer")
            on_page = page(
                f"{contract}?{urlencode({'q': DAMAGES, 'view': 'page'})}",
                scheme="dark",
                wait=".document-page .text-layer text",
            )
            on_page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")
            keep(on_page, "page-dark")
            keep(page(f"{site}/documents"), "library")
            phone = page(f"{contract}?{urlencode({'q': DAMAGES, 'view': 'text'})}", PHONE, wait="mark[aria-current]")
            keep(phone, "phone")
            chinese = page(
                f"{council}?{urlencode({'q': CHINESE, 'view': 'text'})}", PHONE, "dark", "mark[aria-current]"
            )
            keep(chinese, "phone-chinese")


def keep(page: Page, name: str) -> None:
    path = OUT / f"{name}.webp"
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(path, quality=82, method=6)
    size = path.stat().st_size
    if size > MAX_PICTURE_BYTES:
        raise SystemExit(f"{path} has {size:,} bytes, more than {MAX_PICTURE_BYTES:,}.")
    print(f"{path.relative_to(ROOT)}  {size:,} bytes")
    page.close()


if __name__ == "__main__":
    main()
