"""Clauses that a citation names, "cl. 6.4", "§ 5", "第六條", and where they begin in a document whose text numbers them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from highlighter.references.locators import SMALL_CHINESE_NUMERALS, parse_number
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import ENGLISH_MONTHS
from highlighter.text.sentences import split_sentences

# A text with fewer numbered clauses of a kind may number something else.
MIN_NUMBERED_CLAUSES = 3

_WORD = (
    r"(?:sub-?clause|clause|cl|sub-?section|section|sect|sec|s|article|art|artikel|abschnitt|ziffer|ziff|punkt|klausel|rule"
    r"|regulation|reg)"
)
_NUMBER = r"\d{1,4}(?:\.\d{1,3})*[a-z]?"
_CHINESE_CLAUSE = rf"第\s*(?P<chinese>[{SMALL_CHINESE_NUMERALS}]+|\d+)\s*(?P<unit>条|章|节)"
_UNIT = (
    r"(?:per ?cent|%|million|billion|times|seconds?|minutes?|hours?|days?|weeks?|months?|years?|euros?|pounds?|dollars?|k?m|k?g"
    rf"|{ENGLISH_MONTHS})"
)
# "clause 6.4 to 6.6" cites no single clause.
_NO_RANGE = r"(?!\s*(?:[-~至到、和]|(?:to|and|until|through|ff?|et seqq?)(?![a-z])))"
# These expect folded text.
_CITED_CLAUSE = compile_later(
    rf"(?:(?:(?<![^\W_]){_WORD}[\s.:]*|(?<!§)§\s*)(?P<number>{_NUMBER})(?![^\W_])|{_CHINESE_CLAUSE}){_NO_RANGE}"
)
_ANY_NUMBER = compile_later(rf"(?<![\w.])(?P<number>{_NUMBER})(?!\w|\.\d)|{_CHINESE_CLAUSE}")
# A bare number begins a clause only in a paragraph of its own: "within|30 days" is a line that wraps. No clause is "3.5 percent".
_CLAUSE_START = compile_later(
    rf"^[ ]*(?:(?:(?P<word>{_WORD}\b[ .]*|§{{1,2}}[ ]*)|(?=\d+\.\d)|(?:(?<=\n\n)|(?<=\A)))(?P<number>{_NUMBER})"
    rf"(?:[.):]?(?=[ ]+(?!{_UNIT}\b)\S)|[.):]?$)|{_CHINESE_CLAUSE})",
    re.MULTILINE,
)
_CONTENTS_END = compile_later(r"(?:\.{3}|…|\t)[ ]*\d+[ ]*\Z")
_MAX_CONTENTS_END_CHARACTERS = 40
_ROMAN_CLAUSE = compile_later(rf"^[ ]*{_WORD}[ .]+[ivxlc]{{1,6}}\b", re.MULTILINE)
_GERMAN_PAGE = re.compile(r"S\.?\s*\d")
_UNITS_ABOVE = {"节": ("章",), "条": ("章", "节")}
_PARAGRAPH_END = compile_later(r"\n\s*\n|\Z")


class ClauseNumber(NamedTuple):
    """The number of a clause: "6.4", or 6 with the unit 条."""

    number: str
    unit: str = ""

    @property
    def next_parent(self) -> str:
        parent = self.number.partition(".")[0]
        return str(int(parent) + 1) if parent.isdecimal() else ""

    def is_within(self, other: ClauseNumber) -> bool:
        return self.unit == other.unit and f"{self.number}.".startswith(f"{other.number}.")


class _ClauseStart(NamedTuple):
    offset: int
    number: ClauseNumber
    is_certain: bool  # "6.4", "§ 6", "第六條"; a bare number at the start of a line may be an item of a list


class ClausePlace(NamedTuple):
    """A clause in a text: its first sentence or heading is `[start, sentence_end)`, all of it `[start, end)`."""

    start: int
    sentence_end: int
    end: int


@dataclass(frozen=True, slots=True)
class ClauseLookup:
    """The result of looking for a clause in a text. Without a place it is missing, or the text does not say."""

    place: ClausePlace | None = None
    is_missing: bool = False


def parse_cited_clause(label: str) -> ClauseNumber | None:
    """Return the number of the clause that a label cites. "S. 3" is a page in German, "s. 3" a section of an act."""
    match = _CITED_CLAUSE.search(fold(label))
    return _read_number(match) if match and not _GERMAN_PAGE.match(label, match.start()) else None


class ClauseIndex:
    """The numbered clauses of a text."""

    def __init__(self, text: str):
        folded = fold(text)
        self.text = text
        self._starts = list(_iterate_clause_starts(folded))
        self._has_roman_numbers = _ROMAN_CLAUSE.search(folded) is not None
        # A number that stands anywhere may be that of a clause which begins elsewhere than in a line.
        self._numbers = {_read_number(match) for match in _ANY_NUMBER.finditer(folded)}

    def find(self, cited: ClauseNumber) -> ClauseLookup:
        """Return the place of a clause if exactly one has the number; it is missing if the text numbers others."""
        offsets = [start.offset for start in self._starts if start.number == cited]
        if len(offsets) == 1:
            return ClauseLookup(self._find_place(cited, offsets[0]))
        numbered = {start.number for start in self._starts if start.is_certain and start.number.unit == cited.unit}
        is_named = (
            bool(offsets)
            or self._has_roman_numbers
            or cited in self._numbers
            or any(number.is_within(cited) for number in numbered)
        )
        return ClauseLookup(is_missing=not is_named and len(numbered) >= MIN_NUMBERED_CLAUSES)

    def _find_place(self, cited: ClauseNumber, start: int) -> ClausePlace:
        paragraph_end = _PARAGRAPH_END.search(self.text, start).start()  # type: ignore[union-attr]  # every text has an end
        sentences = split_sentences(self.text[start:paragraph_end])
        sentence_end = start + sentences[0].end_char if sentences else paragraph_end
        return ClausePlace(start, sentence_end, max(self._find_end(cited, start), sentence_end))

    def _find_end(self, cited: ClauseNumber, start: int) -> int:
        """Return where the next clause begins that is no part of this one. A list within a clause may have bare numbers."""
        for following in self._starts:
            number = following.number
            is_clause = following.is_certain or number.number == cited.next_parent
            is_beside = number.unit == cited.unit and is_clause and not number.is_within(cited)
            if following.offset > start and (is_beside or number.unit in _UNITS_ABOVE.get(cited.unit, ())):
                return following.offset
        return len(self.text)


def _read_number(match: re.Match[str]) -> ClauseNumber:
    if match["number"]:
        return ClauseNumber(match["number"])
    return ClauseNumber(str(parse_number(match["chinese"])), match["unit"])


def _iterate_clause_starts(folded: str) -> Iterator[_ClauseStart]:
    """Yield each place where a line begins with the number of a clause; a list of contents has none."""
    for match in _CLAUSE_START.finditer(folded):
        next_line = folded.find("\n", match.end())
        line_end = len(folded) if next_line < 0 else next_line
        if not _CONTENTS_END.search(folded[max(match.end(), line_end - _MAX_CONTENTS_END_CHARACTERS) : line_end]):
            number = _read_number(match)
            is_certain = bool(number.unit or match["word"]) or "." in number.number
            yield _ClauseStart(match.start(), number, is_certain)
