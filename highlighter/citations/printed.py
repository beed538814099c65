"""Which physical pages of a source a cited page is.

A page may be printed "iii" or "12" and be the fifteenth of the file. Whoever cites a page reads it off the paper or off a
label that we made of what is printed; so where any page of the document bears that label, that page is meant, even when
another one is so many-th in the file. Only a number that is printed nowhere is counted from the first page on, and only
where "12f" is printed nowhere is it page 12 and the next.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from highlighter.citations.numerals import is_roman, number
from highlighter.models import Source

_ENDS = re.compile(r"(?P<first>[^-]+?)-{1,2}(?:pp?\.?)?(?P<last>.+)")
_AND_THE_NEXT = re.compile(r"(?P<page>\d+)f")
LONGEST_RANGE = 500


@dataclass(frozen=True, slots=True)
class Pages:
    """`found` is where to open it; `missing` what was cited and is not there."""

    found: int = 0
    missing: bool = False
    several: bool = False  # the label is printed on several pages


def pages_of(cited: str, source: Source) -> Pages:
    """The cited page or range held against one source. Unknown pages miss nothing; `found` is then the number cited."""
    whole = _one(cited, source)
    ends = _ENDS.fullmatch(cited)
    if whole is not None or ends is None:  # "3-5" may be one page's label
        return whole or Pages(missing=True)
    first, last = _one(ends["first"], source), _one(_in_full(ends["first"], ends["last"]), source)
    if first is None or last is None or last.found < first.found or last.found - first.found > LONGEST_RANGE:
        return Pages(missing=True)
    touched = [page for page in range(first.found, last.found + 1) if not source.pages or page in source.pages]
    if not touched:
        return Pages(missing=True)
    return Pages(touched[0], several=first.several)


def ends_within(cited: str, sources: list[Source]) -> bool:
    """Whether both ends of a range are pages that the sources have together: "pp. 3-9" of a file of five is made up."""
    ends = _ENDS.fullmatch(cited)
    if ends is None or any(_one(cited, source) for source in sources):
        return True
    both = ends["first"], _in_full(ends["first"], ends["last"])
    return all(any(not (pages_of(end, source)).missing for source in sources) for end in both)


def _in_full(first: str, last: str) -> str:
    """ "123-5" and "123-25" leave out what stays the same."""
    if first.isdigit() and last.isdigit() and len(last) < len(first):
        return first[: -len(last)] + last
    return last


def _one(cited: str, source: Source) -> Pages | None:
    """None when the source is known not to have it. A page beyond the source's own is still its document's: see `found`."""
    value = number(cited)
    written = {cited.casefold(), str(value)} if value is not None else {cited.casefold()}
    printed = [page for page, label in enumerate(source.page_labels, 1) if label.strip().casefold() in written]
    if printed:
        here = [page for page in printed if page in source.pages] if source.pages else printed
        if len(here) == 1:
            return Pages(here[0])
        return Pages(here[0] if here else printed[0], missing=not here, several=len(here) > 1)
    if following := _AND_THE_NEXT.fullmatch(cited):
        return _one(following["page"], source)
    if value is None:
        # A roman page is one of the front matter, which no count of ours can place.
        return None if source.pages or not is_roman(cited) else Pages(0)
    if value < 1:
        return None
    beyond = value not in source.pages if source.pages else bool(source.page_labels) and value > len(source.page_labels)
    return Pages(value, missing=beyond)
