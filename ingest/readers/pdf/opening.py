"""Opening a file, and what keeps it from being read, in words for people."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from highlighter.errors import Unreadable
from highlighter.models import DAMAGED, EMPTY, ENCRYPTED, TOO_LARGE, UNSUPPORTED

# A stream's dictionary is never compressed itself, so its filter is readable in the bytes of the file.
_BROTLI_FILTER = re.compile(rb"/Filter\s*(?:\[[^\]]{0,200})?/BrotliDecode\b")


@contextmanager
def opened(path: Path, most_pages: int) -> Iterator[pypdfium2.PdfDocument]:
    """The open document; `Unreadable` when it cannot be opened, has no pages or too many."""
    if path.stat().st_size == 0:
        raise Unreadable(EMPTY, "The file is empty: it has no bytes at all.")
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as err:
        raise _reason(err, path) from err
    try:
        count = len(document)
        if count == 0:
            raise Unreadable(DAMAGED, "The file opens as a PDF but has no pages that can be read.")
        if count > most_pages:
            raise Unreadable(
                TOO_LARGE, f"It has {count:,} pages; at most {most_pages:,} are read. Split it into parts."
            )
        yield document
    except pypdfium2.PdfiumError as err:
        raise Unreadable(DAMAGED, "It opens as a PDF, but cannot be read: the file is damaged.") from err
    finally:
        document.close()


def uses_brotli(path: Path) -> bool:
    """Return whether a stream of the file is compressed with Brotli, which PDFium is not told to decode."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return _BROTLI_FILTER.search(content) is not None


def brotli_unsupported() -> Unreadable:
    """Return the error for a PDF of which nothing can be read because of its Brotli compression."""
    return Unreadable(
        UNSUPPORTED, "This PDF is compressed with Brotli, which is not supported yet. Save it again as PDF 1.7."
    )


def _reason(err: pypdfium2.PdfiumError, path: Path) -> Unreadable:
    if uses_brotli(path):  # before the error code, which only says what PDFium made of the parts it could read
        return brotli_unsupported()
    code = getattr(err, "err_code", None)
    if code == raw.FPDF_ERR_PASSWORD or "password" in str(err).lower():
        return Unreadable(ENCRYPTED, "It is protected by a password. Upload a copy that opens without one.")
    if code == raw.FPDF_ERR_SECURITY:
        return Unreadable(
            ENCRYPTED, "It is protected in a way that cannot be opened. Upload a copy without protection."
        )
    return Unreadable(DAMAGED, "It cannot be opened as a PDF: the file is damaged or is something else.")
