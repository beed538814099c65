"""python packages/extension/draw_icons.py: draw the extension's icons from static/favicon.svg with Chromium."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
SIZES = (16, 32, 48, 128)

sys.path.insert(0, str(ROOT))


def main() -> None:
    from tests.browser.chromium import launch

    drawing = (ROOT / "static" / "favicon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        page = launch(playwright).new_page()
        for size in SIZES:
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block; width: {size}px }}</style>{drawing}")
            page.screenshot(path=FOLDER / "icons" / f"{size}.png", omit_background=True)


if __name__ == "__main__":
    main()
