"""The parts of a marker's label: each is a number, a locator, a quotation, or a name with its locators."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from highlighter.references import locators, non_citations
from highlighter.references.locators import parse_number
from highlighter.text.characters import fold

MAX_NUMBERS_IN_RANGE = 30  # "[1-9999]" does not cite thousands of sources
MAX_LOCATORS_PER_NAME = 6  # more are not written, and each costs a pass over the name
MIN_QUOTATION_WORDS, MIN_QUOTATION_CHARACTERS = 3, 8  # a shorter run in quotation marks is a title

REFERENCE_SEPARATOR = re.compile(r"[;|]|(?<=\s)/(?=\s)")
PART_SEPARATOR = re.compile(r"[,、]|\s&\s|\s(?:and|plus)\s|[和及与](?=\s?(?:第|页|\d|来源|文件|资料))")
# Commas within these do not separate parts.
_UNDIVIDED = re.compile(rf"\"[^\"]*\"|《[^《》]*》|「[^「」]*」|\([^()]*\)|{locators.PAGE_LIST_PATTERN}")
_QUOTATION = re.compile(r"\s*[\"“「『]([^\"“”「」『』]+)[\"”」』]\s*")
_TRAILING_QUOTATION = re.compile(r"(.*[^\s:：,，–—-])[\s:：,，–—-]*[\"“「『]([^\"“”「」『』]+)[\"”」』]\s*")
_TITLE_IN_BRACKETS = re.compile(r"《([^《》]+)》")
_SURROUNDING_CHARACTERS = "^@ \t\r\n*_`~,;、，；📄📎📑📃📖📚🔗"
_NAME_EDGE_CHARACTERS = " \t\r\n,;:.-–—#|、，。；：*`~\"'“”「」『』《》<>({["


@dataclass(slots=True)
class LabelPart:
    """A part of a label. `names` are readings of one name, the longest first: "Volume 2 page 7", "Volume 2"."""

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
    is_first: bool = False  # after a semicolon: it does not continue the name or number before it

    @property
    def has_locator(self) -> bool:
        return bool(self.pages or self.clause or self.page_or_chunk) or self.chunk is not None

    def merge_locators(self, other: LabelPart) -> None:
        """Add the locators of another part."""
        self.pages += other.pages
        self.chunk = other.chunk if self.chunk is None else self.chunk
        self.clause, self.page_or_chunk = self.clause or other.clause, self.page_or_chunk or other.page_or_chunk
        self.quote, self.is_certain = self.quote or other.quote, self.is_certain or other.is_certain
        self.start, self.end = min(self.start, other.start), max(self.end, other.end)


def split_label(label: str, separator: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the label's parts; separators within quotation marks or brackets do not count."""
    masked = _UNDIVIDED.sub(lambda match: "x" * len(match[0]), fold(label))
    part_start = start
    for match in separator.finditer(masked, start, end):
        yield part_start, match.start()
        part_start = match.end()
    yield part_start, end


def parse_part(label: str, start: int, end: int) -> LabelPart | None:
    """Return the part of the label in this span, or None if it holds only punctuation."""
    while start < end and label[start] in _SURROUNDING_CHARACTERS:
        start += 1
    while end > start and label[end - 1] in _SURROUNDING_CHARACTERS:
        end -= 1
    remark_match = non_citations.TRAILING_QUOTATION_REMARK.search(fold(label[start:end]))
    end = start + remark_match.start() if remark_match else end
    if start == end:
        return None
    text, part = label[start:end], LabelPart(start, end)
    folded = fold(text)
    number_match = locators.NUMBER.fullmatch(folded) or locators.SOURCE_NUMBER.fullmatch(folded)
    quotation_match = _QUOTATION.fullmatch(text)
    if number_match:
        part.numbers, part.names = _parse_numbers(number_match["numbers"]), [text]
        part.is_certain = number_match.re is locators.SOURCE_NUMBER
    elif quotation_match and _is_quotation(quotation_match[1]):
        part.quote = quotation_match[1]
    else:
        text = _take_quotation(part, text)
        _read_name(part, text, fold(text))
    return part


def _take_quotation(part: LabelPart, text: str) -> str:
    """Move a quotation at the end of the text into the part and return the rest: `p. 3: "the words"`."""
    match = _TRAILING_QUOTATION.fullmatch(text)
    if match is None or not _is_quotation(match[2]):
        return text
    part.quote = match[2]
    return match[1]


def _is_quotation(text: str) -> bool:
    return len(text.split()) >= MIN_QUOTATION_WORDS or (not text.isascii() and len(text) >= MIN_QUOTATION_CHARACTERS)


def _read_name(part: LabelPart, name: str, folded: str) -> None:
    """Add a name to the part, then take locators off its end and its beginning one by one."""
    if locators.LOCATOR_ONLY.fullmatch(folded) is None:
        _add_reading(part, name)
        key_and_value = locators.KEY_AND_VALUE.fullmatch(folded)
        if key_and_value:
            name, folded, part.is_certain = (
                name[slice(*key_and_value.span("value"))],
                folded[slice(*key_and_value.span("value"))],
                True,
            )
            _add_reading(part, name)
    for _ in range(MAX_LOCATORS_PER_NAME):
        locator = locators.LOCATOR_ONLY.fullmatch(folded)
        if locator:
            _add_locator(part, locator)
            return
        locator = locators.TRAILING_LOCATOR.fullmatch(folded)
        if not locator or not locator["before"].strip(_NAME_EDGE_CHARACTERS):
            break
        if locator["clause_cn"] and folded[: locator.start("clause_cn")].endswith("("):
            break  # 建築物條例（第123章）: the chapter number of a law
        _add_locator(part, locator)
        name, folded = name[: locator.end("before")], folded[: locator.end("before")]
        _add_reading(part, name)
    name, folded = _take_leading_locator(part, name, folded)
    _take_trailing_number(part, name, folded)


def _take_leading_locator(part: LabelPart, name: str, folded: str) -> tuple[str, str]:
    """Take "page 3 of" off a name. A clause without "of" may begin a name: "Section 106 Agreement"."""
    locator = locators.LEADING_LOCATOR.fullmatch(folded)
    if not locator or ((locators.get_cited_clause(locator) or locator["line"]) and not locator["of"]):
        return name, folded
    _add_locator(part, locator)
    after = locator.start("after")
    _add_reading(part, name[after:])
    return name[after:], folded[after:]


def _take_trailing_number(part: LabelPart, name: str, folded: str) -> None:
    """Take a page or a source number off a name: "A:3", "A.pdf 3"; "2, p. 4", "1: NEC4 ACC"."""
    number_match = locators.TRAILING_NUMBER.fullmatch(folded)
    if number_match and not part.has_locator:
        part.page_or_chunk = number_match["loose"]
        _add_reading(part, name[: number_match.end("before")])
        return
    bare = folded.strip(_NAME_EDGE_CHARACTERS)
    source_number = locators.NUMBER.fullmatch(bare) or locators.SOURCE_NUMBER.fullmatch(bare)
    number_and_name = None if source_number else locators.NUMBER_AND_NAME.fullmatch(folded)
    if source_number:
        part.numbers, part.is_certain = _parse_numbers(source_number["numbers"]), True
    elif number_and_name:
        part.numbers = (int(number_and_name["number"] or number_and_name["source"]),)
        _add_reading(part, name[number_and_name.start("name") :])


def _add_reading(part: LabelPart, name: str) -> None:
    """Add a reading of the name, and the same reading without introductory words."""
    name = name.strip(_NAME_EDGE_CHARACTERS)
    if not name:
        return
    title, folded = _TITLE_IN_BRACKETS.search(name), fold(name)
    lead_in = locators.LEAD_IN_BEFORE_NAME.match(folded)
    lead_in = lead_in or locators.DOCUMENT_NOUN_BEFORE_NAME.match(folded)
    # "Source Book" may be a book's name.
    lead_in = lead_in or (
        locators.SOURCE_NOUN_BEFORE_NAME.match(folded) if part.has_locator or "." in name or "_" in name else None
    )
    shorter = title[1] if title else name[lead_in.end() :].strip(_NAME_EDGE_CHARACTERS) if lead_in else ""
    part.names += [reading for reading in (name, shorter) if reading and reading not in part.names]


def _add_locator(part: LabelPart, locator: re.Match[str]) -> None:
    """Add a locator; locators are taken off from right to left, so each precedes those added before."""
    pages, chunk, clause = (
        locators.list_cited_pages(locator),
        locators.get_cited_chunk(locator),
        locators.get_cited_clause(locator),
    )
    part.pages = [*pages, *part.pages]
    part.chunk = parse_number(chunk) if chunk else part.chunk
    part.clause = clause + part.clause if clause else part.clause
    part.is_certain = part.is_certain or bool(pages or chunk)


def _parse_numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of a number or a range; (0,) if there are none or too many."""
    range_ends = locators.split_range(text)
    first, last = (parse_number(number) or 0 for number in range_ends) if range_ends else (parse_number(text) or 0,) * 2
    return tuple(range(first, last + 1)) if 0 < first <= last < first + MAX_NUMBERS_IN_RANGE else (0,)
