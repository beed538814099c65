"""Stretches of characters that stand together on one baseline: what page layout works with."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ingest.readers.pdf.glyphs import Glyphs, is_space, is_zero_width, to_codepoints
from ingest.readers.pdf.note_marks import find_note_marks

# A wider gap than this (in font sizes) parts two fragments. It is about the narrowest gutter between columns; the
# fragments of a justified line with wider spaces are put together again once the columns are known.
MAX_GAP_EMS = 0.9

# Ligatures that some fonts map to one code point. PDFium expands most of them itself; these are for the rest.
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"}
_NEEDS_CLEANING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufb00-\ufb06\ufeff\ufffe\uffff\U000e0000-\U000e007f]| {2}"
)


RawPiece = tuple[int, int, int, int]


@dataclass(slots=True)
class Fragment:
    """Text on one baseline. A piece is (offset, length, raw start, raw length): where a part of the text comes from."""

    page: int
    text: str
    pieces: tuple[RawPiece, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    bold: bool
    italic: bool
    turn: int
    bold_lead: int = 0  # how many characters at the start are bold when the rest is not
    hidden_reason: str = ""
    italic_lead: int = 0  # how many characters at the start are italic when the rest is not
    face: int = 0  # its font's family
    marks: tuple[tuple[int, int], ...] = ()  # (offset, length) of what is set small and raised like a note's mark
    is_in_picture: bool = False  # stands in a picture or a drawing: a label there
    table: object = None  # a ruled table's block, for which this stands in the page's order


def build_fragments(glyphs: Glyphs, page: int, hidden: np.ndarray, reasons: tuple[str, ...]) -> list[Fragment]:
    """The page's fragments in PDFium's order. `hidden` holds 0 or the number of a reason for each character."""
    keep = glyphs.solid & ~_find_overprinted(glyphs)
    index = np.flatnonzero(keep)
    if not len(index):
        return []
    marks = find_note_marks(glyphs, index)
    first = np.flatnonzero(np.concatenate(([True], _find_fragment_ends(glyphs, index, hidden, marks))))
    last = np.append(first[1:], len(index)) - 1
    box, size = glyphs.box[index], glyphs.size[index]
    x0, y0 = (np.minimum.reduceat(box[:, k], first).tolist() for k in (0, 1))
    x1, y1 = (np.maximum.reduceat(box[:, k], first).tolist() for k in (2, 3))
    counts = last - first + 1
    bold = (np.add.reduceat(glyphs.bold[index].astype(int), first) * 2 > counts).tolist()
    italic = (np.add.reduceat(glyphs.italic[index].astype(int), first) * 2 > counts).tolist()
    biggest = np.maximum.reduceat(size, first).tolist()
    dropped = glyphs.solid & ~keep
    raised = np.zeros(len(glyphs.text), bool)
    raised[[raw for start, stop in marks for raw in index[start:stop].tolist()]] = True
    found = []
    for at, (start, stop) in enumerate(zip(index[first].tolist(), index[last].tolist(), strict=True)):
        text, pieces = _clean_text(glyphs, start, stop + 1, dropped)
        if not text:
            continue
        lead = _measure_lead(glyphs, glyphs.bold, start, stop + 1) if not bold[at] and glyphs.bold[start] else 0
        slant = _measure_lead(glyphs, glyphs.italic, start, stop + 1) if not italic[at] and glyphs.italic[start] else 0
        found.append(
            Fragment(
                page,
                text,
                pieces,
                x0[at],
                y0[at],
                x1[at],
                y1[at],
                _find_baseline(glyphs, raised, start, stop) if marks else float(glyphs.base[start]),
                biggest[at],
                bold[at],
                italic[at],
                int(glyphs.turn[start]),
                lead,
                reasons[int(hidden[start])],
                italic_lead=slant,
                face=int(glyphs.face[start]),
                marks=_find_mark_spans(text, pieces, raised) if marks else (),
            )
        )
    return found


def _find_fragment_ends(
    glyphs: Glyphs, index: np.ndarray, hidden: np.ndarray, marks: list[tuple[int, int]]
) -> np.ndarray:
    """Between which neighbours a fragment ends."""
    a, b = index[:-1], index[1:]
    size = np.maximum(np.maximum(glyphs.size[a], glyphs.size[b]), 0.5)
    box = glyphs.box
    away = np.maximum(box[b, 0] - box[a, 2], box[a, 0] - box[b, 2])
    back = box[a, 0] - box[b, 0]
    rtl = _find_rtl_letters(glyphs.text)
    level = np.abs(glyphs.base[a] - glyphs.base[b]) <= 0.45 * size
    for start, stop in marks:  # raised though they are
        for at in (start - 1, stop - 1):
            if 0 <= at < len(level):
                level[at] |= abs(glyphs.base[a[at]] - glyphs.base[b[at]]) <= 0.9 * size[at]
    slanted = glyphs.turn[a] == -1
    parted = (away > MAX_GAP_EMS * size) | ((back > 0.6 * size) & ~(rtl[a] | rtl[b])) | ~level
    parted = np.where(slanted, glyphs.owner[a] != glyphs.owner[b], parted)
    return parted | (glyphs.turn[a] != glyphs.turn[b]) | (hidden[a] != hidden[b])


def _find_baseline(glyphs: Glyphs, raised: np.ndarray, start: int, stop: int) -> float:
    """The line that the text stands on, whatever is raised at its beginning."""
    plain = glyphs.solid[start : stop + 1] & ~raised[start : stop + 1]
    return float(glyphs.base[start + int(np.argmax(plain))])


def _find_mark_spans(text: str, pieces: tuple[RawPiece, ...], raised: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Where raised characters stand in the text."""
    found: list[tuple[int, int]] = []
    for offset, length, raw, raw_length in pieces:
        if length != raw_length:
            continue
        for step in range(length):
            if not raised[raw + step]:
                continue
            if found and sum(found[-1]) == offset + step:
                found[-1] = (found[-1][0], found[-1][1] + 1)
            else:
                found.append((offset + step, 1))
    return tuple(found)


def _find_rtl_letters(text: str) -> np.ndarray:
    codes = to_codepoints(text)
    return (
        ((codes >= 0x590) & (codes < 0x900))
        | ((codes >= 0xFB1D) & (codes < 0xFE00))
        | ((codes >= 0xFE70) & (codes < 0xFEFF))
    )


def _find_overprinted(glyphs: Glyphs) -> np.ndarray:
    """Characters printed again over themselves, a hair beside: how some programs make bold without a bold font."""
    doubled = np.zeros(len(glyphs.text), bool)
    index = np.flatnonzero(glyphs.solid)
    if len(index) < 2:
        return doubled
    codes = to_codepoints(glyphs.text)[index].astype(np.int64)
    base, left, size = glyphs.base[index], glyphs.box[index, 0], np.maximum(glyphs.size[index], 1)
    turn = glyphs.turn[index].astype(np.int64) & 511
    place = np.clip(np.nan_to_num(left) * 16 + 16_000, 0, 131_071).astype(np.int64)
    for shift in (0, 0.5):  # twice, so that no pair is missed for lying on both sides of a bucket's border
        level = np.clip(np.nan_to_num(base) / 3 + 1_000 + shift, 0, 8_191).astype(np.int64)
        key = (((codes * 512 + turn) * 8_192) + level) * 131_072 + place
        order = np.argsort(key, kind="stable")
        a, b = order[:-1], order[1:]
        same = key[a] >> 17 == key[b] >> 17
        near = (np.abs(left[b] - left[a]) < 0.12 * size[a]) & (np.abs(base[a] - base[b]) < 0.12 * size[a])
        apart = np.abs(a - b) > 1  # neighbours in the stream at one place are marks or pieces of a ligature
        doubled[index[np.maximum(a, b)[same & near & apart]]] = True
    return doubled


def _clean_text(glyphs: Glyphs, start: int, stop: int, dropped: np.ndarray) -> tuple[str, tuple[RawPiece, ...]]:
    text = glyphs.text
    part = text[start:stop]
    if not _NEEDS_CLEANING.search(part) and not dropped[start:stop].any():
        return part, ((0, len(part), start, len(part)),)
    out: list[str] = []
    pieces: list[RawPiece] = []
    length, spaced = 0, True
    for raw in range(start, stop):
        character = text[raw]
        if dropped[raw] or (is_zero_width(character) and not (glyphs.shapeless[raw] and character != "\u2060")):
            continue
        if is_space(character):
            if spaced or (character in "\r\n" and _is_false_line_break(glyphs, raw)):
                continue
            shown, spaced = " ", True
        else:
            shown, spaced = _format_character(character, raw == stop - 1), False
        if not shown:
            continue
        _append_piece(pieces, length, len(shown), raw)
        out.append(shown)
        length += len(shown)
    return "".join(out), tuple(pieces)


def _is_false_line_break(glyphs: Glyphs, at: int) -> bool:
    """Whether PDFium's line break is none: it sees one before every raised or lowered letter ("R\u207f", "note\u00b9")."""
    before, after = at, at
    while before >= 0 and not glyphs.solid[before]:
        before -= 1
    while after < len(glyphs.text) and not glyphs.solid[after]:
        after += 1
    if before < 0 or after >= len(glyphs.text):
        return False
    a, b = glyphs.box[before], glyphs.box[after]
    return float(max(b[0] - a[2], a[0] - b[2])) < 0.1 * float(max(glyphs.size[before], glyphs.size[after]))


def _format_character(character: str, at_end: bool) -> str:
    if character in "\x02\ufffe":  # PDFium's mark for a hyphen that ends a line
        return "-"
    if character == "\u00ad":  # printed only where a line is broken
        return character if at_end else ""
    if "\U000e0020" <= character < "\U000e007f":
        return chr(ord(character) - 0xE0000)  # a tag: the letter that it stands for
    if character < " " or "\x7f" <= character <= "\x9f" or character == "\uffff":
        return "\ufffd"
    return LIGATURES.get(character, character)


def _append_piece(pieces: list[RawPiece], offset: int, length: int, raw: int) -> None:
    if pieces and length == 1:
        start, size, raw_start, raw_size = pieces[-1]
        if size == raw_size and raw_start + raw_size == raw:
            pieces[-1] = (start, size + 1, raw_start, raw_size + 1)
            return
    pieces.append((offset, length, raw, 1))


def _measure_lead(glyphs: Glyphs, styled: np.ndarray, start: int, stop: int) -> int:
    """How far a bold or italic beginning goes, in raw characters: the title of a clause that runs on in the same line."""
    plain = glyphs.solid[start:stop] & ~styled[start:stop]
    return int(np.argmax(plain)) if plain.any() else stop - start
