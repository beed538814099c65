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
from io import BytesIO
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    import pypdf

_MAX_SECONDS = 4.0  # for all pages of a file
# The second reader parses all objects of a stream as soon as it needs one of them.
_MAX_STREAM_OBJECTS = 5_000
_OBJECT_STREAM = re.compile(rb"/ObjStm\b")
_MAX_DICTIONARY_BYTES = 300  # on each side of its type
_MAX_TREE_DEPTH = 20
_INHERITED_KEYS = ("/Resources", "/MediaBox", "/CropBox", "/Rotate")  # of a page, from the nodes above it
_OBJECT_COUNT = re.compile(rb"/N\s+(\d{1,10})")


def read_with_second_reader(
    path: Path, indexes: list[int], page_count: int, is_wanted: Callable[[int, pypdf.PageObject], bool]
) -> list[str | None]:
    """Return the text of each page (from 0), empty unless it is wanted, and None where reading fails.

    `page_count` is that of the first reader. `is_wanted` is called with the position in `indexes` and the page. There are fewer texts when the file fails or reading
    takes too long.
    """
    texts: list[str | None] = []
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    started = time.monotonic()
    try:
        with warnings.catch_warnings(), limit_time(_MAX_SECONDS), path.open("rb") as stream:
            warnings.simplefilter("ignore")
            if _has_large_object_stream(stream):
                return []
            reader = _open_reader(BytesIO(stream.read()))  # of which single bytes are read faster
            for position, index in enumerate(indexes):
                if time.monotonic() - started > _MAX_SECONDS:
                    break
                page = _find_page(reader, index, page_count)
                if page is None:
                    if index >= len(reader.pages):
                        break
                    page = reader.pages[index]
                texts.append(_read_page(page, position, is_wanted))
    except (Exception, ReaderTimeout):  # a failure of the second reader says nothing about the first
        pass
    return texts


def _open_reader(stream: BinaryIO) -> pypdf.PdfReader:
    """Open a file without a look at each object that it lists, which takes longer than reading a few pages."""
    import pypdf

    try:
        reader = pypdf.PdfReader(stream, strict=True)
    except Exception:  # the file is not quite right
        return pypdf.PdfReader(stream)
    reader.strict = False
    return reader


def _find_page(reader: pypdf.PdfReader, index: int, page_count: int) -> pypdf.PageObject | None:
    """Return a page by the counts in the page tree, so that not all pages are read; None where they are wrong."""
    import pypdf
    from pypdf.generic import NameObject

    inherited: dict[Any, Any] = {}
    try:
        node: Any = reader.root_object["/Pages"]
        if node["/Count"] != page_count:
            return None
        for _ in range(_MAX_TREE_DEPTH):
            if "/Kids" not in node:
                break
            inherited |= {key: node[key] for key in _INHERITED_KEYS if key in node}
            reference, index = _choose_kid(node, index)
            node = reference.get_object()
        if node["/Type"] != "/Page" or index:
            return None
        page = pypdf.PageObject(reader, reference)
    except Exception:
        return None
    for key, value in inherited.items():
        page.setdefault(NameObject(key), value)
    return page


def _choose_kid(node: Any, index: int) -> tuple[Any, int]:
    """Return the kid of a node of the page tree that is or holds a page, and the number of the page in it."""
    kids = node["/Kids"]
    if node["/Count"] == len(kids):
        return kids[index], 0  # each of them is a page
    counts = [kid.get_object().get("/Count", 1) for kid in kids]
    if node["/Count"] != sum(counts):
        raise ValueError("The counts of the page tree are wrong.")
    position = 0
    while index >= counts[position]:
        index -= counts[position]
        position += 1
    return kids[position], index


def _read_page(page: pypdf.PageObject, position: int, is_wanted: Callable[[int, pypdf.PageObject], bool]) -> str | None:
    try:
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
