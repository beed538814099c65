"""Open PDF files, and explain to users why a file cannot be read."""

from __future__ import annotations

import ctypes
import mmap
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import DAMAGED, EMPTY, ENCRYPTED, TOO_LARGE, UNSUPPORTED_KIND

# A stream's dictionary is never compressed, so its filter is readable in the bytes of the file.
_BROTLI_FILTER = re.compile(rb"/Filter\s*(?:\[[^\]]{0,200})?/BrotliDecode\b")


@contextmanager
def open_pdf(path: Path, max_pages: int) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF; raises `UnreadableFile` when it cannot be opened, has no pages or too many."""
    if path.stat().st_size == 0:
        raise UnreadableFile(EMPTY, "The file is empty (0 bytes).")
    try:
        document = pypdfium2.PdfDocument(_map_file(path))
    except pypdfium2.PdfiumError as err:
        raise _explain_failure(err, path) from err
    try:
        count = len(document)
        if count == 0:
            raise UnreadableFile(DAMAGED, "The file opens as a PDF but has no readable pages.")
        if count > max_pages:
            raise UnreadableFile(
                TOO_LARGE,
                N_(
                    "The file has {count:,} pages; the limit is {limit:,}. Split it into smaller files.",
                    count=count,
                    limit=max_pages,
                ),
            )
        yield document
    except pypdfium2.PdfiumError as err:
        raise UnreadableFile(DAMAGED, "The file opens as a PDF but cannot be read: it is damaged.") from err
    finally:
        document.close()


def _map_file(path: Path) -> ctypes.Array[ctypes.c_char]:
    """Return the bytes of a file, mapped: from a path, PDFium would read them in thousands of small parts."""
    with path.open("rb") as file:
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)  # ctypes takes what could be written to only
    return (ctypes.c_char * len(content)).from_buffer(content)


def uses_brotli(path: Path) -> bool:
    """Return whether a stream of the file is compressed with Brotli, which PDFium is not built to decode."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"/BrotliDecode") >= 0 and _BROTLI_FILTER.search(content) is not None


def make_brotli_error() -> UnreadableFile:
    """Return the error for a PDF that cannot be read because of its Brotli compression."""
    return UnreadableFile(
        UNSUPPORTED_KIND, "This PDF is compressed with Brotli, which is not supported yet. Save it again as PDF 1.7."
    )


def _explain_failure(err: pypdfium2.PdfiumError, path: Path) -> UnreadableFile:
    if uses_brotli(path):  # first, because the error code only describes the parts that PDFium could read
        return make_brotli_error()
    code = getattr(err, "err_code", None)
    if code == raw.FPDF_ERR_PASSWORD or "password" in str(err).lower():
        return UnreadableFile(ENCRYPTED, "The file is password-protected. Upload a copy without a password.")
    if code == raw.FPDF_ERR_SECURITY:
        return UnreadableFile(
            ENCRYPTED, "The file is protected and cannot be opened. Upload a copy without protection."
        )
    return UnreadableFile(DAMAGED, "The file cannot be opened as a PDF: it is damaged or not a PDF.")
