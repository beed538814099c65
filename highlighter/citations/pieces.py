"""The pieces of a label: each is a number, a place, a quotation, or (part of) a name with the places written on it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from highlighter.citations import asides, locators
from highlighter.citations.numerals import number
from highlighter.folding import fold

MOST_IN_A_RANGE = 30  # "[1-9999]" is no thousand links
MOST_PLACES = 6  # on one name: nobody writes more, and each takes a look through all of it
QUOTED_WORDS, QUOTED_CHARACTERS = 3, 8  # a shorter run in quotation marks is a title

STRONG = re.compile(r"[;|]|(?<=\s)/(?=\s)")
WEAK = re.compile(r"[,、]|\s&\s|\s(?:and|plus)\s|[和及与](?=\s?(?:第|页|\d|来源|文件|资料))")
# Commas within these part nothing.
_TOGETHER = re.compile(rf"\"[^\"]*\"|《[^《》]*》|「[^「」]*」|\([^()]*\)|{locators.LISTED_PAGES}")
_QUOTED = re.compile(r"\s*[\"“「『]([^\"“”「」『』]+)[\"”」』]\s*")
_ENDS_QUOTED = re.compile(r"(.*[^\s:：,，–—-])[\s:：,，–—-]*[\"“「『]([^\"“”「」『』]+)[\"”」』]\s*")
_TITLED = re.compile(r"《([^《》]+)》")
_AROUND = "^@ \t\r\n*_`~,;、，；📄📎📑📃📖📚🔗"
_EDGES = " \t\r\n,;:.-–—#|、，。；：*`~\"'“”「」『』《》<>({["


@dataclass(slots=True)
class Piece:
    """`names` are readings of one name, from the whole of what is written to the least: "Volume 2 page 7", "Volume 2"."""

    start: int
    end: int
    names: list[str] = field(default_factory=list)
    numbers: tuple[int, ...] = ()
    pages: list[str] = field(default_factory=list)
    chunk: int | None = None
    clause: str = ""
    loose: str = ""
    quote: str = ""
    sure: bool = False
    first: bool = False  # after a semicolon: it goes on with no name, and no number, that stood before

    @property
    def placed(self) -> bool:
        return bool(self.pages or self.clause or self.loose) or self.chunk is not None

    def add(self, more: Piece) -> None:
        """The places of another piece."""
        self.pages += more.pages
        self.chunk = more.chunk if self.chunk is None else self.chunk
        self.clause, self.loose = self.clause or more.clause, self.loose or more.loose
        self.quote, self.sure = self.quote or more.quote, self.sure or more.sure
        self.start, self.end = min(self.start, more.start), max(self.end, more.end)


def cut(said: str, separator: re.Pattern[str], start: int, end: int) -> Iterator[tuple[int, int]]:
    hidden = _TOGETHER.sub(lambda found: "x" * len(found[0]), fold(said))
    at = start
    for found in separator.finditer(hidden, start, end):
        yield at, found.start()
        at = found.end()
    yield at, end


def piece(said: str, start: int, end: int) -> Piece | None:
    """None where nothing but signs is written."""
    while start < end and said[start] in _AROUND:
        start += 1
    while end > start and said[end - 1] in _AROUND:
        end -= 1
    remark = asides.ENDS_IN_REMARK.search(fold(said[start:end]))
    end = start + remark.start() if remark else end
    if start == end:
        return None
    text, made = said[start:end], Piece(start, end)
    folded = fold(text)
    counted = locators.NUMBER.fullmatch(folded) or locators.SOURCE_NUMBER.fullmatch(folded)
    quoted = _QUOTED.fullmatch(text)
    if counted:
        made.numbers, made.names = _numbers(counted["numbers"]), [text]
        made.sure = counted.re is locators.SOURCE_NUMBER
    elif quoted and _is_quotation(quoted[1]):
        made.quote = quoted[1]
    else:
        text = _unquoted(made, text)
        _read(made, text, fold(text))
    return made


def _unquoted(made: Piece, text: str) -> str:
    """`p. 3: "the words"`: the quotation goes with what stands before it."""
    found = _ENDS_QUOTED.fullmatch(text)
    if found is None or not _is_quotation(found[2]):
        return text
    made.quote = found[2]
    return found[1]


def _is_quotation(words: str) -> bool:
    return len(words.split()) >= QUOTED_WORDS or (not words.isascii() and len(words) >= QUOTED_CHARACTERS)


def _read(made: Piece, name: str, folded: str) -> None:
    """A name, and the places taken off its end and its beginning one by one."""
    if locators.ONLY_LOCATED.fullmatch(folded) is None:
        _called(made, name)
        keyed = locators.KEYED.fullmatch(folded)
        if keyed:
            name, folded, made.sure = name[slice(*keyed.span("value"))], folded[slice(*keyed.span("value"))], True
            _called(made, name)
    for _ in range(MOST_PLACES):
        found = locators.ONLY_LOCATED.fullmatch(folded)
        if found:
            _place(made, found)
            return
        found = locators.ENDS_LOCATED.fullmatch(folded)
        if not found or not found["before"].strip(_EDGES):
            break
        if found["clause_cn"] and folded[: found.start("clause_cn")].endswith("("):
            break  # 建築物條例（第123章）: the number under which a law is bound
        _place(made, found)
        name, folded = name[: found.end("before")], folded[: found.end("before")]
        _called(made, name)
    name, folded = _ahead(made, name, folded)
    _number_on(made, name, folded)


def _ahead(made: Piece, name: str, folded: str) -> tuple[str, str]:
    """ "page 3 of NEC4 ACC". A clause ahead may be a name's beginning: "Section 106 Agreement"."""
    found = locators.BEGINS_LOCATED.fullmatch(folded)
    if not found or ((locators.clause_of(found) or found["line"]) and not found["of"]):
        return name, folded
    _place(made, found)
    after = found.start("after")
    _called(made, name[after:])
    return name[after:], folded[after:]


def _number_on(made: Piece, name: str, folded: str) -> None:
    """ "A:3", "A.pdf 3"; "2, p. 4", "1: NEC4 ACC"."""
    ends = locators.ENDS_IN_NUMBER.fullmatch(folded)
    if ends and not made.placed:
        made.loose = ends["loose"]
        _called(made, name[: ends.end("before")])
        return
    bare = folded.strip(_EDGES)
    counted = locators.NUMBER.fullmatch(bare) or locators.SOURCE_NUMBER.fullmatch(bare)
    both = None if counted else locators.NUMBER_AND_NAME.fullmatch(folded)
    if counted:
        made.numbers, made.sure = _numbers(counted["numbers"]), True
    elif both:
        made.numbers = (int(both["number"] or both["source"]),)
        _called(made, name[both.start("name") :])


def _called(made: Piece, name: str) -> None:
    """One more reading of the name, and the same without the words that only lead up to it."""
    name = name.strip(_EDGES)
    if not name:
        return
    titled, folded = _TITLED.search(name), fold(name)
    before = locators.BEFORE_A_NAME.match(folded)
    before = before or locators.DOCUMENT_BEFORE.match(folded)
    # "Source Book" may be a book's name.
    before = before or (locators.NOUN_BEFORE.match(folded) if made.placed or "." in name or "_" in name else None)
    shorter = titled[1] if titled else name[before.end() :].strip(_EDGES) if before else ""
    made.names += [one for one in (name, shorter) if one and one not in made.names]


def _place(made: Piece, found: re.Match[str]) -> None:
    """What stands further to the left is taken off later, and comes first."""
    pages, chunk, clause = locators.pages_of(found), locators.chunk_of(found), locators.clause_of(found)
    made.pages = [*pages, *made.pages]
    made.chunk = number(chunk) if chunk else made.chunk
    made.clause = clause + made.clause if clause else made.clause
    made.sure = made.sure or bool(pages or chunk)


def _numbers(said: str) -> tuple[int, ...]:
    ends = locators.ends_of_range(said)
    first, last = (number(end) or 0 for end in ends) if ends else (number(said) or 0,) * 2
    return tuple(range(first, last + 1)) if 0 < first <= last < first + MOST_IN_A_RANGE else (0,)
