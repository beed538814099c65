"""Chinese numerals: 二十八, 两万三, 二〇二四. All texts are folded (`highlighter.text.characters.fold`)."""

from __future__ import annotations

from itertools import pairwise

CHINESE_DIGIT_VALUES = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {
    digit: value for value, digit in enumerate("〇壹贰叁肆伍陆柒捌玖")
} | {"两": 2, "参": 3}  # fmt: skip
CHINESE_UNIT_VALUES = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_CHINESE_TENS = {"廿": 20, "卅": 30}
CHINESE_GROUP_VALUES = {"万": 10_000, "亿": 100_000_000}
CHINESE_NUMERALS = "".join([*CHINESE_DIGIT_VALUES, *CHINESE_UNIT_VALUES, *_CHINESE_TENS, *CHINESE_GROUP_VALUES])
# Longer runs are not numbers.
MAX_CHINESE_NUMERAL_CHARACTERS = 30


def parse_chinese_numeral(text: str) -> int | None:
    """Return the value of a folded Chinese numeral (二十八, 两万三, 二〇二四); None for anything else, as for "three or four"."""
    if not 0 < len(text) <= MAX_CHINESE_NUMERAL_CHARACTERS or any(
        character not in CHINESE_NUMERALS for character in text
    ):
        return None
    if _is_chinese_range(text):
        return None
    if all(character in CHINESE_DIGIT_VALUES for character in text):  # 二〇三 is read digit by digit
        return int("".join(str(CHINESE_DIGIT_VALUES[character]) for character in text))
    total, section, digit, last_group, last_unit = 0, 0, 0, 0, 1
    for character in text:
        if character in CHINESE_UNIT_VALUES:
            last_unit = CHINESE_UNIT_VALUES[character]
            section += (digit or 1) * last_unit
            digit = 0
        elif character in _CHINESE_TENS:
            section += _CHINESE_TENS[character]
        elif character in CHINESE_GROUP_VALUES:
            group, section = CHINESE_GROUP_VALUES[character], section + _expand_last_digit(digit, last_unit)
            # 一万亿 multiplies what was before it, 一亿零一万 adds to it.
            total = (total + section or 1) * group if group > last_group else total + section * group
            section, digit, last_group, last_unit = 0, 0, group, group
        else:
            digit = 10 * digit + CHINESE_DIGIT_VALUES[character]
            last_unit = last_unit if digit else 1
    return total + section + _expand_last_digit(digit, last_unit)


def _expand_last_digit(digit: int, last_unit: int) -> int:
    """Return the value of a digit after a unit of a hundred and more: 一百二 is 120, but 一百零二 is 102."""
    return digit * last_unit // 10 if last_unit >= 100 else digit


def _is_chinese_range(text: str) -> bool:
    """Return whether a numeral is two numbers: three or four (三四), seventeen or eighteen (十七八)."""
    values = [CHINESE_DIGIT_VALUES.get(character, 0) for character in text]
    if len(text) > 2 and all(character in CHINESE_DIGIT_VALUES for character in text):
        return False
    return any(left and right == left + 1 for left, right in pairwise(values))
