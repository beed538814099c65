"""Part lines into a label and the text that it runs into: the term of a list, a paragraph's title."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from ingest.readers.pdf.blocks import PdfLine
from ingest.readers.pdf.fragments import Fragment
from ingest.readers.pdf.label_gaps import is_run_in_label

_MIN_WORDS = 4  # of the text: fewer are a value, which belongs to its label
_MAX_OTHER_GAP_RATIO = 0.8  # of the white after a label, between the other fragments of its line


def split_run_in_labels(lines: list[PdfLine], goes_on: Callable[[PdfLine, PdfLine], bool]) -> list[PdfLine]:
    """Return the lines, with a label and the text that it runs into as two lines on one baseline.

    No label begins a line on which the sentence of the line above `goes_on`.
    """
    split: list[PdfLine] = []
    for previous, line in zip([None, *lines], lines, strict=False):
        is_running = previous is not None and goes_on(previous, line)
        if len(line.fragments) > 1 and _has_label(line) and not is_running:
            line.fragments[0].is_run_in_label = True
            split += [PdfLine(line.fragments[:1]), PdfLine(line.fragments[1:])]
        else:
            split.append(line)
    return split


def is_beside_label(previous: PdfLine, line: PdfLine) -> bool:
    """Return whether a line is the text that the label before it runs into."""
    return line.base == previous.base and len(previous.fragments) == 1 and line.x0 > previous.x1


def is_run_in_label_line(line: PdfLine) -> bool:
    """Return whether a line is a label that was parted from its text."""
    return line.fragments[0].is_run_in_label and len(line.fragments) == 1


def _has_label(line: PdfLine) -> bool:
    """Return whether a line begins with a label: in another typeface or weight, with more white than between words."""
    label = line.fragments[0]
    if not label.is_run_in_label and not _is_far_label(line.fragments):
        return False
    text = line.text[len(label.text) :].lstrip()
    return text[:1].isupper() and len(text.split()) >= _MIN_WORDS


def _is_far_label(fragments: list[Fragment]) -> bool:
    """Return whether the first fragment of a line is a label, and no white in the line is as wide as after it."""
    label, following = fragments[:2]
    is_bold = label.bold and not following.bold
    gaps = [right.x0 - left.x1 for left, right in pairwise(fragments)]
    return (
        (is_bold or label.face != following.face)
        and label.turn == following.turn
        and max(gaps[1:], default=0.0) < _MAX_OTHER_GAP_RATIO * gaps[0]
        and is_run_in_label(label.text, is_bold)
    )
