"""Markers and claims in their places: letters become runs."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby

from highlighter.answer_text.styled_characters import (
    CharacterBlock,
    CharacterStyle,
    StyledCharacter,
    iterate_characters,
    join_text,
)
from highlighter.answer_text.tree import NO_CLAIM, PARAGRAPH, AnswerBlock, AnswerMarker, AnswerRun

ClaimSpan = tuple[int, int, int]  # start, end, index into the answer's claims


class MarkerPlacer:
    """Places the markers and claims of one answer in its blocks, each marker once."""

    def __init__(
        self, text: str, blocks: Sequence[CharacterBlock], markers: Sequence[AnswerMarker], claims: Sequence[ClaimSpan]
    ):
        self._text, self._character_blocks = text, blocks
        self._marker_by_offset: list[AnswerMarker | None] = [None] * (len(text) + 1)
        for marker in markers:
            self._marker_by_offset[marker.start : marker.end] = [marker] * (marker.end - marker.start)
        self._claim_by_offset = [NO_CLAIM] * (len(text) + 1)
        for start, end, claim in reversed(claims):  # where claims overlap, the first counts
            self._claim_by_offset[start:end] = [claim] * len(self._claim_by_offset[start:end])
        letters = list(iterate_characters(blocks))
        self._claim_ends = {self._claim_by_offset[letter.offset]: self._marker_offset(letter) for letter in letters}
        self._following_markers = _find_empty_markers(markers, letters, self._marker_by_offset)
        last_of_claim = {self._claim_by_offset[letter.offset]: letter.offset for letter in letters}
        self._run_ends = sorted(
            {*last_of_claim.values(), *self._following_markers}
        )  # offsets of letters that end a run
        self._placed_markers: set[AnswerMarker | None] = set()

    def build_blocks(self) -> tuple[AnswerBlock, ...]:
        first = tuple(AnswerRun("", marker) for marker in self._following_markers.pop(-1, ()))
        placed = tuple(map(self._build_block, self._character_blocks))
        return (AnswerBlock(PARAGRAPH, first), *placed) if first else placed

    def _build_block(self, block: CharacterBlock) -> AnswerBlock:
        runs = tuple(self._build_runs(block.characters))
        return AnswerBlock(block.kind, runs, tuple(map(self._build_block, block.children)), block.level, block.first)

    def _build_runs(self, characters: Sequence[StyledCharacter]) -> Iterator[AnswerRun]:
        for (marker, claim, style, _), group in groupby(characters, self._run_key):
            held = list(group)
            if marker is None or marker not in self._placed_markers:
                text = self._text[marker.start : marker.end] if marker else join_text(held)
                ends = claim != NO_CLAIM and self._claim_ends[claim] == self._marker_offset(held[-1])
                yield AnswerRun(text, marker, *style, claim, ends)
            self._placed_markers.add(marker)
            for letter in held if self._following_markers else ():
                yield from (AnswerRun("", marker) for marker in self._following_markers.pop(letter.offset, ()))

    def _run_key(self, character: StyledCharacter) -> tuple[AnswerMarker | None, int, CharacterStyle, int]:
        """Return what the letters of one run share."""
        at = character.offset
        return self._marker_by_offset[at], self._claim_by_offset[at], character.style, bisect_left(self._run_ends, at)

    def _marker_offset(self, character: StyledCharacter) -> int:
        """Return an offset that all letters of one marker share."""
        marker = self._marker_by_offset[character.offset]
        return marker.start if marker else character.offset


def _find_empty_markers(
    markers: Sequence[AnswerMarker], characters: Sequence[StyledCharacter], marker_at: Sequence[AnswerMarker | None]
) -> dict[int, list[AnswerMarker]]:
    """Return the markers that no letter belongs to, by the offset of the letter that they follow, or -1."""
    offsets = sorted({letter.offset for letter in characters})
    shown = {marker_at[offset] for offset in offsets}
    following: dict[int, list[AnswerMarker]] = {}
    for marker in markers:
        if marker not in shown:
            at = bisect_left(offsets, marker.start)
            following.setdefault(offsets[at - 1] if at else -1, []).append(marker)
    return following
