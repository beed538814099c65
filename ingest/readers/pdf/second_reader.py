"""The second reader of PDFs: pypdf. Its answer is a hint only: it is slow, and may fail or hang."""

from __future__ import annotations

import logging
import mmap
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import pypdf

_MAX_SECONDS = 4.0  # for all pages of a file
# The second reader parses all objects of a stream as soon as it needs one of them.
_MAX_STREAM_OBJECTS = 5_000
_OBJECT_STREAM = re.compile(rb"/ObjStm\b")
_MAX_DICTIONARY_BYTES = 300  # on each side of its type
_OBJECT_COUNT = re.compile(rb"/N\s+(\d{1,10})")


def read_with_second_reader(
    path: Path, indexes: list[int], is_wanted: Callable[[int, pypdf.PageObject], bool]
) -> list[str | None]:
    """Return the text of each page (from 0), empty unless it is wanted, and None where reading fails.

    `is_wanted` is called with the position in `indexes` and the page. There are fewer texts when the file fails or reading
    takes too long.
    """
    import pypdf

    texts: list[str | None] = []
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    started = time.monotonic()
    try:
        with warnings.catch_warnings(), limit_time(_MAX_SECONDS), path.open("rb") as stream:
            warnings.simplefilter("ignore")
            if _has_large_object_stream(stream):
                return []
            reader = pypdf.PdfReader(stream)
            count = len(reader.pages)
            for position, index in enumerate(indexes):
                if time.monotonic() - started > _MAX_SECONDS or index >= count:
                    break
                texts.append(_read_page(reader, position, index, is_wanted))
    except (Exception, ReaderTimeout):  # a failure of the second reader says nothing about the first
        pass
    return texts


def _read_page(
    reader: pypdf.PdfReader, position: int, index: int, is_wanted: Callable[[int, pypdf.PageObject], bool]
) -> str | None:
    try:
        page = reader.pages[index]
        return page.extract_text() or "" if is_wanted(position, page) else ""
    except Exception:
        return None


def _has_large_object_stream(stream: BinaryIO) -> bool:
    """Return whether the file keeps very many objects in one stream, as some files with a structure tree do."""
    with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for match in _OBJECT_STREAM.finditer(content):
            around = content[max(match.start() - _MAX_DICTIONARY_BYTES, 0) : match.end() + _MAX_DICTIONARY_BYTES]
            if any(int(count) > _MAX_STREAM_OBJECTS for count in _OBJECT_COUNT.findall(around)):
                return True
    return False


class ReaderTimeout(BaseException):
    """The second reader takes too long. Not an `Exception`, or the reader that hangs might catch it."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """End a hanging call after some seconds, where signals can: in the main thread, which child processes read in."""
    if threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def raise_timeout(_signal: int, _frame: FrameType | None) -> None:
        raise ReaderTimeout

    previous_handler = signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous_handler)
