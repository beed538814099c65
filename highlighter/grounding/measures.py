"""Units of measure, with the size of each in the base unit of its dimension: 60 mm are 6 cm.

Months, tons and units that are no metric ones have dimensions of their own: they are never exactly so many days or metres.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import NamedTuple

LENGTH, AREA, VOLUME, MASS, ENERGY, POWER, FORCE, PRESSURE, DATA, VOLTAGE, FREQUENCY, TIME, MONTHS, FEET, POUNDS, TONS = (
    "m", "m2", "l", "g", "J", "W", "N", "Pa", "B", "V", "Hz", "min", "mo", "ft", "lb", "ton",
)  # fmt: skip
CELSIUS, FAHRENHEIT = "°C", "°F"


class Measure(NamedTuple):
    """A unit, and where it ends in a text."""

    dimension: str
    factor: Fraction
    end: int = 0


class _Prefix(NamedTuple):
    """A prefix of metric units: in words of languages with Latin letters, in Russian and in Chinese."""

    latin: str
    russian: str
    chinese: str
    exponent: int


class _Base(NamedTuple):
    """A metric unit: its symbols and names, and the prefixes that are usual with it."""

    dimension: str
    symbols: tuple[str, ...]
    latin: str
    russian: str
    chinese: str
    prefixes: str
    factor: Fraction = Fraction(1)


_PREFIXES = {
    "n": _Prefix("nano", "нано", "纳", -9), "µ": _Prefix("mi[ck]ro", "микро", "微", -6), "m": _Prefix("mill?i|milí", "милли", "毫", -3),
    "c": _Prefix("[cz]enti|centí", "санти", "厘", -2), "d": _Prefix("d[eéè]ci|dezi", "деци", "分", -1), "h": _Prefix("hecto|hekto|etto", "гекто", "百", 2),
    "k": _Prefix("kil[oó]|chilo|quil[oóô]", "кило", "千", 3), "M": _Prefix("m[eé]ga", "мега", "兆", 6), "G": _Prefix("giga", "гига", "吉", 9),
    "T": _Prefix("t[eé]ra", "тера", "太", 12),
}  # fmt: skip
_RUSSIAN_PREFIXES = {
    "n": "н",
    "µ": "мк",
    "m": "м",
    "c": "с",
    "d": "д",
    "h": "г",
    "k": "к",
    "M": "М",
    "G": "Г",
    "T": "Т",
}
_METRES = r"met(?:re|er)s?|metern|mètres?|metros?|metr[oi]"
_RUSSIAN_METRES = "метр(?:а|ов|ах|ами)?"
_LITRES = Fraction(1000)  # in a cubic metre
_BASES = (
    _Base(LENGTH, ("m", "м"), _METRES, _RUSSIAN_METRES, "米", "nµmcdk"),
    _Base(MASS, ("g", "г"), "gram(?:me?)?s?|gram[oam]s?|gramm[oi]|grammen", "грамм(?:а|ов|ах)?", "克", "µmk"),
    _Base(VOLUME, ("l", "L", "л"), "lit(?:re|er)s?|litern|litros?|litr[oi]", "литр(?:а|ов|ах)?", "升", "µmcdh"),
    _Base(ENERGY, ("J",), "joules?", "джоул(?:ь|я|ей)", "焦耳?", "mkMG"),
    _Base(ENERGY, ("Wh",), "watt[ -]?(?:hours?|stunden?)|watt-?heures?", "ватт-час(?:а|ов)?", "瓦时", "kMGT", Fraction(3600)),
    _Base(POWER, ("W", "Вт"), "watts?|vatios?", "ватт(?:а|ов)?", "瓦特?", "mkMGT"),
    _Base(FORCE, ("N", "Н"), "newtons?", "ньютон(?:а|ов)?", "牛顿?", "mkM"),
    _Base(PRESSURE, ("Pa", "Па"), "pascals?|pascales", "паскал(?:ь|я|ей)", "帕斯?卡?", "hkM"),
    _Base(PRESSURE, ("bar",), "bars?", "бар(?:а|ов)?", "巴", "m", Fraction(100_000)),
    _Base(DATA, ("B",), "bytes?|octets?", "байт(?:а|ов)?", "字节", "kMGT"),
    _Base(VOLTAGE, ("V",), "volts?|voltios?", "вольта?", "伏特?", "mkM"),
    _Base(FREQUENCY, ("Hz",), "hertz|hercios?", "герца?", "赫兹?", "kMG"),
    _Base(TIME, ("s", "с"), "seconds?|sekunden?|secondes?|segundos?|second[oi]|seconden", "секунд[аы]?", "秒钟?", "nµm", Fraction(1, 60)),
)  # fmt: skip
# Other units: their names and symbols in folded text, and their names in Chinese.
_OTHERS = (
    (rf"(?:square (?:{_METRES})|quadratmetern?|mètres? carrés?|metros? cuadrados?|metr[oi] quadr(?:at)?[oi]|metros? quadrados?|vierkante meter|qm|m²"
     rf"|квадратн\w+ {_RUSSIAN_METRES})", "平方米", AREA, Fraction(1)),
    ("square kilomet(?:re|er)s?|quadratkilometern?|kilomètres? carrés?|kilómetros? cuadrados?|vierkante kilometer", "平方(?:公里|千米)", AREA, Fraction(10**6)),
    ("square centimet(?:re|er)s?|quadratzentimetern?|centimètres? carrés?|centímetros? cuadrados?", "平方厘米", AREA, Fraction(1, 10**4)),
    ("ha|га|hectares?|hektar|hectáreas?|ettar[oi]|гектар(?:а|ов)?", "公顷", AREA, Fraction(10**4)),
    (rf"cubic (?:{_METRES})|kubikmetern?|mètres? cubes?|metros? cúbicos?|metr[oi] cub[oi]|kubieke meter|кубическ\w+ {_RUSSIAN_METRES}", "立方米", VOLUME, _LITRES),
    ("cubic centimet(?:re|er)s?|kubikzentimetern?|centimètres? cubes?|centímetros? cúbicos?", "立方厘米", VOLUME, 1 / _LITRES),
    ("[tт]|tonnes?|metric tons?|tonnen|toneladas?|tonnellat[ae]|тонн[аы]?", "公?吨", MASS, Fraction(10**6)),
    ("tons?", "", TONS, Fraction(1)), ("kilos?|chil[io]|quilos?", "公斤", MASS, Fraction(1000)), ("mcg", "", MASS, Fraction(1, 10**6)), ("", "公里", LENGTH, Fraction(1000)),
    ("mins?", "", TIME, Fraction(1)), ("h|hrs?", "", TIME, Fraction(60)),
    ("inch(?:es)?", "英寸", FEET, Fraction(1, 12)), ("ft|foot|feet", "英尺", FEET, Fraction(1)), ("yards?", "码", FEET, Fraction(3)),
    ("miles?|meilen?|millas?|milles", "英里", FEET, Fraction(5280)), ("lbs?", "磅", POUNDS, Fraction(1)), ("oz|ounces?", "", POUNDS, Fraction(1, 16)),
    ("(?:° ?|degrees? |grad |degrés? |grados? )(?:c|celsius)", "℃|摄氏度", CELSIUS, Fraction(1)),
    ("(?:° ?|degrees? |grad |degrés? |grados? )(?:f|fahrenheit)", "℉|华氏度", FAHRENHEIT, Fraction(1)),
)  # fmt: skip
# The units that numbers are read with, wherever they stand. A working day is not a day.
_TIMES = {
    "min": Measure(TIME, Fraction(1)), "h": Measure(TIME, Fraction(60)), "d": Measure(TIME, Fraction(24 * 60)), "w": Measure(TIME, Fraction(7 * 24 * 60)),
    "mo": Measure(MONTHS, Fraction(1)), "y": Measure(MONTHS, Fraction(12)),
}  # fmt: skip
# What a unit is in another dimension: so many times its base, and more.
_CONVERSIONS = {
    MONTHS: (TIME, Fraction(24 * 60 * 1461, 48), Fraction(0)), FEET: (LENGTH, Fraction(3048, 10_000), Fraction(0)),
    TONS: (MASS, Fraction(10**6), Fraction(0)), POUNDS: (MASS, Fraction(45_359_237, 100_000), Fraction(0)), FAHRENHEIT: (CELSIUS, Fraction(5, 9), Fraction(-160, 9)),
}  # fmt: skip
# Values that are converted are rounded, too: 10 miles are 16 km.
MAX_ROUNDING = Fraction(1, 20)
MAX_UNIT_CHARACTERS = 32
_GAP = re.compile(r"[\s-]?(?:个(?=[小字]))?")
_SYMBOL = re.compile(r"(?P<symbol>[A-Za-zµμ]{1,3}|[А-Яа-я]{1,4})(?P<power>[²³]|\^?[23](?!\d))?(?![\w²³/·^])")
_POWERS = {"2": (AREA, 2, Fraction(1)), "3": (VOLUME, 3, _LITRES)}
_NO_RATE = r"(?![\w/·^²³]|-(?:hours?|stunden?)\b)"


def find_measure(text: str, folded: str, end: int, unit: str = "") -> Measure | None:
    """Return the unit of measure that follows a number which ends at an offset, or the one that the number was read with."""
    if unit in _TIMES:
        return _TIMES[unit]
    if unit:
        return None
    limit = end + MAX_UNIT_CHARACTERS
    gap = _GAP.match(folded, end, limit)
    start = gap.end() if gap else end
    is_plural = start == end and text[start : start + 1] == "s"  # "under-18s", "1960s"
    if not is_plural and (symbol := _SYMBOL.match(text, start, limit)) and (measure := _read_symbol(symbol)):
        return measure._replace(end=symbol.end())
    pattern, measures = _build_names()
    if match := pattern.match(folded, start, limit):
        return measures[int(str(match.lastgroup)[1:])]._replace(end=match.end())
    return None


def is_nearly_equal(value: Fraction, dimension: str, other: Fraction, other_dimension: str) -> bool:
    """Return whether two values in dimensions that have no exact conversion may be the same: three months and 90 days."""
    if dimension == other_dimension:
        return False
    for (given, base), (wanted, wanted_base) in (
        ((value, dimension), (other, other_dimension)),
        ((other, other_dimension), (value, dimension)),
    ):
        if base in _CONVERSIONS and _CONVERSIONS[base][0] == wanted_base:
            _, factor, shift = _CONVERSIONS[base]
            return abs(given * factor + shift - wanted) <= abs(wanted) * MAX_ROUNDING
    return False


def _read_symbol(match: re.Match[str]) -> Measure | None:
    """Return the unit of a symbol, in any spelling with capitals that means nothing else: "KG", but not "mw" for "MW"."""
    symbol, symbols = match["symbol"].replace("μ", "µ"), _build_symbols()
    measure = symbols.get(symbol)
    if measure is None and len(same := [m for s, m in symbols.items() if s.lower() == symbol.lower()]) == 1:
        measure = same[0] if len(symbol) > 1 else None
    if measure is None or not match["power"]:
        return measure
    if measure.dimension != LENGTH:
        return None
    dimension, exponent, size = _POWERS[match["power"].replace("²", "2").replace("³", "3")[-1]]
    return Measure(dimension, measure.factor**exponent * size)


@cache
def _build_symbols() -> dict[str, Measure]:
    symbols = {}
    for base in _BASES:
        for symbol in base.symbols:
            for prefix in ("", *base.prefixes):
                written = prefix if symbol.isascii() else _RUSSIAN_PREFIXES.get(prefix, "")
                factor = base.factor * Fraction(10) ** (_PREFIXES[prefix].exponent if prefix else 0)
                symbols[written + symbol] = Measure(base.dimension, factor)
    return symbols


@cache
def _build_names() -> tuple[re.Pattern[str], list[Measure]]:
    """Return the pattern of all names, with a group for each unit, and the units."""
    names = list(_OTHERS)
    for base in _BASES:
        for symbol in ("", *base.prefixes):
            latin, russian, chinese, exponent = _PREFIXES.get(symbol, _Prefix("", "", "", 0))
            written = rf"(?:{latin}) ?(?:{base.latin})|{russian}(?:{base.russian})"
            names.append((written, chinese + base.chinese, base.dimension, base.factor * Fraction(10) ** exponent))
    patterns = (
        "|".join(filter(None, (latin and f"(?:{latin}){_NO_RATE}", chinese and f"(?:{chinese})(?![/每])")))
        for latin, chinese, _, _ in names
    )
    pattern = re.compile("|".join(f"(?P<u{number}>{pattern})" for number, pattern in enumerate(patterns)))
    return pattern, [Measure(dimension, factor) for _, _, dimension, factor in names]
