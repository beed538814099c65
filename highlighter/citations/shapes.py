"""The shapes of a mark: brackets square, double, lenticular and round, tags, raised numbers, "Source 2", 《文件》第3頁."""

from __future__ import annotations

import re
from dataclasses import dataclass

from highlighter.citations import asides, code
from highlighter.citations.code import WAIT, Block, Wait
from highlighter.citations.quoted import quote_before
from highlighter.citations.saying import may_cite, signed, words_of_a_source

BEHIND = 2_000  # what stands before a mark is looked at so far: a quotation, a line's beginning
LONGEST = 300  # characters in brackets

SQUARE, DOUBLE, LENTICULAR, ROUND, TAG, RAISED, WORDS, TITLE = (
    "square", "double", "lenticular", "round", "tag", "raised", "words", "title"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """A place that may cite something. `text[body : body + len(said)] == said`."""

    start: int
    end: int
    text: str
    said: str  # without its brackets
    body: int  # where in `text` that begins
    shape: str
    loose: bool = False  # an editor's insertion may look the same
    quote: str = ""  # what was quoted right before it


Step = int | Mark | Block | Wait

_BRACKETS = r"\[\]［］【】〔〕〖〗⟦⟧"
_BODY = rf"(?:[^{_BRACKETS}\n]|\n(?![ \t]*\n))"
_DOUBLE = re.compile(rf"[\[［]{{2}}({_BODY}{{1,{LONGEST}}})[\]］]{{2}}")
_SINGLE = re.compile(rf"[\[［【〔〖⟦]({_BODY}{{1,{LONGEST}}})[\]］】〕〗⟧]")
_OPEN = re.compile(rf"(?:[\[［]{{1,2}}|[【〔〖⟦]){_BODY}{{0,{LONGEST}}}\Z|[\[［]{{2}}{_BODY}{{1,{LONGEST}}}[\]］]\Z")
_ROUND = re.compile(rf"[(（]((?:[^()（）{_BRACKETS}\n]|[(（][^()（）{_BRACKETS}\n]{{1,60}}[)）]){{3,200}})[)）]")
_ROUND_OPEN = re.compile(
    rf"[(（](?:[^()（）{_BRACKETS}\n]|[(（][^()（）{_BRACKETS}\n]{{1,60}}[)）])*(?:[(（][^()（）{_BRACKETS}\n]{{0,60}})?\Z"
)
_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)([^<>\n]{0,300})>")
_TAG_OPEN = re.compile(r"<(?:/?[a-zA-Z][^<>\n]{0,300})?\Z")
_OF_CODE = frozenset(("code", "pre", "script", "style", "kbd", "samp", "a"))
_OF_SOURCES = frozenset(("cite", "citation", "ref", "reference", "source", "sup", "footnote"))
_ATTRIBUTES = re.compile(r"""\b(?:source|src|doc\w*|file\w*|id|data-id|ref|name|page\w*|chunk\w*)\s*=\s*["']?[^"'\s]""")
_RAISED = re.compile(r"⁽?[¹²³⁰⁴-⁹]{1,3}(?:[˒,，·⁻–-][¹²³⁰⁴-⁹]{1,3})*⁾?")
_TITLE = re.compile(
    r"《[^《》\n]{1,80}》\s?[，,]?\s?(?P<opened>[（(])?第\s?[\d〇零一二三四五六七八九十百]{1,5}\s?[頁页](?!码|碼)(?(opened)[）)])"
)
_TO_AN_ADDRESS = re.compile(r"[:：]\s{0,3}(?:https?:|www\.|<|/|#|mailto:)")


def at(text: str, place: int, final: bool) -> Step:
    """What begins at this place: a mark, a block of code, or nothing, and then where to go on."""
    match text[place]:
        case "`" | "~":
            return code.ticks(text, place, _before(text, place), final)
        case "\\":
            return place + 2 if final or place + 2 < len(text) else WAIT
        case "(" | "（":
            return _round(text, place, final)
        case "<":
            return _tag(text, place, final)
        case "《":
            return _title(text, place, final)
        case "S" | "来" | "來" | "出" | "资" | "資":
            return _words(text, place, final)
        case "[" | "［" | "【" | "〔" | "〖" | "⟦":
            return _bracket(text, place, final)
        case _:
            return _raised(text, place, final)


def _before(text: str, place: int) -> str:
    return text[max(place - BEHIND, 0) : place]


def _bracket(text: str, place: int, final: bool) -> Step:
    found = _DOUBLE.match(text, place)
    double = found is not None
    if found is None and not final and _OPEN.match(text, place):
        return WAIT
    found = found or _SINGLE.match(text, place)
    if found is None:
        return place + 1
    said, end = found[1], found.end()
    # A number is told by the next character; whether words are an editor's, by one more.
    ahead = 1 if asides.is_number(said) or double else 2
    if len(text) < end + ahead and not final:
        return WAIT
    before, after = _before(text, place), text[end : end + ahead]
    aside = _link_or_definition(text, end, said, before, after, final)
    if aside is not None:
        return aside
    if asides.says_nothing(said) if double else asides.cites_nothing(said, before, after):
        return end
    # A number is never an editor's, wherever it stands.
    worded = not double and not asides.is_number(said)
    loose = worded and (asides.plain_words(said) or asides.inserted(before, after) or _heads(text[place], before))
    shape = DOUBLE if double else SQUARE if text[place] in "[［" else LENTICULAR
    return Mark(place, end, found[0], said, found.start(1) - place, shape, loose, quote_before(before, double))


def _heads(opening: str, before: str) -> bool:
    """【總結】 at a line's beginning is a heading."""
    return opening in "【〖" and asides.at_line_start(before)


def _link_or_definition(text: str, end: int, said: str, before: str, after: str, final: bool) -> int | Wait | None:
    if after.startswith("("):
        link = code.end_of_link(text, end, final)
        return link if link is WAIT or link != end else None
    if after[:1] in (":", "：") and asides.at_line_start(before):
        if said.startswith("^") or said.isdigit():
            return end
        if len(text) < end + 12 and not final:
            return WAIT
        return end if _TO_AN_ADDRESS.match(text, end, end + 12) else None
    return None


def _round(text: str, place: int, final: bool) -> Step:
    found = _ROUND.match(text, place, place + LONGEST)
    if found is None:
        open_ = len(text) - place < LONGEST and _ROUND_OPEN.match(text, place)
        return WAIT if open_ and not final else place + 1
    if not may_cite(found[1]):
        return place + 1
    before = _before(text, place)
    return Mark(place, found.end(), found[0], found[1], 1, ROUND, not signed(found[1]), quote_before(before, False))


def _tag(text: str, place: int, final: bool) -> Step:
    tag = _TAG.match(text, place)
    if tag is None:
        return WAIT if not final and _TAG_OPEN.match(text, place) else place + 1
    name = tag[2].lower()
    if tag[1] or name not in _OF_CODE | _OF_SOURCES:
        return tag.end()
    if name in _OF_SOURCES and _ATTRIBUTES.search(tag[3]):
        said = tag[3].rstrip("/ ")
        return Mark(
            place, tag.end(), tag[0], said, 1 + len(tag[2]), TAG, False, quote_before(_before(text, place), False)
        )
    reach = code.SPAN if name in _OF_CODE else LONGEST
    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, tag.end(), tag.end() + reach)
    if closing is None:
        return tag.end() if final or len(text) >= tag.end() + reach else WAIT
    if name in _OF_CODE:
        return closing.end()
    said, before = text[tag.end() : closing.start()], _before(text, place)
    if (
        "<" in said
        or "[" in said
        or (name == "sup" and (not asides.is_number(said) or asides.is_exponent(before.rstrip())))
    ):
        return tag.end()
    whole, body = text[place : closing.end()], tag.end() - place
    return Mark(place, closing.end(), whole, said, body, TAG, name == "cite", quote_before(before, False))


def _raised(text: str, place: int, final: bool) -> Step:
    found = _RAISED.match(text, place)
    if found is None:
        return place + 1 if final or place + 1 < len(text) else WAIT
    if len(text) < found.end() + 2 and not final:
        return WAIT
    before = _before(text, place)
    if asides.is_exponent(before):
        return found.end()
    return Mark(place, found.end(), found[0], found[0], 0, RAISED, False, quote_before(before, False))


def _title(text: str, place: int, final: bool) -> Step:
    window = text[place : place + 120]
    if len(window) < 120 and not final and "\n" not in window:
        return WAIT
    found = _TITLE.match(window)
    if found is None:
        return place + 1
    return Mark(place, place + found.end(), found[0], found[0], 0, TITLE, True)


def _words(text: str, place: int, final: bool) -> Step:
    said = words_of_a_source(text, place, final)
    if isinstance(said, Wait) or said is None:
        return place + 1 if said is None else WAIT
    start, end, loose = said
    return Mark(place, end, text[place:end], text[start:end], start - place, WORDS, loose)
