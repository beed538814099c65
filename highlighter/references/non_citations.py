"""Text that is no citation: code, links, and brackets that cite nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import has_superscript
from highlighter.text.quotation_marks import is_in_quotation
from highlighter.text.sentences.list_markers import ITEM_MARK


class NeedMoreText:
    """The result of a scan that more text may change."""


NEED_MORE_TEXT: Final = NeedMoreText()
# A longer span, fence or link is not taken for one.
MAX_CODE_SPAN_CHARACTERS, MAX_FENCE_CHARACTERS, MAX_LINK_CHARACTERS = 1_000, 200, 1_000

_BLANK_LINE = compile_later(r"\n[ \t]*\n")
_CODE_BLOCK_PREFIX = compile_later(r"(?:^|\n)[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?\Z")
_INFO_STRING = compile_later(r"[^`\n]*\n")
_LINK_TARGET = compile_later(r"\s*(?:<[^<>]*>|[^\s<>]*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced code block that begins here."""

    fence: str
    content_start: int


def scan_code(text: str, offset: int, before: str, is_final: bool) -> int | CodeBlock | NeedMoreText:
    """Return the code block that begins at this offset, or the end of a code span or of the backticks."""
    character = text[offset]
    end = offset
    while end < len(text) and text[end] == character and end - offset < MAX_FENCE_CHARACTERS:
        end += 1
    if end == len(text) and not is_final:
        return NEED_MORE_TEXT
    fence = text[offset:end]
    if len(fence) >= 3 and _CODE_BLOCK_PREFIX.search(before):
        info = _INFO_STRING.match(text, end, end + MAX_FENCE_CHARACTERS)
        if info:
            return CodeBlock(fence, info.end())
        if len(text) - end < MAX_FENCE_CHARACTERS and "`" not in text[end:]:
            return CodeBlock(fence, len(text)) if is_final else NEED_MORE_TEXT
    return _scan_code_span(text, end, fence, is_final) if character == "`" else end


def _scan_code_span(text: str, content_start: int, fence: str, is_final: bool) -> int | NeedMoreText:
    window = text[content_start : content_start + MAX_CODE_SPAN_CHARACTERS]
    blank = _BLANK_LINE.search(window)
    closing = re.compile(rf"(?<!`){fence}(?!`)").search(window[: blank.start()] if blank else window)
    if closing and (closing.end() < len(window) or is_final or len(window) == MAX_CODE_SPAN_CHARACTERS):
        return content_start + closing.end()
    if blank is None and len(window) < MAX_CODE_SPAN_CHARACTERS and not is_final:
        return NEED_MORE_TEXT
    return content_start  # no closing backticks


def find_block_end(text: str, offset: int, fence: str, is_final: bool) -> tuple[int, bool]:
    """Return how far an open code block is known to reach, and whether it ends there."""
    closing = re.compile(
        rf"(?:^|\n)[ \t>]*{re.escape(fence)}{re.escape(fence[0])}*[ \t]{{0,{MAX_FENCE_CHARACTERS}}}(?=\n|\Z)"
    )
    line_start = text.rfind("\n", 0, offset) + 1
    match = closing.search(text, max(line_start - 1, 0))
    while match and match.end() <= offset:
        match = closing.search(text, match.end())
    if match and (match.end() < len(text) or is_final):
        return match.end(), True
    if is_final:
        return len(text), False
    # A last line that may still become the closing fence is held back, unless it is too long.
    last_line_start = text.rfind("\n") + 1
    undecided = re.compile(rf"[ \t>]*{re.escape(fence[0])}*[ \t]*\Z").match(text, last_line_start)
    return (
        max(last_line_start, offset) if undecided and len(text) - last_line_start <= MAX_FENCE_CHARACTERS else len(text)
    ), False


def find_link_end(text: str, offset: int, is_final: bool) -> int | NeedMoreText:
    """Return the end of the link target in round brackets at `offset`; `offset` itself if there is none."""
    depth = 0
    for end in range(offset, min(len(text), offset + MAX_LINK_CHARACTERS)):
        character = text[end]
        if character == "\n":
            return offset
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return end + 1 if _LINK_TARGET.fullmatch(text, offset + 1, end) else offset
    return offset if is_final or len(text) - offset >= MAX_LINK_CHARACTERS else NEED_MORE_TEXT


# Brackets that cite nothing: editorial insertions, array indices, intervals, dates, checkboxes, exponents. Each is
# recognised by its content and the adjacent characters, since a stream offers no more than that.


# These are never document names.
_EDITORIAL_MARK = compile_later(
    r"sic!?|\W*|x|…+|_+|(?:citation|source|clarification) needed|原文如此|\w+[.…]{2,}|[.…]{2,}\w+"
)
# These may be document names; if no document has the name, they are insertions of editors, writers or programs.
_COMMON_ASIDES = frozenset(
    "redacted omitted deleted removed added translated translation transcript inaudible unclear illegible laughter laughs"
    " applause pause crosstalk music silence blank empty none null nil true false todo tbd tbc tba n/a na note notes nb ed"
    " eds info error warn warning debug trace fatal critical important tip caution placeholder draft example signed seal"
    " signature date name address company unk pad cls sep mask eos bos inst /inst sys /sys e.g. i.e. etc his her its their"
    " this that these those an a my our the your dubious v ok yes no edit update updated new"
    " enter return esc escape tab shift ctrl alt cmd del delete space backspace home end up down left right"
    " 原文 原注 译注 译者注 编者注 编者按 作者注 注 备注 按 略 下略 上略 中略 省略 注意 重要 重点 提示 提醒 说明 总结 小结 结论 背景"
    " 概述 摘要 问题 问 答 回答 答案 解答 例 例如 示例 图 表 完 待续 待定 待补充 笑 掌声 空白 公告 通知 更新 最新 推荐 热门 优点"
    " 缺点 步骤 注意事项 关键词 要点 参考".split()
)
_QUOTATION_REMARK = (
    r"(?:\w+ )?(?:emphasis|italics|bold|underlining|highlighting)(?: (?:added|mine|ours|supplied|removed|in (?:the )?original))?"
    r"|(?:\w+ )?(?:citations?|footnotes?|quotations?|quotation marks|references?|brackets)(?: and \w+(?: marks)?)?"
    r" (?:omitted|removed|added|required)"
    r"|(?:\w+ )?translation (?:mine|ours|omitted|removed)"
)
# "p. 3 (emphasis added)"; expects folded text.
TRAILING_QUOTATION_REMARK = compile_later(rf"\s*\((?:{_QUOTATION_REMARK})\)\Z")
_EDITORIAL_PHRASE = compile_later(
    rf"{_QUOTATION_REMARK}"
    r"|(?:by )?(?:who|whom|when|where|which|why|how|what)\?"
    r"|(?:ctrl|alt|shift|cmd|fn|option)(?:\s?[+-]\s?\w+)+"
    r"|(?:\d+% )?(?:ci|cri|sd|se|sem|iqr|ranges?|mean|median|n|r|or|rr|hr|df)\s?[=:<>,]?\s?-?\d[\d.,%\s-]*(?:to\s?-?[\d.,%]+)?|p\s?[=<>]\s?[\d.]+"
    r"|(?:name|date|address|amount|number|title) of [a-z' ]+|(?:usd|eur|gbp|hkd|rmb|cny|jpy|(?:us|hk)\$) ?\d[\d.,]*"
    r"|(?:your|insert|enter|add|fill in)\b[a-z' ]*"
    r"|(?:figure|fig|table|equation|eq|step|option|question|task|exhibit|image|photo|chart|diagram|map|slide|part|phase|level"
    r"|case|day|week|month|stage|scenario|example|note|lot|type|grade|class)\.? ?(?:[a-z]|[ivx]+|[\d.]+)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = compile_later(
    rf"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:"
    rf"(?:19|20)\d\d(?:\s?(?:-|to)\s?\d{{2,4}})?|\d{{4}}[-/.]\d{{1,2}}(?:[-/.]\d{{1,2}})?(?:[t ]\d{{1,2}}:\d\d.*)?"
    rf"|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}|{_DAY}(?: of)? {_MONTH}(?:,? \d{{2,4}})?|{_MONTH} {_DAY}(?:,? \d{{4}})?"
    rf"|{_MONTH},? \d{{4}}|\d{{2,4}}年(?:\d{{1,2}}月)?(?:\d{{1,2}}[日号])?|\d{{1,2}}月\d{{1,2}}[日号]"
    rf"|(?:c\.|circa|ca\.?|before|after|as of) ?\d{{3,4}}|q[1-4],? \d{{4}}|fy ?\d{{2,4}}(?:/\d\d)?"
    rf"|\d{{1,2}}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?)"
)
# Amounts, decimals, versions, ratios, negative numbers, intervals, character classes of regular expressions, "3 marks".
_FIGURE = compile_later(
    r"[-+±<>~≈=£$€¥ ]*\d(?:[\d.,:;/% -]*\d)?\s?(?:%|°c?|[a-z]{1,3})?|v\d+(?:\.\d+)*|(?:[a-z]-[a-z]|\d-\d)+_?"
    r"|\^(?:.-.|\\\w|[^\w\s])+|\d+ (?:marks?|points?|votes?|items?|words?|days?|hours?|minutes?|years?|members?|pages?)"
)
# "[1, n]", "[i, j]", "[n+1]": variables.
_ALGEBRAIC_LIST = compile_later(
    r"(?=.*[,+-])(?=.*[a-z])(?:\d+|[a-z](?:\s?[+-]\s?\d+)?)(?:\s?,\s?(?:\d+|[a-z](?:\s?[+-]\s?\d+)?))*"
)
_NUMBER_LIST = compile_later(r"\s*[#^]?[1-9]\d{0,3}(?:\s*(?:,|;|、|and|&|-|~|和|及|至|to)\s*[#^]?[1-9]\d{0,3})*\s*")
_CHECKBOX_PREFIX = compile_later(rf"(?:^|\n)[ \t>]*{ITEM_MARK}[ \t]+\Z")
_LINE_START = compile_later(r"(?:^|\n)[ \t>]*\Z")
_COMMON_VARIABLE_NAMES = frozenset(
    "arr array arrays argv args kwargs vec mat matrix buf buffer idx index dict df tmp foo bar baz obj nums ptr str elem elems"
    " lst list lists self params items values row rows col cols column columns data tuple vector stack queue element"
    " elements hash cache props options keys nodes files users names fields objects children tokens records lines".split()
)
_INTERVAL_PREFIX = compile_later(
    r"(?:\b(?:ranges?|intervals?|ci|iqr|between|arrays?|vectors?|lists?|sets?|tuples?|coordinates?|domain|shape|bounds?"
    r"|sequence)|区间|范围|数组|列表)\s*(?:of|is|are|:)?\s*\Z|[=∈]\s*\Z"
)
_WORD_BEFORE = compile_later(r"[^\W]+\Z")
_ENDS_IN_URL = compile_later(r"(?:[a-z][a-z+.-]*://|www\.|mailto:)\S*[^\s)\]】）,。，;；]\Z", re.IGNORECASE)
_UNITS = frozenset(
    "mm cm km ft inch inches feet foot yard yards mile miles metre metres meter meters sqm acre hectare sec min hrs kpa mpa"
    " kwh rpm chi log sin cos tan exp centimetre centimetres centimeter centimeters kilometre kilometres kilometer kilometers"
    " millimetre millimetres millimeter millimeters second seconds".split()
)
_POWERS_OF_UNITS = ("²", "³", "2", "3")
_MEASURE_OR_VARIABLE = compile_later(r"\d\s?[^\W\d]+\Z|(?<!\w)[b-hj-zα-ω]\Z")
_OPERATOR = compile_later(r"\s?[=×÷]")
_SUPERSCRIPT_BEFORE = compile_later(r"[A-Z][a-z]?(?![a-z])|[/⁄]")  # "¹⁴C", "¹/₂"
MIN_DIGITS_BEFORE_MARKER = 3  # "2023¹", but 12² is a power
_SHORT_WORDS = frozenset("is it of to by at on be do we up so as or no us he go if".split())
_TRAILING_INDICES = compile_later(r"(?:\[[^\[\]\n]{1,20}\])+\Z")


def is_non_citation(content: str, before: str, after: str) -> bool:
    """Return whether a single bracket with this content cites nothing. `after` holds one or more characters."""
    folded = fold(content).strip()
    if is_editorial_mark(content) or _DATE.fullmatch(folded):
        return True
    if before.endswith("\\") or _ENDS_IN_URL.search(before[-300:]):
        return True
    if _NUMBER_LIST.fullmatch(folded):
        return _is_index(folded, before, after)
    return bool(
        _FIGURE.fullmatch(folded)
        or _ALGEBRAIC_LIST.fullmatch(content.strip())
        or _is_inside_word(folded, before, after)
        or (len(folded) == 1 and _CHECKBOX_PREFIX.search(before))
    )


def is_editorial_mark(content: str) -> bool:
    return _EDITORIAL_MARK.fullmatch(fold(content).strip()) is not None


def is_number_list(content: str) -> bool:
    return _NUMBER_LIST.fullmatch(fold(content)) is not None


def is_at_line_start(before: str) -> bool:
    return _LINE_START.search(before) is not None


def is_common_aside(content: str) -> bool:
    folded = fold(content).strip(" .:!*_")
    return folded in _COMMON_ASIDES or _EDITORIAL_PHRASE.fullmatch(folded) is not None


def is_editorial_insertion(before: str, after: str) -> bool:
    """Return whether the bracket may be an editor's: within a quotation, or in a sentence that continues in lower case."""
    line = before[before.rfind("\n\n") + 1 :]
    return is_in_quotation(line) or (after[:1] == " " and after[1:2].islower())


def is_exponent(before: str, digits: str, after: str) -> bool:
    """Return whether a superscript belongs to a number, a unit or a symbol ("12 m²", "10³", "χ²"), or to what follows it.

    Before a superscript that marks a note, a blank may stand: "It costs £900 ²."
    """
    is_apart = not before or before[-1].isspace()
    if before[-1:] in tuple("⁺⁻⁽/^") or _OPERATOR.match(after):
        return True
    if (is_apart or before[-1] in "([") and _SUPERSCRIPT_BEFORE.match(after):
        return True
    word = _WORD_BEFORE.search(before.rstrip()[-40:])
    # None after a full stop, a quotation mark, a bracket.
    if word is None or has_superscript(word[0]) or _is_han(word[0][-1]) or word[0].lower() in _SHORT_WORDS:
        return False
    name = word[0]
    if name.isdecimal():
        return name == "10" if is_apart else len(name) < MIN_DIGITS_BEFORE_MARKER
    if is_apart:
        return digits in _POWERS_OF_UNITS and _MEASURE_OR_VARIABLE.search(before.rstrip()[-40:]) is not None
    return len(name) < 3 or name.lower() in _UNITS or any(character.isdigit() for character in name)


def _is_han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff"


def _is_index(folded: str, before: str, after: str) -> bool:
    """Return whether the numbers in the bracket are an array index or an interval."""
    if after[:1] in ("+", "{") or (after[:1] == "*" and "-" in folded):
        return True  # a character class of a regular expression
    looks_like_interval = "," in folded or "-" in folded or before.rstrip()[-1:] in ("=", "∈")
    if looks_like_interval and _INTERVAL_PREFIX.search(before[-40:].lower()):
        return True
    word = _WORD_BEFORE.search(_TRAILING_INDICES.sub("", before[-80:]))  # "matrix[1][2]"
    if word is None or not word[0].isascii():
        return False
    name = word[0]
    looks_like_identifier = "_" in name or re.search(r"[a-z][A-Z]|[a-z]\d", name) is not None
    return len(name) == 1 or looks_like_identifier or name.lower() in _COMMON_VARIABLE_NAMES


def _is_inside_word(folded: str, before: str, after: str) -> bool:
    """Return whether a word continues through the bracket: "[t]he", "log[H+]", "map[key]"."""
    if " " in folded or "." in folded or "†" in folded:
        return False
    follows_word = (
        before[-1:].isalnum() and before[-1:].isascii() and not any(character.isdigit() for character in folded)
    )
    return follows_word or (len(folded) <= 3 and after[:1].isalpha() and after[:1].isascii())
