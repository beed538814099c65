"""Markers and claims in their places: letters become runs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from highlighter.answer_text.letters import Letter, LetterBlock, Style, letters_of, text_of
from highlighter.answer_text.tree import NO_CLAIM, PARAGRAPH, Block, Marker, Run

ClaimSpan = tuple[int, int, int]  # start, end, index into the answer's claims


class Placing:
    """Places the markers and claims of one answer in its blocks, each marker once."""

    def __init__(
        self, text: str, blocks: Sequence[LetterBlock], markers: Sequence[Marker], claims: Sequence[ClaimSpan]
    ):
        self._text, self._letter_blocks = text, blocks
        self._marker_at: list[Marker | None] = [None] * (len(text) + 1)
        for marker in markers:
            self._marker_at[marker.start : marker.end] = [marker] * (marker.end - marker.start)
        self._claim_at = [NO_CLAIM] * (len(text) + 1)
        for start, end, claim in reversed(claims):  # where claims overlap, the first counts
            self._claim_at[start:end] = [claim] * len(self._claim_at[start:end])
        letters = list(letters_of(blocks))
        self._end_of_claim = {self._claim_at[letter.offset]: self._place(letter) for letter in letters}
        self._following = _without_letters(markers, letters, self._marker_at)
        last_of_claim = {self._claim_at[letter.offset]: letter.offset for letter in letters}
        self._cuts = sorted({*last_of_claim.values(), *self._following})  # offsets of letters that end a run
        self._shown: set[Marker | None] = set()

    def blocks(self) -> tuple[Block, ...]:
        first = tuple(Run("", marker) for marker in self._following.pop(-1, ()))
        placed = tuple(map(self._block, self._letter_blocks))
        return (Block(PARAGRAPH, first), *placed) if first else placed

    def _block(self, block: LetterBlock) -> Block:
        runs = tuple(self._runs(block.letters))
        return Block(block.kind, runs, tuple(map(self._block, block.children)), block.level, block.first)

    def _runs(self, letters: Sequence[Letter]) -> Iterator[Run]:
        for (marker, claim, style, _), group in groupby(letters, self._key):
            held = list(group)
            if marker is None or marker not in self._shown:
                text = self._text[marker.start : marker.end] if marker else text_of(held)
                ends = claim != NO_CLAIM and self._end_of_claim[claim] == self._place(held[-1])
                yield Run(text, marker, *style, claim, ends)
            self._shown.add(marker)
            for letter in held if self._following else ():
                yield from (Run("", marker) for marker in self._following.pop(letter.offset, ()))

    def _key(self, letter: Letter) -> tuple[Marker | None, int, Style, int]:
        """Return what the letters of one run share."""
        at = letter.offset
        return self._marker_at[at], self._claim_at[at], letter.style, bisect_left(self._cuts, at)

    def _place(self, letter: Letter) -> int:
        """Return an offset that all letters of one marker share."""
        marker = self._marker_at[letter.offset]
        return marker.start if marker else letter.offset


def _without_letters(
    markers: Sequence[Marker], letters: Sequence[Letter], marker_at: Sequence[Marker | None]
) -> dict[int, list[Marker]]:
    """Return the markers that no letter belongs to, by the offset of the letter that they follow, or -1."""
    offsets = sorted({letter.offset for letter in letters})
    shown = {marker_at[offset] for offset in offsets}
    following: dict[int, list[Marker]] = {}
    for marker in markers:
        if marker not in shown:
            at = bisect_left(offsets, marker.start)
            following.setdefault(offsets[at - 1] if at else -1, []).append(marker)
    return following
