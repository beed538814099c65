"""Place markers and claims in blocks: styled characters become runs."""

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
        for start, end, claim in reversed(claims):  # where claims overlap, the first one counts
            self._claim_by_offset[start:end] = [claim] * len(self._claim_by_offset[start:end])
        characters = list(iterate_characters(blocks))
        self._claim_ends = {
            self._claim_by_offset[character.offset]: self._marker_offset(character) for character in characters
        }
        self._following_markers = _find_empty_markers(markers, characters, self._marker_by_offset)
        last_of_claim = {self._claim_by_offset[character.offset]: character.offset for character in characters}
        # Offsets of characters that end a run.
        self._run_ends = sorted({*last_of_claim.values(), *self._following_markers})
        self._placed_markers: set[AnswerMarker | None] = set()

    def build_blocks(self) -> tuple[AnswerBlock, ...]:
        leading_runs = tuple(AnswerRun("", marker) for marker in self._following_markers.pop(-1, ()))
        blocks = tuple(map(self._build_block, self._character_blocks))
        return (AnswerBlock(PARAGRAPH, leading_runs), *blocks) if leading_runs else blocks

    def _build_block(self, block: CharacterBlock) -> AnswerBlock:
        runs = tuple(self._build_runs(block.characters))
        return AnswerBlock(block.kind, runs, tuple(map(self._build_block, block.children)), block.level, block.first)

    def _build_runs(self, characters: Sequence[StyledCharacter]) -> Iterator[AnswerRun]:
        for (marker, claim, style, _), group in groupby(characters, self._run_key):
            run_characters = list(group)
            if marker is None or marker not in self._placed_markers:
                text = self._text[marker.start : marker.end] if marker else join_text(run_characters)
                ends_claim = claim != NO_CLAIM and self._claim_ends[claim] == self._marker_offset(run_characters[-1])
                yield AnswerRun(text, marker, *style, claim, ends_claim)
            self._placed_markers.add(marker)
            for character in run_characters if self._following_markers else ():
                yield from (AnswerRun("", marker) for marker in self._following_markers.pop(character.offset, ()))

    def _run_key(self, character: StyledCharacter) -> tuple[AnswerMarker | None, int, CharacterStyle, int]:
        """Return what the characters of a run have in common."""
        offset = character.offset
        return (
            self._marker_by_offset[offset],
            self._claim_by_offset[offset],
            character.style,
            bisect_left(self._run_ends, offset),
        )

    def _marker_offset(self, character: StyledCharacter) -> int:
        """Return an offset that all characters of a marker share."""
        marker = self._marker_by_offset[character.offset]
        return marker.start if marker else character.offset


def _find_empty_markers(
    markers: Sequence[AnswerMarker],
    characters: Sequence[StyledCharacter],
    marker_by_offset: Sequence[AnswerMarker | None],
) -> dict[int, list[AnswerMarker]]:
    """Return the markers without characters, by the offset of the character that they follow, or -1."""
    offsets = sorted({character.offset for character in characters})
    shown = {marker_by_offset[offset] for offset in offsets}
    following: dict[int, list[AnswerMarker]] = {}
    for marker in markers:
        if marker not in shown:
            index = bisect_left(offsets, marker.start)
            following.setdefault(offsets[index - 1] if index else -1, []).append(marker)
    return following
