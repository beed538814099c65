"""Units in headers and captions of tables, which hold for the numbers below them: "€ million", "(EUR thousand)", 单位：万元."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from highlighter.grounding.wording import KeyedWord
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

_POWERS = {
    3: r"thousands?|'?000s?|k|tsd\.?|tausend|milliers|miles|milhares|migliaia|duizend(?:en)?|тыс(?:яч)?\.?|千",
    4: "万|萬",
    6: r"millions?|mn|mio\.?|m|millionen|millones|milhões|milioni|miljoen(?:en)?|млн\.?|миллион(?:ов|ах)|百万|百萬",
    8: "亿|億",
    9: r"billions?|bn|mrd\.?|milliarden|milliards|mil millones|miliardi|mil milhões|bilhões|miljard(?:en)?|млрд\.?|十亿|十億",
}
_CURRENCY = (
    r"(?:us|hk|nt|au?|ca?)?\$|[€£¥]|rmb|[a-z]{3}(?<=eur|usd|gbp|chf|jpy|cny|hkd|sek|nok|dkk|pln|aud|cad)"
    r"|人民币|人民幣|美元|欧元|歐元|港元|日元"
)
_CURRENCY_NAME = r"euro(?:s|'s)?|pounds?(?: sterling)?|(?:us )?dollars?|francs?|yen|yuan|рубл(?:ей|ях)|руб\.?|евро|元|円|圆|美元|欧元|歐元|港元|港幣|日元"
_POWER = "(?:" + "|".join(f"(?P<{{name}}{power}>{words})" for power, words in _POWERS.items()) + ")"
_UNIT = (
    rf"(?P<unit>(?P<before>{_CURRENCY})\s?{_POWER.format(name='a')}(?P<name>{_CURRENCY_NAME})?"
    rf"|{_POWER.format(name='b')}\s?(?:of |de |di |d')?(?P<after>{_CURRENCY_NAME}|{_CURRENCY})"
    rf"|(?<=in )(?!\w\b){_POWER.format(name='c')}|(?P<short>t)(?P<short_currency>eur|€|chf))"
)
_UNIT_OF_HEADER = compile_later(
    rf"(?:^\W*(?:(?:in|en|em|в) )?|[(（\[][^()（）]{{0,20}}?(?:in |\b)|\b(?:in|en|em|в) |, |[:：]\s?){_UNIT}\s?[)）\]]?\W*$"
)
# In brackets of its own, it may stand before the name of a company or a year.
_UNIT_IN_BRACKETS = compile_later(rf"[(（\[](?:[^()（）\d]{{0,20}}?\b)?(?:(?:in|en|em|в) )?{_UNIT}\s*[)）\]]")
# What a caption says of other units does not hold for the rows that name none.
_PROVISO = compile_later(
    r"[,，;；]?\s*(?:(?:unless|except (?:where|as)|if not|where not) (?:otherwise )?(?:stated|indicated|noted|specified|shown)(?: otherwise| differently)?"
    r"|(?:soweit|sofern|wenn|falls) nichts? (?:ander(?:s|es|weitig)|abweichend) (?:angegeben|vermerkt|ausgewiesen|gekennzeichnet)"
    r"|sauf (?:indication|mention|précision) contraire|(?:salvo|excepto|a menos) que se indique lo contrario|(?:salvo|excepto|exceto) (?:indicación|mención|indicação)"
    r" (?:en |em )?contrari[ao]|(?:salvo|exceto) indicação (?:em )?contrário|salvo (?:diversa indicazione|indicazione contraria|(?:ove|dove) diversamente indicato)"
    r"|se non diversamente (?:indicato|specificato)|exceto quando indicado (?:de outra forma|em contrário)|tenzij anders (?:vermeld|aangegeven)"
    r"|если не указано иное|除?非?(?:另有|特别)(?:说明|注明|标明|指明)者?外?)"
)
_POWER_WORD = compile_later(rf"{_POWER.format(name='p')}(?![a-z])|\bt(?:eur|€)")
# A row with a unit of its own: "Earnings per share (cents)", "Margin, %".
_SINGLE_THING = (
    r"\b(?:per (?:share|employee|head|capita|unit|piece|ticket|hour|day|night|customer|tonne|kg)"
    r"|(?:je|pro) (?:aktie|mitarbeiter\w*|kopf|einwohner\w*|stück|stunde|tag|nacht|kunde|tonne)"
    r"|par (?:action|salarié|tête|habitant|unité|heure|jour|client|tonne)|por (?:acción|empleado|habitante|unidad|hora|cliente))\b|每股|人均"
)
_OWN_UNIT = compile_later(
    r"%|\b(?:cents?|pence|per cent|percent|ratio|number(?: of)?)\b|anzahl|nombre de|百分|比率|[人股]数"
    + f"|{_SINGLE_THING}"
)
_CURRENCY_ALONE = compile_later(rf"(?:[(（\[](?:in )?|[,，]? in )(?:{_CURRENCY}|{_CURRENCY_NAME})[)）\]]?\s*$")
_PLAIN_NUMBER = compile_later(r"[(\-−–+]?\s?\d[\d.,'’\s]*\)?")
_NUMBER_KEY = re.compile(r"#(\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class TableUnit:
    """A power of ten, and the currency as it is written before or after a number."""

    text: str  # as the table has it
    power: int
    before: str = ""
    after: str = ""

    def write(self, number: str) -> str:
        """Return a number, which has its power of ten, with the currency."""
        after_space = " " if self.after.isascii() and self.after else ""
        return f"{self.before}{' ' * self.before.isalpha() * self.before.isascii()}{number}{after_space}{self.after}"


def find_unit(text: str) -> TableUnit | None:
    """Return the unit that ends a header or a caption, if it multiplies the numbers below."""
    match = _search_unit(text)
    if match is None:
        return None
    power = next((int(name[1:]) for name, found in match.groupdict().items() if found and name[1:].isdigit()), 3)

    def read(name: str) -> str:
        return text[slice(*match.span(name))] if match[name] else ""

    before, after = read("before") or read("short_currency"), read("name") or read("after")
    if re.fullmatch(_CURRENCY, fold(after)) and not fold(after).isalpha():  # "Mio. €"
        before, after = after, ""
    return TableUnit(text[slice(*match.span("unit"))], power, before, after)


def strip_unit(header: str) -> str:
    """Return a header without its unit."""
    match = _search_unit(header)
    return header[: match.start()].rstrip() if match else header


def _search_unit(header: str) -> re.Match[str] | None:
    """Return where a header or a caption names a unit, whatever it says of exceptions."""
    folded = _PROVISO.sub(lambda proviso: " " * len(proviso[0]), fold(header))
    return _UNIT_OF_HEADER.search(folded) or _UNIT_IN_BRACKETS.search(folded)


def has_power(text: str) -> bool:
    """Return whether a text has a word such as "million" or 万."""
    return _POWER_WORD.search(fold(text)) is not None


def is_sum_of_money(text: str, start: int, end: int) -> bool:
    """Return whether a currency stands beside a number in a text."""
    folded = fold(text)
    is_before = re.search(rf"(?:{_CURRENCY})\s?$", folded[max(start - 8, 0) : start])
    return bool(is_before or re.match(rf"\s?(?:{_CURRENCY_NAME}|{_CURRENCY})(?![a-z])", folded[end:]))


def has_own_unit(row_name: str) -> bool:
    """Return whether the name of a row says what its numbers count."""
    folded = fold(row_name)
    return bool(_OWN_UNIT.search(folded) or _CURRENCY_ALONE.search(folded))


def is_plain_number(cell: str) -> bool:
    return _PLAIN_NUMBER.fullmatch(cell) is not None


def add_scaled_keys(word: KeyedWord, unit: TableUnit) -> KeyedWord:
    """Return a number that also has the keys of its value in a unit."""
    return replace(word, keys=word.keys | list_scaled_keys(word, unit))


def list_scaled_keys(word: KeyedWord, unit: TableUnit) -> frozenset[str]:
    """Return the keys of a number's value in a unit."""
    values = (Decimal(match[1]).scaleb(unit.power) for key in word.keys if (match := _NUMBER_KEY.fullmatch(key)))
    return frozenset(f"#{value.normalize():f}" for value in values)
