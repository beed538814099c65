"""Extract the sentences of an answer that claim something.

Greetings, questions, headings, refusals and lists of sources claim nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from highlighter.grounding.claim_context import begins_with_pronoun, join_lead_in
from highlighter.grounding.statements import FINITE_VERB
from highlighter.grounding.table_rows import MAX_VALUE_WORDS
from highlighter.grounding.wording import parse_wording
from highlighter.references.locators import EXTENSION_PATTERN, TRAILING_LOCATOR
from highlighter.references.markers import SUPERSCRIPT_LOOKAHEAD
from highlighter.references.non_citations import is_exponent
from highlighter.text.characters import fold
from highlighter.text.document_tables import format_row
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.numerals import has_superscript
from highlighter.text.quotation_marks import QUOTATION_MARKS
from highlighter.text.sentences import split_sentences
from highlighter.text.sentences.list_markers import ITEM_MARK

# A line with fewer content words is a label, not a sentence.
MIN_CONTENT_WORDS = 2

# Common citation markers, for callers that have not parsed the markers themselves.
_COMMON_MARKER = compile_later(
    r"\(\s*\[\[[^\[\]\n]{1,200}\]\]\s*\)|\[\[[^\[\]\n]{1,200}\]\]|【[^【】\n]{1,200}】|\[\^?[\d,;\s–-]{1,40}\](?!\()"
    rf"|\[(?=[^\[\]\n]{{0,200}}(?:{EXTENSION_PATTERN}\b|\bpp?\.\s?\d|\bpage\b|\bchunk\b|\bsource\b|第\s?\d+\s?[頁页]))[^\[\]\n]{{1,200}}\](?!\()"
    r"|[⁰¹²³⁴-⁹]+|<sup>\s*[\d,;\s–-]{1,40}</sup>",
    re.IGNORECASE,
)
_LONG_NUMBER = compile_later(r"\d[\d.,]*\d$(?<!(?<![\d.,])10)")
MAX_CHARACTERS_BEFORE_EXPONENT = 40
# Runs of spaces are possessive in these patterns: otherwise a line of spaces would be tried at each space.
_FENCED_CODE = compile_later(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_SOURCE_LIST_HEADING = compile_later(
    r"^[ \t>#*_]*(?:sources?|references?|citations?|footnotes?|bibliography|works cited|來源|来源|出處|出处|參考(?:文獻|資料)?|参考(?:文献|资料)?)"
    r"(?:\s++(?:used|cited))?(?:[ \t*_]*+(?:$|[:：][^\n]*)|[ \t_]*+\*[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_FOOTNOTE = compile_later(
    r"^[ \t]*(?:\[\^?\w+\]:|(?P<raised>[⁰¹²³⁴-⁹]+|<sup>\d{1,3}</sup>)[ \t]|(?P<number>[\[【]\^?\d{1,3}[\]】])[ \t]*(?P<source>\S)).*$",
    re.MULTILINE | re.IGNORECASE,
)
_FILE_NAME = compile_later(rf".{{0,200}}\w{EXTENSION_PATTERN}")
# Brackets that are left when all markers between them are cut out.
_EMPTY_BRACKETS = compile_later(r"[\[［【(（][ ,;，；、]*[\]］】)）]")
_TABLE_HEAD = compile_later(r"^[ \t]*+\|.*\|[ \t]*+\n(?=[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+\|[-:| \t]*$)", re.MULTILINE)
_TABLE_ROWS = compile_later(r"(?:[ \t]*+\|[^\n]*(?:\n|\Z))+")
_LIST_PREFIX = compile_later(rf"(?:(?:{ITEM_MARK}|>|\(?[a-z][.)]|#{{1,6}})\s+|\|\s*)+", re.IGNORECASE)
_HEADING = compile_later(r"^[ \t]*+(?:#{1,6}\s.*+|(\*\*|__)[^*_\n]+\1[:：]?[ \t]*+|[=\-_*|: ]++[ \t]*+)$")
_LINK = compile_later(r"!?\[([^\[\]\n]*+)\]\([^)\s]{0,2000}+\)")
_EMPHASIS = compile_later(r"[*_`]+")
_NON_CLAIM = compile_later(
    r"(?:hi|hello|hey|dear \w+|greetings|thanks?|thank you|sure|certainly|of course|great question|good question|absolutely|okay|ok|you'?re welcome)\b[^.!?]{0,60}[.!,:]?$"
    r"|(?:let me know|feel free|(?:i )?hope (?:this|that)|if you (?:have|need|want|would like)|please (?:let|note|see|consult|check|refer|contact|ask))\b"
    r"|(?:here (?:is|are|'s)|below (?:is|are)|the following|in summary|to summari[sz]e|based on|according to)\b[^.!?]{0,80}[:：]$"
    r"|(?:i(?:'m| am)? (?:not (?:sure|certain)|unsure|sorry|afraid|apologi[sz]e|do(?:n't| not) know|ca(?:n't|nnot)|could(?:n't| not)|was unable|am unable))\b"
    r"|(?:it (?:is|'s) (?:unclear|not clear|hard to say|difficult to say|not possible to (?:say|tell|determine))|it depends\b"
    r"|(?:you (?:may|might|should) (?:want to )?(?:consult|check|verify|contact|ask|seek))\b|this is not (?:legal|medical|financial) advice|as an ai\b)"
    r"|(?:您好|你好|謝謝|谢谢|希望(?:以上|這|这|對|对)|如有(?:其他)?(?:問題|问题|疑問|疑问)|抱歉|對不起|对不起|不確定|不确定)",
    re.IGNORECASE,
)
_SOURCE_NOUN = r"(?:sources?|documents?|context|passages?|texts?|excerpts?|materials?|information (?:provided|available)|provided \w+)"
_REFUSAL = compile_later(
    rf"\b{_SOURCE_NOUN}\b[^.]{{0,40}}\b(?:do(?:es)?(?: not|n't)|contains? no|gives? no|says? nothing|mentions? no|provides? no|has no|have no)\b"
    rf"|\bno (?:relevant |further |other |specific |such )?(?:information|sources?|evidence|mention|answer|details?)\b[^.]{{0,60}}\b(?:found|available|provided|given|about|on|of|in)\b"
    r"|(?:^|\b(?:there (?:is|are|was|were)|found|find|has|have|see|with) )no (?:relevant |further |other |specific |such )?"
    r"(?:information|sources?|evidence|mention|answer|details?)\b[^.]{0,60}\.?$"
    rf"|\b(?:not|never|nothing)\b[^.]{{0,40}}\b(?:in|by|from) (?:the|these|any of the|your|our) (?:provided |given |retrieved )?{_SOURCE_NOUN}"
    rf"|\b(?:cannot|can't|can not|unable to|could not|couldn't)\b[^.]{{0,20}}\b(?:answer|find|determine|locate|confirm|verify)\b"
    r"|(?:文件|來源|来源|資料|资料|文檔|文档|上下文|內容|内容)[^。]{0,12}(?:沒有|没有|未|並無|并无|無法|无法)"
    r"|(?:無法|无法|不能)(?:回答|確定|确定|找到|判斷|判断)|(?:沒有|没有|未(?:能)?)(?:找到|發現|发现)?(?:相關|相关)",
    re.IGNORECASE,
)
# Where a statement begins after a refusal, in the same sentence: "The sources do not say, but rent is 900 euros."
_REFUSAL_TAIL = compile_later(
    r"[,;，；]\s*(?:but|however,?|yet|although|though|except that|但是|但|不過|不过|然而)\s*|[;；:：(（]\s*|\s[–—]\s"
    r"|[,，]\s*(?!(?:(?:and|or|nor) )?(?:who|what|when|where|whether|how|why|if)\b)"
    r"(?=[^,，]*(?:\d|\b(?:is|are|was|were|has|must|shall|will|may|costs?|pays?)\b|[是為为須须必應应]))",
    re.IGNORECASE,
)
_LIST_ITEM = compile_later(rf"[-*•\[【(\d^⁰¹²³⁴-⁹]|\S.{{0,120}}{EXTENSION_PATTERN}\b", re.IGNORECASE)
_NEXT_LINE = compile_later(r"\n[^\n]*")
_SENTENCE_ENDS = ".!?。！？"
# A line that announces a list and says nothing of its items.
_ANNOUNCEMENT = compile_later(r"(?:here (?:is|are|'s)|below (?:is|are)|in summary|to summari[sz]e)\b", re.IGNORECASE)
_LEAD_IN_END = compile_later(r"[:：][\s*_]*$")
# A sentence that is in quotation marks or in brackets as a whole.
_ENCLOSED = compile_later(
    rf"(?:[{QUOTATION_MARKS}]\s?(?P<quoted>[^{QUOTATION_MARKS}]+?)\s?[{QUOTATION_MARKS}]|\((?P<bracketed>[^()]+)\))"
    rf"(?P<stop>[{_SENTENCE_ENDS}]?)"
)
# A claim may end with the quote that it rests on, and that quote with a question mark.
_QUOTE_AT_END = compile_later(r"(?<=\S)\s*[(（][^()（）]{1,1000}[)）][\s.。]*$")
_QUESTION_END = compile_later(r"[?？؟][\s\"'”’)）]*$")


@dataclass(frozen=True, slots=True)
class ClaimSentence:
    """A sentence with a claim. `[start, end)` is its span in the answer; `text` has no markers and bullets.

    An item of a list that completes the line above it has that line in its text.
    """

    text: str
    start: int
    end: int
    antecedent: str = ""  # the sentence before, whose subject the pronoun at its beginning means


def extract_claims(answer: str, marker_spans: Sequence[tuple[int, int]] | None = None) -> list[ClaimSentence]:
    """Return the claims of an answer. Citation markers are cut out at `marker_spans`, or else by their usual patterns."""
    spans = list(find_common_markers(answer) if marker_spans is None else marker_spans)
    headers = list(_find_headers(_blank_spans(answer, spans)))
    spans += [match.span() for pattern in (_FENCED_CODE, _TABLE_HEAD) for match in pattern.finditer(answer)]
    text_without_markers = _blank_spans(answer, [*spans, *find_notes(answer)])
    if spans:
        text_without_markers = _blank_spans(
            text_without_markers, [match.span() for match in _EMPTY_BRACKETS.finditer(text_without_markers)]
        )
    return list(_extract_sentences(text_without_markers, headers))


def strip_list_prefix(line: str) -> str:
    """Return a line of Markdown without its bullet, number or heading sign."""
    prefix = _LIST_PREFIX.match(line)
    return line[prefix.end() :] if prefix else line


def find_common_markers(answer: str) -> list[tuple[int, int]]:
    """Return the spans of citation markers in their usual forms."""
    return [match.span() for match in _COMMON_MARKER.finditer(answer) if not _is_exponent(answer, match)]


def _is_exponent(answer: str, marker: re.Match[str]) -> bool:
    """Return whether what stands high is an exponent ("10⁶", "25 m²"): after a longer number it is a marker."""
    before = answer[max(marker.start() - MAX_CHARACTERS_BEFORE_EXPONENT, 0) : marker.start()]
    digits = marker[0][len("<sup>") : -len("</sup>")] if marker[0].startswith("<") else marker[0]
    is_superscript = digits != marker[0] or has_superscript(digits)
    if not is_superscript or _LONG_NUMBER.search(before):
        return False
    return is_exponent(before, digits, answer[marker.end() : marker.end() + SUPERSCRIPT_LOOKAHEAD])


def find_notes(answer: str) -> list[tuple[int, int]]:
    """Return the spans of footnotes and of lists of sources."""
    return [*_find_footnotes(answer), *_find_source_lists(answer)]


def _find_headers(answer: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the cells of the header row of each table, with the span of the rows below it."""
    for match in _TABLE_HEAD.finditer(answer):
        rows = _TABLE_ROWS.match(answer, match.end())
        if rows:
            yield rows.start(), rows.end(), _split_row(match.group())


def _split_row(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _join_cells(row: str, header: Sequence[str]) -> str:
    """Return the cells of a row, each but the first and those that hold prose after its header: "North pier, Fare: £4"."""
    cells = _split_row(row)
    if len(header) != len(cells):
        return ", ".join(cells)
    names = ("", *header[1:])
    return format_row((name * _is_value(cell), cell) for name, cell in zip(names, cells, strict=True) if cell)


def _is_value(cell: str) -> bool:
    return len(parse_wording(cell).content_words) <= MAX_VALUE_WORDS


def _extract_sentences(
    text_without_markers: str, headers: Sequence[tuple[int, int, list[str]]]
) -> Iterator[ClaimSentence]:
    lead_in = antecedent = ""
    for span in split_sentences(text_without_markers):
        start, end, text = span.start_char, span.end_char, span.text
        is_first_of_line = not text_without_markers[text_without_markers.rfind("\n", 0, start) + 1 : start].strip()
        if _HEADING.match(text):
            antecedent, lead_in = "", _read_lead_in(_clean(text)) if _LEAD_IN_END.search(text) else ""
            continue
        prefix = _LIST_PREFIX.match(text)
        if prefix:
            start, text = start + prefix.end(), text[prefix.end() :]
        if text.endswith("|"):  # a table row
            text = _join_cells(text, next((cells for first, last, cells in headers if first <= start < last), ()))
        line = _clean(text)
        claim_text = _drop_refusal(_strip_enclosing_marks(line))
        if prefix and lead_in:
            claim_text = join_lead_in(lead_in, claim_text)
        elif is_first_of_line or line.endswith((":", "：")):
            lead_in = _read_lead_in(line)
        if is_first_of_line and (prefix or _follows_blank_line(text_without_markers, span.start_char)):
            antecedent = ""
        has_pronoun = begins_with_pronoun(claim_text)
        if _is_claim(claim_text):
            yield ClaimSentence(claim_text, start, end, antecedent if has_pronoun else "")
        # "She ... She ...": the second one means the same.
        antecedent = antecedent if has_pronoun else claim_text


def _clean(text: str) -> str:
    """Return a line without emphasis, links and the spaces that markers leave."""
    line = " ".join(_EMPHASIS.sub("", _LINK.sub(r"\1", text)).split())
    for mark in ".,;:!?。，；：！？)":  # a marker stood before this punctuation
        line = line.replace(f" {mark}", mark)
    return line


def _read_lead_in(line: str) -> str:
    """Return a line that leads in a list, without its colon; "" for another line."""
    return line[:-1].rstrip() if line.endswith((":", "：")) and not _ANNOUNCEMENT.match(line) else ""


def _follows_blank_line(text: str, start: int) -> bool:
    return text[:start].rstrip(" \t").endswith("\n\n")


def _strip_enclosing_marks(text: str) -> str:
    """Return the words of a sentence that is a quotation as a whole, as extractive answers are, or stands in brackets."""
    enclosed = _ENCLOSED.fullmatch(text)
    if enclosed is None:
        return text
    words: str = enclosed["quoted"] or enclosed["bracketed"]
    return words if words.endswith(tuple(_SENTENCE_ENDS)) else words + enclosed["stop"]


def _drop_refusal(text: str) -> str:
    """Return what a sentence states after a refusal; a sentence without a refusal, or with nothing else, as it is."""
    if refusal := _REFUSAL.search(text):
        for tail in _REFUSAL_TAIL.finditer(text, refusal.end()):
            if _is_claim(text[tail.end() :]):
                return text[tail.end() :]
    return text


def _is_claim(text: str) -> bool:
    is_question = _QUESTION_END.search(_QUOTE_AT_END.sub("", text))
    if text.endswith((":", "：")) or is_question or _NON_CLAIM.match(text) or _REFUSAL.search(text):
        return False
    return len(parse_wording(text).content_words) >= MIN_CONTENT_WORDS


def _find_footnotes(text: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that define a marker. A superscript at a line's start defines a note only if it occurs before.

    So does a number in brackets, if a source follows it and not a sentence.
    """
    for match in _FOOTNOTE.finditer(text):
        mark = match["raised"] or match["number"]
        is_cited = not mark or text.find(mark, 0, match.start()) >= 0
        if is_cited and (not match["number"] or _names_source(text[match.start("source") : match.end()])):
            yield match.span()


def _names_source(line: str) -> bool:
    """Return whether a line is the name of a file, or a name with a page, chunk or clause."""
    folded = fold(line.strip())
    is_name = _FILE_NAME.fullmatch(folded) or TRAILING_LOCATOR.fullmatch(folded)
    return is_name is not None and not FINITE_VERB.search(folded)


def _find_source_lists(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans from "Sources:" to the end of its list: markers, bullets, numbers, or text on the same line."""
    list_end = 0
    for match in _SOURCE_LIST_HEADING.finditer(text):
        if match.start() < list_end:  # an item of the previous list, which has the same end
            continue
        list_end = match.end()
        for line in _NEXT_LINE.finditer(text, list_end):
            if line[0].strip() and not _LIST_ITEM.match(line[0].strip()):
                break
            list_end = line.end()
        yield match.start(), list_end


def _blank_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Replace the spans by spaces, so that all offsets stay valid."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = [character if character == "\n" else " " for character in characters[start:end]]
    return "".join(characters)
