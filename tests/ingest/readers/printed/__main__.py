"""python -m tests.ingest.readers.printed [NAME ...]: print the HTML files beside this one again.

With Chromium, and those of `WRITER` with LibreOffice, too. The fonts are Debian's fonts-noto-core, fonts-noto-cjk,
fonts-liberation and fonts-wqy-zenhei.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
WRITER = ("arabic", "hebrew", "hindi", "khmer", "persian", "thai")  # LibreOffice draws these in another way
_HEAD = '<div style="font-size: 8px; width: 100%; padding: 0 24px"><span class="date"></span> <span class="title"></span></div>'
_FOOT = (
    '<div style="font-size: 8px; width: 100%; padding: 0 24px">https://www.example.org/walls.html '
    '<span class="pageNumber"></span>/<span class="totalPages"></span></div>'
)
_MARGIN = {"top": "50px", "bottom": "50px", "left": "40px", "right": "40px"}


def print_with_chromium(names: list[str]) -> None:
    """Print HTML files to tagged PDF files; that named "one_page" with a browser's head and foot."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        for name in names:
            page = browser.new_page()
            page.goto((FOLDER / f"{name}.html").as_uri())
            page.pdf(
                path=str(FOLDER / f"{name}.pdf"),
                format="A5",
                margin=_MARGIN,
                tagged=True,
                display_header_footer=name == "one_page",
                header_template=_HEAD,
                footer_template=_FOOT,
            )
            page.close()
        browser.close()


def print_with_libreoffice(names: list[str]) -> None:
    """Print HTML files to PDF files; LibreOffice leaves the heading out, which stands on a page of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            copy = Path(folder, f"{name}-writer.html")
            copy.write_bytes((FOLDER / f"{name}.html").read_bytes())
            profile = f"-env:UserInstallation=file://{folder}/profile"
            command = ["soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", str(FOLDER), str(copy)]
            subprocess.run(command, check=True, timeout=180)


if __name__ == "__main__":
    chosen = sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.html"))
    print_with_chromium(chosen)
    print_with_libreoffice([name for name in chosen if name in WRITER])
