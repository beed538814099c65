"""The library that is measured, and its pages: each with a click whose answer is timed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

import httpx2

from bench.pages.books import write_book
from bench.pages.measurement import MeasuredPage
from tests.browser.serving import ROOT

QUESTION = "How much does the Contractor pay for each day of delay?"
CONTRACT = "Harbour Works Contract.pdf"
SETTINGS = "[data-settings-opener]"
ZOOM = "[data-zoom-by]"
BOOK_PAGES = (352, 2000)
BOOK_QUESTION = "When does the Contractor hand the list of the lighthouse to the Engineer?"


def prepare_library(data_dir: Path, documents: Path | None) -> None:
    with tempfile.TemporaryDirectory(prefix="highlighter-books-") as books:
        for pages in BOOK_PAGES:
            write_book(Path(books, f"Book of {pages} pages.pdf"), pages)
        folders = [str(ROOT / "samples"), books, *([str(documents)] if documents else [])]
        command = [sys.executable, "-m", "ingest", "--recursive", *folders]
        environment = {**os.environ, "DATA_DIR": str(data_dir), "OCR": "0"}
        subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def list_pages(site: str) -> dict[str, MeasuredPage]:
    """Return the pages by name; one answer is stored for them."""
    with httpx2.Client(base_url=site, timeout=120) as http:
        listed = http.get("/api/v1/documents", params={"name": CONTRACT}).json()["documents"]
        contract = f"{site}/documents/{listed[0]['document_id']}"
        answer = http.post("/api/v1/answers", json={"question": QUESTION}).json()
        books = {f"page view of {pages} pages": _open_book_in_the_middle(http, site, pages) for pages in BOOK_PAGES}
    query = urlencode({"q": QUESTION})
    return {
        "ask": MeasuredPage(f"{site}/", ".more summary"),
        "a stored answer": MeasuredPage(site + answer["links"]["self"], ".answer .chip"),
        "history": MeasuredPage(f"{site}/answers", SETTINGS),
        "notes": MeasuredPage(f"{site}/notes", SETTINGS),
        "library": MeasuredPage(f"{site}/documents", "[data-select]"),
        "a document": MeasuredPage(contract, SETTINGS),
        "a section": MeasuredPage(f"{contract}/chunks/6?{query}", ".highlight-reasons summary"),
        "a page view": MeasuredPage(f"{contract}/chunks/6?{query}&view=page", ZOOM),
        **books,
        "search": MeasuredPage(f"{site}/search?{query}", SETTINGS),
        "quotes": MeasuredPage(f"{site}/open", SETTINGS),
        "API": MeasuredPage(f"{site}/api/v1/", SETTINGS),
        "an error": MeasuredPage(f"{site}/documents/nothing", SETTINGS),
    }


def _open_book_in_the_middle(http: httpx2.Client, site: str, pages: int) -> MeasuredPage:
    book = http.get("/api/v1/documents", params={"name": f"Book of {pages} pages.pdf"}).json()["documents"][0]
    query = urlencode({"q": BOOK_QUESTION, "view": "page"})
    return MeasuredPage(
        f"{site}/documents/{book['document_id']}/chunks/{book['chunks'] // 2}?{query}#mark-1", ZOOM, is_scrolled=True
    )
