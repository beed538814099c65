"""Put drop caps, large letters that begin a paragraph beside its first lines, before the first word of the first line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ingest.readers.pdf.glyphs import GlyphPlaces, Glyphs, rearrange, select_places
from ingest.readers.pdf.text_styles import SLANTED

_MIN_SIZE_RATIO = 1.8  # of a drop cap to the text beside it
_MAX_LARGE_RUNS = 200  # on a page, which are looked at; a page with more is a drawing
_CAP_HEIGHT_EMS = 0.72  # of most typefaces
_MIN_BELOW_TOP_EMS = 0.2  # of the text, from the top of the letter to the first baseline beside it
_MAX_BELOW_EMS = (
    0.3  # of the text, between the baselines of the letter and of the last line that it proves to be beside it
)
_MAX_FURTHER_EMS = 1.5  # of the text, down to the baseline of a further line that begins where the others do
_MAX_OVERHANG_EMS = 0.15  # of the letter, by which the text may reach under it: "T" and "F" are narrow at their feet
_MAX_GAP_EMS, _MAX_LONE_GAP_EMS = 1.5, 0.6  # of the text, between the letter and two lines or more, and one line alone
_MIN_PITCH_EMS = 0.4  # between two baselines of the text
_MAX_EDGE_SHIFT_EMS = 0.3  # between the beginnings of lines
_MIN_INDENT_EMS = 0.15  # of the first line, beyond those below it: there is a space after the letter
_MAX_WORD_CHARACTERS = 40
_OPENING_QUOTES = frozenset("\"'“‘«„‹¿¡(")
_WORD = re.compile(r"[^\W\d_]+")
_LONE_LETTERS = frozenset("AIOEYÀÈÉÓÚÝ")  # which are words by themselves, too


class _DropCap(NamedTuple):
    """The rows of a drop cap in reading order, the rows that begin the lines beside it, and whether it is a word."""

    rows: list[int]
    line_starts: list[int]
    is_word: bool


def place_drop_caps(glyphs: Glyphs, hidden: np.ndarray) -> tuple[Glyphs, np.ndarray]:
    """Return the characters, and why each is hidden, with each drop cap before the word that it begins, and as large as that word."""
    index = np.flatnonzero(glyphs.solid & ~glyphs.omitted)
    if not len(index):
        return glyphs, hidden
    size = glyphs.size[index]
    min_size = _MIN_SIZE_RATIO * float(np.partition(size, len(size) // 2)[len(size) // 2])
    if float(size.max()) < min_size:
        return glyphs, hidden  # most pages have no large type
    places = select_places(glyphs, index)
    caps = [
        cap
        for run in _list_short_runs(places, np.flatnonzero(size >= min_size))
        if _is_initial(glyphs, index[run].tolist()) and (cap := _find_drop_cap(glyphs, index, places, run))
    ]
    return _move(glyphs, hidden, caps) if caps else (glyphs, hidden)


def _list_short_runs(places: GlyphPlaces, large: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the places of one or two large characters that no others of their size follow or precede."""
    a, b = large[:-1], large[1:]
    is_end = (b - a > 1) | (abs(places.size[a] - places.size[b]) > 0.02 * places.size[a])
    is_end |= (abs(places.base[a] - places.base[b]) > 0.1 * places.size[a]) | (places.turn[a] != places.turn[b])
    runs = np.split(large, np.flatnonzero(is_end) + 1)
    if len(runs) <= _MAX_LARGE_RUNS:
        yield from (run for run in runs if len(run) <= 2)


def _is_initial(glyphs: Glyphs, rows: list[int]) -> bool:
    """Return whether characters are a capital, with an opening quote or none."""
    first, last = glyphs.text[rows[0]], glyphs.text[rows[-1]]
    return last.isupper() and (len(rows) == 1 or first in _OPENING_QUOTES) and int(glyphs.turn[rows[0]]) != SLANTED


def _find_drop_cap(glyphs: Glyphs, index: np.ndarray, places: GlyphPlaces, run: np.ndarray) -> _DropCap | None:
    """Return the large letter with the lines beside it, if it begins the word at the beginning of the first of them."""
    starts = _find_lines_beside(places, run)
    if not starts:
        return None
    text_size, first_left = float(places.size[starts[0]]), float(places.left[starts[0]])
    if len(starts) == 1 and first_left - float(places.right[run].max()) > _MAX_LONE_GAP_EMS * text_size:
        return None
    first = int(index[starts[0]])
    following = glyphs.text[first : first + _MAX_WORD_CHARACTERS]
    word = _WORD.match(following.lstrip("'’"))
    # A capital that follows is of another word, unless all of the word are capitals: "THE", but no label beside a sign.
    if word is None or not (word[0][0].islower() or (word[0].isupper() and len(starts) > 1)):
        return None
    letter = glyphs.text[index[run[-1]]]
    is_indented = len(starts) > 1 and first_left - float(places.left[starts[1]]) > _MIN_INDENT_EMS * text_size
    is_word = letter in _LONE_LETTERS and (is_indented or _is_lone(letter, following, glyphs.text))
    if word[0][0] == letter.lower() and not is_word:
        return None  # the letter of an index beside its entries: few words begin with "aa" or "bb"
    return _DropCap(index[run].tolist(), index[starts].tolist(), is_word)


def _find_lines_beside(places: GlyphPlaces, run: np.ndarray) -> list[int]:
    """Return the places of the characters that begin the lines at the right of a large letter, from top to bottom."""
    size, base = float(places.size[run[0]]), float(places.base[run[0]])
    left, right = float(places.left[run].min()), float(places.right[run].max())
    top = base - _CAP_HEIGHT_EMS * size
    is_near = (places.turn == places.turn[run[0]]) & (places.size * _MIN_SIZE_RATIO <= size)
    is_near &= (places.base > top + _MIN_BELOW_TOP_EMS * places.size) & (places.base < base + size)
    is_near &= (places.right > left) & (places.left - right < _MAX_GAP_EMS * places.size)
    starts: list[int] = []
    for line in _split_lines(places, np.flatnonzero(is_near)):
        start = int(line[np.argmin(places.left[line])])
        text_size, text_left = float(places.size[start]), float(places.left[start])
        below = (float(places.base[start]) - base) / text_size
        is_further = below > _MAX_BELOW_EMS
        is_aligned = bool(starts) and abs(text_left - float(places.left[starts[-1]])) <= _MAX_EDGE_SHIFT_EMS * text_size
        if is_further and not (is_aligned and below <= _MAX_FURTHER_EMS):
            break
        if text_left < right - _MAX_OVERHANG_EMS * size:
            break
        starts.append(start)
    return starts


def _split_lines(places: GlyphPlaces, near: np.ndarray) -> list[np.ndarray]:
    """Return the characters on each baseline, from top to bottom."""
    if not len(near):
        return []
    near = near[np.argsort(places.base[near], kind="stable")]
    is_end = np.diff(places.base[near]) > _MIN_PITCH_EMS * places.size[near][1:]
    return np.split(near, np.flatnonzero(is_end) + 1)


def _is_lone(letter: str, following: str, text: str) -> bool:
    """Return whether the page has the word that follows a letter, and none that both make."""
    word = _WORD.match(following)
    words = [match[0] for match in _WORD.finditer(text.lower())]
    return word is not None and words.count(word[0].lower()) > 1 and (letter + word[0]).lower() not in words


def _move(glyphs: Glyphs, hidden: np.ndarray, caps: list[_DropCap]) -> tuple[Glyphs, np.ndarray]:
    """Return the characters with drop caps before the first line beside them, which all begin at the edge of the letter."""
    order: list[int] = []
    before = {cap.line_starts[0]: cap for cap in caps}
    moved = {row for cap in caps for row in cap.rows}
    spaces: list[int] = []
    for row in range(len(glyphs.text)):
        if row in moved:
            continue
        if cap := before.get(row):
            order += cap.rows
            if cap.is_word:
                spaces.append(len(order))
                order.append(row)
        order.append(row)
    box = glyphs.box.copy()
    names = ("base", "size", "bold", "italic", "face", "owner", "segment")
    columns = {name: getattr(glyphs, name).copy() for name in names}
    for cap in caps:
        first = cap.line_starts[0]
        left = float(box[cap.rows, 0].min())
        box[cap.line_starts[1:], 0] = left
        box[cap.rows] = (left, box[first, 1], box[first, 0], box[first, 3])
        for values in columns.values():
            values[cap.rows] = values[first]
    return rearrange(replace(glyphs, box=box, **columns), order, spaces), hidden[order]
