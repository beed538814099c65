"""What the numbers of a claim or a sentence count: a value is set beside a value of its kind, and never beside the number
of a clause or of an item of a list."""

from __future__ import annotations

import re
from itertools import pairwise

from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.measures import find_measure
from highlighter.grounding.wording import DATE, KeyedWord, Wording
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

ITEM, REFERENCE, TIME, PERCENT, MONEY, DURATION, OTHER = (
    "item",  # the number of the sentence itself: "6.4 The fee is due."
    "reference",  # of a clause or a page: "under clause 6.4"
    "time", "percent", "money", "duration", "other",
)  # fmt: skip
# Before and after a number, so many characters say what it counts.
MAX_CHARACTERS_BESIDE = 24

# A number with a point begins a clause only before a capital: "4.5 million people" begins with a value.
_ITEM_NUMBER = compile_later(
    r"\s*(?:[(（]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,4}|[一二三四五六七八九十]{1,3})[)）]|\d{1,3}(?:\.\d{1,3})*[.．](?=\s)"
    r"|[一二三四五六七八九十]{1,3}[、．]|\d{1,3}(?:\.\d{1,3})+(?=\s+[“\"'(]*[A-ZÀ-Þ])"
    r"|\d{1,3}(?:\.\d{1,3})+(?=\s+[\u3400-\u9fff])(?!\s+(?:[公英海]?[里尺寸米]|[元天日月年人次倍个個万萬亿億吨噸克斤升度]))"
    r"|第[一二三四五六七八九十百零〇\d]{1,6}[条條](?=\s)"
    r"|(?:Art(?:icle|ículo|icolo|igo|ikel|\.)|Clause|Section|Cláusula|Clausola|§)\s?\d{1,3}(?:\.\d{1,3})*\s?(?:[.:–—-]|º\.?)(?=\s+[“\"«'(]*[A-ZÀ-Þ]))\s*"
)
_REFERENCE_NOUN = compile_later(
    r"(?:\b(?:(?:sub-?)?clauses?|(?:sub-?)?sections?|articles?|paragraphs?|paras?|schedules?|annex(?:es)?|appendix|appendices|chapters?"
    r"|pages?|pp?\.|tables?|figures?|items?|rules?|regulations?|parts?|volumes?|no\.|nos\.)|§)\s*\(?$"
)
_CHINESE_REFERENCE = (compile_later(r"第\s?$"), compile_later(r"\s?[条章节款项页]"))
MODIFIER = "working|calendar|business|clear|consecutive|full|whole|school|trading|bank|cubic|square|nautical|per"
_DURATION_AFTER = compile_later(
    rf"[\s-]?(?:(?:{MODIFIER})[\s-])?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?)\b"
    r"|\s?(?:个|整)?(?:工作日|日历日|自然日|秒|分钟|小时|天|日(?!元)|周|星期|月|年)"
)
CURRENCY_BEFORE = compile_later(r"(?:[£$€¥]|\b(?:usd|eur|gbp|hkd|rmb|cny|chf))\s?$")
_MONEY_AFTER = compile_later(
    r"\s?(?:[千百万亿]*(?:[元圆]|[美日港欧英]元|英镑|人民币)|(?:hundred |thousand |million |billion )?(?:pounds?|euros?|dollars?|yen)\b|[£$€¥])"
)
_PERCENT = (compile_later(r"[百千万]分之$"), compile_later(r"\s?(?:%|‰|per ?cent\b)"))
_CLOCK = (compile_later(r"\d{1,2}[:：]$"), compile_later(r"[:：]\d{2}(?!\d)"))
_LABELLED = re.compile(
    r"\b(?!(?:The|An?|In|On|At|Of|By|For|From|With|And|Or|To|All|Some|Only|About|Over|Under|Up|No)\b)[A-Z][a-z]+\s$"
)
# What stands beside a number where a reader needs it to understand the number.
_SHOWN_BEFORE = compile_later(r"(?:[£$€¥]\s?|[百千万]分之|第\s?|\d{1,2}[:：])$")
_SHOWN_AFTER = compile_later(
    rf"\s?[%‰]|[:：]\d{{2}}(?!\d)|[\s-](?:(?:{MODIFIER})[\s-])?[a-z]\w*(?:[’']s [a-z]\w+)?"
    r"|\s?(?:[条章节款项页]|(?:个|整)?(?:工作日|日历日|自然日|秒|分钟|小时|天|日|周|星期|月|年)|[千百万亿]*(?:[美日港欧英]?元|英镑)"
    r"|公里|海里|平方米|立方米|米|吨|公斤|度|岁|人|名|次|倍|个|份|家)"
)


def find_item_number(text: str) -> int:
    """Return where a sentence begins after the number of its clause or item; 0 where it has none."""
    match = _ITEM_NUMBER.match(text)
    return match.end() if match and match.end() < len(text) else 0


def classify_number(wording: Wording, word: KeyedWord) -> str:
    """Return what a number counts."""
    if word.start < find_item_number(wording.text):
        return ITEM
    before, after = read_beside(wording, word)
    if _REFERENCE_NOUN.search(before) or (_CHINESE_REFERENCE[0].search(before) and _CHINESE_REFERENCE[1].match(after)):
        return REFERENCE
    if _CLOCK[0].search(before) or _CLOCK[1].match(after):
        return TIME
    if _PERCENT[0].search(before) or _PERCENT[1].match(after):
        return PERCENT
    if CURRENCY_BEFORE.search(before) or _MONEY_AFTER.match(after):
        return MONEY
    return DURATION if _DURATION_AFTER.match(after) else OTHER


def is_label(wording: Wording, word: KeyedWord) -> bool:
    """Return whether a number tells a thing from others of its kind: "Group 2"."""
    return _LABELLED.search(wording.text, 0, word.start) is not None and classify_number(wording, word) == OTHER


def is_numbered(claim: Wording, ordinal: KeyedWord, source: Wording) -> bool:
    """Return whether a source numbers what a claim counts with an ordinal: "sailing 4" for "the fourth sailing"."""
    values = {key[:-1] for key in ordinal.keys if key[0] == "#" and key[-1] == "o"}
    counted = next((word.keys for word in claim.words if word.start >= ordinal.end), frozenset())
    return any(counted & before.keys and values & number.keys for before, number in pairwise(source.words))


def can_be_compared(claim: Wording, claim_word: KeyedWord, source: Wording, source_word: KeyedWord) -> bool:
    """Return whether a number of a source can stand where a claim has another: both are values of one kind."""
    kind = classify_number(claim, claim_word)
    return kind != ITEM and kind == classify_number(source, source_word)


def has_own_unit(wording: Wording, word: KeyedWord) -> bool:
    """Return whether the unit of a number is within its word: "half an hour"."""
    return any(key.startswith(EQUAL) for key in word.keys) and find_number_span(wording, word) == (word.start, word.end)


def quote_number(wording: Wording, word: KeyedWord) -> str:
    """Return a number with its sign and unit, so that it can be read alone."""
    start, end = find_number_span(wording, word)
    return wording.text[start:end]


def find_number_span(wording: Wording, word: KeyedWord) -> tuple[int, int]:
    """Return the span of a number with its sign and unit, or with the noun of a reference."""
    before, after = read_beside(wording, word)
    if noun := _REFERENCE_NOUN.search(before):
        return word.start - len(noun[0]), word.end
    if any(key.startswith(EQUAL) for key in word.keys) and (end := _find_end_of_measure(wording, word)):
        return word.start, end
    sign, unit = _SHOWN_BEFORE.search(before), _SHOWN_AFTER.match(after)
    start = word.start - (len(sign[0]) if sign else 0)
    return start, word.end + (unit.end() if unit and not _is_stop_word(wording, word.end, unit) else 0)


def _find_end_of_measure(wording: Wording, word: KeyedWord) -> int:
    """Return where the unit of measure ends that follows a number, or is written with it ("500mg"); 0 without one."""
    number_end = next((n for n in range(word.end, word.start, -1) if wording.text[n - 1].isdecimal()), word.end)
    for end in (word.end, number_end):
        if measure := find_measure(wording.text, fold(wording.text), end):
            return measure.end
    return 0


def quote_date(wording: Wording, word: KeyedWord) -> str:
    """Return the whole date of which a word is a part: "11 June 2025"."""
    first = last = wording.words.index(word)
    while first > 0 and _is_one_date(wording, first - 1, first):
        first -= 1
    while last + 1 < len(wording.words) and _is_one_date(wording, last, last + 1):
        last += 1
    return wording.text[wording.words[first].start : wording.words[last].end]


def _is_one_date(wording: Wording, left: int, right: int) -> bool:
    before, after = wording.words[left], wording.words[right]
    return before.kind == after.kind == DATE and wording.text[before.end : after.start] in (" ", ", ", "-", "/", ".")


def _is_stop_word(wording: Wording, end: int, unit: re.Match[str]) -> bool:
    """Return whether nothing but a word like "of" follows a number."""
    words = wording.words_between(end, end + unit.end())
    return any(word.is_stop_word for word in words[:1])


def read_beside(wording: Wording, word: KeyedWord) -> tuple[str, str]:
    """Return the folded text before and after a number, as far as a unit or a noun reaches."""
    before = wording.text[max(word.start - MAX_CHARACTERS_BESIDE, 0) : word.start]
    return fold(before), fold(wording.text[word.end : word.end + MAX_CHARACTERS_BESIDE])
