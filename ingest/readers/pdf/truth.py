"""Is this all the text there is? What the pages themselves and a second reader say, in words for people."""

from __future__ import annotations

import re
from pathlib import Path

from highlighter.locale import N_
from ingest.readers.pdf.opening import uses_brotli
from ingest.readers.pdf.pages import PageContent
from ingest.readers.pdf.plausibility import is_nonsense
from ingest.readers.pdf.second_reader import second_reading

_SAMPLE = 8  # pages given to the second reader: it is several times slower than the first
_FEWER, _MARGIN = 0.7, 40  # we must have found this share of its characters, or be short of no more than so many
_CHARACTERS = 1_300  # of a page that are looked at for whether they form words
_SHORT, _MOST_TOGETHER = (
    600,
    10_000,
)  # pages with fewer characters than these tell nothing alone, and are taken together
_WORD = re.compile(r"\w{3,}")
_REPEATED = re.compile(r"(.{1,40}?)\1+")


def warnings_about(path: Path, pages: list[PageContent]) -> tuple[str, ...]:
    found = []
    failed = [page.facts.number for page in pages if page.failed]
    unmapped = [page.facts.number for page in pages if page.unmapped]
    pictures = [page.facts.number for page in pages if page.picture]
    if failed:
        found.append(
            N_(f"Page {failed[0]} could not be opened; its text is missing.")
            if len(failed) == 1
            else N_(f"Pages {_listed(failed)} could not be opened; their text is missing.")
        )
    if unmapped:
        found.append(_on(unmapped, N_("the fonts do not say which letters they show, so text is missing or wrong.")))
    if nonsense := _nonsense(pages):
        found.append(
            _on(nonsense, N_("the letters that the fonts name form no words, so the text is probably wrong."))
            + " "
            + N_("Upload another copy.")
        )
    if 2 * len(pictures) > len(pages):
        found.append(_of(pictures, pages) + " " + N_("pictures without text. Install OCR to have them read."))
    if uses_brotli(path):
        found.append(
            N_("Parts of it are compressed with Brotli, which is not supported yet, so text may be missing.")
            + " "
            + N_("Save it again as PDF 1.7.")
        )
    known = set(failed + unmapped)
    short, broken = ([number for number in numbers if number not in known] for numbers in _doubtful(path, pages))
    if broken:
        found.append(
            _on(broken, N_("no text was found, and another reader breaks down there, so some may be missing."))
        )
    if short:
        found.append(_on(short, N_("another reader finds far more text there, so some is probably missing.")))
    return tuple(found)


def _on(numbers: list[int], says: str) -> str:
    pages = _listed(numbers)
    return (N_(f"Page {pages}:") if len(numbers) == 1 else N_(f"Pages {pages}:")) + " " + says


def _of(numbers: list[int], pages: list[PageContent]) -> str:
    listed = _listed(numbers)
    return N_(f"Page {listed} of {len(pages)}:") if len(numbers) == 1 else N_(f"Pages {listed} of {len(pages)}:")


def _listed(numbers: list[int]) -> str:
    """ "3", "3, 5-7": never a list that fills the screen."""
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [f"{a}" if a == b else f"{a}-{b}" for a, b in spans[:8]]
    return ", ".join(shown + ["…"] * (len(spans) > 8))


def _nonsense(pages: list[PageContent]) -> list[int]:
    """Return the numbers of the pages whose letters cannot be those of any language."""
    found: list[int] = []
    short: dict[int, str] = {}
    for page in pages:
        if page.unmapped or page.mended:
            continue
        text = _seen_text(page)
        if is_nonsense(text):
            found.append(page.facts.number)
        elif text and len(text) < _SHORT:
            short[page.facts.number] = text
    if len(short) > 1 and is_nonsense("\n".join(short.values())[:_MOST_TOGETHER]):
        found += short
    return sorted(found)


def _seen_text(page: PageContent) -> str:
    texts: list[str] = []
    left = _CHARACTERS
    for fragment in page.fragments:
        if left <= 0:
            break
        if not fragment.hidden:
            texts.append(fragment.text)
            left -= len(fragment.text)
    return " ".join(texts)[:_CHARACTERS]


def _doubtful(path: Path, pages: list[PageContent]) -> tuple[list[int], list[int]]:
    """Pages on which the second reader finds much that we lack; pages without text on which it breaks down."""
    sample = _sample(pages)
    short, broken = [], []
    for page, theirs in zip(sample, second_reading(path, [page.facts.number - 1 for page in sample]), strict=False):
        if theirs is None:
            broken += [page.facts.number] if not page.facts.characters else []
        elif _is_short(page, theirs):
            short.append(page.facts.number)
    return short, broken


def _is_short(page: PageContent, theirs: str) -> bool:
    ours, length = page.facts.characters, sum(not character.isspace() for character in theirs)
    if length - ours <= _MARGIN or ours >= _FEWER * length:
        return False
    # It may have read the same letters twice or wrongly: only words that we lack count.
    text = _once(" ".join(fragment.text for fragment in page.fragments))
    words = set(_WORD.findall(_once(theirs)))
    return sum(word not in text for word in words) > 0.3 * len(words)


def _once(text: str) -> str:
    """Bold that was made by printing everything again reads "20112011 AnnualAnnual" to a reader that keeps it all."""
    return _REPEATED.sub(r"\1", text[:30_000].lower())


def _sample(pages: list[PageContent]) -> list[PageContent]:
    """Pages without text first, for those are the suspicious ones; the rest evenly from the whole document."""
    empty = [page for page in pages if not page.facts.characters and not page.failed][: _SAMPLE // 2]
    others = [page for page in pages if page.facts.characters and not page.mended]
    wanted = _SAMPLE - len(empty)
    step = max(len(others) / wanted, 1.0)
    chosen = [others[int(at * step)] for at in range(min(wanted, len(others)))]
    return sorted(empty + chosen, key=lambda page: page.facts.number)
