"""Break text into lines that fit a width: by words, Chinese by characters, over-long words anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from ingest.typeset.fonts import TEXT, FontFace, Fonts

# Invisible characters that must not reach a font: controls, joiners, direction marks, variation selectors.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ud800-\udfff\ufffe\uffff\U000e0000-\U000e0fff]"
)
REPLACEMENT = "?"  # drawn where no font has the character; every font has this one

# A Chinese comma never begins a line, an opening bracket never ends one.
_CLOSING, _OPENING = "」』）】》〉〕”’。，、；：？！…％", "「『（【《〈〔“‘"
_CHINESE = (
    "\u2e80-\u2fff\u3003-\u3007\u3012-\u9fff\uf900-\ufaff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U00020000-\U0003ffff"
)
_UNIT = re.compile(rf"[{_OPENING}]*(?:[{_CHINESE}]|[^\s{_CHINESE}{_CLOSING}{_OPENING}]+)?[{_CLOSING}]*")
_INNER_BREAK = re.compile(r"(?<=\w\w)[-/\u2013\u2014](?=\w\w)")
_MAX_CACHED_WIDTHS = 50_000  # of words; a text of distinct words only must not fill the memory
TAB_TEXT = "   "  # drawn between cells that are typeset as running text
_MAX_WHOLE_WORD_CHARACTERS = 12  # shorter words with a hyphen or a slash are kept whole


@dataclass(frozen=True, slots=True)
class TypesetLine:
    """A line: `text[start:end]`, with white space drawn as one space and a tab as three."""

    start: int
    end: int
    width: float


@dataclass(slots=True)
class Typeface:
    """A style at a size, which measures text, splits it into runs of one font, and collects undrawable characters."""

    fonts: Fonts
    style: str = TEXT
    size: float = 11
    chinese: bool = False
    missing_characters: set[str] = field(default_factory=set)
    _widths: dict[str, float] = field(default_factory=dict)
    _faces: dict[str, FontFace] = field(default_factory=dict)

    def split_runs(self, text: str) -> Iterator[tuple[FontFace, str]]:
        """Yield the runs of text that one font draws, with undrawable characters replaced."""
        for face, chars in groupby(text, self._find_face):
            run = "".join(chars)
            yield (
                face,
                run
                if all(map(face.covers, run))
                else "".join(char if face.covers(char) else REPLACEMENT for char in run),
            )

    def width(self, word: str) -> float:
        """Return the width of a word. Widths are cached, because words repeat."""
        width = self._widths.get(word)
        if width is None:
            width = sum(face.width(run, self.size) for face, run in self.split_runs(strip_invisible(word)))
            if len(self._widths) >= _MAX_CACHED_WIDTHS:
                self._widths.clear()
            self._widths[word] = width
        return width

    def _find_face(self, char: str) -> FontFace:
        face = self._faces.get(char)
        if face is None:
            face = self.fonts.find_face(char, self.style, chinese=self.chinese)
            if face is None:
                self.missing_characters.add(char)
                face = self.fonts.find_face(REPLACEMENT, self.style)
                if face is None:
                    raise LookupError("no font has the replacement character")
            self._faces[char] = face
        return face


def format_drawn_text(text: str, line: TypesetLine) -> str:
    """Return the text that is drawn for a line."""
    span = strip_invisible(text[line.start : line.end])
    return (
        TAB_TEXT.join(" ".join(part.split()) for part in span.split("\t")) if "\t" in span else " ".join(span.split())
    )


def strip_invisible(text: str) -> str:
    return _INVISIBLE.sub("", text) if _INVISIBLE.search(text) else text


def break_lines(
    text: str, start: int, end: int, face: Typeface, width: float, first_width: float = 0.0
) -> list[TypesetLine]:
    """Return lines as long as fit `width`; the first has at most `first_width`, where given."""
    lines: list[TypesetLine] = []
    available = first_width or width
    space = face.width(" ")
    line_start, line_end, used = start, start, 0.0
    for unit_start, unit_end in _iterate_units(text, start, end, face, width):
        unit_width = face.width(text[unit_start:unit_end])
        gap_text = text[line_end:unit_start] if line_end > line_start else ""
        gap = space * (len(TAB_TEXT) if "\t" in gap_text else 1) if gap_text else 0.0
        if line_end > line_start and used + gap + unit_width > available:
            lines.append(TypesetLine(line_start, line_end, used))
            available, line_start, used = width, unit_start, unit_width
        else:
            if line_end == line_start:
                line_start = unit_start
            used += gap + unit_width
        line_end = unit_end
    if line_end > line_start:
        lines.append(TypesetLine(line_start, line_end, used))
    return lines


def _iterate_units(text: str, start: int, end: int, face: Typeface, width: float) -> Iterator[tuple[int, int]]:
    """Yield the units between which a line may be broken, none of them wider than `width`."""
    for match in _UNIT.finditer(text, start, end):
        unit_start, stop = match.span()
        if stop - unit_start > _MAX_WHOLE_WORD_CHARACTERS:
            for inner in _INNER_BREAK.finditer(text, unit_start, stop):
                yield from _split_wide_word(text, unit_start, inner.end(), face, width)
                unit_start = inner.end()
        if stop > unit_start:
            yield from _split_wide_word(text, unit_start, stop, face, width)


def _split_wide_word(text: str, start: int, stop: int, face: Typeface, width: float) -> Iterator[tuple[int, int]]:
    """Yield a word, in parts that fit where it is wider than the page."""
    # A very long word is measured by the letter, never as a whole.
    if stop - start < 1000 and face.width(text[start:stop]) <= width:
        yield start, stop
        return
    used, part_start = 0.0, start
    for index in range(start, stop):
        character_width = face.width(text[index])
        if used + character_width > width and index > part_start:
            yield part_start, index
            used, part_start = 0.0, index
        used += character_width
    yield part_start, stop


# A line of code keeps the width of its indentation and gaps.

_CODE_PIECE = re.compile(r"\S+(?: \S+)*")  # a single space is drawn with its words, more spaces separate pieces
_HANG_COLUMNS = 4  # extra indentation of a continued line
_MAX_INDENT_SHARE = 0.5  # of the width, for the indentation of a line that is continued


def break_code_line(
    text: str, start: int, end: int, face: Typeface, width: float
) -> list[list[tuple[float, TypesetLine]]]:
    """Return the pieces of each line on the page with their x positions; several lines where the code is too wide."""
    column = face.width(" ")
    placed: list[tuple[float, TypesetLine]] = []
    edge = 0.0
    for piece in _CODE_PIECE.finditer(text, start, end):
        # Wider letters (Chinese ones, and those of another font) push the next piece to the right.
        x = max((piece.start() - start) * column, edge + column if placed else 0.0)
        piece_width = face.width(piece[0])
        placed.append((x, TypesetLine(*piece.span(), piece_width)))
        edge = x + piece_width
    if edge <= width or not placed:
        return [placed]
    indent = min(placed[0][0], width * _MAX_INDENT_SHARE)
    hang = indent + _HANG_COLUMNS * column
    first, *others = break_lines(text, start, end, face, width - hang, width - indent)
    return [[(indent, first)], *([(hang, line)] for line in others)]
