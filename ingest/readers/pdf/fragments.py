"""Group the characters of a page into fragments: runs of text on one baseline, which page layout works with."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ingest.readers.pdf.glyphs import (
    GlyphPlaces,
    Glyphs,
    find_rtl_letters,
    is_space,
    is_zero_width,
    select_places,
    to_codepoints,
)
from ingest.readers.pdf.label_gaps import find_label_ends
from ingest.readers.pdf.leaders import find_leaders
from ingest.readers.pdf.note_marks import find_note_marks, find_raised_ordinal_endings
from ingest.readers.pdf.ruled_off import find_ruled_off
from ingest.readers.pdf.ruling_lines import RulingLines
from ingest.readers.pdf.text_styles import SLANTED

# A wider gap (in font sizes) separates two fragments. It is about the narrowest gutter between columns; the fragments
# of a justified line with wider spaces are joined again once the columns are known.
MAX_GAP_EMS = 0.9

# Ligatures that some fonts map to one code point. PDFium expands most of them; these are the others.
LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"}
_MAX_WIDTH_DIFFERENCE_EMS = 0.03  # of most characters of a typeface of fixed width
_MIN_HYPHEN_EMS = 0.1  # the width of a hyphen that is drawn
# Characters that Unicode holds equal to another one. PDFium takes them for the plain ones: a font maps both to one shape.
_TWINS = {"\u037e": ";", "\u0387": "·", "\u1fef": "`", "\u2126": "Ω", "\u212a": "K", "\u212b": "Å"}
_NEEDS_CLEANING = re.compile(
    "[\u037e\u0387\u1fef\u2126\u212a\u212b\x00-\x1f\x7f-\x9f\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufb00-\ufb06\ufeff\ufffe\uffff\U000e0000-\U000e007f]| {2}"
)
_BASIC_PLANE = np.arange(0x10000, dtype=np.uint32).tobytes().decode("utf-32-le", "surrogatepass")
_IS_UNCLEAN = np.ones(0x10001, bool)  # by code point; the last stands for all that are higher, which may be clean
_IS_UNCLEAN[:-1] = False
_IS_UNCLEAN[[match.start() for match in _NEEDS_CLEANING.finditer(_BASIC_PLANE)]] = True

RawPiece = tuple[int, int, int, int]  # (offset, length, raw start, raw length)


@dataclass(slots=True)
class Fragment:
    """A run of text on one baseline; `pieces` say which raw characters each part of the text comes from."""

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
    bold_lead: int = 0  # characters at the start that are bold when the rest is not
    hidden_reason: str = ""
    italic_lead: int = 0  # characters at the start that are italic when the rest is not
    face: int = 0  # the family of its font
    marks: tuple[tuple[int, int], ...] = ()  # (offset, length) of characters set small and raised like a note's mark
    is_in_picture: bool = False  # a label in a picture or a drawing
    block: int = -1  # its number in the page's structure
    drop: float = 0.0  # by which it is drawn below `base`: a part of a formula belongs to the line of the formula
    is_fixed_width: bool = False  # all its characters are equally wide
    is_listing: bool = False  # in a typeface of fixed width, among text in another
    has_leader: bool = False  # a row of dots leads to it
    is_ruled_off: bool = False  # a drawn line stands between it and the fragment before it
    is_run_in_label: bool = False  # text in another typeface follows, after more white than there is between its words


def build_fragments(
    glyphs: Glyphs, page: int, hidden: np.ndarray, reasons: tuple[str, ...], rules: RulingLines
) -> list[Fragment]:
    """Return the fragments of a page in PDFium's order; `hidden` is 0 or a reason's number for each character."""
    leaders = find_leaders(glyphs)
    keep = glyphs.solid & ~glyphs.omitted & ~leaders
    index = np.flatnonzero(keep)
    if not len(index):
        return []
    places = select_places(glyphs, index)
    marks = find_note_marks(glyphs, index, places)
    ruled_off = find_ruled_off(places, rules)
    all_raised = marks + find_raised_ordinal_endings(glyphs, index, places)
    is_end = _find_fragment_ends(glyphs, index, places, hidden, all_raised) | ruled_off
    label_ends = find_label_ends(glyphs, index, places, is_end)
    is_end[label_ends] = True
    ends = np.flatnonzero(is_end)
    first, last = np.concatenate(([0], ends + 1)), np.concatenate((ends, [len(index) - 1]))
    has_leader = np.diff(np.cumsum(leaders)[index[first]], prepend=0) > 0
    is_ruled_off = [False, *ruled_off[ends].tolist()]
    is_run_in_label = [*np.isin(ends, label_ends).tolist(), False] if label_ends else [False] * len(first)
    x0, y0 = (np.minimum.reduceat(edge, first).tolist() for edge in (places.left, places.top))
    x1, y1 = (np.maximum.reduceat(edge, first).tolist() for edge in (places.right, places.bottom))
    counts = last - first + 1
    bold, italic = (
        (np.add.reduceat(styled[index].astype(int), first) * 2 > counts).tolist()
        for styled in (glyphs.bold, glyphs.italic)
    )
    biggest = np.maximum.reduceat(places.size, first).tolist()
    is_fixed_width = _find_fixed_widths(places, first)
    dropped = glyphs.solid & ~keep
    raised = np.zeros(len(glyphs.text), bool)
    for start, stop in marks:
        raised[index[start] : index[stop - 1] + 1] = True
    raised_raw = set(glyphs.raw[raised].tolist())
    starts, stops = index[first], index[last] + 1
    has_marks = _have_any(raised, starts, stops).tolist()
    is_clean = (~_have_any(dropped | _find_unclean(glyphs.text), starts, stops)).tolist()
    turn, block, base, reason, begins_bold, begins_italic = (
        values[starts].tolist()
        for values in (glyphs.turn, glyphs.block, glyphs.base, hidden, glyphs.bold, glyphs.italic)
    )
    face = glyphs.face[index[(first + last) // 2]].tolist()  # the first character may be a bullet in a font of its own
    fragments = []
    for number, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        text, pieces = _take_text(glyphs, start, stop, dropped, is_clean[number])
        if not text:
            continue
        has_bold_lead, has_italic_lead = (
            begins_bold[number] and not bold[number],
            begins_italic[number] and not italic[number],
        )
        fragments.append(
            Fragment(
                page=page,
                text=text,
                pieces=pieces,
                x0=x0[number],
                y0=y0[number],
                x1=x1[number],
                y1=y1[number],
                base=_find_baseline(glyphs, raised, start, stop - 1) if has_marks[number] else base[number],
                size=biggest[number],
                bold=bold[number],
                italic=italic[number],
                turn=turn[number],
                bold_lead=_measure_lead(glyphs, glyphs.bold, start, stop) if has_bold_lead else 0,
                hidden_reason=reasons[reason[number]],
                italic_lead=_measure_lead(glyphs, glyphs.italic, start, stop) if has_italic_lead else 0,
                face=face[number],
                block=block[number],
                marks=_find_mark_spans(pieces, raised_raw) if has_marks[number] else (),
                is_fixed_width=is_fixed_width[number],
                is_ruled_off=is_ruled_off[number],
                has_leader=bool(has_leader[number]),
                is_run_in_label=is_run_in_label[number],
            )
        )
    return fragments


def _have_any(flags: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """Return which spans of characters have a flagged one."""
    count_before = np.concatenate(([0], np.cumsum(flags)))
    return np.asarray(count_before[stops] != count_before[starts])


def _find_fragment_ends(
    glyphs: Glyphs, index: np.ndarray, places: GlyphPlaces, hidden: np.ndarray, raised: list[tuple[int, int]]
) -> np.ndarray:
    """Return between which neighbouring characters a fragment ends."""
    left, right, base = places.left, places.right, places.base
    size = np.maximum(np.maximum(places.size[:-1], places.size[1:]), 0.5)
    distance = np.maximum(left[1:] - right[:-1], left[:-1] - right[1:])
    backward = left[:-1] - left[1:]
    is_rtl = find_rtl_letters(to_codepoints(glyphs.text))[index]
    rise = np.abs(base[:-1] - base[1:])
    is_level = rise <= 0.45 * size
    for start, stop in raised:  # marks and the endings of ordinals belong to the line
        for pair in (start - 1, stop - 1):
            if 0 <= pair < len(is_level):
                is_level[pair] |= rise[pair] <= 0.9 * size[pair]
    is_slanted = places.turn[:-1] == SLANTED
    is_end: np.ndarray = (
        (distance > MAX_GAP_EMS * size) | ((backward > 0.6 * size) & ~(is_rtl[:-1] | is_rtl[1:])) | ~is_level
    )
    if is_slanted.any():
        is_end = np.where(is_slanted, _find_changes(glyphs.owner[index]), is_end)
    segment = glyphs.segment[index]
    if segment.any():
        is_end = np.where((segment[:-1] != 0) | (segment[1:] != 0), _find_changes(segment), is_end)
    for values in (places.turn, hidden[index], glyphs.block[index]):
        is_end |= _find_changes(values)
    return is_end


def _find_fixed_widths(places: GlyphPlaces, first: np.ndarray) -> list[bool]:
    """Return for each fragment whether all its characters are equally wide."""
    widths = (places.right - places.left) / np.maximum(places.size, 0.5)
    counts = np.diff(first, append=len(widths))
    # The ink of a letter may reach beyond its width, and never makes it smaller.
    differences = np.add.reduceat(widths, first) / counts - np.minimum.reduceat(widths, first)
    is_fixed: list[bool] = (differences < _MAX_WIDTH_DIFFERENCE_EMS).tolist()
    return is_fixed


def _find_changes(values: np.ndarray) -> np.ndarray:
    """Return between which neighbours a value changes."""
    is_change: np.ndarray = values[:-1] != values[1:]
    return is_change


def _find_baseline(glyphs: Glyphs, raised: np.ndarray, start: int, stop: int) -> float:
    """Return the baseline of a fragment's text, ignoring raised characters at its beginning."""
    is_plain = glyphs.solid[start : stop + 1] & ~raised[start : stop + 1]
    return float(glyphs.base[start + int(np.argmax(is_plain))])


def _find_mark_spans(pieces: tuple[RawPiece, ...], raised: set[int]) -> tuple[tuple[int, int], ...]:
    """Return the spans of raised characters in the text."""
    spans: list[tuple[int, int]] = []
    for offset, length, raw, raw_length in pieces:
        if length != raw_length:
            continue
        for step in range(length):
            if raw + step not in raised:
                continue
            if spans and sum(spans[-1]) == offset + step:
                spans[-1] = (spans[-1][0], spans[-1][1] + 1)
            else:
                spans.append((offset + step, 1))
    return tuple(spans)


def _find_unclean(text: str) -> np.ndarray:
    """Return where something begins that is not shown as it is; fragments have no spaces at their ends."""
    codes = to_codepoints(text)
    is_unclean: np.ndarray = _IS_UNCLEAN[np.minimum(codes, len(_IS_UNCLEAN) - 1)]
    is_space = codes == 32
    is_unclean[:-1] |= is_space[:-1] & is_space[1:]
    return is_unclean


def _take_text(
    glyphs: Glyphs, start: int, stop: int, dropped: np.ndarray, is_clean: bool
) -> tuple[str, tuple[RawPiece, ...]]:
    """Return the text of some rows as it is shown, and its pieces; `dropped` are rows that are left out."""
    if is_clean:
        count = stop - start
        first = int(glyphs.raw[start]) if glyphs.is_reordered else start
        if not glyphs.is_reordered or (glyphs.raw[start:stop] == np.arange(first, first + count)).all():
            return glyphs.text[start:stop], ((0, count, first, count),)
    return _clean_text(glyphs, start, stop, dropped)


def _clean_text(glyphs: Glyphs, start: int, stop: int, dropped: np.ndarray) -> tuple[str, tuple[RawPiece, ...]]:
    text = glyphs.text
    parts: list[str] = []
    pieces: list[RawPiece] = []
    length, after_space, row = 0, True, start
    for special in [*_list_special_rows(glyphs, start, stop, dropped), stop]:
        if row < special and after_space and text[row] == " ":
            row += 1
        if row < special:
            parts.append(text[row:special])
            _append_piece(pieces, length, special - row, row, special - row)
            length += special - row
            after_space = text[special - 1] == " "
        row = special + 1
        if special == stop:
            break
        character = text[special]
        if dropped[special] or (is_zero_width(character) and not (glyphs.shapeless[special] and character != "\u2060")):
            continue
        if is_space(character):
            if after_space or (character in "\r\n" and _is_false_line_break(glyphs, special)):
                continue
            shown, after_space = " ", True
        else:
            at_end = special == stop - 1
            if character == "\u00ad" and not at_end and _has_shape(glyphs, special):
                character = "-"
            shown, after_space = _format_character(character, at_end), False
        if not shown:
            continue
        if glyphs.raw[special] >= 0:
            _append_piece(pieces, length, len(shown), int(glyphs.raw[special]), 1)
        parts.append(shown)
        length += len(shown)
    return "".join(parts), tuple(pieces)


def _list_special_rows(glyphs: Glyphs, start: int, stop: int, dropped: np.ndarray) -> Iterable[int]:
    """Return the rows between which the text stays as it is: all of them where characters were reordered."""
    if glyphs.is_reordered:
        return range(start, stop)
    rows = [row for match in _NEEDS_CLEANING.finditer(glyphs.text, start, stop) for row in range(*match.span())]
    dropped_rows = (dropped[start:stop].nonzero()[0] + start).tolist()
    return sorted({*rows, *dropped_rows}) if dropped_rows else rows


def _is_false_line_break(glyphs: Glyphs, index: int) -> bool:
    """Return whether a line break is none: PDFium puts one before raised or lowered letters ("R\u207f")."""
    before, after = index, index
    has_reading = False
    while before >= 0 and (not glyphs.solid[before] or glyphs.omitted[before]):
        has_reading |= bool(glyphs.omitted[before])
        before -= 1
    while after < len(glyphs.text) and (not glyphs.solid[after] or glyphs.omitted[after]):
        has_reading |= bool(glyphs.omitted[after])
        after += 1
    if before < 0 or after >= len(glyphs.text):
        return False
    if has_reading:
        return True  # a reading between two parts of one line
    a, b = glyphs.box[before], glyphs.box[after]
    return float(max(b[0] - a[2], a[0] - b[2])) < 0.1 * float(max(glyphs.size[before], glyphs.size[after]))


def _has_shape(glyphs: Glyphs, index: int) -> bool:
    """Return whether a character is drawn with a width: fonts name the hyphen as a soft one, and it is seen."""
    left, _, right, _ = glyphs.box[index].tolist()
    return bool(right - left > _MIN_HYPHEN_EMS * float(glyphs.size[index]))


def _format_character(character: str, at_end: bool) -> str:
    if character in "\x02\ufffe":  # PDFium's mark for a hyphen that ends a line
        return "-"
    if character == "\u00ad":  # shown only at the end of a line
        return character if at_end else ""
    if "\U000e0020" <= character < "\U000e007f":
        return chr(ord(character) - 0xE0000)  # a tag character: the letter it stands for
    if character < " " or "\x7f" <= character <= "\x9f" or character == "\uffff":
        return "\ufffd"
    return _TWINS.get(character) or LIGATURES.get(character, character)


def _append_piece(pieces: list[RawPiece], offset: int, length: int, raw: int, raw_length: int) -> None:
    if pieces and length == raw_length:
        start, size, raw_start, raw_size = pieces[-1]
        if size == raw_size and raw_start + raw_size == raw and start + size == offset:
            pieces[-1] = (start, size + length, raw_start, raw_size + length)
            return
    pieces.append((offset, length, raw, raw_length))


def _measure_lead(glyphs: Glyphs, styled: np.ndarray, start: int, stop: int) -> int:
    """Return the number of raw characters in a bold or italic beginning: a clause's title before its text."""
    is_plain = glyphs.solid[start:stop] & ~styled[start:stop]
    return int(np.argmax(is_plain)) if is_plain.any() else stop - start
