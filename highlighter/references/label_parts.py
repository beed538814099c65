"""The pieces of a label: each is a number, a place, a quotation, or (part of) a name with the places written on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from highlighter.references import locators, non_citations
from highlighter.references.locators import parse_number
from highlighter.text.characters import fold

MAX_NUMBERS_IN_RANGE = 30  # "[1-9999]" is no thousand links
MAX_LOCATORS_PER_NAME = 6  # on one name: nobody writes more, and each takes a look through all of it
MIN_QUOTATION_WORDS, MIN_QUOTATION_CHARACTERS = 3, 8  # a shorter run in quotation marks is a title

REFERENCE_SEPARATOR = re.compile(r"[;|]|(?<=\s)/(?=\s)")
PART_SEPARATOR = re.compile(r"[,、]|\s&\s|\s(?:and|plus)\s|[和及与](?=\s?(?:第|页|\d|来源|文件|资料))")
# Commas within these part nothing.
_UNDIVIDED = re.compile(rf"\"[^\"]*\"|《[^《》]*》|「[^「」]*」|\([^()]*\)|{locators.PAGE_LIST_PATTERN}")
_QUOTATION = re.compile(r"\s*[\"“「『]([^\"“”「」『』]+)[\"”」』]\s*")
_TRAILING_QUOTATION = re.compile(r"(.*[^\s:：,，–—-])[\s:：,，–—-]*[\"“「『]([^\"“”「」『』]+)[\"”」』]\s*")
_TITLE_IN_BRACKETS = re.compile(r"《([^《》]+)》")
_SURROUNDING_CHARACTERS = "^@ \t\r\n*_`~,;、，；📄📎📑📃📖📚🔗"
_NAME_EDGE_CHARACTERS = " \t\r\n,;:.-–—#|、，。；：*`~\"'“”「」『』《》<>({["


@dataclass(slots=True)
class LabelPart:
    """`names` are readings of one name, from the whole of what is written to the least: "Volume 2 page 7", "Volume 2"."""

    start: int
    end: int
    names: list[str] = field(default_factory=list)
    numbers: tuple[int, ...] = ()
    pages: list[str] = field(default_factory=list)
    chunk: int | None = None
    clause: str = ""
    page_or_chunk: str = ""
    quote: str = ""
    is_certain: bool = False
    is_first: bool = False  # after a semicolon: it goes on with no name, and no number, that stood before

    @property
    def has_locator(self) -> bool:
        return bool(self.pages or self.clause or self.page_or_chunk) or self.chunk is not None

    def merge_locators(self, other: LabelPart) -> None:
        """The places of another piece."""
        self.pages += other.pages
        self.chunk = other.chunk if self.chunk is None else self.chunk
        self.clause, self.page_or_chunk = self.clause or other.clause, self.page_or_chunk or other.page_or_chunk
        self.quote, self.is_certain = self.quote or other.quote, self.is_certain or other.is_certain
        self.start, self.end = min(self.start, other.start), max(self.end, other.end)


def split_label(label: str, separator: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    hidden = _UNDIVIDED.sub(lambda found: "x" * len(found[0]), fold(label))
    at = start
    for found in separator.finditer(hidden, start, end):
        yield at, found.start()
        at = found.end()
    yield at, end


def parse_part(label: str, start: int, end: int) -> LabelPart | None:
    """None where nothing but signs is written."""
    while start < end and label[start] in _SURROUNDING_CHARACTERS:
        start += 1
    while end > start and label[end - 1] in _SURROUNDING_CHARACTERS:
        end -= 1
    remark = non_citations.TRAILING_QUOTATION_REMARK.search(fold(label[start:end]))
    end = start + remark.start() if remark else end
    if start == end:
        return None
    text, made = label[start:end], LabelPart(start, end)
    folded = fold(text)
    counted = locators.NUMBER.fullmatch(folded) or locators.SOURCE_NUMBER.fullmatch(folded)
    quoted = _QUOTATION.fullmatch(text)
    if counted:
        made.numbers, made.names = _parse_numbers(counted["numbers"]), [text]
        made.is_certain = counted.re is locators.SOURCE_NUMBER
    elif quoted and _is_quotation(quoted[1]):
        made.quote = quoted[1]
    else:
        text = _take_quotation(made, text)
        _read_name(made, text, fold(text))
    return made


def _take_quotation(part: LabelPart, text: str) -> str:
    """`p. 3: "the words"`: the quotation goes with what stands before it."""
    found = _TRAILING_QUOTATION.fullmatch(text)
    if found is None or not _is_quotation(found[2]):
        return text
    part.quote = found[2]
    return found[1]


def _is_quotation(words: str) -> bool:
    return len(words.split()) >= MIN_QUOTATION_WORDS or (not words.isascii() and len(words) >= MIN_QUOTATION_CHARACTERS)


def _read_name(part: LabelPart, name: str, folded: str) -> None:
    """A name, and the places taken off its end and its beginning one by one."""
    if locators.LOCATOR_ONLY.fullmatch(folded) is None:
        _add_reading(part, name)
        keyed = locators.KEY_AND_VALUE.fullmatch(folded)
        if keyed:
            name, folded, part.is_certain = name[slice(*keyed.span("value"))], folded[slice(*keyed.span("value"))], True
            _add_reading(part, name)
    for _ in range(MAX_LOCATORS_PER_NAME):
        found = locators.LOCATOR_ONLY.fullmatch(folded)
        if found:
            _add_locator(part, found)
            return
        found = locators.TRAILING_LOCATOR.fullmatch(folded)
        if not found or not found["before"].strip(_NAME_EDGE_CHARACTERS):
            break
        if found["clause_cn"] and folded[: found.start("clause_cn")].endswith("("):
            break  # 建築物條例（第123章）: the number under which a law is bound
        _add_locator(part, found)
        name, folded = name[: found.end("before")], folded[: found.end("before")]
        _add_reading(part, name)
    name, folded = _take_leading_locator(part, name, folded)
    _take_trailing_number(part, name, folded)


def _take_leading_locator(part: LabelPart, name: str, folded: str) -> tuple[str, str]:
    """ "page 3 of NEC4 ACC". A clause ahead may be a name's beginning: "Section 106 Agreement"."""
    found = locators.LEADING_LOCATOR.fullmatch(folded)
    if not found or ((locators.get_cited_clause(found) or found["line"]) and not found["of"]):
        return name, folded
    _add_locator(part, found)
    after = found.start("after")
    _add_reading(part, name[after:])
    return name[after:], folded[after:]


def _take_trailing_number(part: LabelPart, name: str, folded: str) -> None:
    """ "A:3", "A.pdf 3"; "2, p. 4", "1: NEC4 ACC"."""
    ends = locators.TRAILING_NUMBER.fullmatch(folded)
    if ends and not part.has_locator:
        part.page_or_chunk = ends["loose"]
        _add_reading(part, name[: ends.end("before")])
        return
    bare = folded.strip(_NAME_EDGE_CHARACTERS)
    counted = locators.NUMBER.fullmatch(bare) or locators.SOURCE_NUMBER.fullmatch(bare)
    both = None if counted else locators.NUMBER_AND_NAME.fullmatch(folded)
    if counted:
        part.numbers, part.is_certain = _parse_numbers(counted["numbers"]), True
    elif both:
        part.numbers = (int(both["number"] or both["source"]),)
        _add_reading(part, name[both.start("name") :])


def _add_reading(part: LabelPart, name: str) -> None:
    """One more reading of the name, and the same without the words that only lead up to it."""
    name = name.strip(_NAME_EDGE_CHARACTERS)
    if not name:
        return
    titled, folded = _TITLE_IN_BRACKETS.search(name), fold(name)
    before = locators.LEAD_IN_BEFORE_NAME.match(folded)
    before = before or locators.DOCUMENT_NOUN_BEFORE_NAME.match(folded)
    # "Source Book" may be a book's name.
    before = before or (
        locators.SOURCE_NOUN_BEFORE_NAME.match(folded) if part.has_locator or "." in name or "_" in name else None
    )
    shorter = titled[1] if titled else name[before.end() :].strip(_NAME_EDGE_CHARACTERS) if before else ""
    part.names += [one for one in (name, shorter) if one and one not in part.names]


def _add_locator(part: LabelPart, found: re.Match[str]) -> None:
    """What stands further to the left is taken off later, and comes first."""
    pages, chunk, clause = (
        locators.list_cited_pages(found),
        locators.get_cited_chunk(found),
        locators.get_cited_clause(found),
    )
    part.pages = [*pages, *part.pages]
    part.chunk = parse_number(chunk) if chunk else part.chunk
    part.clause = clause + part.clause if clause else part.clause
    part.is_certain = part.is_certain or bool(pages or chunk)


def _parse_numbers(text: str) -> tuple[int, ...]:
    ends = locators.split_range(text)
    first, last = (parse_number(end) or 0 for end in ends) if ends else (parse_number(text) or 0,) * 2
    return tuple(range(first, last + 1)) if 0 < first <= last < first + MAX_NUMBERS_IN_RANGE else (0,)
