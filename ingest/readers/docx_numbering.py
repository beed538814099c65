"""The numbers and bullets of lists, which Word does not keep as text: counted as Word counts them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import etree

from ingest.readers.docx_package import child_value, is_switched_on, parse_number, w

_LEVEL_COUNT = 9
# Bullets are mostly letters of a picture font: here the signs that they show.
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
    kind: str
    text: str
    start: int
    restart: int  # the level whose step sets this one back; 0: never
    is_decimal: bool  # all numbers in it as 1, 2, 3


@dataclass(slots=True)
class _ListState:
    levels: list[_LevelDefinition]
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVEL_COUNT)


class Numbering:
    """Gives each list paragraph, in order, the text of its marker."""

    def __init__(self, root: etree._Element | None):
        self._abstract = _index_by_id(root, "abstractNum", "abstractNumId")
        self._instances = _index_by_id(root, "num", "numId")
        self._linked = {
            child_value(one, "styleLink"): key for key, one in self._abstract.items() if child_value(one, "styleLink")
        }
        self._lists: dict[str, _ListState | None] = {}
        self._shared: dict[str, _ListState] = {}

    def next_marker(self, number_id: str, level: int, depth: int = 0) -> str:
        """ "" when the list is none, or shows nothing at this level. `depth`: how much deeper it stands than it says."""
        if number_id not in self._lists:
            self._lists[number_id] = self._load_list(number_id)
        one = self._lists[number_id]
        if one is None or not 0 <= level < len(one.levels):
            return ""
        _advance_count(one, level)
        definition = one.levels[level]
        if definition.kind == "bullet":
            return _choose_bullet(definition.text, level + depth)
        return re.sub(
            r"%([1-9])", lambda match: _format_count(one, int(match[1]) - 1, definition), definition.text
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
        overrides = {one.get(w("ilvl")): one for one in instance.iter(w("lvlOverride"))}
        if not overrides:  # lists of one definition count on from each other
            return self._shared.setdefault(abstract_id, _ListState(_parse_levels(abstract, {})))
        return _ListState(_parse_levels(abstract, overrides))


def _index_by_id(root: etree._Element | None, name: str, key: str) -> dict[str, etree._Element]:
    return {one.get(w(key), ""): one for one in root.iter(w(name))} if root is not None else {}


def _parse_levels(abstract: etree._Element, overrides: dict[str, etree._Element]) -> list[_LevelDefinition]:
    own = {one.get(w("ilvl")): one for one in abstract.iter(w("lvl"))}
    levels = []
    for index in range(_LEVEL_COUNT):
        override = overrides.get(str(index))
        replaced = override.find(w("lvl")) if override is not None else None
        level = replaced if replaced is not None else own.get(str(index))
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


def _advance_count(one: _ListState, level: int) -> None:
    counts = one.counts
    for above in range(level):
        if counts[above] is None:
            counts[above] = one.levels[above].start
    counts[level] = one.levels[level].start if counts[level] is None else counts[level] + 1
    for below in range(level + 1, _LEVEL_COUNT):
        if one.levels[below].restart > level:
            counts[below] = None


def _format_count(one: _ListState, level: int, definition: _LevelDefinition) -> str:
    count = one.counts[level] if one.counts[level] is not None else one.levels[level].start
    return format_number(count, "decimal" if definition.is_decimal else one.levels[level].kind)


def _choose_bullet(text: str, level: int) -> str:
    """The common dot becomes another sign on each level, for indents do not survive and the depth would be lost."""
    shown = _BULLETS.get(text, text.strip())
    private = any("\ue000" <= char <= "\uf8ff" for char in shown)
    return (
        _BULLETS_BY_DEPTH[level % len(_BULLETS_BY_DEPTH)]
        if private or not shown or shown == _BULLETS_BY_DEPTH[0]
        else shown
    )


def format_number(count: int, kind: str) -> str:
    """A number as lists write it."""
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
    head = "" if tens == 0 else ("十" if tens == 1 else _CHINESE_DIGITS[tens] + "十")
    return head + (_CHINESE_DIGITS[ones] if ones or not tens else "")
