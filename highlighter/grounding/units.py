"""Units of quantities: "90 miles" is not what a source says that has only "90 kilometres".

A currency stands for all that it may mean: 元 is that of the place, a pound is money or a weight. Measures are in `measures.py`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from highlighter.grounding.equal_quantities import build_equal_key
from highlighter.grounding.measures import (
    CELSIUS,
    FAHRENHEIT,
    FEET,
    LENGTH,
    MASS,
    MONTHS,
    POUNDS,
    TIME,
    TONS,
    find_measure,
)
from highlighter.grounding.quantities import MODIFIER
from highlighter.text.characters import fold
from highlighter.text.numerals import Quantity, find_quantities

# What may be meant, and how it is written after a number, in folded text.
_UNITS_AFTER = {
    "minute": r"minutes?\b|mins?\b|分钟", "hour": r"hours?\b|hrs?\b|个?(?:小时|钟头)",
    "day": r"days?\b|个?(?:工作日|日历日|自然日)|天", "week": r"weeks?\b|周(?!年)|个?星期", "month": r"months?\b|个月",
    "year": r"years?\b|周年|年(?!\d|[一二三四五六七八九十]+月)",
    "percentage point": r"percentage points?\b|pp\b|个?百分点|prozentpunkten?\b|points? de pourcentage\b|puntos? porcentual(?:es)?\b",
    "per cent": r"%|per ?cent\b|prozent\b|pour ?cent\b|por ?ciento\b", "per mille": "‰", "cent": r"(?<!per[ -])(?:euro ?)?cents?\b|pence\b|欧分|美分", "usd": "美元|us dollars?", "hkd": "港元|港币", "cny": "人民币|yuan\\b", "eur": r"欧元|euros?\b|€",
    "gbp": r"英镑", "jpy": r"日元|yen\b", "dollar": r"dollars?\b", "pound": r"pounds?\b", "local": "[元圆块]",
}  # fmt: skip
_UNITS_BEFORE = {
    "gbp": "£",
    "eur": "€|eur ?",
    "jpy": "¥",
    "usd": r"us ?\$|usd ?",
    "hkd": r"hk ?\$|hkd ?",
    "cny": "rmb ?|cny ?",
    "dollar": r"\$",
}
_SHARES_BEFORE = {"per cent": "百分之", "per mille": "千分之"}
_MEANINGS = {
    "dollar": {"usd", "hkd"}, "pound": {"gbp", "pound of weight"}, "local": {"hkd", "cny"}, "jpy": {"jpy", "cny"},
}  # fmt: skip
# Numbers of different things may be equal by chance: only units of one dimension are set beside each other.
_DIMENSIONS = {
    name: dimension
    for dimension, names in {
        "time": ("minute", "hour", "day", "week", "month", "year", TIME, MONTHS), "share": ("per cent", "per mille", "percentage point"),
        "money": ("usd", "hkd", "cny", "eur", "gbp", "jpy", "cent"), LENGTH: (FEET,), MASS: ("pound of weight", POUNDS, TONS), CELSIUS: (FAHRENHEIT,),
    }.items()
    for name in names
}  # fmt: skip
ONE = "1"  # "a month" and "the third year in a row" have it without saying so
_AFTER = re.compile(
    rf"[\s-]?(?:(?:{MODIFIER})[\s-])?(?:"
    + "|".join(f"(?P<u{n}>{p})" for n, p in enumerate(_UNITS_AFTER.values()))
    + ")"
)
_BEFORE = re.compile(
    "(?:" + "|".join(f"(?P<u{n}>{p})" for n, p in enumerate([*_UNITS_BEFORE.values(), *_SHARES_BEFORE.values()])) + ")$"
)
_NAMES_AFTER, _NAMES_BEFORE = list(_UNITS_AFTER), [*_UNITS_BEFORE, *_SHARES_BEFORE]


def list_quantities_in_other_units(claim: str, sentences: Iterable[str]) -> list[str]:
    """Return the quantities of a claim whose number the sentences have, but only in other units."""
    units: dict[str, list[frozenset[str]]] = defaultdict(list)
    equal_keys: set[str] = set()
    for sentence in sentences:
        folded = fold(sentence)
        for quantity, meanings, _ in _find_units(sentence):
            units[quantity.value].append(meanings)
            equal_keys.add(build_equal_key(quantity, sentence, folded))
    folded_claim = fold(claim)
    return [
        text
        for quantity, meanings, text in _find_units(claim)
        if (value := quantity.value) != ONE
        and units[value]
        and build_equal_key(quantity, claim, folded_claim) not in equal_keys - {""}
        and all(_is_other_unit(meanings, other) for other in units[value])
    ]


def _is_other_unit(meanings: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two units of one dimension can mean nothing in common."""
    return bool(_read_dimensions(meanings) & _read_dimensions(other)) and not meanings & other


def _read_dimensions(meanings: frozenset[str]) -> frozenset[str]:
    """Return the dimensions of what units may mean: of names, and of measures as `_find_units` writes them."""
    bases = (meaning if meaning in _DIMENSIONS else meaning.rpartition(" ")[2] for meaning in meanings)
    return frozenset(_DIMENSIONS.get(base, base) for base in bases)


def _find_units(text: str) -> Iterator[tuple[Quantity, frozenset[str], str]]:
    """Yield each number with all that its unit may mean, empty where the unit is unknown, and as it is written."""
    folded = fold(text)
    for quantity in find_quantities(text):
        if len(quantity.parts) != 1:  # a date
            continue
        (part,) = quantity.parts
        before = _BEFORE.search(folded, max(part.start - 8, 0), part.start)
        after = _AFTER.match(folded, part.end)
        match, names = (before, _NAMES_BEFORE) if before else (after, _NAMES_AFTER)
        if match is None:
            measure = find_measure(text, folded, part.end)
            meanings = {f"{measure.factor} {measure.dimension}"} if measure else set()
            yield quantity, frozenset(meanings), text[part.start : measure.end] if measure else ""
            continue
        name = names[next(n for n in range(len(names)) if match[f"u{n}"])]
        start, end = min(part.start, match.start()), max(part.end, match.end())
        yield quantity, frozenset(_MEANINGS.get(name, {name})), text[start:end]
