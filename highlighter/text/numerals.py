"""Numbers as texts write them, in one form: digits, Chinese numerals, English number words, dates, percentages and money.

All patterns match folded text (`highlighter.text.characters.fold`), which has half-width digits and Simplified characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from highlighter.text.characters import fold

_CHINESE_DIGIT_VALUES = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    digit: value for value, digit in enumerate("〇壹贰叁肆伍陆柒捌玖")
} | {"两": 2, "参": 3}  # fmt: skip
_CHINESE_UNIT_VALUES = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_CHINESE_TENS = {"廿": 20, "卅": 30}
_CHINESE_GROUP_VALUES = {"万": 10_000, "亿": 100_000_000}
CHINESE_NUMERALS = "".join([*_CHINESE_DIGIT_VALUES, *_CHINESE_UNIT_VALUES, *_CHINESE_TENS, *_CHINESE_GROUP_VALUES])
# Longer runs are not numbers.
MAX_CHINESE_NUMERAL_CHARACTERS = 30

_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORD_VALUES = {"zero": 0} | {word: value for value, word in enumerate([*_ONES, *_TEENS], 1)}
NUMBER_WORD_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_MULTIPLIERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_MULTIPLIERS |= {"million(?:en|s)": 1_000_000, "mio": 1_000_000, "bn": 1_000_000_000, "mn": 1_000_000}

_MONTHS = (
    "january januar janvier jan", "february februar fevrier février feb", "march märz mars mar", "april avril apr", "may mai",
    "june juni juin jun", "july juli juillet jul", "august août aug", "september septembre sept sep",
    "october oktober octobre oct", "november novembre nov", "december dezember décembre dec",
)  # fmt: skip
MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}

_SUB_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES)})\b)?|(?:{'|'.join([*_TEENS, *_ONES])}))"
_SUB_THOUSAND = rf"(?:(?:{'|'.join(_ONES)})\shundred\b(?:\s(?:and\s)?{_SUB_HUNDRED}\b)?|{_SUB_HUNDRED})"
_NUMBER_WORDS = rf"\b{_SUB_THOUSAND}\b(?:\s(?:thousand|million|billion)\b(?:,?\s(?:and\s)?{_SUB_THOUSAND}\b)?)*"
# Digits within a word (NEC4) are no number; digits beside ideographs are.
_DIGITS = r"(?<![^\W\u3400-\u9fff])(?<![.,])\d+(?:[.,'’]\d+|[\u00a0\u202f]\d{3}(?!\d))*"
_CHINESE = rf"[{CHINESE_NUMERALS}]+(?:点[〇零一二三四五六七八九]+)?"
_MULTIPLIED = (
    rf"{_DIGITS}(?:\s?[千万亿]+|[\s-](?:hundred|thousand|million|billion)\b|\s(?:millionen|millions|mio|mn|bn)\b)?"
)
_NUMBER = rf"(?:{_MULTIPLIED}|{_CHINESE}|{_NUMBER_WORDS}(?:\s\(\d+\))?)"

_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
_MONTH = rf"\b(?:{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})\b\.?"
_CHINESE_PART = rf"(?:\d{{1,4}}|[{CHINESE_NUMERALS}]{{1,4}})"
_DATE = re.compile(
    rf"(?<!\d)(?:(?P<year>{_CHINESE_PART})\s?年\s?)?(?P<month>{_CHINESE_PART})\s?月\s?(?P<day>{_CHINESE_PART})\s?[日号]"
    rf"|(?<!\d)(?P<year2>\d{{4}})(?P<separator>[-/.])(?P<month2>\d{{1,2}})(?P=separator)(?P<day2>\d{{1,2}})(?!\d)"
    rf"|(?<![\d.])(?P<day3>\d{{1,2}})\.\s?(?P<month3>\d{{1,2}})\.\s?(?P<year3>\d{{4}})(?!\d)"
    rf"|(?<![\d.])(?P<day4>{_DAY})\s(?:of\s)?(?P<month4>{_MONTH})(?:,?\s(?P<year4>\d{{4}})(?!\d))?"
    rf"|(?P<month5>{_MONTH})\s(?P<day5>\d{{1,2}}(?:st|nd|rd|th)?)(?!\d)(?:,?\s(?P<year5>\d{{4}})(?!\d))?"
)
_UNITS = {
    "%": r"%|per\s?cent\b|percent\b|prozent\b|pour\s?cent\b", "€": r"€|euros?\b|eur\b|欧元", "$": r"\$|dollars?\b|美元", "£": r"£|pounds?\b|英镑",
    "¥": r"¥|yen\b|日元", "元": r"[元圆]", "d": r"days?\b|tagen?\b|jours?\b|天|日(?!元)", "w": r"weeks?\b|周|个?星期", "mo": r"months?\b|个月",
    "y": r"years?\b|年", "h": r"hours?\b|个?小时", "min": r"minutes?\b|分钟",
}  # fmt: skip
_UNIT = "|".join(f"(?P<u{index}>{pattern})" for index, pattern in enumerate(_UNITS.values()))
_QUANTITY = re.compile(
    rf"(?P<per_cent>百分之)(?P<share>{_DIGITS}|{_CHINESE})|(?P<minus>(?<![\w)\]])-)?(?:(?P<sign>[$£€¥])\s?)?(?P<number>{_NUMBER})(?:[\s-]?(?:{_UNIT}))?"
)
# What a Chinese numeral counts.
_COUNTED = re.compile("[年月日天周个名人元条页次倍成]|小时|分钟|星期")
_ANY_NUMERAL = re.compile(rf"\d|[{CHINESE_NUMERALS}]|\b(?:{'|'.join(NUMBER_WORD_VALUES)})\b")
_DECIMAL_COMMA_WORDS = re.compile(
    r"\b(?:der|die|das|und|ist|nicht|den|des|ein|eine|für|le|la|les|et|est|une|dans|pour|du)\b"
)
_ENGLISH_WORDS = re.compile(r"\b(?:the|of|and|is|to|in|for)\b")


NUMBER, YEAR, MONTH, DAY = "number", "year", "month", "day"


class NumberPart(NamedTuple):
    """The span of a number without its unit, or of a part of a date."""

    kind: str
    start: int
    end: int
    value: str


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, percentage, sum of money or date at `[start, end)` of a text, and the one form of all its spellings."""

    start: int
    end: int
    value: str  # digits, with a point before decimals; of a date its year, or day
    form: str  # value and unit: "30d", "5%", "2024y3m5d"
    parts: tuple[NumberPart, ...]  # the number alone; of a date its year, month and day


def find_quantities(text: str) -> Iterator[Quantity]:
    """Yield the numbers of a text in order."""
    folded = fold(text)
    if not _ANY_NUMERAL.search(folded):
        return
    dates = [quantity for match in _DATE.finditer(folded) if (quantity := _read_date(match))]
    has_decimal_comma = is_decimal_comma_sure(folded)
    position = 0
    for date in [*dates, None]:
        limit = date.start if date else len(folded)
        for match in _QUANTITY.finditer(folded, position, limit):
            if quantity := _read_quantity(match, has_decimal_comma):
                yield quantity
        if date:
            yield date
            position = date.end


def find_counting_numbers(text: str) -> Iterator[NumberPart]:
    """Yield the numbers and the parts of dates; Chinese numerals only where they count something.

    Elsewhere such characters are often parts of words (一般, 十分).
    """
    folded = fold(text)
    for quantity in find_quantities(folded):
        for part in quantity.parts:
            has_unit = quantity.end > part.end or quantity.start < part.start
            is_chinese = folded[part.start] in CHINESE_NUMERALS
            if has_unit or not is_chinese or _COUNTED.match(folded, part.end):
                yield part


def is_decimal_comma_sure(folded: str) -> bool:
    """Return whether a text is clearly German or French, where "1.200" is a thousand and more."""
    sample = folded[:2_000]
    return len(_DECIMAL_COMMA_WORDS.findall(sample)) >= 3 > len(_ENGLISH_WORDS.findall(sample))


def parse_chinese_numeral(text: str) -> int | None:
    """Return the value of a folded Chinese numeral (二十八, 两万, 二〇二四); None for anything else."""
    if not 0 < len(text) <= MAX_CHINESE_NUMERAL_CHARACTERS or any(
        character not in CHINESE_NUMERALS for character in text
    ):
        return None
    if all(character in _CHINESE_DIGIT_VALUES for character in text):  # 二〇三 is read digit by digit
        return int("".join(str(_CHINESE_DIGIT_VALUES[character]) for character in text))
    total, section, digit, last_group = 0, 0, 0, 0
    for character in text:
        if character in _CHINESE_UNIT_VALUES:
            section += (digit or 1) * _CHINESE_UNIT_VALUES[character]
            digit = 0
        elif character in _CHINESE_TENS:
            section += _CHINESE_TENS[character]
        elif character in _CHINESE_GROUP_VALUES:
            group, section = _CHINESE_GROUP_VALUES[character], section + digit
            # 一万亿 multiplies what was before it, 一亿零一万 adds to it.
            total = (total + section or 1) * group if group > last_group else total + section * group
            section, digit, last_group = 0, 0, group
        else:
            digit = 10 * digit + _CHINESE_DIGIT_VALUES[character]
    return total + section + digit


def normalise_digits(digits: str, has_decimal_comma: bool = False) -> str:
    """Return a number in digits in one spelling: 1,000 and 1000 are equal, and 1.234,5 and 1,234.5."""
    digits = re.sub(r"['’\u00a0\u202f\s]", "", digits)
    last_point, last_comma = digits.rfind("."), digits.rfind(",")
    if last_comma > last_point >= 0 or (digits.count(".") > 1 and last_comma < 0 and _is_grouped(digits, ".")):
        digits = digits.replace(".", "").replace(",", ".")
    elif last_comma >= 0 and last_point < 0 and not _is_grouped(digits, ","):
        digits = digits.replace(",", ".") if digits.count(",") == 1 else digits.replace(",", "")
    elif has_decimal_comma and last_comma < 0 and _is_grouped(digits, "."):
        digits = digits.replace(".", "")
    else:
        digits = digits.replace(",", "")
    return re.sub(r"^0+(?=\d)", "", digits) or "0"


def _is_grouped(digits: str, separator: str) -> bool:
    return re.fullmatch(rf"\d{{1,3}}(?:{re.escape(separator)}\d{{3}})+", digits) is not None


def parse_number(text: str, has_decimal_comma: bool = False) -> str:
    """Return the value of a folded number in digits, Chinese numerals or English words, in one spelling; "" for anything else."""
    text = re.sub(r"\s\(\d+\)$", "", text)
    if match := _LEADING_DIGITS.match(text):
        return _multiply(normalise_digits(match[0], has_decimal_comma), text[match.end() :].strip(" -"))
    if text[0] in CHINESE_NUMERALS:
        whole, _, decimals = text.partition("点")
        value = parse_chinese_numeral(whole)
        fraction = "".join(str(_CHINESE_DIGIT_VALUES[character]) for character in decimals)
        return "" if value is None else f"{value}.{fraction}" if fraction else str(value)
    return str(_parse_number_words(text))


_LEADING_DIGITS = re.compile(r"\d[\d.,'’\u00a0\u202f]*(?<=\d)")


def _multiply(digits: str, multiplier: str) -> str:
    if not multiplier or digits.count(".") > 1:
        return digits
    factor = 1
    for word in [multiplier] if multiplier.isascii() else multiplier:
        factor *= {**_CHINESE_UNIT_VALUES, **_CHINESE_GROUP_VALUES}.get(word) or _find_multiplier(word)
    whole, _, decimals = digits.partition(".")
    if factor == 1:
        return digits
    value = int(whole + decimals) * factor
    if value % 10 ** len(decimals):
        return f"{value / 10 ** len(decimals):f}".rstrip("0")
    return str(value // 10 ** len(decimals))


@cache
def _find_multiplier(word: str) -> int:
    return next((value for pattern, value in _MULTIPLIERS.items() if re.fullmatch(pattern, word)), 1)


def _parse_number_words(text: str) -> int:
    total, section = 0, 0
    for word in re.split(r"[\s,-]+", text):
        if word == "hundred":
            section = (section or 1) * 100
        elif word in _MULTIPLIERS:
            total, section = total + (section or 1) * _MULTIPLIERS[word], 0
        else:
            section += NUMBER_WORD_VALUES.get(word, 0)
    return total + section


def _read_quantity(match: re.Match[str], has_decimal_comma: bool) -> Quantity | None:
    name = "share" if match["per_cent"] else "number"
    if match["per_cent"]:
        value, unit = parse_number(match["share"], has_decimal_comma), "%"
    else:
        value = parse_number(match["number"], has_decimal_comma)
        index = next((index for index in range(len(_UNITS)) if match[f"u{index}"]), None)
        unit = match["sign"] or ("" if index is None else list(_UNITS)[index])
    form = f"{match['minus'] or ''}{value}{unit}"
    part = NumberPart(NUMBER, *match.span(name), value)
    return Quantity(match.start(), match.end(), value, form, (part,)) if value else None


def _read_date(match: re.Match[str]) -> Quantity | None:
    spans = {name.rstrip("2345"): match.span(name) for name, value in match.groupdict().items() if value}
    fields = {name: match.string[start:end] for name, (start, end) in spans.items()}
    year, day = _read_part(fields.get("year", "")), _read_part(re.sub(r"\D+$", "", fields["day"]) or fields["day"])
    month_name = fields["month"].rstrip(".")
    month = str(MONTH_NUMBERS[month_name]) if month_name in MONTH_NUMBERS else _read_part(month_name)
    if not (day and month and int(month) <= 12 and int(day) <= 31):
        return None
    form = f"{year}y{month}m{day}d" if year else f"{month}m{day}d"
    values = {YEAR: year, MONTH: month, DAY: day}
    parts = tuple(NumberPart(kind, *spans[kind], value) for kind, value in values.items() if value)
    return Quantity(match.start(), match.end(), year or day, form, parts)


def _read_part(text: str) -> str:
    if text.isdecimal():
        return str(int(text))
    value = parse_chinese_numeral(text)
    return "" if value is None else str(value)
