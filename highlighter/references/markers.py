"""The quotation that stands right before a mark: `"quote" [label]`, `「引文」【文件】`, `(quote) [[label]]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from highlighter.references import non_citations
from highlighter.references.non_citations import NEED_MORE_TEXT, CodeBlock, NeedMoreText
from highlighter.references.unbracketed_markers import is_explicit_citation, is_possible_citation, match_source_words

_OPENING_BY_CLOSING = {"”": "“", "」": "「", "』": "『", "»": "«", ")": "(", "）": "（"}
_CLOSING_ROUND_BRACKETS = ")）"
_STOP_CHARACTERS = ".,;:。，；"


def find_quote_before(before: str, is_double_bracket: bool) -> str:
    """Empty when there is none. Round brackets hold one only before a double bracket: else they are an aside."""
    said = before.rstrip()
    if not said or len(before) - len(said) > 2:
        return ""
    if said[-1] in _STOP_CHARACTERS:
        said = said[:-1]
    closing = said[-1:]
    if closing == '"':
        inner = _take_straight_quote(said)
    elif closing in _OPENING_BY_CLOSING and (is_double_bracket or closing not in _CLOSING_ROUND_BRACKETS):
        inner = _take_paired_quote(said, closing)
    else:
        return ""
    return inner.strip().strip('"“”「」『』«»').strip()


def _take_straight_quote(text: str) -> str:
    paragraph = text[text.rfind("\n\n") + 1 :]
    if paragraph.count('"') % 2:
        return ""
    return paragraph[paragraph.rfind('"', 0, -1) + 1 : -1]


def _take_paired_quote(text: str, closing: str) -> str:
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == closing) - (text[at] == _OPENING_BY_CLOSING[closing])
        if depth == 0:
            return text[at + 1 : -1]
    return ""


# The shapes of a mark: brackets square, double, lenticular and round, tags, raised numbers, "Source 2", 《文件》第3頁.


LOOKBEHIND_CHARACTERS = 2_000  # what stands before a mark is looked at so far: a quotation, a line's beginning
MAX_MARKER_CHARACTERS = 300  # characters in brackets

SQUARE, DOUBLE, LENTICULAR, ROUND, TAG, SUPERSCRIPT, SOURCE_WORDS, TITLE = (
    "square", "double", "lenticular", "round", "tag", "raised", "words", "title"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CitationMarker:
    """A place that may cite something. `text[body : body + len(said)] == said`."""

    start: int
    end: int
    text: str
    content: str  # without its brackets
    content_start: int  # where in `text` that begins
    shape: str
    is_doubtful: bool = False  # an editor's insertion may look the same
    quote: str = ""  # what was quoted right before it


ScanStep = int | CitationMarker | CodeBlock | NeedMoreText

_BRACKETS = r"\[\]［］【】〔〕〖〗⟦⟧"
_BRACKET_CONTENT = rf"(?:[^{_BRACKETS}\n]|\n(?![ \t]*\n))"
_DOUBLE_BRACKETS = re.compile(rf"[\[［]{{2}}({_BRACKET_CONTENT}{{1,{MAX_MARKER_CHARACTERS}}})[\]］]{{2}}")
_SINGLE_BRACKETS = re.compile(rf"[\[［【〔〖⟦]({_BRACKET_CONTENT}{{1,{MAX_MARKER_CHARACTERS}}})[\]］】〕〗⟧]")
_UNCLOSED_BRACKET = re.compile(
    rf"(?:[\[［]{{1,2}}|[【〔〖⟦]){_BRACKET_CONTENT}{{0,{MAX_MARKER_CHARACTERS}}}\Z|[\[［]{{2}}{_BRACKET_CONTENT}{{1,{MAX_MARKER_CHARACTERS}}}[\]］]\Z"
)
_ROUND_BRACKETS = re.compile(
    rf"[(（]((?:[^()（）{_BRACKETS}\n]|[(（][^()（）{_BRACKETS}\n]{{1,60}}[)）]){{3,200}})[)）]"
)
_UNCLOSED_ROUND_BRACKET = re.compile(
    rf"[(（](?:[^()（）{_BRACKETS}\n]|[(（][^()（）{_BRACKETS}\n]{{1,60}}[)）])*(?:[(（][^()（）{_BRACKETS}\n]{{0,60}})?\Z"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)([^<>\n]{0,300})>")
_UNCLOSED_TAG = re.compile(r"<(?:/?[a-zA-Z][^<>\n]{0,300})?\Z")
_CODE_TAGS = frozenset(("code", "pre", "script", "style", "kbd", "samp", "a"))
_SOURCE_TAGS = frozenset(("cite", "citation", "ref", "reference", "source", "sup", "footnote"))
_SOURCE_ATTRIBUTE = re.compile(
    r"""\b(?:source|src|doc\w*|file\w*|id|data-id|ref|name|page\w*|chunk\w*)\s*=\s*["']?[^"'\s]"""
)
_SUPERSCRIPT = re.compile(r"⁽?[¹²³⁰⁴-⁹]{1,3}(?:[˒,，·⁻–-][¹²³⁰⁴-⁹]{1,3})*⁾?")
_TITLE_AND_PAGE = re.compile(
    r"《[^《》\n]{1,80}》\s?[，,]?\s?(?P<opened>[（(])?第\s?[\d〇零一二三四五六七八九十百]{1,5}\s?[頁页](?!码|碼)(?(opened)[）)])"
)
_LINK_DEFINITION = re.compile(r"[:：]\s{0,3}(?:https?:|www\.|<|/|#|mailto:)")


def scan_at(text: str, offset: int, is_final: bool) -> ScanStep:
    """What begins at this place: a mark, a block of code, or nothing, and then where to go on."""
    match text[offset]:
        case "`" | "~":
            return non_citations.scan_code(text, offset, _text_before(text, offset), is_final)
        case "\\":
            return offset + 2 if is_final or offset + 2 < len(text) else NEED_MORE_TEXT
        case "(" | "（":
            return _scan_round_brackets(text, offset, is_final)
        case "<":
            return _scan_tag(text, offset, is_final)
        case "《":
            return _scan_title(text, offset, is_final)
        case "S" | "来" | "來" | "出" | "资" | "資":
            return _scan_source_words(text, offset, is_final)
        case "[" | "［" | "【" | "〔" | "〖" | "⟦":
            return _scan_bracket(text, offset, is_final)
        case _:
            return _scan_superscript(text, offset, is_final)


def _text_before(text: str, offset: int) -> str:
    return text[max(offset - LOOKBEHIND_CHARACTERS, 0) : offset]


def _scan_bracket(text: str, offset: int, is_final: bool) -> ScanStep:
    found = _DOUBLE_BRACKETS.match(text, offset)
    double = found is not None
    if found is None and not is_final and _UNCLOSED_BRACKET.match(text, offset):
        return NEED_MORE_TEXT
    found = found or _SINGLE_BRACKETS.match(text, offset)
    if found is None:
        return offset + 1
    said, end = found[1], found.end()
    # A number is told by the next character; whether words are an editor's, by one more.
    ahead = 1 if non_citations.is_number_list(said) or double else 2
    if len(text) < end + ahead and not is_final:
        return NEED_MORE_TEXT
    before, after = _text_before(text, offset), text[end : end + ahead]
    aside = _skip_link_or_definition(text, end, said, before, after, is_final)
    if aside is not None:
        return aside
    if non_citations.is_editorial_mark(said) if double else non_citations.is_non_citation(said, before, after):
        return end
    # A number is never an editor's, wherever it stands.
    worded = not double and not non_citations.is_number_list(said)
    loose = worded and (
        non_citations.is_common_aside(said)
        or non_citations.is_editorial_insertion(before, after)
        or _is_heading(text[offset], before)
    )
    shape = DOUBLE if double else SQUARE if text[offset] in "[［" else LENTICULAR
    return CitationMarker(
        offset, end, found[0], said, found.start(1) - offset, shape, loose, find_quote_before(before, double)
    )


def _is_heading(opening: str, before: str) -> bool:
    """【總結】 at a line's beginning is a heading."""
    return opening in "【〖" and non_citations.is_at_line_start(before)


def _skip_link_or_definition(
    text: str, end: int, content: str, before: str, after: str, is_final: bool
) -> int | NeedMoreText | None:
    if after.startswith("("):
        link = non_citations.find_link_end(text, end, is_final)
        return link if link is NEED_MORE_TEXT or link != end else None
    if after[:1] in (":", "：") and non_citations.is_at_line_start(before):
        if content.startswith("^") or content.isdigit():
            return end
        if len(text) < end + 12 and not is_final:
            return NEED_MORE_TEXT
        return end if _LINK_DEFINITION.match(text, end, end + 12) else None
    return None


def _scan_round_brackets(text: str, offset: int, is_final: bool) -> ScanStep:
    found = _ROUND_BRACKETS.match(text, offset, offset + MAX_MARKER_CHARACTERS)
    if found is None:
        open_ = len(text) - offset < MAX_MARKER_CHARACTERS and _UNCLOSED_ROUND_BRACKET.match(text, offset)
        return NEED_MORE_TEXT if open_ and not is_final else offset + 1
    if not is_possible_citation(found[1]):
        return offset + 1
    before = _text_before(text, offset)
    return CitationMarker(
        offset,
        found.end(),
        found[0],
        found[1],
        1,
        ROUND,
        not is_explicit_citation(found[1]),
        find_quote_before(before, False),
    )


def _scan_tag(text: str, offset: int, is_final: bool) -> ScanStep:
    tag = _TAG.match(text, offset)
    if tag is None:
        return NEED_MORE_TEXT if not is_final and _UNCLOSED_TAG.match(text, offset) else offset + 1
    name = tag[2].lower()
    if tag[1] or name not in _CODE_TAGS | _SOURCE_TAGS:
        return tag.end()
    if name in _SOURCE_TAGS and _SOURCE_ATTRIBUTE.search(tag[3]):
        said = tag[3].rstrip("/ ")
        return CitationMarker(
            offset,
            tag.end(),
            tag[0],
            said,
            1 + len(tag[2]),
            TAG,
            False,
            find_quote_before(_text_before(text, offset), False),
        )
    reach = non_citations.MAX_CODE_SPAN_CHARACTERS if name in _CODE_TAGS else MAX_MARKER_CHARACTERS
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, tag.end(), tag.end() + reach)
    if closing is None:
        return tag.end() if is_final or len(text) >= tag.end() + reach else NEED_MORE_TEXT
    if name in _CODE_TAGS:
        return closing.end()
    said, before = text[tag.end() : closing.start()], _text_before(text, offset)
    if (
        "<" in said
        or "[" in said
        or (name == "sup" and (not non_citations.is_number_list(said) or non_citations.is_exponent(before.rstrip())))
    ):
        return tag.end()
    whole, body = text[offset : closing.end()], tag.end() - offset
    return CitationMarker(
        offset, closing.end(), whole, said, body, TAG, name == "cite", find_quote_before(before, False)
    )


def _scan_superscript(text: str, offset: int, is_final: bool) -> ScanStep:
    found = _SUPERSCRIPT.match(text, offset)
    if found is None:
        return offset + 1 if is_final or offset + 1 < len(text) else NEED_MORE_TEXT
    if len(text) < found.end() + 2 and not is_final:
        return NEED_MORE_TEXT
    before = _text_before(text, offset)
    if non_citations.is_exponent(before):
        return found.end()
    return CitationMarker(
        offset, found.end(), found[0], found[0], 0, SUPERSCRIPT, False, find_quote_before(before, False)
    )


def _scan_title(text: str, offset: int, is_final: bool) -> ScanStep:
    window = text[offset : offset + 120]
    if len(window) < 120 and not is_final and "\n" not in window:
        return NEED_MORE_TEXT
    found = _TITLE_AND_PAGE.match(window)
    if found is None:
        return offset + 1
    return CitationMarker(offset, offset + found.end(), found[0], found[0], 0, TITLE, True)


def _scan_source_words(text: str, offset: int, is_final: bool) -> ScanStep:
    said = match_source_words(text, offset, is_final)
    if isinstance(said, NeedMoreText) or said is None:
        return offset + 1 if said is None else NEED_MORE_TEXT
    start, end, loose = said
    return CitationMarker(offset, end, text[offset:end], text[start:end], start - offset, SOURCE_WORDS, loose)
