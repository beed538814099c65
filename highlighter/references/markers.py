"""Recognise citation markers: square, double, lenticular and round brackets, tags, superscripts, "Source 2", 《文件》第3頁."""

from __future__ import annotations

import re
from dataclasses import dataclass

from highlighter.references import non_citations
from highlighter.references.non_citations import NEED_MORE_TEXT, CodeBlock, NeedMoreText
from highlighter.references.unbracketed_markers import is_explicit_citation, is_possible_citation, match_source_words
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.quotation_marks import CLOSING_MARKS

_OPENINGS_BY_CLOSING = {
    closing: "".join(
        opening for opening, closings in CLOSING_MARKS.items() if closing in closings and opening != closing
    )
    for closing in "".join(CLOSING_MARKS.values())
} | {")": "(", "）": "（"}
_QUOTATION_MARKS = "".join({'"', *CLOSING_MARKS, *"".join(CLOSING_MARKS.values())})
_CLOSING_ROUND_BRACKETS = ")）"
_STOP_CHARACTERS = ".,;:。，；"


def find_quote_before(before: str, is_double_bracket: bool) -> str:
    """Return the quotation that stands right before a marker: `"quote" [label]`, `「引文」【文件】`, `(quote) [[label]]`.

    Empty if there is none. Round brackets hold a quotation only before a double bracket; elsewhere they are an aside.
    """
    text = before.rstrip()
    if not text or len(before) - len(text) > 2:
        return ""
    if text[-1] in _STOP_CHARACTERS:
        text = text[:-1]
    closing_mark = text[-1:]
    if closing_mark == '"':
        quote = _take_straight_quote(text)
    elif closing_mark in _OPENINGS_BY_CLOSING and (is_double_bracket or closing_mark not in _CLOSING_ROUND_BRACKETS):
        quote = _take_paired_quote(text, closing_mark)
    else:
        return ""
    return quote.strip().strip(_QUOTATION_MARKS).strip()


def _take_straight_quote(text: str) -> str:
    paragraph = text[text.rfind("\n\n") + 1 :]
    if paragraph.count('"') % 2:
        return ""
    return paragraph[paragraph.rfind('"', 0, -1) + 1 : -1]


def _take_paired_quote(text: str, closing: str) -> str:
    depth = 0
    for offset in range(len(text) - 1, -1, -1):
        depth += (text[offset] == closing) - (text[offset] in _OPENINGS_BY_CLOSING[closing])
        if depth == 0:
            return text[offset + 1 : -1]
    return ""


# Shapes of markers.


LOOKBEHIND_CHARACTERS = 2_000  # text before a marker that is read for a quotation or a line start
MAX_MARKER_CHARACTERS = 300  # between the brackets
SUPERSCRIPT_LOOKAHEAD = 3  # characters that decide whether a superscript belongs to the next word: "¹⁴C"

SQUARE, DOUBLE, LENTICULAR, ROUND, TAG, SUPERSCRIPT, SOURCE_WORDS, TITLE = (
    "square", "double", "lenticular", "round", "tag", "raised", "words", "title"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CitationMarker:
    """A span that may cite sources. `text[content_start : content_start + len(content)] == content`."""

    start: int
    end: int
    text: str
    content: str  # the text between the brackets
    content_start: int  # offset of the content in `text`
    shape: str
    is_doubtful: bool = False  # may also be an editorial insertion
    quote: str = ""  # the quotation right before the marker


ScanStep = int | CitationMarker | CodeBlock | NeedMoreText

_BRACKETS = r"\[\]［］【】〔〕〖〗⟦⟧"
_BRACKET_CONTENT = rf"(?:[^{_BRACKETS}\n]|\n(?![ \t]*\n))"
_DOUBLE_BRACKETS = compile_later(rf"[\[［]{{2}}({_BRACKET_CONTENT}{{1,{MAX_MARKER_CHARACTERS}}})[\]］]{{2}}")
_SINGLE_BRACKETS = compile_later(rf"[\[［【〔〖⟦]({_BRACKET_CONTENT}{{1,{MAX_MARKER_CHARACTERS}}})[\]］】〕〗⟧]")
_UNCLOSED_BRACKET = compile_later(
    rf"(?:[\[［]{{1,2}}|[【〔〖⟦]){_BRACKET_CONTENT}{{0,{MAX_MARKER_CHARACTERS}}}\Z|[\[［]{{2}}{_BRACKET_CONTENT}{{1,{MAX_MARKER_CHARACTERS}}}[\]］]\Z"
)
_ROUND_BRACKETS = compile_later(
    rf"[(（]((?:[^()（）{_BRACKETS}\n]|[(（][^()（）{_BRACKETS}\n]{{1,60}}[)）]){{3,200}})[)）]"
)
_UNCLOSED_ROUND_BRACKET = compile_later(
    rf"[(（](?:[^()（）{_BRACKETS}\n]|[(（][^()（）{_BRACKETS}\n]{{1,60}}[)）])*(?:[(（][^()（）{_BRACKETS}\n]{{0,60}})?\Z"
)
_TAG = compile_later(r"<(/?)([a-zA-Z][\w-]*)([^<>\n]{0,300})>")
_UNCLOSED_TAG = compile_later(r"<(?:/?[a-zA-Z][^<>\n]{0,300})?\Z")
_CODE_TAGS = frozenset(("code", "pre", "script", "style", "kbd", "samp", "a"))
_SOURCE_TAGS = frozenset(("cite", "citation", "ref", "reference", "source", "sup", "footnote"))
_SOURCE_ATTRIBUTE = compile_later(
    r"""\b(?:source|src|doc\w*|file\w*|id|data-id|ref|name|page\w*|chunk\w*)\s*=\s*["']?[^"'\s]"""
)
_SUPERSCRIPT = compile_later(r"⁽?[¹²³⁰⁴-⁹]{1,3}(?:[˒,，·⁻–-][¹²³⁰⁴-⁹]{1,3})*⁾?")
_TITLE_AND_PAGE = compile_later(
    r"《[^《》\n]{1,80}》\s?[，,]?\s?(?P<opened>[（(])?第\s?[\d〇零一二三四五六七八九十百]{1,5}\s?[頁页](?!码|碼)(?(opened)[）)])"
)
_LINK_DEFINITION = compile_later(r"[:：]\s{0,3}(?:https?:|www\.|<|/|#|mailto:)")


def scan_at(text: str, offset: int, is_final: bool) -> ScanStep:
    """Return what begins at this offset: a marker, a code block, or the offset at which to continue."""
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
    bracket = _DOUBLE_BRACKETS.match(text, offset)
    is_double = bracket is not None
    if bracket is None and not is_final and _UNCLOSED_BRACKET.match(text, offset):
        return NEED_MORE_TEXT
    bracket = bracket or _SINGLE_BRACKETS.match(text, offset)
    if bracket is None:
        return offset + 1
    content, end = bracket[1], bracket.end()
    # A number is decided by the next character; whether words are editorial, by the next two.
    lookahead = 1 if non_citations.is_number_list(content) or is_double else 2
    if len(text) < end + lookahead and not is_final:
        return NEED_MORE_TEXT
    before, after = _text_before(text, offset), text[end : end + lookahead]
    skipped = _skip_link_or_definition(text, end, content, before, is_final)
    if skipped is not None:
        return skipped
    if non_citations.is_editorial_mark(content) if is_double else non_citations.is_non_citation(content, before, after):
        return end
    # A number is never an editorial insertion.
    is_worded = not is_double and not non_citations.is_number_list(content)
    is_doubtful = is_worded and (
        non_citations.is_common_aside(content)
        or non_citations.is_editorial_insertion(before, after)
        or _is_heading(text[offset], before)
    )
    shape = DOUBLE if is_double else SQUARE if text[offset] in "[［" else LENTICULAR
    return CitationMarker(
        offset,
        end,
        text=bracket[0],
        content=content,
        content_start=bracket.start(1) - offset,
        shape=shape,
        is_doubtful=is_doubtful,
        quote=find_quote_before(before, is_double),
    )


def _is_heading(opening: str, before: str) -> bool:
    """Return whether the bracket opens a heading: 【總結】 at the beginning of a line."""
    return opening in "【〖" and non_citations.is_at_line_start(before)


def _skip_link_or_definition(
    text: str, end: int, content: str, before: str, is_final: bool
) -> int | NeedMoreText | None:
    """Return where to continue after a link or a footnote definition; None if the bracket is neither."""
    next_character = text[end : end + 1]
    if next_character == "(":
        link = non_citations.find_link_end(text, end, is_final)
        return link if link is NEED_MORE_TEXT or link != end else None
    if next_character in (":", "：") and non_citations.is_at_line_start(before):
        if content.startswith("^") or content.isdigit():
            return end
        if len(text) < end + 12 and not is_final:
            return NEED_MORE_TEXT
        return end if _LINK_DEFINITION.match(text, end, end + 12) else None
    return None


def _scan_round_brackets(text: str, offset: int, is_final: bool) -> ScanStep:
    bracket = _ROUND_BRACKETS.match(text, offset, offset + MAX_MARKER_CHARACTERS)
    if bracket is None:
        is_open = len(text) - offset < MAX_MARKER_CHARACTERS and _UNCLOSED_ROUND_BRACKET.match(text, offset)
        return NEED_MORE_TEXT if is_open and not is_final else offset + 1
    if not is_possible_citation(bracket[1]):
        return offset + 1
    before = _text_before(text, offset)
    return CitationMarker(
        offset,
        bracket.end(),
        text=bracket[0],
        content=bracket[1],
        content_start=1,
        shape=ROUND,
        is_doubtful=not is_explicit_citation(bracket[1]),
        quote=find_quote_before(before, False),
    )


def _scan_tag(text: str, offset: int, is_final: bool) -> ScanStep:
    tag = _TAG.match(text, offset)
    if tag is None:
        return NEED_MORE_TEXT if not is_final and _UNCLOSED_TAG.match(text, offset) else offset + 1
    name = tag[2].lower()
    if tag[1] or name not in _CODE_TAGS | _SOURCE_TAGS:
        return tag.end()
    if name in _SOURCE_TAGS and _SOURCE_ATTRIBUTE.search(tag[3]):
        content = tag[3].rstrip("/ ")
        return CitationMarker(
            offset,
            tag.end(),
            text=tag[0],
            content=content,
            content_start=1 + len(tag[2]),
            shape=TAG,
            quote=find_quote_before(_text_before(text, offset), False),
        )
    max_length = non_citations.MAX_CODE_SPAN_CHARACTERS if name in _CODE_TAGS else MAX_MARKER_CHARACTERS
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, tag.end(), tag.end() + max_length)
    if closing is None:
        return tag.end() if is_final or len(text) >= tag.end() + max_length else NEED_MORE_TEXT
    if name in _CODE_TAGS:
        return closing.end()
    content, before = text[tag.end() : closing.start()], _text_before(text, offset)
    if "<" in content or "[" in content:
        return tag.end()
    if name == "sup":
        if len(text) < closing.end() + SUPERSCRIPT_LOOKAHEAD and not is_final:
            return NEED_MORE_TEXT
        after = text[closing.end() : closing.end() + SUPERSCRIPT_LOOKAHEAD]
        is_note_mark = non_citations.is_number_list(content) and not non_citations.is_at_line_start(before)
        if not is_note_mark or non_citations.is_exponent(before, content, after):
            return tag.end()
    marker_text, content_start = text[offset : closing.end()], tag.end() - offset
    return CitationMarker(
        offset,
        closing.end(),
        text=marker_text,
        content=content,
        content_start=content_start,
        shape=TAG,
        is_doubtful=name == "cite",
        quote=find_quote_before(before, False),
    )


def _scan_superscript(text: str, offset: int, is_final: bool) -> ScanStep:
    superscript = _SUPERSCRIPT.match(text, offset)
    if superscript is None:
        return offset + 1 if is_final or offset + 1 < len(text) else NEED_MORE_TEXT
    if len(text) < superscript.end() + SUPERSCRIPT_LOOKAHEAD and not is_final:
        return NEED_MORE_TEXT
    before = _text_before(text, offset)
    after = text[superscript.end() : superscript.end() + SUPERSCRIPT_LOOKAHEAD]
    # At the beginning of a line it opens the note.
    if non_citations.is_at_line_start(before) or non_citations.is_exponent(before, superscript[0], after):
        return superscript.end()
    return CitationMarker(
        offset,
        superscript.end(),
        text=superscript[0],
        content=superscript[0],
        content_start=0,
        shape=SUPERSCRIPT,
        quote=find_quote_before(before, False),
    )


def _scan_title(text: str, offset: int, is_final: bool) -> ScanStep:
    window = text[offset : offset + 120]
    if len(window) < 120 and not is_final and "\n" not in window:
        return NEED_MORE_TEXT
    title = _TITLE_AND_PAGE.match(window)
    if title is None:
        return offset + 1
    return CitationMarker(
        offset, offset + title.end(), text=title[0], content=title[0], content_start=0, shape=TITLE, is_doubtful=True
    )


def _scan_source_words(text: str, offset: int, is_final: bool) -> ScanStep:
    match = match_source_words(text, offset, is_final)
    if isinstance(match, NeedMoreText) or match is None:
        return offset + 1 if match is None else NEED_MORE_TEXT
    start, end, is_doubtful = match
    return CitationMarker(
        offset,
        end,
        text=text[offset:end],
        content=text[start:end],
        content_start=start - offset,
        shape=SOURCE_WORDS,
        is_doubtful=is_doubtful,
    )
