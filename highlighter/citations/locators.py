"""Where in a document a label points: pages, chunks, clauses; and the words that say "a source". All on folded text.

`fold` keeps lengths, makes every dash "-", full width half and 頁 页: so one pattern a thing is enough.
"""

from __future__ import annotations

import re

from highlighter.citations.numerals import CHINESE, NUMBER_WORDS

_N = rf"(?:\d{{1,6}}|[{CHINESE}]+)"
_TO = r"\s*(?:-{1,2}|~|to|until|through|至|到)\s*"
# As printed: 12, 12a, a-3, b2, iv. A range of them stays as written: "3-5" is two pages or the fifth of chapter 3, and
# only the document's own labels tell.
_ROMAN = r"(?<![a-z])[ivxlcdm]+(?![a-z])"
_LABEL = rf"(?:(?:[a-z]{{1,2}}-?)?\d{{1,6}}(?:[a-z](?![a-z]))?|{_ROMAN}|(?:{NUMBER_WORDS})(?![a-z]))"
_LABELS = rf"{_LABEL}(?:{_TO}(?:p{{1,2}}\.?\s*)?{_LABEL})?"
_BEGINS = r"(?<![^\W_])"
# What may stand between a page's sign and its number: "page no. 3", "page_number: 3", 'page": 3', "p.3".
_SIGN_END = r"""(?:[\s_]*(?:numbers?|num|nos?|nr|index)(?![a-z]))?["'\s_.:=#-]{0,4}"""
# "pp. 12 ff.", "p. 12 et seq.": and the next ones. "12f" may be a page's label, too: see citations/printed.py.
_ON = r"(?:\s*(?:ff?|et\s+seqq?)(?![a-z])\.?)?"
# "p. 3-5 of 20": how many there are is not said of the place.
_OF = r"(?:\s*(?:/|of)\s*\d+(?!\w))?"

PAGE = (
    rf"(?:{_BEGINS}(?:pages?|pgs?|pp|p|seiten?|pagina|p[aá]gs?|p[aá]ginas?|стр)(?![^\W\d_])"
    rf"{_SIGN_END}(?P<page>{_LABELS}){_ON}{_OF}"
    rf"|{_BEGINS}(?P<page_th>\d{{1,4}})(?:st|nd|rd|th)\s+page(?![a-z])"
    rf"|第\s*(?P<page_cn>{_N}(?:{_TO}{_N}|(?:\s*[、,]\s*{_N})+)?)\s*(?:页|ページ)"
    rf"|页(?:码|数)?\s*[:#]?\s*(?P<page_cn2>{_N}(?:{_TO}{_N})?)"
    rf"|(?P<page_cn3>{_N}(?:{_TO}{_N})?)\s*(?:页|ページ|페이지|쪽))"
)
LISTED_PAGES = rf"第\s*{_N}(?:\s*[、,]\s*{_N})+\s*页"
CHUNK = (
    rf"(?:{_BEGINS}chunk[\s_]*(?:(?:id|index|idx|no|number|num)(?![a-z]))?[\"'\s_.:=#-]*(?P<chunk>\d{{1,6}})(?![^\W_])"
    rf"|第\s*(?P<chunk_cn>{_N})\s*(?:个)?(?:片段|分块|文本块|区块|块)|(?:片段|分块|文本块|区块)\s*[:#]?\s*(?P<chunk_cn2>{_N}))"
)
_NUMBERED = r"\(?[a-z]?\d[\w.]*(?:\([a-z\d]{1,4}\))*\)?|[ivxlcdm]+(?![a-z])"
CLAUSE = (
    rf"(?:{_BEGINS}(?:sub-?clauses?|clauses?|cls?|sub-?sections?|sections?|sects?|secs?|articles?|arts?|paragraphs?|paras?"
    rf"|rules?|regulations?|regs?|chapters?|chaps?|ch|headings?|tables?|figures?|figs?|lines?|footnotes?)(?![^\W\d_])"
    rf"|{_BEGINS}(?<!['’])ss?(?=[\s.]{{1,2}}\d)|§{{1,2}}|¶{{1,2}})[\s.:]*(?P<clause>(?:{_NUMBERED})(?:{_TO}(?:{_NUMBERED}))?)(?![^\W_])"
    rf"|{_BEGINS}l(?P<line>\d+(?:{_TO}l?\d+)?)(?![^\W_])"
    rf"|(?P<clause_cn>(?:第\s*(?:{_N}|\d[\d.]*)\s*(?:条|款|章|节|段|项|行|部分)\s*)+)"
)
LOCATOR = rf"(?:{PAGE}|{CHUNK}|{CLAUSE})"

# Words before a number that make it the number of a source: "Source 2", "doc1", "来源3".
_SOURCE_NOUN = (
    r"sources?|srcs?|documents?|docs?|references?|refs?|citations?|cites?|excerpts?|passages?|contexts?|snippets?"
    r"|extracts?|evidence|results?|footnotes?|items?|search results?|resources?"
    r"|来源|资料|文件|文档|参考(?:资料|文献)?|引用|出处|检索结果|文献|材料|片段来源"
)
SOURCE_NUMBER = re.compile(
    rf"{_BEGINS}(?:{_SOURCE_NOUN})(?![^\W\d_])[\s_]*(?:(?:id|index|no|number|num|nr)(?![a-z]))?[\s_.:=#№-]*"
    rf"(?P<numbers>\d{{1,4}}(?:{_TO}\d{{1,4}})?|[{CHINESE}]{{1,3}})(?![^\W_])"
)
NUMBER = re.compile(rf"[#№^@]?(?P<numbers>\d{{1,4}}(?:{_TO}#?\d{{1,4}})?)")
_RANGE = re.compile(rf"(?P<first>[^\s].*?){_TO}(?:p{{1,2}}\.?\s*)?#?(?P<last>\S+)")

LOCATED = re.compile(LOCATOR)
ONLY_LOCATED = re.compile(rf"[\s(\"'{{]*{LOCATOR}[\s.)\"'}}]*")
# "A (p. 3)", "A - page 3", "A#page=3", "A §4.2", "contract_chunk_005".
ENDS_LOCATED = re.compile(rf"(?P<before>.*?)(?:\s(?:at|on|in))?[\s(:#@_/,?&=.-]*{LOCATOR}[\s.)\"'}}]*")
BEGINS_LOCATED = re.compile(rf"[\s(]*{LOCATOR}[\s)]*(?:(?P<of>(?:of|in|from)(?: the)?\s)|[-:,.])?\s*(?P<after>.+)")
# "A:3", "A.pdf 3", "A.pdf (3)", "A at 3": a page most likely, but a chunk is written so as well.
EXTENSION = r"\.(?:pdf|docx?|txt|md|rtf|odt|html?|xlsx?|pptx?|csv)"
ENDS_IN_NUMBER = re.compile(
    rf"(?P<before>.*?(?:{EXTENSION}[\s:#(_-]+|[^\s:#\d]\s?[:#]\s?|\S(?=\sat\s)))(?:\sat\s)?(?P<loose>\d{{1,4}}(?:-\d{{1,4}})?)\)?"
)

# Words before a name that are none of it. The nouns need a colon, or else what follows must not be a mere word.
BEFORE_A_NAME = re.compile(
    r"(?:(?:please )?see(?: also)?|cf\.?|e\.?g\.?|from|per|via|refer to|according to|based on|as per|(?:as )?(?:stated|quoted|cited) (?:in|from)"
    r"|参见|参阅|详见|引自|摘自|根据|依据|见|据)[\s:,]*(?=\S)"
    rf"|(?:{_SOURCE_NOUN}|quote|cited|file(?: ?name)?|title|book|paper|资料来源|信息来源|引文|文件名)\s*(?:[:=|]|\.\s|-\s|—)\s*(?=\S)"
)
NOUN_BEFORE = re.compile(r"(?:sources?|ref(?:erence)?s?|cite|citation|来源|出处)\s+(?=\S)")
DOCUMENT_BEFORE = re.compile(r"(?:doc|document|file)\s+(?=\S+\Z)")
KEYED = re.compile(
    r"""(?:cite\.?\s*)?[\s{("']*(?:(?:file|doc|document|source)_?(?:name|path|id|title)|file|doc|document|source|title|name|id|path)["']?"""
    r"""\s*[:=]\s*["']?(?P<value>.+?)["'}\s]*"""
)
# "1: NEC4 ACC", "Source 2 - Harbour Works Contract".
NUMBER_AND_NAME = re.compile(
    rf"(?:[#№]?(?P<number>\d{{1,3}})|(?:{_SOURCE_NOUN})\s?#?(?P<source>\d{{1,3}}))\s*(?:[:=)]|\.\s|-\s|—)\s*(?P<name>[^\s\d].+)"
)
# 【1†source】, 【13†L10-L20】, and 【4:1†contract.pdf】, whose numbers are not places in the list of sources.
DAGGER = re.compile(r"\s*(?P<number>\d+)(?P<inner>:\d+)?\s*†\s*(?P<rest>.*?)\s*", re.DOTALL)
DAGGER_WORD = re.compile(r"(?:sources?|l\d+(?:-l?\d+)?|来源|)")


def pages_of(match: re.Match[str]) -> list[str]:
    """The pages that a locator says, as written but for spaces; a range is one of them."""
    said = match["page"] or match["page_th"] or match["page_cn"] or match["page_cn2"] or match["page_cn3"] or ""
    listed = re.split(r"[、,]", said) if said else []
    return [re.sub(r"\s+", "", re.sub(_TO, "-", page, count=1)) for page in listed]


def chunk_of(match: re.Match[str]) -> str:
    return match["chunk"] or match["chunk_cn"] or match["chunk_cn2"] or ""


def clause_of(match: re.Match[str]) -> str:
    return (match["clause"] or match["clause_cn"] or "").strip(" .:")


def ends_of_range(said: str) -> tuple[str, str] | None:
    """ "3-5" as its ends, or None."""
    match = _RANGE.fullmatch(said)
    return (match["first"], match["last"]) if match else None
