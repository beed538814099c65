"""Text broken into lines that fit a width: word by word, Chinese character by character, over-long words anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from ingest.typeset.fonts import TEXT, FontFace, Fonts

# Characters that draw nothing and must not reach a font: controls, joiners, direction and variation marks.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e0fff]"
)
REPLACEMENT = "?"  # drawn where no font has the character: every font has this one

# A Chinese comma never begins a line, an opening bracket never ends one.
_CLOSING, _OPENING = "」』）】》〉〕”’。，、；：？！…％", "「『（【《〈〔“‘"
_CHINESE = (
    "\u2e80-\u2fff\u3003-\u3007\u3012-\u9fff\uf900-\ufaff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U00020000-\U0003ffff"
)
_UNIT = re.compile(rf"[{_OPENING}]*(?:[{_CHINESE}]|[^\s{_CHINESE}{_CLOSING}{_OPENING}]+)?[{_CLOSING}]*")
_INNER_BREAK = re.compile(r"(?<=\w\w)[-/\u2013\u2014](?=\w\w)")
_MAX_CACHED_WIDTHS = 50_000  # widths of words; a text of nothing but new words must not fill the memory
TAB_TEXT = "   "  # drawn between cells that are set as running text
_MAX_WHOLE_WORD_CHARACTERS = 12  # shorter words with a hyphen or a slash are kept whole


@dataclass(frozen=True, slots=True)
class TypesetLine:
    """`text[start:end]` on one line; white space within is drawn as one space, a tab as three."""

    start: int
    end: int
    width: float


@dataclass(slots=True)
class Typeface:
    """One style at one size: measures and splits into runs of one font, and remembers what could not be drawn."""

    fonts: Fonts
    style: str = TEXT
    size: float = 11
    chinese: bool = False
    missing_characters: set[str] = field(default_factory=set)
    _widths: dict[str, float] = field(default_factory=dict)
    _faces: dict[str, FontFace] = field(default_factory=dict)

    def split_runs(self, text: str) -> Iterator[tuple[FontFace, str]]:
        for face, chars in groupby(text, self._find_face):
            part = "".join(chars)
            yield (
                face,
                part
                if all(map(face.covers, part))
                else "".join(char if face.covers(char) else REPLACEMENT for char in part),
            )

    def width(self, word: str) -> float:
        """Words come again and again: each is measured once."""
        known = self._widths.get(word)
        if known is None:
            known = sum(face.width(part, self.size) for face, part in self.split_runs(strip_invisible(word)))
            if len(self._widths) >= _MAX_CACHED_WIDTHS:
                self._widths.clear()
            self._widths[word] = known
        return known

    def _find_face(self, char: str) -> FontFace:
        known = self._faces.get(char)
        if known is None:
            known = self.fonts.find_face(char, self.style, chinese=self.chinese)
            if known is None:
                self.missing_characters.add(char)
                known = self.fonts.find_face(REPLACEMENT, self.style)
            self._faces[char] = known
        return known


def format_drawn_text(text: str, line: TypesetLine) -> str:
    """What is drawn of a line."""
    span = strip_invisible(text[line.start : line.end])
    return (
        TAB_TEXT.join(" ".join(part.split()) for part in span.split("\t")) if "\t" in span else " ".join(span.split())
    )


def strip_invisible(text: str) -> str:
    return _INVISIBLE.sub("", text) if _INVISIBLE.search(text) else text


def break_lines(
    text: str, start: int, end: int, face: Typeface, width: float, first_width: float = 0.0
) -> list[TypesetLine]:
    """Greedy lines of at most `width` (the first of at most `first_width`, when given)."""
    found: list[TypesetLine] = []
    room = first_width or width
    space = face.width(" ")
    line_start, line_end, used = start, start, 0.0
    for unit_start, unit_end in _iterate_units(text, start, end, face, width):
        unit = face.width(text[unit_start:unit_end])
        between = text[line_end:unit_start] if line_end > line_start else ""
        gap = space * (len(TAB_TEXT) if "\t" in between else 1) if between else 0.0
        if line_end > line_start and used + gap + unit > room:
            found.append(TypesetLine(line_start, line_end, used))
            room, line_start, used = width, unit_start, unit
        else:
            if line_end == line_start:
                line_start = unit_start
            used += gap + unit
        line_end = unit_end
    if line_end > line_start:
        found.append(TypesetLine(line_start, line_end, used))
    return found


def _iterate_units(text: str, start: int, end: int, face: Typeface, width: float) -> Iterator[tuple[int, int]]:
    """The pieces between which a line may be broken, none of them wider than `width`."""
    for match in _UNIT.finditer(text, start, end):
        at, stop = match.span()
        if stop - at > _MAX_WHOLE_WORD_CHARACTERS:
            for inner in _INNER_BREAK.finditer(text, at, stop):
                yield from _split_wide_word(text, at, inner.end(), face, width)
                at = inner.end()
        if stop > at:
            yield from _split_wide_word(text, at, stop, face, width)


def _split_wide_word(text: str, at: int, stop: int, face: Typeface, width: float) -> Iterator[tuple[int, int]]:
    """A word wider than the page, in pieces that fit."""
    # An unbroken million letters is measured by the letter and never as one word.
    if stop - at < 1000 and face.width(text[at:stop]) <= width:
        yield at, stop
        return
    used, begun = 0.0, at
    for index in range(at, stop):
        step = face.width(text[index])
        if used + step > width and index > begun:
            yield begun, index
            used, begun = 0.0, index
        used += step
    yield begun, stop


# A line of code in columns: its indent and the gaps within it are as wide on the page as they are in the file.


_CODE_PIECE = re.compile(r"\S+(?: \S+)*")  # a single space is drawn with its words, more part two pieces
_HANG_COLUMNS = 4  # columns by which what runs over stands further in
_MAX_INDENT_SHARE = 0.5  # of the width, for an indent of a line that runs over


def break_code_line(
    text: str, start: int, end: int, face: Typeface, width: float
) -> list[list[tuple[float, TypesetLine]]]:
    """Pieces with their places for each line on the page; more than one when it is wider than the page."""
    column = face.width(" ")
    placed: list[tuple[float, TypesetLine]] = []
    edge = 0.0
    for piece in _CODE_PIECE.finditer(text, start, end):
        # Wider letters (Chinese ones, and those of another font) push what follows to the right.
        x = max((piece.start() - start) * column, edge + column if placed else 0.0)
        wide = face.width(piece[0])
        placed.append((x, TypesetLine(*piece.span(), wide)))
        edge = x + wide
    if edge <= width or not placed:
        return [placed]
    indent = min(placed[0][0], width * _MAX_INDENT_SHARE)
    hang = indent + _HANG_COLUMNS * column
    first, *more = break_lines(text, start, end, face, width - hang, width - indent)
    return [[(indent, first)], *([(hang, line)] for line in more)]
