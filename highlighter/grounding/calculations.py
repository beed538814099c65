"""Numbers of a claim that follow from those of the sentences by one calculation: 1938 less 1925 is thirteen years.

A number that no sentence contains speaks against a claim, unless it is a result. Numbers can fit by chance, so that
only those of one kind are added and subtracted, small numbers need a unit, and only a number that the claim itself supposes is
multiplied ("500 square metres cost 95,000" at 190 a square metre).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, permutations

from highlighter.grounding.equal_quantities import SHARES, parse_value
from highlighter.grounding.quantities import find_number_span
from highlighter.grounding.rounded_numbers import find_rounded_numbers
from highlighter.grounding.wording import DATE, NUMBER, Wording, join_keys, parse_wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import YEAR, find_quantities

# A smaller number without a unit is the sum or difference of others by chance.
MIN_RESULT_WITHOUT_UNIT = 20
MIN_SUPPOSED_WITHOUT_UNIT, MIN_PRODUCT_WITHOUT_UNIT = 10, 1000  # the unit may be a currency that is not known here
_YEAR = re.compile(r"1\d{3}|20\d{2}")
# Of more numbers in the sentences, some two give nearly every result.
MAX_NUMBERS = 30
MAX_CLAIMED_NUMBERS = 10
_FRACTION, _POINTS = "of one", "pp"  # the units of shares, which are percentages or fractions, and of their differences
MAX_CHARACTERS_BEFORE = 8
_CHANGE_BY = compile_later(r"(?:\bby|\bum|(?:增加|增长|上升|上涨|提高|减少|下降|下跌|降低)了?)\s?$")
# What goes with the amount of a change: "by £", 了.
_BEFORE_AMOUNT = compile_later(
    r"(?:\s(?:by|um)\s(?:(?:[£$€¥]|(?:usd|eur|gbp|hkd|rmb|cny|chf)\s))?|(?<=[加长升涨高少降跌])了?)$"
)
# A change that is only forecast is for the model to read with its amount.
_EXPECTED = compile_later(
    r"\b(?:forecast|expect\w*|plan\w*|propos\w*|project\w*|estimat\w*|target\w*|budget\w*|predict\w*|would|could|may be|may rise|may fall|might|should"
    r"|soll\w*|könn\w*|geplant|erwart\w*|voraussichtlich|prév\w*|devrait|pourrait|previst\w*|podría|debería)\b|预计|预期|計劃|计划|拟|可能"
)
_CURRENCY = compile_later(r"^\.?\s(?:[£$€¥]|(?i:euros?|dollars?|pounds?|yen)\b)")  # "3.7 Mio. Euro"


# By what a sentence multiplies the numbers of others.
_FACTORS = {
    compile_later(
        r"\b(?:halves|halved|halving|half (?:of|the|as)|by half|halbier\w*|die hälfte|doit être divisée? par deux|moitié|mitad|metà|metade|gehalveerd|helft|половин\w+|вдвое меньше)\b"
        r"|减半|減半|半分|一半|절반"
    ): Fraction(1, 2),
    compile_later(
        r"\b(?:doubles|doubled|doubling|twice|verdoppel\w*|doppelt\w*|double(?:nt|s)?|doublée?s?|doble|duplica\w*|doppi[oa]|raddoppi\w*|dobro|verdubbel\w*|dubbele?|вдвое больше|удваива\w+)\b"
        r"|加倍|翻倍|两倍|2倍|二倍|倍增|두 배"
    ): Fraction(2),
}
# Rates hold side by side; of two that could apply, the sum need not.
_RATE = compile_later(
    r"\b(?:rates?|surcharges?|supplements?|discounts?|interest|tax|premium|bonus|allowances?|\w*zuschl[aä]ge?|\w*zuschlags|\w*rabatte?|\w*zins(?:en|satz)?|\w*steuer"
    r"|majorations?|remises?|taux|taxe|recargos?|descuentos?|tipo|maggiorazion[ei]|scont[oi]|tasso|acréscimos?|descontos?|taxa|toeslag(?:en)?|korting(?:en)?|надбавк\w+|скидк\w+)\b"
    r"|利率|税率|折扣|附加费|加班费|割増|割引"
)
_ADDED = compile_later(
    r"\b(?:plus|above|on top|additional\w*|in addition|further|increas\w+|cumulat\w+|together|higher|zuzüglich|zusätzlich\w*|erhöh\w+|höher|über|zusammen|majoré\w*|plus élevée?s?|en plus|en sus|cumul\w+"
    r"|además|más|superior(?:es)?|adicional\w*|acumul\w+|in più|oltre|cumul\w+|além|mais|bovenop|verhoogd|plus|плюс|сверх|дополнительно)\b|另加|加上|追加|上乗せ"
)
# After the distance of a value from another: "£118,000, which is £14,000 above the estimate".
_DISTANCE = compile_later(
    r"(?:\s[^\W\d_]+){0,2}?\s(?:above|below|over|under|more than|less than|higher than|lower than|fewer than|über|unter|mehr als|weniger als|höher als|niedriger als"
    r"|au-dessus|en dessous|de plus que|de moins que|más que|menos que|por encima|por debajo|più (?:di|del)|meno (?:di|del)|acima|abaixo|boven|onder|meer dan|minder dan)\b"
)
MAX_DISTANCE_CHARACTERS = 48
# Days that a source tells by the day before them: "arrived on 29 June and left the following day" says 30 June.
FOLLOWING_DAY = compile_later(
    r"\b(?:(?:the )?(?:following|next) day|the day after|(?:am )?(?:folgenden|nächsten) tag|tags darauf|le lendemain|(?:al )?día siguiente"
    r"|(?:il )?giorno (?:dopo|seguente|successivo)|(?:no )?dia seguinte|de volgende dag|на следующий день)\b|翌日|次日|第二天|다음 ?날"
)
_DAY = re.compile(r"#(\d{1,2})")


_LOSS = compile_later(
    r"\b(?:loss(?:es)?|deficits?|shortfall|\w*verluste?s?|fehlbetrag|pertes?|déficits?|pérdidas?|perdit[ae]|prejuízos?|verlies|tekort|убыт\w+)\b|亏损|赤字"
)
_MINUS = compile_later(r"(?:(?<![\w)\]])[-−–]|\()\s?(?:[£$€¥]|(?:eur|usd|gbp|chf)\s)?$")


@dataclass(frozen=True, slots=True)
class _Number:
    """A number with its unit; shares are fractions of one."""

    value: Fraction
    unit: str
    start: int
    is_year: bool = False
    is_change: bool = False  # "rose by 20 per cent"
    is_distance: bool = False  # "£14,000 above the estimate"
    is_rate: bool = False  # "a surcharge of 25 per cent"


def find_calculated_numbers(claim: str, sentences: Iterable[str]) -> frozenset[int]:
    """Return the offsets of the numbers of a claim that follow from the sentences, and of those that they are computed with."""
    claimed, sentences = list(_read_numbers(claim)), list(sentences)
    if not 0 < len(claimed) <= MAX_CLAIMED_NUMBERS:
        return frozenset()
    wording = parse_wording(claim)
    rounded = {word.start for text in sentences for word, _ in find_rounded_numbers(wording, parse_wording(text))}
    given = list({(n.value, n.unit): n for sentence in sentences for n in _read_numbers(sentence)}.values())
    if len(given) > MAX_NUMBERS:
        return frozenset(rounded)
    results = rounded | {number.start for number in claimed if _is_combined(number, given)}
    for supposed, result in permutations(claimed, 2):
        if any(_is_product(supposed, rate, result) for rate in given):
            results |= {supposed.start, result.start}
    return frozenset(results)


def find_derivable_numbers(claim: str, sentences: Sequence[str]) -> frozenset[int]:
    """Return the offsets of the numbers of a claim that may be a price less a share, half of a number, a sum of rates, or a small difference.

    They fit by chance more often than the calculated ones: the sentences do not say them, but do not say otherwise.
    """
    claimed = list(_read_numbers(claim))
    if not 0 < len(claimed) <= MAX_CLAIMED_NUMBERS:
        return frozenset()
    given = [list(_read_numbers(sentence)) for sentence in sentences]
    numbers = [number for of_sentence in given for number in of_sentence]
    if len(numbers) > MAX_NUMBERS:
        return frozenset()
    results: set[tuple[Fraction, str]] = set()
    factors = [Fraction(factor) for words, factor in _FACTORS.items() if any(words.search(fold(s)) for s in sentences)]
    results |= {(n.value * factor, n.unit) for n in numbers for factor in factors if n.unit != _FRACTION}
    wholes = [(number.value, number.unit) for number in claimed]
    for of_sentence in given:
        for first, second in permutations(of_sentence, 2):
            if second.unit == _FRACTION != first.unit:
                results |= {
                    (first.value * share, first.unit) for share in (second.value, 1 - second.value, 1 + second.value)
                }
            if first.is_rate and second.is_rate:  # each may apply alone
                results.add((first.value + second.value, first.unit))
            difference = first.value - second.value
            is_telling = difference.denominator > 1 or (first.value, first.unit) in wholes
            if first.unit == second.unit and difference > 0 and is_telling and not first.is_year:
                results.add((difference, first.unit))
    stated = {(number.value, number.unit) for number in numbers}
    return frozenset(
        number.start for number in claimed if (key := (number.value, number.unit)) in results and key not in stated
    )


def drop_calculated_change(claim: Wording, sentences: Iterable[str]) -> str:
    """Return a claim without "by £410" where one sentence gives just two values of this unit, with that difference.

    To the model, 410 is another number than both. Whether the value rose or fell is for it to read.
    """
    for word in claim.words:
        before = _BEFORE_AMOUNT.search(fold(claim.text[max(word.start - MAX_CHARACTERS_BEFORE, 0) : word.start]))
        if word.kind != NUMBER or not before:
            continue
        _, end = find_number_span(claim, word)
        changes = [number for number in _read_numbers(claim.text) if number.start == word.start]
        if changes and any(map(partial(_is_difference_in, changes[0]), sentences)):
            return claim.text[: word.start - len(before[0])] + _CURRENCY.sub("", claim.text[end:], count=1)
    return claim.text


def agrees_with_factor(claim: str, sentence: str) -> bool:
    """Return whether a claim says that something doubled or halved, and a sentence gives two values of which this is true."""
    folded = fold(claim)
    factors = [factor for words, factor in _FACTORS.items() if words.search(folded)]
    values = [number for number in _read_numbers(sentence) if not number.is_year][:MAX_NUMBERS] if factors else []
    return any(
        first.value * factor == second.value and second.unit in (first.unit, "")
        for factor in factors
        for first, second in pairwise(values)
    )


def agrees_with_sign(claim: str, sentence: str) -> bool:
    """Return whether a claim says that a number is a loss, and a sentence has it with a minus, or in brackets."""
    if not _LOSS.search(fold(claim)):
        return False
    wording, folded = parse_wording(sentence), fold(sentence)
    claimed = join_keys(word for word in parse_wording(claim).words if word.kind == NUMBER)
    negative = (
        w
        for w in wording.words
        if w.kind == NUMBER and _MINUS.search(folded, max(w.start - MAX_CHARACTERS_BEFORE, 0), w.start)
    )
    return any(word.keys & claimed for word in negative)


def _is_difference_in(change: _Number, sentence: str) -> bool:
    if _EXPECTED.search(fold(sentence)):
        return False
    values = [number for number in _read_numbers(sentence) if number.unit == change.unit and not number.is_year]
    return len(values) == 2 and change.value == abs(values[0].value - values[1].value)


def _read_numbers(text: str) -> Iterator[_Number]:
    folded = fold(text)
    is_of_rates = _RATE.search(folded) is not None and not _ADDED.search(folded)
    for quantity in find_quantities(text):
        value, first = parse_value(quantity), quantity.parts[0]
        if value is None:
            yield from (_Number(Fraction(p.value), "y", p.start, True) for p in quantity.parts if p.kind == YEAR)
            continue
        if quantity.unit == _POINTS:
            yield _Number(value * SHARES["%"], _POINTS, first.start)
        elif quantity.unit in SHARES or "/" in quantity.value:
            is_change = _CHANGE_BY.search(folded, max(first.start - MAX_CHARACTERS_BEFORE, 0), first.start) is not None
            yield _Number(
                value * SHARES.get(quantity.unit, 1), _FRACTION, first.start, is_change=is_change, is_rate=is_of_rates
            )
        else:
            is_year = quantity.unit in ("", "y") and _YEAR.fullmatch(text, first.start, first.end) is not None
            end = quantity.parts[-1].end
            is_distance = _DISTANCE.match(folded, end, end + MAX_DISTANCE_CHARACTERS) is not None
            unit = "y" if is_year else quantity.unit
            yield _Number(value, unit, first.start, is_year, is_distance=is_distance)


def _is_combined(result: _Number, given: list[_Number]) -> bool:
    """Return whether a number is what is left of a whole, or the sum or the difference of two of the same unit."""
    if result.unit == _FRACTION and any(n.unit == _FRACTION and n.value + result.value == 1 for n in given):
        return True
    for first, second in combinations(given, 2):
        results = [abs(first.value - second.value)]
        if first.unit == second.unit == _FRACTION and result.unit == _POINTS and result.value in results:
            return True
        if result.is_change:  # from 3.0 to 3.6 per cent it is not by 0.6 per cent
            continue
        if not first.is_year and not any(n.is_distance or n.is_rate for n in (first, second)):
            results.append(first.value + second.value)
        has_one_unit = first.unit == second.unit == result.unit and first.is_year == second.is_year
        is_large = bool(result.unit) or result.value >= MIN_RESULT_WITHOUT_UNIT
        if has_one_unit and is_large and not result.is_year and result.value in results:
            return True
    return False


def _is_product(supposed: _Number, rate: _Number, result: _Number) -> bool:
    """Return whether a number that the claim supposes gives another by a rate or a share of the sentences."""
    if supposed.value == 0 or supposed.is_year or result.is_year:
        return False
    if rate.unit == _FRACTION:
        shares = (rate.value, 1 - rate.value, 1 + rate.value)
        return supposed.unit == result.unit != _FRACTION and result.value in [
            supposed.value * share for share in shares
        ]
    is_large = bool(rate.unit) or (
        supposed.value >= MIN_SUPPOSED_WITHOUT_UNIT and result.value >= MIN_PRODUCT_WITHOUT_UNIT
    )
    is_of_rate = supposed.unit != _FRACTION and rate.unit == result.unit and is_large
    return is_of_rate and supposed.value != 1 and supposed.value * rate.value == result.value


def find_following_days(claim: Wording, sentences: Iterable[Wording]) -> frozenset[int]:
    """Return the offsets of the days of a claim that follow on a day of a sentence which speaks of the following day."""
    days = {
        int(day) + 1
        for sentence in sentences
        if FOLLOWING_DAY.search(fold(sentence.text))
        for word in sentence.words
        for day in _read_day(word.keys) * (word.kind == DATE)
    }
    return frozenset(
        word.start for word in claim.words if word.kind == DATE and not days.isdisjoint(map(int, _read_day(word.keys)))
    )


def _read_day(keys: Iterable[str]) -> list[str]:
    return [match[1] for key in keys if (match := _DAY.fullmatch(key))]
