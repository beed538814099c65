"""Compute the numbers and bullets of lists, which Word does not store as text, as Word counts them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from ingest.readers.docx_package import child_value, is_switched_on, parse_number, w

_LEVEL_COUNT = 9
# Bullets are mostly letters of a symbol font: these are the characters they show.
_BULLETS = {
    "\uf0b7": "•",
    "\uf0a7": "▪",
    "\uf0d8": "➢",
    "\uf0fc": "✓",
    "\uf0a8": "□",
    "\uf076": "❖",
    "\uf02d": "-",
    "o": "◦",
    "·": "•",
    "§": "▪",
    "Ø": "➢",
    "ü": "✓",
    "v": "❖",
    "q": "□",
}
_BULLETS_BY_DEPTH = "•◦▪"
_ROMAN_NUMERALS = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_CHINESE_DIGITS = "〇一二三四五六七八九"
_CHINESE_COUNTING = {
    "chineseCounting",
    "chineseCountingThousand",
    "taiwaneseCounting",
    "taiwaneseCountingThousand",
    "japaneseCounting",
    "ideographTraditional",
}


@dataclass(frozen=True, slots=True)
class _LevelDefinition:
    """The definition of one level of a list."""

    kind: str
    text: str
    start: int
    restart: int  # the level whose next number restarts this one; 0: never
    is_decimal: bool  # all its numbers are shown as 1, 2, 3


@dataclass(slots=True)
class _ListState:
    """A list and its current counts."""

    levels: list[_LevelDefinition]
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVEL_COUNT)


class Numbering:
    """The numbering of a Word file: gives each list paragraph, in order, its marker."""

    def __init__(self, root: etree._Element | None):
        self._abstract = _index_by_id(root, "abstractNum", "abstractNumId")
        self._instances = _index_by_id(root, "num", "numId")
        self._linked = {
            child_value(definition, "styleLink"): key
            for key, definition in self._abstract.items()
            if child_value(definition, "styleLink")
        }
        self._lists: dict[str, _ListState | None] = {}
        self._shared: dict[str, _ListState] = {}

    def next_marker(self, number_id: str, level: int, depth: int = 0) -> str:
        """Return the next marker of a list, or "" when there is no list or the level shows nothing.

        `depth` is how much deeper the paragraph stands than its level says.
        """
        if number_id not in self._lists:
            self._lists[number_id] = self._load_list(number_id)
        state = self._lists[number_id]
        if state is None or not 0 <= level < len(state.levels):
            return ""
        _advance_count(state, level)
        definition = state.levels[level]
        if definition.kind == "bullet":
            return _choose_bullet(definition.text, level + depth)
        return re.sub(
            r"%([1-9])", lambda match: _format_count(state, int(match[1]) - 1, definition), definition.text
        ).strip()

    def _load_list(self, number_id: str) -> _ListState | None:
        instance = self._instances.get(number_id)
        abstract_id = child_value(instance, "abstractNumId")
        abstract = self._abstract.get(abstract_id)
        if instance is None or abstract is None or number_id == "0":
            return None
        if (link := child_value(abstract, "numStyleLink")) in self._linked:
            abstract_id = self._linked[link]
            abstract = self._abstract[abstract_id]
        overrides = {override.get(w("ilvl")): override for override in instance.iter(w("lvlOverride"))}
        if not overrides:  # lists that share a definition continue each other's count
            return self._shared.setdefault(abstract_id, _ListState(_parse_levels(abstract, {})))
        return _ListState(_parse_levels(abstract, overrides))


def _index_by_id(root: etree._Element | None, name: str, key: str) -> dict[str, etree._Element]:
    return {element.get(w(key), ""): element for element in root.iter(w(name))} if root is not None else {}


def _parse_levels(abstract: etree._Element, overrides: dict[str, etree._Element]) -> list[_LevelDefinition]:
    level_elements = {element.get(w("ilvl")): element for element in abstract.iter(w("lvl"))}
    levels = []
    for index in range(_LEVEL_COUNT):
        override = overrides.get(str(index))
        replacement = override.find(w("lvl")) if override is not None else None
        level = replacement if replacement is not None else level_elements.get(str(index))
        start = parse_number(child_value(override, "startOverride") or child_value(level, "start", "1"), 1)
        levels.append(
            _LevelDefinition(
                child_value(level, "numFmt", "decimal") if level is not None else "none",
                child_value(level, "lvlText"),
                start,
                parse_number(child_value(level, "lvlRestart", str(index)), index),
                bool(is_switched_on(level, "isLgl")),
            )
        )
    return levels


def _advance_count(state: _ListState, level: int) -> None:
    counts = state.counts
    for higher in range(level):
        if counts[higher] is None:
            counts[higher] = state.levels[higher].start
    count = counts[level]
    counts[level] = state.levels[level].start if count is None else count + 1
    for lower in range(level + 1, _LEVEL_COUNT):
        if state.levels[lower].restart > level:
            counts[lower] = None


def _format_count(state: _ListState, level: int, definition: _LevelDefinition) -> str:
    current = state.counts[level]
    count = state.levels[level].start if current is None else current
    return format_number(count, "decimal" if definition.is_decimal else state.levels[level].kind)


def _choose_bullet(text: str, level: int) -> str:
    """Return the bullet; the common dot changes with the level, because the indentation is lost."""
    bullet = _BULLETS.get(text, text.strip())
    is_private = any("\ue000" <= char <= "\uf8ff" for char in bullet)
    return (
        _BULLETS_BY_DEPTH[level % len(_BULLETS_BY_DEPTH)]
        if is_private or not bullet or bullet == _BULLETS_BY_DEPTH[0]
        else bullet
    )


def format_number(count: int, kind: str) -> str:
    """Return a number as a list of the kind writes it."""
    if kind == "none":
        return ""
    if kind in ("lowerLetter", "upperLetter") and count > 0:
        letters = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 5)
        return letters.upper() if kind == "upperLetter" else letters
    if kind in ("lowerRoman", "upperRoman") and 0 < count < 4000:
        return _format_roman(count).upper() if kind == "upperRoman" else _format_roman(count)
    if kind == "decimalZero":
        return f"{count:02d}"
    if kind in _CHINESE_COUNTING and 0 < count < 100:
        return _format_chinese(count)
    return str(count)


def _format_roman(count: int) -> str:
    text = ""
    for size, letters in _ROMAN_NUMERALS:
        text += letters * (count // size)
        count %= size
    return text


def _format_chinese(count: int) -> str:
    tens, ones = divmod(count, 10)
    tens_text = "" if tens == 0 else ("十" if tens == 1 else _CHINESE_DIGITS[tens] + "十")
    return tens_text + (_CHINESE_DIGITS[ones] if ones or not tens else "")
