"""The data in a model's reply: JSON that any reader of JSON can read again."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from highlighter.characters import whole_characters

_FENCE = re.compile(r"^\s*```[\w-]*\s*\n(.*?)\n?```\s*$", re.DOTALL)
# Nobody asks for data in so many layers, and what writes JSON again has a limit of its own.
DEEPEST = 100


def data_of(text: str) -> Any:
    """ValueError, when it is none."""
    fenced = _FENCE.match(text)
    try:
        data = json.loads(fenced[1] if fenced else text, parse_constant=_no_number, parse_float=_number)
    except RecursionError as err:
        raise ValueError("It is nested too deeply.") from err
    if _deeper(data, DEEPEST):
        raise ValueError("It is nested too deeply.")
    return json.loads(whole_characters(json.dumps(data, ensure_ascii=False)))  # escapes, too, may be half a character


def _no_number(name: str) -> None:
    """NaN and Infinity: Python reads and writes them, JSON does not know them."""
    raise ValueError(f"{name} is no number.")


def _number(written: str) -> float:
    number = float(written)
    return number if math.isfinite(number) else _no_number(written)


def _deeper(data: Any, layers: int) -> bool:
    level = [data]
    for _ in range(layers):
        level = [one for held in level for one in _within(held)]
    return bool(level)


def _within(held: Any) -> list[Any]:
    return list(held.values()) if isinstance(held, dict) else held if isinstance(held, list) else []
