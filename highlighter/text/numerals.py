"""Numbers as texts write them, in one form: digits, Chinese numerals, number words, dates, fractions, percentages and money.

All patterns match folded text (`highlighter.text.characters.fold`), which has half-width digits and Simplified characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from highlighter.text.characters import fold
from highlighter.text.chinese_numerals import (
    CHINESE_DIGIT_VALUES,
    CHINESE_GROUP_VALUES,
    CHINESE_NUMERALS,
    CHINESE_UNIT_VALUES,
    parse_chinese_numeral,
)
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.number_words import build_number_pattern, has_number_words, parse_number_words

_YEARS_BEFORE_REPUBLIC = 1911
_ONES = "one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORD_VALUES = {"zero": 0} | {word: value for value, word in enumerate([*_ONES, *_TEENS], 1)}
NUMBER_WORD_VALUES |= {word: 10 * value for value, word in enumerate(_TENS, 2)}
_MULTIPLIERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_MULTIPLIERS |= {"million(?:en|s)": 1_000_000, "mio": 1_000_000, "bn": 1_000_000_000, "mn": 1_000_000}
_MULTIPLIERS |= {"tausend": 1_000, "duizend": 1_000, "miljoen": 1_000_000, "тысяч[аиу]?": 1_000}
_MULTIPLIERS |= {"millón|millones|milion[ei]|milhão|milhões|миллион(?:а|ов)?": 1_000_000}
_MULTIPLIERS |= {
    "milliarden?|mrd|milliards?|mil millones|miliard[oi]|bilhão|bilhões|miljard|миллиард(?:а|ов)?": 1_000_000_000
}

_MONTHS = (
    "january januar janvier jan enero janeiro gennaio januari январь января январе", "february februar fevrier février feb febrero fevereiro febbraio februari февраль февраля феврале",
    "march märz mars mar marzo março maart март марта марте", "april avril apr abril aprile апрель апреля апреле", "may mai mayo maio maggio mei май мая мае",
    "june juni juin jun junio junho giugno июнь июня июне", "july juli juillet jul julio julho luglio июль июля июле",
    "august août aug agosto augustus август августа августе", "september septembre sept sep septiembre setiembre setembro settembre сентябрь сентября сентябре",
    "october oktober octobre oct octubre outubro ottobre октябрь октября октябре", "november novembre nov noviembre novembro ноябрь ноября ноябре",
    "december dezember décembre dec diciembre dezembro dicembre декабрь декабря декабре",
)  # fmt: skip
# English names as alternatives of a pattern.
ENGLISH_MONTHS = "|".join(names.split()[0] for names in _MONTHS)
ENGLISH_WEEKDAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
MONTH_NUMBERS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}

_SUB_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_ONES)})\b)?|(?:{'|'.join([*_TEENS, *_ONES])}))"
_SUB_THOUSAND = rf"(?:(?:{'|'.join(_ONES)})\shundred\b(?:\s(?:and\s)?{_SUB_HUNDRED}\b)?|{_SUB_HUNDRED})"
_NUMBER_WORDS = rf"\b(?:{_SUB_HUNDRED}\sdozen\b|{_SUB_THOUSAND}\b)(?:\s(?:thousand|million|billion)\b(?:,?\s(?:and\s)?{_SUB_THOUSAND}\b)?)*"
# Digits within a word (NEC4) and exponents of letters (m^2) are no number; digits beside ideographs, kana and Hangul are.
_DIGITS = r"(?<![^\W\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af])(?<![^\W\d_]\^)(?<!\.)(?<!\d,)\d+(?:[.,'’]\d+|[\u00a0\u202f]\d{3}(?!\d))*"
# "10⁶", "10^6", "10^{-3}": the exponent is no digit of the number, but folded text would make it one.
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_SUPERSCRIPT = re.compile(f"[{_SUPERSCRIPTS}]")
_TYPED_EXPONENT = r"\^(?:[+-]?\d{1,3}(?!\d)|\{[+-]?\d{1,3}\}|\([+-]?\d{1,3}\))"
# Without a sign, what stands high after a longer number than ten is the mark of a note: "in 2023¹".
_RAISED_EXPONENT = rf"(?:[⁺⁻]|(?<=(?<![\d.,])10)|(?<=(?<![\d.,])\d))[{_SUPERSCRIPTS[:10]}]{{1,3}}"
_EXPONENT = rf"(?:{_RAISED_EXPONENT}|{_TYPED_EXPONENT})"
_TIMES = r"\s?[×x*·⋅∙]\s?"
_POWER = compile_later(rf"(?P<base>\d.*?)(?:{_TIMES}(?P<ten>10))?(?P<exponent>{_EXPONENT})")
_MAX_WRITTEN_EXPONENT = 30  # powers of ten up to it are written in full
_CHINESE = rf"(?:[〇零]\.\d+|[{CHINESE_NUMERALS}]+(?:点[〇零一二三四五六七八九]+[千万亿]*)?)"
_MULTIPLIED = rf"{_DIGITS}(?:{_TIMES}10{_EXPONENT}|{_EXPONENT}|\s?[千万亿]+|[\s-](?:hundred|thousand|million|billion)\b|\s(?:millionen|millions|mio\b\.?|mn|bn|{'|'.join(list(_MULTIPLIERS)[-4:])})\b)?"

_DAY = r"\d{1,2}(?:st|nd|rd|th|er|º|\.)?"
_MONTH = rf"\b(?:{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})\b\.?"
_CHINESE_PART = rf"(?:\d{{1,4}}|[{CHINESE_NUMERALS}]{{1,4}})"
_CHINESE_YEAR = rf"(?:民国\s?(?:\d{{1,3}}|[{CHINESE_NUMERALS}]{{1,6}})|{_CHINESE_PART})"  # the year 1 of 民国 is 1912
# Most characters begin no date and no number; one look at them is much cheaper than trying every form.
_DATE_BEGINS = rf"(?:(?=[\d民{CHINESE_NUMERALS}])|\b(?=[{''.join({name[0] for name in MONTH_NUMBERS})}]))"
_DATE = compile_later(
    rf"{_DATE_BEGINS}(?:(?<!\d)(?:(?P<year>{_CHINESE_YEAR})\s?年\s?)?(?P<month>{_CHINESE_PART})\s?月\s?(?P<day>{_CHINESE_PART})\s?[日号]"
    rf"|(?<!\d)(?P<year6>{_CHINESE_YEAR})\s?年\s?(?P<month6>{_CHINESE_PART})\s?月(?!\s?{_CHINESE_PART}\s?[日号])"
    rf"|(?<!\d)(?P<year2>\d{{4}})(?P<separator>[-/.])(?P<month2>\d{{1,2}})(?P=separator)(?P<day2>\d{{1,2}})(?!\d)"
    rf"|(?<![\d.])(?P<day3>\d{{1,2}})\.\s?(?P<month3>\d{{1,2}})\.\s?(?P<year3>\d{{4}})(?!\d)"
    rf"|(?<![\d.])(?P<day4>{_DAY})\s(?:of\s|de\s)?(?P<month4>{_MONTH})(?:,?\s(?:del?\s)?(?P<year4>\d{{4}})(?!\d))?"
    rf"|(?P<month5>{_MONTH})\s(?P<day5>\d{{1,2}}(?:st|nd|rd|th)?)(?!\d)(?:,?\s(?P<year5>\d{{4}})(?!\d))?"
    rf"|(?P<month7>{_MONTH}),?\s(?:of\s|de\s)?(?P<year7>\d{{4}})(?!\d))"
)
_UNITS = {
    "pp": r"个?百分点|percentage\spoints?\b|prozentpunkten?\b",
    "%": r"%|per\s?cent\b|percent\b|prozent\b|pour\s?cent\b|por\s?cien?to\b|per\s?cento\b", "‰": r"‰|per\s?mille?\b|promille\b",
    "€": r"€|euros?\b|eur\b|欧元", "HK$": r"hk\$|hkd\b|hong kong dollars?\b|港[元币]", "NT$": r"nt\$|(?:ntd|twd)\b|新?台币",
    "$": r"\$|(?:us )?dollars?\b|美[元金]", "£": r"£|pounds?\b|英镑", "¥": r"¥|yen\b|日元|円", "元": r"[元圆]|人民币|(?:rmb|cny)\b",
    "d": r"days?\b|tagen?\b|dag(?:en)?\b|jours?\b|d[ií]as?\b|giorn[oi]\b|дн(?:я|ей|и)\b|(?:أيام|يوما?)\b|天|日(?!元)",
    "w": r"weeks?\b|weken\b|wochen?\b|semaines?\b|semanas?\b|settiman[ae]\b|недел[юиья]\b|(?:أسابيع|أسبوعا?)\b|周|个?星期",
    "mo": r"months?\b|monate?n?\b|maand(?:en)?\b|mois\b|mes(?:es)?\b|mês\b|mes[ei]\b|месяц(?:а|ев)?\b|(?:أشهر|شهور|شهرا?)\b|个月",
    "y": r"years?\b|jahre?n?\b|ja(?:ar|ren)\b|ans\b|années?\b|años?\b|anos?\b|ann[oi]\b|(?:года?|лет)\b|(?:سنوات|سنة|أعوام|عاما?)\b|年",
    "h": r"hours?\b|stunden?\b|u(?:ur|ren)\b|heures?\b|horas?\b|ore\b|час(?:а|ов)?\b|(?:ساعات|ساعة)\b|个?小时", "min": r"minut(?:es?|en?|os?|i)\b|минут[аы]?\b|分钟",
}  # fmt: skip
TIME_UNITS = frozenset(("d", "w", "mo", "y", "h", "min"))
_SIGNS = {"nt$": "NT$", "hk$": "HK$", "us$": "$", "新台币": "NT$", "港币": "HK$", "美金": "$", "人民币": "元"} | {
    "rmb": "元", "cny": "元", "twd": "NT$", "ntd": "NT$", "hkd": "HK$", "usd": "$", "eur": "€", "gbp": "£",
}  # fmt: skip
_SIGN = r"(?:(?<![^\W\u3400-\u9fff])(?:nt|hk|us)\$|[$£€¥]|新台币|港币|美金|人民币|(?<![^\W\u3400-\u9fff])(?:rmb|cny|twd|ntd|hkd|usd|eur|gbp)(?=\s?\d))"
_UNIT = "|".join(f"(?P<u{index}>{pattern})" for index, pattern in enumerate(_UNITS.values()))
_SHARES = {"百": "%", "千": "‰", "万": "‱"}
_FRACTIONS = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_FRACTION = (
    rf"\b(?:(?P<single>one)[\s-](?P<part>{'|'.join(_FRACTIONS)})\b(?!\s(?:part(?:y|ies)|persons?)\b)"
    rf"|(?P<count>{'|'.join(_ONES[1:])})[\s-](?P<parts>{'|'.join(list(_FRACTIONS)[1:])})s\b)"
    rf"|(?P<denominator>[{CHINESE_NUMERALS}]{{1,4}})分之(?P<numerator>[{CHINESE_NUMERALS}]{{1,4}})"
)
# Half a year is six months; the first half of a year (上半年) is none.
_HALF_YEARS = (
    r"half[\s-](?:an?\s)?year|halb(?:e[sn]?\s)?jahr|demi-année|medio año|mezzo anno|meio ano|half\s?jaar|полгода"
)
_HALF_HOURS = (
    r"half[\s-](?:an?\s)?hour|halben?\s?stunde|demi-heure|media hora|mezz[’']ora|mezza ora|meia hora|half\s?uur|полчаса"
)
_HALF_MEASURES = (
    r"(?:half[\s-]an?|halbe[rsn]?|demi|medi[oa]|mezz[oa]|mei[oa]|半)(?P<half_measure>)"
    r"(?=[\s-]?(?:kilo|quilo|chilo|met(?:re|er)\b|met?ro\b|mètre|lit(?:re|er|ro)\b|tonn?e|hect|hekt|ettaro|公[里斤顷]|[米升吨]))"
)
_HALF = (
    rf"(?<![上下前后])半个?(?P<half_unit>年|小时)|\b(?:(?P<half_year>{_HALF_YEARS})|(?P<half_hour>{_HALF_HOURS}))\b"
    rf"|(?<![^\W\u3400-\u9fff]){_HALF_MEASURES}"
)
_TENTHS = (
    r"(?P<tenths>[1-9一二两三四五六七八九])成(?P<hundredths>[一二三四五六七八九半])?(?![立为功员果本交分长熟型]|不变)"
)


def _build_quantity(number: str, first_letters: str) -> re.Pattern[str]:
    begins = rf"(?:(?=[\d$£€¥半民港新人美{CHINESE_NUMERALS}-])|(?<![^\W\u3400-\u9fff])(?={first_letters}))"
    return compile_later(
        rf"{begins}(?:(?<![{CHINESE_NUMERALS}])(?P<share_of>[百千万])分之(?P<share>{_DIGITS}|{_CHINESE})|{_FRACTION}|{_HALF}|{_TENTHS}"
        rf"|(?P<minus>(?<![\w)\]])-)?(?:(?P<sign>{_SIGN})\s?|(?P<era>民国)\s?)?(?P<number>{number})(?:[\s-]?(?:{_UNIT}))?)"
    )


_QUANTITY = _build_quantity(rf"{_MULTIPLIED}|{_CHINESE}|{_NUMBER_WORDS}(?:\s\(\d+\))?", "[otfsenhurcgdmп]")


@cache
def _build_quantity_in_words() -> re.Pattern[str]:
    """Return the pattern of quantities with the number words of all languages."""
    return _build_quantity(
        rf"{_MULTIPLIED}|{_CHINESE}|(?:{_NUMBER_WORDS}|{build_number_pattern()})(?:\s\(\d+\))?", r"[^\W\d_]"
    )


# What a Chinese numeral counts.
_COUNTED = compile_later("[年月日天周个名人元条页次倍成吨]|小时|分钟|星期|公[里斤顷]|毫[米克升]|厘米|平方|立方")
_ANY_NUMERAL = compile_later(
    rf"\d|[半{CHINESE_NUMERALS}]|\b(?:half|halb|demi|medi[oa]|mezz|mei[oa]|пол[гч]|dozen|{'|'.join(NUMBER_WORD_VALUES)}\b)"
)
_DECIMAL_COMMA_WORDS = compile_later(
    r"\b(?:der|die|das|und|ist|nicht|den|des|ein|eine|für|le|la|les|et|est|une|dans|pour|du)\b"
)
_ENGLISH_WORDS = compile_later(r"\b(?:the|of|and|is|to|in|for)\b")


# Who writes "1.480 Mio." means a thousand and more.
_GERMAN_MULTIPLIER = compile_later(r"(?:mio|mrd|millionen|milliarden?)\.?$")

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
    value: str  # digits, with a point before decimals; "2^10" for a power of another base than ten; of a date its year, or day
    form: str  # value and unit: "30d", "5%", "2024y3m5d"
    parts: tuple[NumberPart, ...]  # the number alone; of a date its year, month and day

    @property
    def unit(self) -> str:
        """The unit of a number in its form ("d", "%"); "" without one. Of a date it means nothing."""
        return self.form.removeprefix("-").removeprefix(self.value)


def find_quantities(text: str, has_decimal_comma: bool | None = None) -> Iterator[Quantity]:
    """Yield the numbers of a text in order; whether "1.200" is a thousand is read from the text where it is not given."""
    folded = _fold_without_exponents(text)
    is_in_words = has_number_words(folded)
    if not is_in_words and not _ANY_NUMERAL.search(folded):
        return
    dates = [quantity for match in _DATE.finditer(folded) if (quantity := _read_date(match))]
    has_decimal_comma = is_decimal_comma_sure(folded) if has_decimal_comma is None else has_decimal_comma
    # Who writes "4.440 €", and no English, means thousands: there are no thousandths of a euro.
    may_be_grouped = ("€" in folded or "eur" in folded) and not _ENGLISH_WORDS.search(folded)
    pattern = _build_quantity_in_words() if is_in_words else _QUANTITY
    position = 0
    for date in [*dates, None]:
        limit = date.start if date else len(folded)
        for match in pattern.finditer(folded, position, limit):
            if quantity := _read_quantity(match, has_decimal_comma, may_be_grouped):
                yield quantity
        if date:
            yield date
            position = date.end


def has_superscript(text: str) -> bool:
    """Return whether a text has figures or signs that stand high, as exponents do."""
    return not text.isascii() and _SUPERSCRIPT.search(text) is not None


def _fold_without_exponents(text: str) -> str:
    """Return the folded text in which what stands high is as it was."""
    folded = fold(text)
    if not has_superscript(text):
        return folded
    pairs = zip(text, folded, strict=True)
    return "".join(character if character in _SUPERSCRIPTS else plain for character, plain in pairs)


def find_counting_numbers(text: str) -> Iterator[NumberPart]:
    """Yield the numbers and the parts of dates; Chinese numerals only where they count something."""
    for quantity in find_counting_quantities(text):
        yield from quantity.parts


def find_counting_quantities(text: str) -> Iterator[Quantity]:
    """Yield the quantities of a text; Chinese numerals only where they count something.

    Elsewhere such characters are often parts of words (一般, 十分).
    """
    folded = fold(text)
    for quantity in find_quantities(text):
        last = quantity.parts[-1]
        has_unit = len(quantity.parts) > 1 or "/" in last.value or quantity.form.lstrip("-") != last.value
        if has_unit or folded[last.start] not in CHINESE_NUMERALS or _COUNTED.match(folded, last.end):
            yield quantity


def is_decimal_comma_sure(folded: str) -> bool:
    """Return whether a text is clearly German or French, where "1.200" is a thousand and more."""
    sample = folded[:2_000]
    return len(_DECIMAL_COMMA_WORDS.findall(sample)) >= 3 > len(_ENGLISH_WORDS.findall(sample))


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
    return re.fullmatch(rf"[1-9]\d{{0,2}}(?:{re.escape(separator)}\d{{3}})+", digits) is not None


def parse_number(text: str, has_decimal_comma: bool = False) -> str:
    """Return the value of a folded number in digits, Chinese numerals or English words, in one spelling; "" for anything else."""
    text = _REPEATED_DIGITS.sub("", text)
    if power := _POWER.fullmatch(text):
        return _raise_to_power(power, has_decimal_comma)
    if match := _LEADING_DIGITS.match(text):
        return _multiply(normalise_digits(match[0], has_decimal_comma), text[match.end() :].strip(" -"))
    if text[0] in CHINESE_NUMERALS:
        whole, _, decimals = text.replace(".", "点").partition("点")
        value, digits = parse_chinese_numeral(whole), decimals.rstrip("千万亿")
        fraction = "".join(str(CHINESE_DIGIT_VALUES.get(character, character)) for character in digits)
        number = f"{value}.{fraction}" if fraction else str(value)
        return "" if value is None else _multiply(number, decimals[len(digits) :])
    value = (
        parse_number_words(text)
        if text.split()[0].split("-")[0] not in NUMBER_WORD_VALUES
        else _parse_number_words(text)
    )
    return "" if value is None else str(value)


_REPEATED_DIGITS = compile_later(r"\s\((\d+)\)$")
_LEADING_DIGITS = compile_later(r"\d[\d.,'’\u00a0\u202f]*(?<=\d)")


def _raise_to_power(power: re.Match[str], has_decimal_comma: bool) -> str:
    """Return a power of ten, or a multiple of one, in digits, and any other power as its base and exponent: "2^10"."""
    exponent = int(fold(power["exponent"]).strip("^{}()"))
    factor, base = normalise_digits(power["base"], has_decimal_comma), "10"
    if not power["ten"]:
        factor, base = "1", factor
    if base != "10" or abs(exponent) > _MAX_WRITTEN_EXPONENT or factor.count(".") > 1:
        return f"{base}^{exponent}" if factor == "1" else f"{factor}*{base}^{exponent}"
    whole, _, decimals = factor.partition(".")
    digits, places = (whole + decimals).lstrip("0") or "0", len(decimals) - exponent
    if places <= 0:
        return digits + "0" * -places if digits != "0" else digits
    digits = digits.zfill(places + 1)
    return f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")


def _multiply(digits: str, multiplier: str) -> str:
    if not multiplier or digits.count(".") > 1:
        return digits
    factor = 1
    for word in [multiplier] if multiplier.isascii() else multiplier:
        factor *= {**CHINESE_UNIT_VALUES, **CHINESE_GROUP_VALUES}.get(word) or _find_multiplier(word)
    whole, _, decimals = digits.partition(".")
    if factor == 1:
        return digits
    value = int(whole + decimals) * factor
    if value % 10 ** len(decimals):
        return f"{value / 10 ** len(decimals):f}".rstrip("0")
    return str(value // 10 ** len(decimals))


def find_multiplier(number: str) -> str:
    """Return the word such as "million" that ends a folded number; "" without one."""
    match = _MULTIPLIER_AT_END.search(number)
    return match[0] if match else ""


_MULTIPLIER_AT_END = compile_later(rf"(?:\b|(?<=\d))(?:{'|'.join(_MULTIPLIERS)})$|[千万亿]+$")


@cache
def _find_multiplier(word: str) -> int:
    return next((value for pattern, value in _MULTIPLIERS.items() if re.fullmatch(pattern, word)), 1)


def _parse_number_words(text: str) -> int:
    total, section = 0, 0
    for word in re.split(r"[\s,-]+", text):
        if word in ("hundred", "dozen"):
            section = (section or 1) * (100 if word == "hundred" else 12)
        elif word in _MULTIPLIERS:
            total, section = total + (section or 1) * _MULTIPLIERS[word], 0
        else:
            section += NUMBER_WORD_VALUES.get(word, 0)
    return total + section


def _read_quantity(match: re.Match[str], has_decimal_comma: bool, may_be_grouped: bool) -> Quantity | None:
    if match["number"] is None:
        return _read_share(match, has_decimal_comma)
    index = next((index for index in range(len(_UNITS)) if match[f"u{index}"]), None)
    sign = _SIGNS.get(match["sign"], match["sign"])
    unit = sign or ("" if index is None else list(_UNITS)[index])
    is_german = _GERMAN_MULTIPLIER.search(match["number"]) is not None
    is_grouped = (is_german or (may_be_grouped and unit == "€")) and not match["number"].startswith("0")
    value = _read_number(match["number"], has_decimal_comma or is_grouped)
    if match["era"] and unit == "y" and value.isdigit():
        value = _to_western_year(value)
    return _make_quantity(match, "number", value, f"{match['minus'] or ''}{value}{unit}") if value else None


def _read_number(text: str, has_decimal_comma: bool) -> str:
    """Return the value of a number; of one that is repeated in digits otherwise ("five (6)") both."""
    value, repeated = parse_number(text, has_decimal_comma), _REPEATED_DIGITS.search(text)
    return value if repeated is None or repeated[1] == value else f"{value}({repeated[1]})"


def _read_share(match: re.Match[str], has_decimal_comma: bool) -> Quantity | None:
    """Read a share of a hundred or a thousand, a fraction, tenths (两成), or half a year."""
    if match["share_of"]:
        value = parse_number(match["share"], has_decimal_comma)
        return _make_quantity(match, "share", value, f"{value}{_SHARES[match['share_of']]}") if value else None
    if match["half_measure"] is not None:  # its unit follows
        return _make_quantity(match, 0, "0.5", "0.5")
    if match["half_year"] or match["half_unit"] == "年":
        return _make_quantity(match, 0, "6", "6mo")
    if match["half_hour"] or match["half_unit"]:
        return _make_quantity(match, 0, "30", "30min")
    if match["tenths"]:
        tenths, hundredths = (_read_part(match[name] or "零") for name in ("tenths", "hundredths"))
        value = str(10 * int(tenths) + (5 if match["hundredths"] == "半" else int(hundredths)))
        return _make_quantity(match, 0, value, f"{value}%")
    if match["denominator"]:
        numerator, denominator = _read_part(match["numerator"]), _read_part(match["denominator"])
    else:
        numerator = str(NUMBER_WORD_VALUES[match["single"] or match["count"]])
        denominator = str(_FRACTIONS[match["part"] or match["parts"]])
    value = f"{numerator}/{denominator}"
    return _make_quantity(match, 0, value, value) if numerator and denominator else None


def _make_quantity(match: re.Match[str], group: str | int, value: str, form: str) -> Quantity:
    return Quantity(match.start(), match.end(), value, form, (NumberPart(NUMBER, *match.span(group), value),))


def _to_western_year(year: str) -> str:
    return str(int(year) + _YEARS_BEFORE_REPUBLIC)


def _read_date(match: re.Match[str]) -> Quantity | None:
    spans = {name.rstrip("234567"): match.span(name) for name, value in match.groupdict().items() if value}
    fields = {name: match.string[start:end] for name, (start, end) in spans.items()}
    year, month_name = _read_part(fields.get("year", "")), fields["month"].rstrip(".")
    written_day = fields.get("day", "")
    day = _read_part(re.sub(r"\D+$", "", written_day) or written_day)
    month = str(MONTH_NUMBERS[month_name]) if month_name in MONTH_NUMBERS else _read_part(month_name)
    is_day = bool(day) and int(day) <= 31
    if not month or int(month) > 12 or not (is_day or (year and not written_day)):
        return None
    values = {YEAR: year, MONTH: month, DAY: day}
    form = "".join(f"{value}{unit}" for value, unit in zip(values.values(), "ymd", strict=True) if value)
    parts = tuple(NumberPart(kind, *spans[kind], value) for kind, value in values.items() if value)
    return Quantity(match.start(), match.end(), year or day, form, parts)


def _read_part(text: str) -> str:
    if text.startswith("民国"):
        year = _read_part(text.removeprefix("民国").strip())
        return _to_western_year(year) if year else ""
    if text.isdecimal():
        return str(int(text))
    value = parse_chinese_numeral(text)
    return "" if value is None else str(value)
