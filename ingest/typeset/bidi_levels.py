"""Embedding levels of a line by the Unicode Bidirectional Algorithm (UAX #9), without its embedding controls.

Texts are stripped of control characters before they are drawn, so each line is one sequence of one embedding level. Names
of the rules are those of the standard.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

_OPENING, _CLOSING = "([{⟨⟦（［｛〈《「『【〔", ")]}⟩⟧）］｝〉》」』】〕"
_CLOSING_OF = dict(zip(_OPENING, _CLOSING, strict=True))
_MAX_OPEN_BRACKETS = 63  # the limit of the standard
_NEUTRAL = frozenset(("B", "S", "WS", "ON"))
_STRONG_OF = {"L": "L", "R": "R", "EN": "R", "AN": "R"}  # to neutrals and brackets, a number counts as R


def compute_levels(text: str, base: int) -> list[int]:
    """Return the level of each character: even ones run to the right, odd ones to the left."""
    kinds = [unicodedata.bidirectional(char) or "L" for char in text]
    original = list(kinds)
    embedding = "R" if base else "L"
    _resolve_weak(kinds, embedding)
    _resolve_brackets(text, kinds, original, embedding)
    _resolve_neutrals(kinds, embedding)
    levels = [_find_level(kind, base) for kind in kinds]
    # L1: white space at the end of the line.
    for index in range(len(text) - 1, -1, -1):
        if original[index] not in ("WS", "S", "B"):
            break
        levels[index] = base
    return levels


def _resolve_weak(kinds: list[str], embedding: str) -> None:
    """Apply the rules W1 to W7, for marks, numbers, and the signs in and around them."""
    previous = strong = embedding
    for index, kind in enumerate(kinds):
        if kind == "NSM":  # W1
            kinds[index] = kind = previous
        previous = kind
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":  # W2
            kinds[index] = "AN"
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for index in range(1, len(kinds) - 1):  # W4: one separator between two numbers of a kind
        before, after = kinds[index - 1], kinds[index + 1]
        if before == after and (
            (before == "EN" and kinds[index] in ("ES", "CS")) or (before == "AN" and kinds[index] == "CS")
        ):
            kinds[index] = before
    start = 0
    for kind, run in groupby(list(kinds)):  # W5: signs such as "%" beside a number
        end = start + len(list(run))
        if kind == "ET" and "EN" in (*kinds[start - 1 : start], *kinds[end : end + 1]):
            kinds[start:end] = ["EN"] * (end - start)
        start = end
    strong = embedding
    for index, kind in enumerate(kinds):
        if kind in ("ES", "ET", "CS", "BN"):  # W6
            kinds[index] = "ON"
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":  # W7
            kinds[index] = "L"


def _resolve_brackets(text: str, kinds: list[str], original: list[str], embedding: str) -> None:
    """Apply the rule N0: both brackets of a pair get one direction, that of what they hold or of what is before them."""
    for first, last in _pair_brackets(text, kinds):
        inside = {_STRONG_OF.get(kind) for kind in kinds[first + 1 : last]} - {None}
        if not inside:
            continue
        direction = embedding
        if embedding not in inside:
            before = next((_STRONG_OF[kind] for kind in reversed(kinds[:first]) if kind in _STRONG_OF), embedding)
            direction = before if before != embedding else embedding
        for bracket in (first, last):
            kinds[bracket] = direction
            for index in range(bracket + 1, len(kinds)):  # marks after a bracket follow it
                if original[index] != "NSM":
                    break
                kinds[index] = direction


def _pair_brackets(text: str, kinds: list[str]) -> list[tuple[int, int]]:
    """Return the positions of the pairs of brackets, in the order of the opening ones."""
    pairs: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for index, char in enumerate(text):
        if kinds[index] != "ON":
            continue
        if char in _CLOSING_OF:
            if len(stack) == _MAX_OPEN_BRACKETS:
                break
            stack.append((_CLOSING_OF[char], index))
        elif char in _CLOSING:
            for depth in range(len(stack) - 1, -1, -1):
                if stack[depth][0] == char:
                    pairs.append((stack[depth][1], index))
                    del stack[depth:]
                    break
    return sorted(pairs)


def _resolve_neutrals(kinds: list[str], embedding: str) -> None:
    """Apply the rules N1 and N2: neutrals between two equal directions take theirs, others that of the paragraph."""
    start = 0
    for is_neutral, run in groupby(list(kinds), key=_NEUTRAL.__contains__):
        end = start + len(list(run))
        if is_neutral:
            before = _STRONG_OF.get(kinds[start - 1], embedding) if start else embedding
            after = _STRONG_OF.get(kinds[end], embedding) if end < len(kinds) else embedding
            kinds[start:end] = [before if before == after else embedding] * (end - start)
        start = end


def _find_level(kind: str, base: int) -> int:
    """Apply the rules I1 and I2."""
    if base % 2:
        return base if kind == "R" else base + 1
    return {"L": base, "R": base + 1}.get(kind, base + 2)
