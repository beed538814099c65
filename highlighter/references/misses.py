"""Reasons why a reference has no link: a code for programs and a sentence for users."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.locale import N_
from highlighter.models import Source
from highlighter.references import non_citations
from highlighter.references.markers import ROUND, TITLE, CitationMarker
from highlighter.references.parser import Reference

UNKNOWN, AMBIGUOUS, UNNAMED = "unknown", "ambiguous", "unnamed"
NO_PAGE, NO_CHUNK, NO_NUMBER = "no such page", "no such chunk", "no such number"

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


def explain_miss(miss: ReferenceMiss, label: str, sources: Sequence[Source]) -> str:
    """Return why the reference has no link, as a sentence for users."""
    names = _list_file_names(miss.candidates, sources)
    match miss.reason:
        case "ambiguous":
            if not names:
                return N_(f"“{label}” is ambiguous.")
            if len({sources[index].filename for index in miss.candidates}) == 1 < len(set(miss.candidates)):
                return N_(f"“{label}” matches more than one place in {names}.")
            return N_(f"“{label}” matches each of {names}.")
        case "no such page":
            if not names:
                return N_(f"No source has the page “{label}”.")
            return N_(f"The page in “{label}” is not one of {names}.")
        case "no such chunk":
            if not names:
                return N_(f"No source is chunk “{label}”.")
            return N_(f"The chunk in “{label}” is not one of {names}.")
        case "no such number":
            count = len(sources)
            opening = N_(f"There are {count} sources:") if count else N_("There are no sources:")
            return (N_("There is one source:") if count == 1 else opening) + " " + N_(f"none has the number “{label}”.")
        case "unnamed":
            return N_(f"“{label}” does not name a document.")
        case _:
            nearest = " " + N_(f"The closest match is {names}.") if len(miss.candidates) == 1 else ""
            return N_(f"No source is called “{label}”.") + nearest


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
