"""Is this all the text there is? What the pages themselves and a second reader say, in words for people."""

from __future__ import annotations

import logging
import re
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from highlighter.locale import N_
from ingest.readers.pdf.pages import PageContent
from ingest.readers.pdf.pdf_file import uses_brotli
from ingest.readers.pdf.plausibility import is_nonsense

_SAMPLE_PAGES = 8  # pages given to the second reader: it is several times slower than the first
_MIN_CHARACTER_SHARE, _MAX_MISSING_CHARACTERS = (
    0.7,
    40,
)  # we must have found this share of its characters, or be short of no more than so many
_PROBED_CHARACTERS = 1_300  # of a page that are looked at for whether they form words
_SHORT_PAGE_CHARACTERS, _MAX_JOINED_CHARACTERS = (
    600,
    10_000,
)  # pages with fewer characters than these tell nothing alone, and are taken together
_WORD = re.compile(r"\w{3,}")
_REPEATED = re.compile(r"(.{1,40}?)\1+")


def collect_warnings(path: Path, pages: list[PageContent]) -> tuple[str, ...]:
    found = []
    failed = [page.info.number for page in pages if page.has_failed]
    unmapped = [page.info.number for page in pages if page.is_unmapped]
    pictures = [page.info.number for page in pages if page.is_picture]
    if failed:
        found.append(
            N_(f"Page {failed[0]} could not be opened; its text is missing.")
            if len(failed) == 1
            else N_(f"Pages {_format_page_numbers(failed)} could not be opened; their text is missing.")
        )
    if unmapped:
        found.append(
            _format_page_warning(
                unmapped, N_("the fonts do not identify their characters, so text is missing or wrong.")
            )
        )
    if nonsense := _find_nonsense_pages(pages):
        found.append(
            _format_page_warning(nonsense, N_("the extracted characters form no words, so the text is probably wrong."))
            + " "
            + N_("Upload another copy.")
        )
    if 2 * len(pictures) > len(pages):
        found.append(
            _format_page_share(pictures, pages) + " " + N_("scans without selectable text. Install OCR to read them.")
        )
    if uses_brotli(path):
        found.append(
            N_("Parts of the file are compressed with Brotli, which is not supported yet, so text may be missing.")
            + " "
            + N_("Save it again as PDF 1.7.")
        )
    known = set(failed + unmapped)
    short, broken = (
        [number for number in numbers if number not in known] for numbers in _find_doubtful_pages(path, pages)
    )
    if broken:
        found.append(
            _format_page_warning(broken, N_("no text was found, and a second reader failed, so text may be missing."))
        )
    if short:
        found.append(
            _format_page_warning(short, N_("a second reader finds much more text, so text is probably missing."))
        )
    return tuple(found)


def _format_page_warning(numbers: list[int], message: str) -> str:
    pages = _format_page_numbers(numbers)
    return (N_(f"Page {pages}:") if len(numbers) == 1 else N_(f"Pages {pages}:")) + " " + message


def _format_page_share(numbers: list[int], pages: list[PageContent]) -> str:
    listed = _format_page_numbers(numbers)
    return N_(f"Page {listed} of {len(pages)}:") if len(numbers) == 1 else N_(f"Pages {listed} of {len(pages)}:")


def _format_page_numbers(numbers: list[int]) -> str:
    """ "3", "3, 5-7": never a list that fills the screen."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [f"{a}" if a == b else f"{a}-{b}" for a, b in spans[:8]]
    return ", ".join(shown + ["…"] * (len(spans) > 8))


def _find_nonsense_pages(pages: list[PageContent]) -> list[int]:
    """Return the numbers of the pages whose letters cannot be those of any language."""
    found: list[int] = []
    short: dict[int, str] = {}
    for page in pages:
        if page.is_unmapped or page.was_redecoded:
            continue
        text = _join_visible_text(page)
        if is_nonsense(text):
            found.append(page.info.number)
        elif text and len(text) < _SHORT_PAGE_CHARACTERS:
            short[page.info.number] = text
    if len(short) > 1 and is_nonsense("\n".join(short.values())[:_MAX_JOINED_CHARACTERS]):
        found += short
    return sorted(found)


def _join_visible_text(page: PageContent) -> str:
    texts: list[str] = []
    left = _PROBED_CHARACTERS
    for fragment in page.fragments:
        if left <= 0:
            break
        if not fragment.hidden_reason:
            texts.append(fragment.text)
            left -= len(fragment.text)
    return " ".join(texts)[:_PROBED_CHARACTERS]


def _find_doubtful_pages(path: Path, pages: list[PageContent]) -> tuple[list[int], list[int]]:
    """Pages on which the second reader finds much that we lack; pages without text on which it breaks down."""
    sample = _choose_sample(pages)
    short, broken = [], []
    for page, theirs in zip(sample, read_with_pypdf(path, [page.info.number - 1 for page in sample]), strict=False):
        if theirs is None:
            broken += [page.info.number] if not page.info.characters else []
        elif _is_missing_text(page, theirs):
            short.append(page.info.number)
    return short, broken


def _is_missing_text(page: PageContent, theirs: str) -> bool:
    ours, length = page.info.characters, sum(not character.isspace() for character in theirs)
    if length - ours <= _MAX_MISSING_CHARACTERS or ours >= _MIN_CHARACTER_SHARE * length:
        return False
    # It may have read the same letters twice or wrongly: only words that we lack count.
    text = _collapse_repeats(" ".join(fragment.text for fragment in page.fragments))
    words = set(_WORD.findall(_collapse_repeats(theirs)))
    return sum(word not in text for word in words) > 0.3 * len(words)


def _collapse_repeats(text: str) -> str:
    """Bold that was made by printing everything again reads "20112011 AnnualAnnual" to a reader that keeps it all."""
    return _REPEATED.sub(r"\1", text[:30_000].lower())


def _choose_sample(pages: list[PageContent]) -> list[PageContent]:
    """Pages without text first, for those are the suspicious ones; the rest evenly from the whole document."""
    empty = [page for page in pages if not page.info.characters and not page.has_failed][: _SAMPLE_PAGES // 2]
    others = [page for page in pages if page.info.characters and not page.was_redecoded]
    wanted = _SAMPLE_PAGES - len(empty)
    step = max(len(others) / wanted, 1.0)
    chosen = [others[int(at * step)] for at in range(min(wanted, len(others)))]
    return sorted(empty + chosen, key=lambda page: page.info.number)


# pypdf, asked what it finds on a page. It is asked, never trusted: it may fail, or hang.


_MAX_SECONDS = 4.0  # for all pages it is asked about


def read_with_pypdf(path: Path, indexes: list[int]) -> list[str | None]:
    """The text of each of these pages (from 0), None where it fails; fewer when it cannot open the file or is slow."""
    import pypdf

    texts: list[str | None] = []
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    started = time.monotonic()
    try:
        with warnings.catch_warnings(), limit_time(_MAX_SECONDS), path.open("rb") as stream:
            warnings.simplefilter("ignore")
            reader = pypdf.PdfReader(stream)
            count = len(reader.pages)
            for index in indexes:
                if time.monotonic() - started > _MAX_SECONDS or index >= count:
                    break
                texts.append(_extract_text(reader, index))
    except (Exception, ReaderTimeout):  # whatever it stumbles over says nothing about what we read
        pass
    return texts


def _extract_text(reader, index: int) -> str | None:
    try:
        return reader.pages[index].extract_text() or ""
    except Exception:
        return None


class ReaderTimeout(BaseException):
    """Not an `Exception`, or the reader that hangs might itself catch it."""


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Ends a hanging call where signals can: in a process's main thread, which is where files are read."""
    if threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return

    def late(*_):
        raise ReaderTimeout

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
