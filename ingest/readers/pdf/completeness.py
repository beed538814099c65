"""Check whether all text of a PDF was read, by its pages and by a second reader, and warn users where not."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.consecutive_numbers import group_consecutive_numbers
from highlighter.locale import N_, join_messages
from ingest.readers.pdf.pages import PageContent
from ingest.readers.pdf.pdf_file import uses_brotli
from ingest.readers.pdf.plausibility import has_hangul, is_nonsense, is_wrong_hangul
from ingest.readers.pdf.second_reader import read_with_second_reader
from ingest.readers.pdf.shown_codes import (
    bound_codes_by_fonts,
    bound_shown_codes,
    count_shown_codes,
    read_content_streams,
)

if TYPE_CHECKING:
    import pypdf

_SAMPLE_PAGES = 8  # pages given to the second reader, which is several times slower
# At least this share of the second reader's characters must have been read, or at most so many be missing.
_MIN_CHARACTER_SHARE, _MAX_MISSING_CHARACTERS = 0.7, 40
_PROBED_CHARACTERS = 1_300  # of a page, checked for whether they form words
# Pages with fewer characters are inconclusive alone, and are checked together.
_SHORT_PAGE_CHARACTERS, _MAX_JOINED_CHARACTERS = 600, 10_000
_MAX_FONT_FRAGMENTS = 2_000  # of each font's text
_WORD = re.compile(r"\w{3,}")
_REPEATED = re.compile(r"(.{1,40}?)\1+")


def collect_warnings(path: Path, pages: list[PageContent], nonsense: list[int]) -> tuple[str, ...]:
    """Return warnings about text that is missing or probably wrong; `nonsense` are the pages with nonsense."""
    messages = []
    failed = [page.info.number for page in pages if page.has_failed]
    unmapped = [page.info.number for page in pages if page.is_unmapped]
    pictures = [page.info.number for page in pages if page.is_picture]
    stamped = [page.info.number for page in pages if page.is_stamped_scan]
    if failed:
        messages.append(
            N_("Page {page} could not be opened; its text is missing.", page=failed[0])
            if len(failed) == 1
            else N_("Pages {pages} could not be opened; their text is missing.", pages=format_page_numbers(failed))
        )
    if unmapped:
        messages.append(
            format_page_warning(
                unmapped, N_("the fonts do not identify their characters, so text is missing or wrong.")
            )
        )
    if nonsense:
        warning = N_("the extracted characters form no words, so the text is probably wrong.")
        messages.append(format_page_warning(nonsense, warning))
    if stamped:
        messages.append(format_page_warning(stamped, N_("a scan with hardly any selectable text.")))
    if 2 * len(pictures) > len(pages):
        messages.append(join_messages([_format_page_share(pictures, pages), N_("scans without selectable text.")]))
    if uses_brotli(path):
        warning = N_(
            "Parts of the file are compressed with Brotli, which is not supported yet, so text may be missing."
        )
        messages.append(join_messages([warning, N_("Save it again as PDF 1.7.")]))
    known = set(failed + unmapped)
    short, failed_in_second = (
        [number for number in numbers if number not in known] for numbers in _find_doubtful_pages(path, pages)
    )
    if failed_in_second:
        messages.append(
            format_page_warning(
                failed_in_second, N_("no text was found, and a second reader failed, so text may be missing.")
            )
        )
    if short:
        messages.append(
            format_page_warning(short, N_("a second reader finds much more text, so text is probably missing."))
        )
    return tuple(messages)


def collect_notes(pages: list[PageContent], recognised: Collection[int]) -> tuple[str, ...]:
    """Return notes on the pages whose words a scanner recognised, and on those with turned text that may be out of order.

    `recognised` are the pages with words of our own recognition.
    """
    scanned = [page.info.number for page in pages if page.has_scanner_text and page.info.number not in recognised]
    unordered = [page.info.number for page in pages if page.has_unordered_text]
    notes = []
    if scanned:
        message = N_("the words were recognised by a scanner, so some may be wrong.")
        notes.append(format_page_warning(scanned, message))
    if unordered:
        notes.append(format_page_warning(unordered, N_("turned text may be in a wrong order.")))
    return tuple(notes)


def format_page_warning(numbers: list[int], message: str) -> str:
    """Return a message with the pages that it is about before it."""
    pages = format_page_numbers(numbers)
    prefix = N_("Page {pages}:", pages=pages) if len(numbers) == 1 else N_("Pages {pages}:", pages=pages)
    return join_messages([prefix, message])


def _format_page_share(numbers: list[int], pages: list[PageContent]) -> str:
    listed = format_page_numbers(numbers)
    return (
        N_("Page {pages} of {total}:", pages=listed, total=len(pages))
        if len(numbers) == 1
        else N_("Pages {pages} of {total}:", pages=listed, total=len(pages))
    )


def format_page_numbers(numbers: list[int]) -> str:
    """Return page numbers as "3, 5-7", never as a list that fills the screen."""
    runs = group_consecutive_numbers(numbers)
    shown = [f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:8]]
    return ", ".join(shown + ["…"] * (len(runs) > 8))


def find_nonsense_pages(pages: list[PageContent]) -> list[int]:
    """Return the numbers of the pages whose letters cannot be those of any language."""
    numbers: list[int] = []
    short_texts: dict[int, str] = {}
    for page in pages:
        if page.is_unmapped or page.was_redecoded:
            continue
        text = _join_text(page)
        if is_nonsense(text):
            numbers.append(page.info.number)
        elif text and len(text) < _SHORT_PAGE_CHARACTERS:
            short_texts[page.info.number] = text
    if len(short_texts) > 1 and is_nonsense("\n".join(short_texts.values())[:_MAX_JOINED_CHARACTERS]):
        numbers += short_texts
    return sorted({*numbers, *_find_pages_of_nonsense_fonts(pages)})


def _find_pages_of_nonsense_fonts(pages: list[PageContent]) -> list[int]:
    """Return the pages with text in a font whose letters make sense nowhere: slides may have a right font beside it."""
    if not any(has_hangul("".join(fragment.text for fragment in page.fragments)) for page in pages):
        return []
    texts: dict[int, list[str]] = {}
    numbers: dict[int, set[int]] = {}
    for page in pages:
        if page.is_unmapped or page.was_redecoded:
            continue
        for fragment in page.fragments:
            if len(texts.setdefault(fragment.face, [])) < _MAX_FONT_FRAGMENTS:
                texts[fragment.face].append(fragment.text)
                numbers.setdefault(fragment.face, set()).add(page.info.number)
    wrong = [face for face, parts in texts.items() if len(texts) > 1 and is_wrong_hangul(" ".join(parts))]
    return [number for face in wrong for number in numbers[face]]


def _join_text(page: PageContent) -> str:
    texts: list[str] = []
    remaining = _PROBED_CHARACTERS
    for fragment in page.fragments:
        if remaining <= 0:
            break
        texts.append(fragment.text)
        remaining -= len(fragment.text)
    return " ".join(texts)[:_PROBED_CHARACTERS]


def _find_doubtful_pages(path: Path, pages: list[PageContent]) -> tuple[list[int], list[int]]:
    """Return the pages on which the second reader finds much more, and the empty pages on which it fails."""
    sample = _choose_sample(pages)

    def may_lack_text(position: int, second_page: pypdf.PageObject) -> bool:
        read_count, streams = sample[position].found_characters, read_content_streams(second_page)
        # The cheapest first, which nearly always suffices; none is below the next.
        counts = (bound_shown_codes, bound_codes_by_fonts, count_shown_codes)
        return all(_is_much_more(count(streams), read_count) for count in counts)

    short, broken = [], []
    indexes = [page.info.number - 1 for page in sample]
    second_texts = read_with_second_reader(path, indexes, len(pages), may_lack_text)
    for page, second_text in zip(sample, second_texts, strict=False):
        if second_text is None:
            broken += [page.info.number] if not page.info.characters else []
        elif _is_missing_text(page, second_text):
            short.append(page.info.number)
    return short, broken


def _is_missing_text(page: PageContent, second_text: str) -> bool:
    if not _is_much_more(sum(not character.isspace() for character in second_text), page.found_characters):
        return False
    # The second reader may have read letters twice or wrongly: only missing words count.
    texts = [fragment.text for fragment in page.fragments] + [hidden.text for hidden in page.hidden_texts]
    text = _collapse_repeats(" ".join(texts))
    words = set(_WORD.findall(_collapse_repeats(second_text)))
    return sum(word not in text for word in words) > 0.3 * len(words)


def _is_much_more(second_count: int, read_count: int) -> bool:
    return second_count - read_count > _MAX_MISSING_CHARACTERS and read_count < _MIN_CHARACTER_SHARE * second_count


def _collapse_repeats(text: str) -> str:
    """Return the text without repeats: bold made by printing twice reads "20112011" to the second reader."""
    return _REPEATED.sub(r"\1", text[:30_000].lower())


def _choose_sample(pages: list[PageContent]) -> list[PageContent]:
    """Return pages without text first, because they are the suspicious ones, and other pages evenly spread."""
    empty = [page for page in pages if not page.info.characters and not page.has_failed][: _SAMPLE_PAGES // 2]
    others = [page for page in pages if page.info.characters and not page.was_redecoded]
    other_count = _SAMPLE_PAGES - len(empty)
    step = max(len(others) / other_count, 1.0)
    chosen = [others[int(index * step)] for index in range(min(other_count, len(others)))]
    return sorted(empty + chosen, key=lambda page: page.info.number)
