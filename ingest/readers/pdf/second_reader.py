"""pypdf, asked what it finds on a page. It is asked, never trusted: it may fail, or hang."""

from __future__ import annotations

import logging
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SECONDS = 4.0  # for all pages it is asked about


def second_reading(path: Path, indexes: list[int]) -> list[str | None]:
    """The text of each of these pages (from 0), None where it fails; fewer when it cannot open the file or is slow."""
    import pypdf

    texts: list[str | None] = []
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    started = time.monotonic()
    try:
        with warnings.catch_warnings(), at_most(_SECONDS), path.open("rb") as stream:
            warnings.simplefilter("ignore")
            reader = pypdf.PdfReader(stream)
            count = len(reader.pages)
            for index in indexes:
                if time.monotonic() - started > _SECONDS or index >= count:
                    break
                texts.append(_text(reader, index))
    except (Exception, Late):  # whatever it stumbles over says nothing about what we read
        pass
    return texts


def _text(reader, index: int) -> str | None:
    try:
        return reader.pages[index].extract_text() or ""
    except Exception:
        return None


class Late(BaseException):
    """Not an `Exception`, or the reader that hangs might itself catch it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Ends a hanging call where signals can: in a process's main thread, which is where files are read."""
    if threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def late(*_):
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
