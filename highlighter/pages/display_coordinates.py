"""From a page as it is stored to the page as it is shown: turned, and measured from its top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from highlighter.models import Rectangle
from highlighter.pages.page_characters import SLANTED, PageCharacters
from highlighter.pages.rectangles import group_page_lines


class DisplayBox(NamedTuple):
    """Points from the top left of the page as a reader sees it; `turn` as a reader sees it, too."""

    x: float
    y: float
    width: float
    height: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class TextLayerLine:
    """One line of a page, for a layer of text that can be selected."""

    turn: int
    words: tuple[tuple[str, DisplayBox], ...]


def to_display_box(
    box: Rectangle | tuple[float, float, float, float], letters: PageCharacters, turn: int = 0
) -> DisplayBox:
    if isinstance(box, Rectangle):
        box, turn = (box.x0, box.y0, box.x1, box.y1), box.turn
    x0, y0, x1, y1 = box
    across, up = x1 - x0, y1 - y0
    seen = turn if turn == SLANTED else (turn - letters.rotation) % 360
    match letters.rotation:
        case 90:
            place = y0, x0, up, across
        case 180:
            place = letters.width - x1, y0, across, up
        case 270:
            place = letters.height - y1, letters.width - x1, up, across
        case _:
            place = x0, letters.height - y1, across, up
    return DisplayBox(*(round(float(value), 2) for value in place), seen)


def build_text_layer(letters: PageCharacters) -> list[TextLayerLine]:
    """Every line of the page with its words, spaces left out."""
    found = []
    for turn, members in group_page_lines(letters):
        words: list[list[int]] = []
        for at in members:
            if words and at == words[-1][-1] + 1:
                words[-1].append(at)
            else:
                words.append([at])
        placed = tuple(
            (_read_word(letters, word), to_display_box(_enclose_word(letters, word), letters, turn)) for word in words
        )
        found.append(TextLayerLine(placed[0][1].turn, placed))
    return found


def _read_word(letters: PageCharacters, word: list[int]) -> str:
    return letters.text[word[0] : word[-1] + 1].replace("\x02", "-").replace("\ufffe", "-").replace("\u2060", "")


def _enclose_word(letters: PageCharacters, word: list[int]) -> tuple[float, float, float, float]:
    box = letters.box[word]
    return tuple(box[:, :2].min(axis=0).tolist() + box[:, 2:].max(axis=0).tolist())
