"""Changes of a number or a negation, after which a text says something else."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_DIGITS = re.compile(r"\d+")
_NEGATABLE = re.compile(r"\b(shall|may|must|will|is|are|was|were|can|should|would|has|have|had|does|do|did)\b")
_NEGATION = re.compile(r"\b(not|never|no|without) ")
_CJK_NEGATABLE = re.compile("(可以|應當|应当|应|會|会|須|须|能)")


def change_number(rng: random.Random, quote: str) -> str | None:
    match = choose_match(rng, _DIGITS, quote)
    if match is None:
        return None
    number = match.group()
    replacement = str(int(number) + rng.choice([1, 2, 7, 10])) if len(number) < 15 else number[::-1]
    return quote[: match.start()] + replacement.zfill(len(number)) + quote[match.end() :]


def change_negation(rng: random.Random, quote: str) -> str | None:
    """Add a "not" that is missing in the document, or remove one."""
    if match := _NEGATION.search(quote):
        return quote[: match.start()] + quote[match.end() :]
    if match := choose_match(rng, _NEGATABLE, quote):
        return f"{quote[: match.end()]} not{quote[match.end() :]}"
    if match := choose_match(rng, _CJK_NEGATABLE, quote):
        return f"{quote[: match.start()]}不{quote[match.start() :]}"
    return None


def choose_match(
    rng: random.Random,
    pattern: re.Pattern[str],
    quote: str,
    is_usable: Callable[[re.Match[str]], bool] = lambda match: True,
) -> re.Match[str] | None:
    matches = [match for match in pattern.finditer(quote) if is_usable(match)]
    return rng.choice(matches) if matches else None
