"""Read the characters of a page into arrays, with their positions in the frame in which their text is horizontal."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from highlighter.pages import pdfium
from highlighter.pages.vertical_columns import FIRST_CODE, find_vertical_characters
from ingest.readers.pdf.tex_ligatures import restore_ligatures
from ingest.readers.pdf.tex_symbols import restore_symbols
from ingest.readers.pdf.text_styles import SLANTED, read_styles


@dataclass(slots=True)
class Glyphs:
    """The characters of a page. Row `i` is PDFium's character `raw[i]`: at first `i` itself.

    In a frame, text with one turn is horizontal: turn 0 is the page as stored, turn 90 reads from bottom to top, and so
    on. `box` is (left, top, right, bottom) with y downward in the frame of the character's own `turn`.
    """

    text: str
    box: np.ndarray  # float32 (n, 4)
    base: np.ndarray  # float32: the baseline's y in the frame
    size: np.ndarray  # float32: effective font size in points
    turn: (
        np.ndarray
    )  # int16: 0, 90, 180, 270, SLANTED, or less: an angle in the tenths of a degree, with a frame of its own
    angle: np.ndarray  # float32: in degrees, of text at no right angle; else 0
    bold: np.ndarray  # bool
    italic: np.ndarray  # bool
    face: np.ndarray  # int32: a number for the font's family, the same on every page
    paint: np.ndarray  # int8: VISIBLE ...
    owner: np.ndarray  # uint64: address of its text object
    inside: np.ndarray  # bool: within the part of the page that is shown
    solid: np.ndarray  # bool: neither a space, a line break nor a control character
    shapeless: np.ndarray  # bool: without a shape, and too many in a row for chance
    was_redecoded: bool  # whether the letters had to be decoded once more
    raw: np.ndarray  # int32: PDFium's number for the character, or -1
    segment: np.ndarray  # int32: a number for each line that was put in reading order, else 0
    block: np.ndarray  # int32: its number in the page's structure, or -1
    omitted: np.ndarray  # bool: repeats another character in its place, or is a reading beside one
    is_reordered: bool  # whether rows are in another order than PDFium's


ROW_ARRAYS = (
    *("box", "base", "size", "turn", "angle", "bold", "italic", "face", "paint", "owner", "inside", "shapeless", "raw"),
    "omitted",
)  # the arrays with a row for each character that do not depend on its place among others

_SPACES = frozenset(" \t\r\n\f\v\u00a0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B))))
_ZERO_WIDTH = frozenset(
    "\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def rearrange(glyphs: Glyphs, rows: list[int], spaces: list[int]) -> Glyphs:
    """Return the characters of these rows in their order; `spaces` are places in it at which a space stands instead."""
    index = np.array(rows, np.intp)
    columns = {name: getattr(glyphs, name)[index] for name in ROW_ARRAYS}
    characters = list(map(glyphs.text.__getitem__, rows))
    for place in spaces:
        characters[place] = " "
    columns["raw"][spaces] = -1
    text = "".join(characters)
    return replace(
        glyphs,
        text=text,
        solid=find_solid(text) | columns["shapeless"],
        segment=glyphs.segment[index],
        block=glyphs.block[index],
        is_reordered=True,
        **columns,
    )


class GlyphPlaces(NamedTuple):
    """Where some characters of a page stand: columns of `Glyphs` for these rows alone."""

    left: np.ndarray
    top: np.ndarray
    right: np.ndarray
    bottom: np.ndarray
    base: np.ndarray
    size: np.ndarray
    turn: np.ndarray


def select_places(glyphs: Glyphs, index: np.ndarray) -> GlyphPlaces:
    """Return where the characters with these rows stand."""
    left, top, right, bottom = glyphs.box.take(index, axis=0).T.copy()
    return GlyphPlaces(left, top, right, bottom, glyphs.base[index], glyphs.size[index], glyphs.turn[index])


def is_space(character: str) -> bool:
    return character in _SPACES or (character < " " and character != "\x02")


def is_zero_width(character: str) -> bool:
    """Return whether a character takes no room and means nothing by itself: zero-width spaces, direction marks."""
    return character in _ZERO_WIDTH


# Characters that no reader sees but a program might follow: tag characters, and long runs of zero-width characters.
_SHAPELESS = (  # each begins with a set of characters, which is searched for fast
    re.compile("[\U000e0000-\U000e007f](?:[\u2060]?[\U000e0000-\U000e007f])*"),
    re.compile("{0}{0}{{7,}}".format("[\u200b-\u200f\u202a-\u202e\u2061-\u2064\u2066-\u206f\ufeff]")),
)


def find_shapeless(text: str) -> np.ndarray:
    """Return which characters are there for programs alone."""
    is_shapeless = np.zeros(len(text), bool)
    for pattern in _SHAPELESS:
        for match in pattern.finditer(text):
            is_shapeless[match.start() : match.end()] = True
    return is_shapeless


_TWO_BYTES = re.compile("[\uc280-\udfbf]")


def _redecode_utf8(text: str) -> tuple[str, bool]:
    """Return the text decoded once more where that is needed, and whether it was.

    Some programs write UTF-8 where a font's map wants UTF-16, so that Cyrillic comes out as odd Korean. No Korean text
    is limited to syllables whose codes are valid UTF-8, so nearly all letters must be valid.
    """
    if len(_TWO_BYTES.findall(text)) < 5:
        return text, False
    letters = {character for character in text if character > "\u00ff" and character.isalpha()}
    decoded = {character: _decode_character(character) for character in letters}
    scripts = {ord(letter) >> 8 for letter in decoded.values() if letter}
    if sum(map(bool, decoded.values())) < 0.9 * len(letters) or len(scripts) > 2:
        return text, False
    return "".join(decoded.get(character) or character for character in text), True


def _decode_character(character: str) -> str:
    try:
        letter = ord(character).to_bytes(2, "big").decode("utf-8")
    except (UnicodeDecodeError, OverflowError):
        return ""
    return letter if len(letter) == 1 else ""


@lru_cache(maxsize=2)  # asked many times of the text of one page
def to_codepoints(text: str) -> np.ndarray:
    codepoints: np.ndarray = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return codepoints


_LAST_SPACE = 0x20  # after the control characters
_IS_SOLID = np.ones(0x10000, bool)  # by code point; the last stands for all that are higher
_IS_SOLID[[*map(ord, _SPACES | _ZERO_WIDTH), *(code for code in range(32) if code != 2)]] = False


def find_solid(text: str) -> np.ndarray:
    """Return which characters are neither spaces, line breaks nor control characters."""
    is_solid: np.ndarray = _IS_SOLID[np.minimum(to_codepoints(text), len(_IS_SOLID) - 1)]
    return is_solid


def read_glyphs(text_page: int, count: int, shown: tuple[float, float, float, float]) -> Glyphs:
    """Read the characters of a page; `shown` is its visible part (left, bottom, right, top) before rotation."""
    text, was_redecoded = _redecode_utf8(restore_ligatures(pdfium.read_characters(text_page, count)))
    owner = pdfium.read_text_objects(text_page, count, _find_inner_letters(text))
    changes = np.flatnonzero(owner[1:] != owner[:-1]) + 1
    starts = np.concatenate(([0], changes))
    lengths = np.concatenate((changes, [count])) - starts
    style = read_styles(text_page, owner[starts], starts.tolist())
    box = pdfium.read_loose_boxes(text_page, count)
    styles = {name: np.repeat(values, lengths) for name, values in style.items()}
    text = restore_symbols(text, styles.pop("is_symbol"))
    is_shapeless = find_shapeless(text)
    solid = find_solid(text) | is_shapeless
    origin = np.repeat(pdfium.read_origins(text_page, starts.tolist()), lengths, axis=0)
    _replace_poor_boxes(text_page, box, styles, solid)
    inside = _find_inside(box, shown)
    base = np.zeros(count, np.float32)
    _convert_to_frames(box, base, origin, styles["turn"], shown)
    glyphs = Glyphs(
        text,
        box,
        base,
        solid=solid,
        inside=inside,
        owner=owner,
        was_redecoded=was_redecoded,
        shapeless=is_shapeless,
        raw=np.arange(count, dtype=np.int32),
        segment=np.zeros(count, np.int32),
        is_reordered=False,
        block=np.full(count, -1, np.int32),
        omitted=np.zeros(count, bool),
        **styles,
    )
    turn_vertical_columns(glyphs, shown[2] - shown[0])
    return glyphs


def find_rtl_letters(codes: np.ndarray) -> np.ndarray:
    """Return which code points are of scripts that run from right to left."""
    if not (codes >= 0x590).any():
        return np.zeros(len(codes), bool)
    is_rtl: np.ndarray = (
        ((codes >= 0x590) & (codes < 0x900))
        | ((codes >= 0xFB1D) & (codes < 0xFE00))
        | ((codes >= 0xFE70) & (codes < 0xFEFF))
    )
    return is_rtl


def _find_inner_letters(text: str) -> np.ndarray:
    """Return which characters stand after another one in a word.

    PDFium adds the letters of one text object after the other, unless it reorders them, as it does beside letters that
    run from right to left: then there are none.
    """
    codes = to_codepoints(text)
    is_inner = np.zeros(len(codes), bool)
    if find_rtl_letters(codes).any() or (codes > 0xFFFF).any():
        return is_inner
    is_letter = codes > _LAST_SPACE
    is_inner[1:] = is_letter[:-1] & is_letter[1:]
    return is_inner


def _replace_poor_boxes(text_page: int, box: np.ndarray, style: dict[str, np.ndarray], solid: np.ndarray) -> None:
    """Replace poor boxes by the box of the ink: PDFium's are right for horizontal text and good font metrics only."""
    height = np.abs(box[:, 1] - box[:, 3])
    is_poor = (style["turn"] != 0) | (height < 0.3 * style["size"]) | (height > 3 * style["size"])
    is_poor |= (box[:, 2] - box[:, 0]) <= 0
    indexes = np.flatnonzero(is_poor & solid)
    if not len(indexes):
        return
    ink = pdfium.read_tight_boxes(text_page, indexes.tolist())
    box[indexes] = ink[:, (0, 3, 1, 2)]


def _find_inside(box: np.ndarray, shown: tuple[float, float, float, float]) -> np.ndarray:
    left, bottom, right, top = shown
    x, y = (box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2
    inside: np.ndarray = (x >= left - 1) & (x <= right + 1) & (y >= bottom - 1) & (y <= top + 1)
    return inside


def _convert_to_frames(
    box: np.ndarray,
    base: np.ndarray,
    origin: np.ndarray,
    turn: np.ndarray,
    shown: tuple[float, float, float, float],
) -> None:
    """Convert stored coordinates (y up) to the frames in which each character's text is horizontal (y down)."""
    left, bottom, right, top = shown
    x0, y1, x1, y0 = (box[:, column].copy() for column in range(4))  # y1 the upper edge
    ox, oy = origin[:, 0], origin[:, 1]
    for value in (0, 90, 180, 270, SLANTED):
        has_turn = turn == value
        if not has_turn.any():
            continue
        rows = slice(None) if has_turn.all() else has_turn  # on nearly all pages, all text has one turn
        if value in (0, SLANTED):
            columns = (x0 - left, top - y1, x1 - left, top - y0, top - oy)
        elif value == 90:
            columns = (y0 - bottom, x0 - left, y1 - bottom, x1 - left, ox - left)
        elif value == 180:
            columns = (right - x1, y0 - bottom, right - x0, y1 - bottom, oy - bottom)
        else:
            columns = (top - y1, right - x1, top - y0, right - x0, right - ox)
        for column in range(4):
            box[rows, column] = columns[column][rows]
        base[rows] = columns[4][rows]


def turn_vertical_columns(glyphs: Glyphs, page_width: float) -> None:
    """Give characters of vertical columns the turn of text that reads downward, which has the same layout."""
    box, turn, size = glyphs.box, glyphs.turn, glyphs.size
    codes = to_codepoints(glyphs.text)
    if not (codes >= FIRST_CODE).any():
        return
    upward = np.column_stack((box[:, 0], -box[:, 3], box[:, 2], -box[:, 1]))
    is_vertical = find_vertical_characters(codes, glyphs.solid & (turn == 0), upward, size)
    if not is_vertical.any():
        return
    x0, y1, x1, y0 = upward[is_vertical].T
    box[is_vertical] = np.column_stack((-y0, page_width - x1, -y1, page_width - x0))
    glyphs.base[is_vertical] = page_width - x0 - 0.12 * size[is_vertical]
    turn[is_vertical] = 270
