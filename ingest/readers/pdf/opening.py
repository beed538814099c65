"""Opening a file, and what keeps it from being read, in words for people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pypdfium2.raw as raw

from highlighter.errors import Unreadable
from highlighter.models import DAMAGED, EMPTY, ENCRYPTED, TOO_LARGE


@contextmanager
def opened(path: Path, most_pages: int) -> Iterator[pypdfium2.PdfDocument]:
    """The open document; `Unreadable` when it cannot be opened, has no pages or too many."""
    if path.stat().st_size == 0:
        raise Unreadable(EMPTY, "The file is empty: it has no bytes at all.")
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as err:
        raise _reason(err) from err
    try:
        count = len(document)
        if count == 0:
            raise Unreadable(DAMAGED, "The file opens as a PDF but has no pages that can be read.")
        if count > most_pages:
            raise Unreadable(
                TOO_LARGE, f"It has {count:,} pages; at most {most_pages:,} are read. Split it into parts."
            )
        yield document
    finally:
        document.close()


def _reason(err: pypdfium2.PdfiumError) -> Unreadable:
    code = getattr(err, "err_code", None)
    if code == raw.FPDF_ERR_PASSWORD or "password" in str(err).lower():
        return Unreadable(ENCRYPTED, "It is protected by a password. Upload a copy that opens without one.")
    if code == raw.FPDF_ERR_SECURITY:
        return Unreadable(
            ENCRYPTED, "It is protected in a way that cannot be opened. Upload a copy without protection."
        )
    return Unreadable(DAMAGED, "It cannot be opened as a PDF: the file is damaged or is something else.")
