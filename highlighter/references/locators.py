"""Locators in labels: patterns of pages, chunks and clauses, and the numbers in them (3, 三, 十二, iv, three).

All patterns expect text folded by `highlighter.text.characters.fold`.
"""

from __future__ import annotations

import re

from highlighter.models import DOCUMENT_SUFFIXES
from highlighter.text.characters import fold
from highlighter.text.chinese_numerals import parse_chinese_numeral
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import NUMBER_WORD_VALUES

_ROMAN_NUMERAL = compile_later(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_NUMBER_WORD_VALUES = {word: value for word, value in NUMBER_WORD_VALUES.items() if 0 < value <= 20}
NUMBER_WORDS_PATTERN = "|".join(sorted(_NUMBER_WORD_VALUES, key=len, reverse=True))


def parse_number(text: str) -> int | None:
    """Return the value of digits, a Chinese numeral or a number word; None for anything else."""
    if text.isascii() and text.isdigit():
        return int(text)
    if text in _NUMBER_WORD_VALUES:
        return _NUMBER_WORD_VALUES[text]
    return parse_chinese_numeral(text)


def is_roman(text: str) -> bool:
    return bool(text) and _ROMAN_NUMERAL.fullmatch(text) is not None


# Patterns of locators and of words for a source. `fold` keeps lengths and unifies dashes, widths and scripts (頁 becomes
# 页), so that one pattern for each thing is enough.


# Page and chunk numbers need no larger units.
SMALL_CHINESE_NUMERALS = "〇零一二三四五六七八九十百千两"
_NUMERAL = rf"(?:\d{{1,6}}|[{SMALL_CHINESE_NUMERALS}]+)"
_RANGE_SEPARATOR = r"\s*(?:-{1,2}|~|to|until|through|至|到)\s*"
# Page labels as printed: 12, 12a, a-3, b2, iv. A range stays as written: "3-5" is a range or the fifth page of chapter 3,
# which only the document's own labels decide.
_ROMAN_PAGE = r"(?<![a-z])[ivxlcdm]+(?![a-z])"
_PAGE_LABEL = rf"(?:(?:[a-z]{{1,2}}-?)?\d{{1,6}}(?:[a-z](?![a-z]))?|{_ROMAN_PAGE}|(?:{NUMBER_WORDS_PATTERN})(?![a-z]))"
_PAGE_LABEL_OR_RANGE = rf"{_PAGE_LABEL}(?:{_RANGE_SEPARATOR}(?:p{{1,2}}\.?\s*)?{_PAGE_LABEL})?"
_WORD_START = r"(?<![^\W_])"
# Between the word for page and its number: "page no. 3", "page_number: 3", 'page": 3', "p.3", "p-3"; "p.-3" is page -3.
_AFTER_PAGE_WORD = r"""(?:[\s_]*(?:numbers?|num|nos?|nr|index)(?![a-z]))?(?:-|["'\s_.:=#-]{0,4}(?<!-))"""
# "pp. 12 ff.", "p. 12 et seq.": and the following pages. "12f" may also be a page label, see source_locations.py.
_FOLLOWING_PAGES = r"(?:\s*(?:ff?|et\s+seqq?)(?![a-z])\.?)?"
_OPEN_END = compile_later(r"\d\s*(?:ff|et\s+seqq?)(?![a-z])|\d\s+f(?![a-z])")
# "p. 3-5 of 20": the total is no part of the locator.
_OUT_OF_TOTAL = r"(?:\s*(?:/|of)\s*\d+(?!\w))?"

# A slide is cited as a page is: its number is the label of the page that is made of it.
_SLIDE, _CHINESE_SLIDE = r"slides?|folien?|diapos?|diapositiv[aeo]s?|слайд", "幻灯片|投影片|简报"
PAGE_PATTERN = (
    rf"(?:{_WORD_START}(?:pages?|pgs?|pp|p|seiten?|pagina|p[aá]gs?|p[aá]ginas?|стр|{_SLIDE})(?![^\W\d_])"
    rf"{_AFTER_PAGE_WORD}(?P<page>-?{_PAGE_LABEL_OR_RANGE}){_FOLLOWING_PAGES}{_OUT_OF_TOTAL}"
    rf"|{_WORD_START}(?P<page_th>\d{{1,4}})(?:st|nd|rd|th)\s+page(?![a-z])"
    rf"|第\s*(?P<page_cn>{_NUMERAL}(?:{_RANGE_SEPARATOR}{_NUMERAL}|(?:\s*[、,]\s*{_NUMERAL})+)?)\s*(?:页|ページ|张(?:{_CHINESE_SLIDE}))"
    rf"|(?:页(?:码|数)?|{_CHINESE_SLIDE}|スライド|슬라이드)\s*[:#]?\s*(?P<page_cn2>{_NUMERAL}(?:{_RANGE_SEPARATOR}{_NUMERAL})?)"
    rf"|(?P<page_cn3>{_NUMERAL}(?:{_RANGE_SEPARATOR}{_NUMERAL})?)\s*(?:页|ページ|페이지|쪽))"
)
PAGE_LIST_PATTERN = rf"第\s*{_NUMERAL}(?:\s*[、,]\s*{_NUMERAL})+\s*页"
CHUNK_PATTERN = (
    rf"(?:{_WORD_START}chunk[\s_]*(?:(?:id|index|idx|no|number|num)(?![a-z]))?[\"'\s_.:=#-]*(?P<chunk>\d{{1,6}})(?![^\W_])"
    rf"|第\s*(?P<chunk_cn>{_NUMERAL})\s*(?:个)?(?:片段|分块|文本块|区块|块)|(?:片段|分块|文本块|区块)\s*[:#]?\s*(?P<chunk_cn2>{_NUMERAL}))"
)
_CLAUSE_NUMBER = r"\(?[a-z]?\d[\w.]*(?:\([a-z\d]{1,4}\))*\)?|[ivxlcdm]+(?![a-z])"
CLAUSE_PATTERN = (
    rf"(?:{_WORD_START}(?:sub-?clauses?|clauses?|cls?|sub-?sections?|sections?|sects?|secs?|articles?|arts?|paragraphs?|paras?"
    rf"|artikel|abschnitte?|ziffern?|ziff|punkte?|klauseln?"
    rf"|rules?|regulations?|regs?|chapters?|chaps?|ch|headings?|tables?|figures?|figs?|lines?|footnotes?)(?![^\W\d_])"
    rf"|{_WORD_START}(?<!['’])ss?(?=[\s.]{{1,2}}\d)|§{{1,2}}|¶{{1,2}})[\s.:]*(?P<clause>(?:{_CLAUSE_NUMBER})(?:{_RANGE_SEPARATOR}(?:{_CLAUSE_NUMBER}))?)(?![^\W_])"
    rf"|{_WORD_START}l(?P<line>\d+(?:{_RANGE_SEPARATOR}l?\d+)?)(?![^\W_])"
    rf"|(?P<clause_cn>(?:第\s*(?:{_NUMERAL}|\d[\d.]*)\s*(?:条|款|章|节|段|项|行|部分)\s*)+)"
)
LOCATOR_PATTERN = rf"(?:{PAGE_PATTERN}|{CHUNK_PATTERN}|{CLAUSE_PATTERN})"

# Words before a number that make it the number of a source: "Source 2", "doc1", "来源3".
_SOURCE_NOUN = (
    r"sources?|srcs?|documents?|docs?|references?|refs?|citations?|cites?|excerpts?|passages?|contexts?|snippets?"
    r"|extracts?|evidence|results?|footnotes?|items?|search results?|resources?"
    r"|来源|资料|文件|文档|参考(?:资料|文献)?|引用|出处|检索结果|文献|材料|片段来源"
)
SOURCE_NUMBER = compile_later(
    rf"{_WORD_START}(?:{_SOURCE_NOUN})(?![^\W\d_])[\s_]*(?:(?:id|index|no|number|num|nr)(?![a-z]))?[\s_.:=#№-]*"
    rf"(?P<numbers>\d{{1,4}}(?:{_RANGE_SEPARATOR}\d{{1,4}})?|[{SMALL_CHINESE_NUMERALS}]{{1,3}})(?![^\W_])"
)
NUMBER = compile_later(rf"[#№^@]?(?P<numbers>\d{{1,4}}(?:{_RANGE_SEPARATOR}#?\d{{1,4}})?)")
_RANGE = compile_later(rf"(?P<first>[^\s].*?){_RANGE_SEPARATOR}(?:p{{1,2}}\.?\s*)?#?(?P<last>\S+)")

ANY_LOCATOR = compile_later(LOCATOR_PATTERN)
LOCATOR_ONLY = compile_later(rf"[\s(\"'{{]*{LOCATOR_PATTERN}[\s.)\"'}}]*")
# "A (p. 3)", "A - page 3", "A#page=3", "A §4.2", "contract_chunk_005".
TRAILING_LOCATOR = compile_later(rf"(?P<before>.*?)(?:\s(?:at|on|in))?[\s(:#@_/,?&=.-]*{LOCATOR_PATTERN}[\s.)\"'}}]*")
LEADING_LOCATOR = compile_later(
    rf"[\s(]*{LOCATOR_PATTERN}[\s)]*(?:(?P<of>(?:of|in|from)(?: the)?\s)|[-:,.])?\s*(?P<after>.+)"
)
# Of files that are cited: those that are read, and others, which an answer may cite all the same.
FILE_EXTENSIONS = frozenset(
    "doc docm dotx rst xml json csv tsv xls ods ppt odp".split()
    + [suffix.removeprefix(".") for suffix in DOCUMENT_SUFFIXES]
)
EXTENSION_PATTERN = rf"\.(?:{'|'.join(sorted(FILE_EXTENSIONS, key=lambda name: (-len(name), name)))})"
# "A:3", "A.pdf 3", "A.pdf (3)", "A at 3": most likely a page, but chunks are written like this as well.
TRAILING_NUMBER = compile_later(
    rf"(?P<before>.*?(?:{EXTENSION_PATTERN}[\s:#(_-]+|[^\s:#\d]\s?[:#]\s?|\S(?=\sat\s)))(?:\sat\s)?(?P<loose>\d{{1,4}}(?:-\d{{1,4}})?)\)?"
)

# Words before a name that do not belong to it. Nouns need a colon unless a file name follows.
LEAD_IN_BEFORE_NAME = compile_later(
    r"(?:(?:please )?see(?: also)?|cf\.?|e\.?g\.?|from|per|via|refer to|according to|based on|as per|(?:as )?(?:stated|quoted|cited) (?:in|from)"
    r"|参见|参阅|详见|引自|摘自|根据|依据|见|据)[\s:,]*(?=\S)"
    rf"|(?:{_SOURCE_NOUN}|quote|cited|file(?: ?name)?|title|book|paper|资料来源|信息来源|引文|文件名)\s*(?:[:=|]|\.\s|-\s|—)\s*(?=\S)"
)
SOURCE_NOUN_BEFORE_NAME = compile_later(r"(?:sources?|ref(?:erence)?s?|cite|citation|来源|出处)\s+(?=\S)")
DOCUMENT_NOUN_BEFORE_NAME = compile_later(r"(?:doc|document|file)\s+(?=\S+\Z)")
KEY_AND_VALUE = compile_later(
    r"""(?:cite\.?\s*)?[\s{("']*(?:(?:file|doc|document|source)_?(?:name|path|id|title)|file|doc|document|source|title|name|id|path)["']?"""
    r"""\s*[:=]\s*["']?(?P<value>.+?)["'}\s]*"""
)
# "1: NEC4 ACC", "Source 2 - Harbour Works Contract".
NUMBER_AND_NAME = compile_later(
    rf"(?:[#№]?(?P<number>\d{{1,3}})|(?:{_SOURCE_NOUN})\s?#?(?P<source>\d{{1,3}}))\s*(?:[:=)]|\.\s|-\s|—)\s*(?P<name>[^\s\d].+)"
)
# 【1†source】, 【13†L10-L20】, and 【4:1†contract.pdf】, whose numbers are not positions in the list of sources.
DAGGER_MARKER = compile_later(r"\s*(?P<number>\d+)(?P<inner>:\d+)?\s*†\s*(?P<rest>.*?)\s*", re.DOTALL)
DAGGER_PLACEHOLDER = compile_later(r"(?:sources?|l\d+(?:-l?\d+)?|来源|)")


def list_cited_pages(match: re.Match[str]) -> list[str]:
    """Return the page labels of a locator, without spaces; a range is one label."""
    written = match["page"] or match["page_th"] or match["page_cn"] or match["page_cn2"] or match["page_cn3"] or ""
    labels = re.split(r"[、,]", written) if written else []
    return [re.sub(r"\s+", "", re.sub(_RANGE_SEPARATOR, "-", label, count=1)) for label in labels]


def names_following_pages(label: str) -> bool:
    """Return whether a label names a page and an unknown number of those after it: "pp. 12 ff."."""
    return _OPEN_END.search(fold(label)) is not None


def get_cited_chunk(match: re.Match[str]) -> str:
    return match["chunk"] or match["chunk_cn"] or match["chunk_cn2"] or ""


def get_cited_clause(match: re.Match[str]) -> str:
    return (match["clause"] or match["clause_cn"] or "").strip(" .:")


def split_range(text: str) -> tuple[str, str] | None:
    """Return the two ends of a range such as "3-5", or None."""
    match = _RANGE.fullmatch(text)
    return (match["first"], match["last"]) if match else None
