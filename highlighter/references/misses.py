"""Reasons why a reference has no link: a code for programs and a sentence for users."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.locale import N_, join_messages
from highlighter.models import Source
from highlighter.references import non_citations
from highlighter.references.locators import parse_number
from highlighter.references.markers import ROUND, TITLE, CitationMarker
from highlighter.references.parser import Reference

UNKNOWN, AMBIGUOUS, UNNAMED = "unknown", "ambiguous", "unnamed"
NO_PAGE, NO_CHUNK, NO_NUMBER, NO_CLAUSE = "no such page", "no such chunk", "no such number", "no such clause"

MAX_NAMES_IN_SENTENCE = 3
# Signs of a name that editorial insertions lack: parts of file names, abbreviations, letters with digits.
_NAME_LIKE = re.compile(r"[^\W\d_]\d|_|\w\.[A-Za-z]|\b[A-Z]{3,}\b|[a-z][A-Z]|^[A-Z].*\d")
_ARTICLE = re.compile(
    r"(?:the|an?|this|that|these|those|his|her|its|their|our|my|your|all|any|such|no|not)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class ReferenceMiss:
    """A reference without a link: the reason, and the indexes of the sources that may have been meant."""

    reason: str
    candidates: tuple[int, ...] = ()
    why: str = ""  # what is wrong with the text's own definition of the reference, as a sentence for users


def explain_miss(miss: ReferenceMiss, reference: Reference, label: str, sources: Sequence[Source]) -> str:
    """Return what is wrong with the reference, as sentences for users about the claim that cites it."""
    names = _list_file_names(miss.candidates, sources)
    match miss.reason:
        case "ambiguous":
            if not names:
                return N_("“{label}” is ambiguous.", label=label)
            if len({sources[index].filename for index in miss.candidates}) == 1 < len(set(miss.candidates)):
                return N_("“{label}” matches more than one place in {names}.", label=label, names=names)
            return N_("“{label}” matches each of {names}.", label=label, names=names)
        case "no such page":
            return _explain_missing_page(miss, reference.page or reference.page_or_chunk or label, names, sources)
        case "no such chunk":
            if not names:
                return N_("It cites “{label}”, which is not among the sources.", label=label)
            chunk = label if reference.chunk is None else reference.chunk
            return N_("It cites chunk {chunk} of {names}, which is not among the sources.", chunk=chunk, names=names)
        case "no such clause":
            return N_("{names} has no clause {clause}.", names=names, clause=reference.clause or label)
        case "no such number":
            return _explain_missing_number(reference.number, label, len(sources))
        case "unnamed":
            return N_("“{label}” does not name a document.", label=label)
        case _:
            nearest = N_("The closest match is {names}.", names=names) if len(miss.candidates) == 1 else ""
            return join_messages([N_("It cites “{label}”, which is not among the sources.", label=label), nearest])


def _explain_missing_page(miss: ReferenceMiss, page: str, names: str, sources: Sequence[Source]) -> str:
    if not names:
        return N_("It cites page {page}, which is in no source.", page=page)
    if _is_reversed(page) and not any(_is_printed(sources[index], page) for index in miss.candidates):
        return N_("It cites pages {page} of {names}: the last page comes before the first.", page=page, names=names)
    page_count = min(count_pages(sources[index]) for index in miss.candidates)
    if not page_count or any(_has_page(sources[index], page) for index in miss.candidates):
        return N_("It cites page {page} of {names}, which is not among the sources.", page=page, names=names)
    if page_count == 1:
        return N_("It cites page {page} of {names}, which has one page.", page=page, names=names)
    return N_("It cites page {page} of {names}, which has {count} pages.", page=page, names=names, count=page_count)


def _explain_missing_number(number: int | None, label: str, source_count: int) -> str:
    if number and number <= source_count:  # a position in a library, which has no order
        return N_("“{label}” does not name a document.", label=label)
    if source_count == 1:
        return N_("It cites source {source}; there is one source.", source=number or label)
    return N_("It cites source {source}; there are {count} sources.", source=number or label, count=source_count)


def count_pages(source: Source) -> int:
    """Return the number of pages of a source's document; 0 if it is unknown."""
    return source.page_count or len(source.page_labels)


def _is_reversed(cited: str) -> bool:
    """Return whether a cited range ends before it begins: "3-2". "123-5" is short for "123-125"."""
    first, _, last = cited.replace("–", "-").partition("-")
    return first.isdecimal() and last.isdecimal() and len(first) == len(last) and first > last


def _is_printed(source: Source, cited: str) -> bool:
    return cited.casefold() in {label.strip().casefold() for label in source.page_labels}


def _has_page(source: Source, cited: str) -> bool:
    """Return whether the document of a source has a cited page, or both ends of a cited range."""
    printed = {label.strip().casefold() for label in source.page_labels}
    pages = [cited] if cited.casefold() in printed else cited.replace("–", "-").split("-")
    numbers = [(page.strip().casefold(), parse_number(page.strip())) for page in pages]
    return all(
        page in printed or (number is not None and 0 < number <= count_pages(source)) for page, number in numbers
    )


def _list_file_names(candidates: Sequence[int], sources: Sequence[Source]) -> str:
    names = list(dict.fromkeys(sources[index].filename for index in candidates))
    return ", ".join(names[:MAX_NAMES_IN_SENTENCE] + ["…"] * (len(names) > MAX_NAMES_IN_SENTENCE))


def is_genuine_reference(marker: CitationMarker, reference: Reference, miss: ReferenceMiss) -> bool:
    """Return whether a reference that matches no source is a reference at all.

    Without this check an editor's insertion would count as an invented citation.
    """
    if marker.shape == TITLE or (marker.shape == ROUND and marker.is_doubtful):
        return False
    if reference.is_certain or (not marker.is_doubtful and miss.reason not in (UNKNOWN, UNNAMED)):
        return True
    written = marker.content[reference.start : reference.end].strip()
    if marker.is_doubtful:
        return _NAME_LIKE.search(written) is not None and not non_citations.is_common_aside(written)
    has_name_start = written[:1].isupper() or written[:1].isdigit() or not written[:1].isascii()
    return (has_name_start or bool(reference.clause) or _NAME_LIKE.search(written) is not None) and _ARTICLE.match(
        written
    ) is None
