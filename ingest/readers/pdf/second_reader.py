"""The second reader of PDFs: pypdf. Its answer is a hint only: it is slow, and may fail or hang."""

from __future__ import annotations

import logging
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pypdf

_MAX_SECONDS = 4.0  # for all pages of a file
_SHOWN_STRING = re.compile(rb"\((?:[^\\()]|\\.|\((?:[^\\()]|\\.)*\))*\)|<[0-9A-Fa-f\s]*>", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:[0-7]{1,3}|\r\n|.)", re.DOTALL)
_WHITESPACE = re.compile(rb"\s+")


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


def count_shown_codes(page: pypdf.PageObject) -> int:
    """Return how many character codes a page can show at most. Counting them takes a hundredth of reading the text.

    Everything that looks like a string counts, in the page and in all forms that it names.
    """
    contents = page.get_contents()
    streams = [] if contents is None else [contents.get_data()]
    font_kinds: set[object] = set()
    _collect_forms(page, streams, font_kinds, set())
    count = sum(_count_codes(string) for data in streams for string in _SHOWN_STRING.findall(data))
    return count // 2 if font_kinds == {"/Type0"} else count  # codes of composite fonts have two bytes


def _collect_forms(container: Any, streams: list[bytes], font_kinds: set[object], seen: set[int]) -> None:
    resources = _resolve(container.get("/Resources"))
    font_kinds.update(_resolve(font).get("/Subtype") for font in _resolve(resources.get("/Font")).values())
    for form in map(_resolve, _resolve(resources.get("/XObject")).values()):
        if form.get("/Subtype") == "/Form" and id(form) not in seen:
            seen.add(id(form))
            streams.append(form.get_data())
            _collect_forms(form, streams, font_kinds, seen)


def _resolve(value: Any) -> Any:
    return {} if value is None else value.get_object()


def _count_codes(string: bytes) -> int:
    if string.startswith(b"<"):
        return len(_WHITESPACE.sub(b"", string[1:-1])) // 2
    return len(_WHITESPACE.sub(b"", _ESCAPE.sub(b"x", string[1:-1])))


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
