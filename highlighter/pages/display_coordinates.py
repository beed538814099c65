"""Coordinates of a page as it is displayed: rotated, and measured from its top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from highlighter.consecutive_numbers import group_consecutive_numbers
from highlighter.models import Rectangle
from highlighter.pages.page_characters import SLANTED, PageCharacters
from highlighter.pages.rectangles import group_page_lines


class DisplayBox(NamedTuple):
    """A box in points from the top left of the displayed page; `turn` is the direction of its text there."""

    x: float
    y: float
    width: float
    height: float
    turn: int = 0


@dataclass(frozen=True, slots=True)
class TextLayerLine:
    """A line of a page, for a layer of text that can be selected."""

    turn: int
    words: tuple[tuple[str, DisplayBox], ...]


def to_display_box(
    box: Rectangle | tuple[float, float, float, float], characters: PageCharacters, turn: int = 0
) -> DisplayBox:
    """Return a box of a page as it is displayed."""
    if isinstance(box, Rectangle):
        turn = box.turn
        x0, y0, x1, y1 = box.x0, box.y0, box.x1, box.y1
    else:
        x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    display_turn = turn if turn == SLANTED else (turn - characters.rotation) % 360
    match characters.rotation:
        case 90:
            display_box = y0, x0, height, width
        case 180:
            display_box = characters.width - x1, y0, width, height
        case 270:
            display_box = characters.height - y1, characters.width - x1, height, width
        case _:
            display_box = x0, characters.height - y1, width, height
    x, y, width, height = (round(float(value), 2) for value in display_box)
    return DisplayBox(x, y, width, height, display_turn)


def build_text_layer(characters: PageCharacters) -> list[TextLayerLine]:
    """Return every line of a page with its words, without spaces."""
    lines = []
    for turn, members in group_page_lines(characters):
        words_with_boxes = tuple(
            (_read_word(characters, word), to_display_box(_enclose_word(characters, word), characters, turn))
            for word in group_consecutive_numbers(members)
        )
        lines.append(TextLayerLine(words_with_boxes[0][1].turn, words_with_boxes))
    return lines


def _read_word(characters: PageCharacters, word: list[int]) -> str:
    return characters.text[word[0] : word[-1] + 1].replace("\x02", "-").replace("\ufffe", "-").replace("\u2060", "")


def _enclose_word(characters: PageCharacters, word: list[int]) -> tuple[float, float, float, float]:
    boxes = characters.box[word]
    x0, y0 = boxes[:, :2].min(axis=0).tolist()
    x1, y1 = boxes[:, 2:].max(axis=0).tolist()
    return x0, y0, x1, y1
