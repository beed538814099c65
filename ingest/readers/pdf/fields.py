"""What is filled into a form, as fragments where it stands on the page."""

from __future__ import annotations

from highlighter.pages.typed import Typed
from ingest.readers.pdf.fragments import Fragment


def as_fragments(
    typed: list[Typed], number: int, first: int, shown: tuple[float, float, float, float]
) -> list[Fragment]:
    """`first` is the raw index of the first character that was typed: the next after the page's own."""
    found = []
    for line in typed:
        found.append(_fragment(line, number, first, shown))
        first += len(line.text)
    return found


def _fragment(line: Typed, number: int, first: int, shown: tuple[float, float, float, float]) -> Fragment:
    left, _, _, top = shown
    x0, middle, each = line.x0 - left, top - (line.y0 + line.y1) / 2, line.size
    return Fragment(
        number,
        line.text,
        ((0, len(line.text), first, len(line.text)),),
        x0,
        middle - each / 2,
        min(line.x1 - left, x0 + 0.55 * each * len(line.text)),
        middle + each / 2,
        middle + 0.25 * each,
        0.8 * each,
        False,
        False,
        0,
    )
