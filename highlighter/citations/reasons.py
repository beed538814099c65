"""Why a reference has no link: a word for programs, and a sentence for people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.citations import asides
from highlighter.citations.references import Reference
from highlighter.citations.shapes import ROUND, TITLE, Mark
from highlighter.locale import N_
from highlighter.models import Source

UNKNOWN, AMBIGUOUS, UNNAMED = "unknown", "ambiguous", "unnamed"
NO_PAGE, NO_CHUNK, NO_NUMBER = "no such page", "no such chunk", "no such number"

TOLD = 3  # names in one sentence
# What names have and editors' insertions have not: a file's signs, abbreviations, letters with digits.
_LIKE_A_NAME = re.compile(r"[^\W\d_]\d|_|\w\.[A-Za-z]|\b[A-Z]{3,}\b|[a-z][A-Z]|^[A-Z].*\d")
_ARTICLE = re.compile(
    r"(?:the|an?|this|that|these|those|his|her|its|their|our|my|your|all|any|such|no|not)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Miss:
    reason: str
    candidates: tuple[int, ...] = ()


def why(miss: Miss, said: str, sources: Sequence[Source]) -> str:
    names = _names(miss.candidates, sources)
    match miss.reason:
        case "ambiguous":
            if not names:
                return N_(f"“{said}” can be read in more than one way.")
            if len({sources[index].filename for index in miss.candidates}) == 1 < len(set(miss.candidates)):
                return N_(f"“{said}” can be more than one place of {names}.")
            return N_(f"“{said}” can be any of {names}.")
        case "no such page":
            if not names:
                return N_(f"No source has the page “{said}”.")
            return N_(f"The page that “{said}” names is not one of {names}.")
        case "no such chunk":
            if not names:
                return N_(f"No source is the chunk “{said}”.")
            return N_(f"The chunk that “{said}” names is not one of {names}.")
        case "no such number":
            count = len(sources)
            has = N_(f"There are {count} sources:") if count else N_("There are no sources:")
            return (N_("There is one source:") if count == 1 else has) + " " + N_(f"“{said}” is the number of none.")
        case "unnamed":
            return N_(f"“{said}” names no document.")
        case _:
            nearest = " " + N_(f"The nearest is {names}.") if len(miss.candidates) == 1 else ""
            return N_(f"No source is called “{said}”.") + nearest


def _names(candidates: Sequence[int], sources: Sequence[Source]) -> str:
    told = list(dict.fromkeys(sources[index].filename for index in candidates))
    return ", ".join(told[:TOLD] + ["…"] * (len(told) > TOLD))


def told(mark: Mark, reference: Reference, miss: Miss) -> bool:
    """Whether it is a reference at all when it means no source: else an editor's word would count as made up."""
    if mark.shape == TITLE or (mark.shape == ROUND and mark.loose):
        return False
    if reference.sure or (not mark.loose and miss.reason not in (UNKNOWN, UNNAMED)):
        return True
    said = mark.said[reference.start : reference.end].strip()
    if mark.loose:
        return _LIKE_A_NAME.search(said) is not None and not asides.plain_words(said)
    begins = said[:1].isupper() or said[:1].isdigit() or not said[:1].isascii()
    return (begins or bool(reference.clause) or _LIKE_A_NAME.search(said) is not None) and _ARTICLE.match(said) is None
