"""Brackets and quotation marks: what stands inside a short pair is not split from its sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from highlighter.text.sentences import word_lists
from highlighter.text.sentences.list_markers import is_enumerator
from highlighter.text.sentences.periods import ends_by_period
from highlighter.text.sentences.stop import (
    CLOSING_QUOTES,
    STOP_CLUSTER,
    UNAMBIGUOUS_STOPS,
    Stop,
    is_caseless,
    is_ideograph,
)

# Longer than these a pair is a passage of its own sentences (or no pair at all), and is split like any text.
MAX_BRACKET_CHARACTERS = 300
MAX_QUOTE_CHARACTERS = 200
# Openers remembered: nobody nests deeper, and a file of nothing but "(" stays cheap.
_MAX_OPEN_ENCLOSURES = 30

_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〔": "〕", "《": "》", "〈": "〉"}
_QUOTES = {"「": "」", "『": "』", "“": "”", "„": "“", "«": "»", "»": "«", "‹": "›", '"': '"'}
_CLOSERS = {**_BRACKETS, **_QUOTES}
_ENCLOSURE_MARK = re.compile("[" + re.escape("".join({*_CLOSERS, *_CLOSERS.values()})) + "]")


def find_enclosures(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The outermost short pairs in `text[start:end]`, in order: (offset of the opener, offset after the closer)."""
    pairs: list[tuple[int, int]] = []
    waiting: list[tuple[str, int]] = []
    for match in _ENCLOSURE_MARK.finditer(text, start, end):
        mark, at = match.group(), match.start()
        found = next((i for i in range(len(waiting) - 1, -1, -1) if _is_closing(waiting[i][0], mark, text, at)), None)
        if found is None:
            if mark in _CLOSERS and not (mark == "»" and text[at - 1 : at].isspace()):
                waiting = [*waiting[1 - _MAX_OPEN_ENCLOSURES :], (mark, at)]
            continue
        opener, begin = waiting[found]
        del waiting[found:]
        if at - begin <= (MAX_QUOTE_CHARACTERS if opener in _QUOTES else MAX_BRACKET_CHARACTERS):
            while pairs and pairs[-1][0] >= begin:
                pairs.pop()
            pairs.append((begin, at + 1))
    return pairs


def _is_closing(opener: str, mark: str, text: str, at: int) -> bool:
    # A straight quotation mark after a space opens; „ is closed by “ (German) or ” (Polish, Dutch).
    if mark == '"' and text[at - 1].isspace():
        return False
    return _CLOSERS[opener] == mark or (opener == "„" and mark == "”")


# Where sentences end within one stretch of text: every stop is looked at once, with the little that stands around it.


# A longer stretch without a stop is a table, a dump, a damaged file: cut, so that no chunk holds a whole megabyte.
MAX_SENTENCE_CHARACTERS = 5_000

_NEVER_OPENING = frozenset(",;:)]}”’»」』）】，、：")
_FILE_AND_DOMAIN_SUFFIXES = word_lists.word_set("com net org edu gov io js py txt pdf html htm doc docx xls xlsx")
# After 。」 these report the quoted words: と (said), 他说, ", he says".
_REPORTING_CLAUSE = re.compile(
    r"\s*(?:と|って|との|なんて|など|という|, ?|，|、|—|[他她它我你妳您][們们]?[^。！？]{0,4}[說说道問问答喊叫笑]|[說说道問问答][:：，,])"
)
_PARENTHETICAL_CITATION = re.compile(r"\s*[(\[][^()\[\].!?]{1,60}[)\]][.;,]")
_ATTRIBUTION = re.compile(r"([^\W\d_]+)\.?\s+(?:[A-Z][^\W\d_]*\s+)?([^\W\d_]+)")
# A vowel late in the word, and a last letter with which many words end.
_COMMON_WORD_ENDING = re.compile(r"[aeiouyαεηιουωаеиоуыэюя].{0,2}(?<=[aeiouysndtgαεηιουωςνаеиоуыэюяйьмхтв])$")
_PLAIN_TOKEN_BEFORE = re.compile(r"[(\"'“]?(?:[^\W\d_]{2,}(?:['’-][^\W\d_]+)*|[$€£]?\d[\d,.]{2,}%?)")
_PLAIN_TOKEN_AFTER = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?)\"”]*")


def find_boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """Offsets in `text[start:end]` at which a sentence ends, in order; the end itself is not among them."""
    pairs = iter([*find_enclosures(text, start, end), (end, end + 1)])
    pair = next(pairs)
    begin = start
    small_letters = text[start : min(end, start + MAX_SENTENCE_CHARACTERS)].islower()
    for match in STOP_CLUSTER.finditer(text, start, end):
        at = _skip_combining_marks(text, match.end(), end)
        while pair[1] <= match.start():
            pair = next(pairs)
        if (pair[0] < match.start() and at < pair[1]) or at < begin or _is_remark(text, match):
            continue
        bracketed = begin < pair[0] < match.start()
        cut = _find_sentence_end(
            Stop.from_match(text, begin, end, match, at, bracketed=bracketed, small_letters=small_letters)
        )
        if cut:
            yield cut
            rest = text[cut : cut + 50]
            begin = cut + len(rest) - len(rest.lstrip())


def _skip_combining_marks(text: str, at: int, end: int) -> int:
    while at < end and unicodedata.category(text[at]) in ("Mn", "Me", "Cf"):  # a mark belongs to what it stands on
        at += 1
    return at


def _is_remark(text: str, match: re.Match) -> bool:
    """[...], (!), [?]: a remark inside a sentence."""
    return text[match.start() - 1 : match.start()] in ("[", "(") and match["closers"][:1] in ("]", ")")


def _find_sentence_end(stop: Stop) -> int | None:
    """The offset at which this stop ends its sentence, if it does."""
    next_mark = stop.right.lstrip()[:1]
    if not next_mark or (next_mark in _NEVER_OPENING and not (stop.spaced and next_mark in "”’»")):
        return None
    if is_enumerator(stop.so_far):
        return None
    if any(mark in UNAMBIGUOUS_STOPS for mark in stop.marks) or stop.marks.strip() in (":", "|", ";"):
        return None if _is_quote_reported(stop) else stop.end
    if "．" in stop.marks:
        return None if stop.before[-1:].isdigit() and stop.right[:1].isdigit() else stop.end
    if not stop.spaced:
        return stop.end if _ends_without_space(stop) else None
    if _is_ellipsis(stop.marks):
        return _find_ellipsis_end(stop)
    if "¿" in stop.opened or "¡" in stop.opened:
        return stop.end
    if _is_continued_in_lower_case(stop) or _is_citation_next(stop) or _is_attribution_next(stop):
        return None
    if stop.marks == ".":
        return stop.end if ends_by_period(stop) else None
    return None if stop.following.lower() in word_lists.COMPANY_SUFFIXES else stop.end


def _is_quote_reported(stop: Stop) -> bool:
    """A closing quote, then the words that report what was quoted; a remark in brackets, then its sentence's rest."""
    if stop.bracketed and stop.closers[-1:] in ("）", ")") and not stop.spaced:
        return True
    return stop.closers[-1:] in tuple('」』”’"»)）') and bool(stop.closers and _REPORTING_CLAUSE.match(stop.right))


def _ends_without_space(stop: Stop) -> bool:
    """ "world.Today", "结束!开始": a stop without a space ends a sentence only between plain words."""
    first = stop.right[:1]
    if is_ideograph(stop.before[-1:]) and (is_ideograph(first) or "." not in stop.marks):
        return True
    token = re.search(r"\S*$", stop.before).group()
    rest = re.match(r"\S*", stop.after).group()
    return (
        not (stop.closers or _is_ellipsis(stop.marks))
        and first.isupper()
        and len(stop.following) > 1
        and stop.following[1:].islower()
        and stop.following.lower() not in _FILE_AND_DOMAIN_SUFFIXES
        and bool(_PLAIN_TOKEN_BEFORE.fullmatch(token) and _PLAIN_TOKEN_AFTER.fullmatch(rest))
        and not (token.isupper() and stop.marks == ".")
    )


def _is_ellipsis(marks: str) -> bool:
    return marks == "…" or (len(marks) > 1 and set(marks) <= set(". \xa0…"))


def _find_ellipsis_end(stop: Stop) -> int | None:
    if not (stop.following[:1].isupper() or is_caseless(stop.following[:1])):
        return None
    dots = stop.marks.count(".") + 3 * stop.marks.count("…")
    apart = not stop.marks.strip(".… \xa0") and (" " in stop.marks or "\xa0" in stop.marks)
    touches = not stop.before[-1:].isspace()
    if apart and touches and dots > 3 and not stop.closers:
        return stop.start + 1  # a full stop, then three dots for what was left out before the next sentence
    if dots > 3 or (touches and not apart) or (not apart and stop.following != "I"):
        return stop.end
    return None


def _is_continued_in_lower_case(stop: Stop) -> bool:
    """A small letter next: the sentence goes on, unless small letters say nothing here ("ok. fine.", an iPhone)."""
    if not stop.following[:1].islower() or stop.following[1:2].isupper():
        return False
    if stop.closers:
        return True
    if stop.small_letters:
        return False
    # Long words are seldom abbreviated, and seldom cut after a letter that words end with: a careless writer, then.
    word = stop.word
    return not (
        stop.marks == "."
        and len(word) > 5
        and word.isalpha()
        and word.islower()
        and _COMMON_WORD_ENDING.search(_strip_accents(word))
    )


def _strip_accents(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _is_citation_next(stop: Stop) -> bool:
    """ "... as it was." (Smith 55). The source in brackets belongs to what stands before it."""
    match = _PARENTHETICAL_CITATION.match(stop.right)
    return bool(match and (stop.closers or any(char.isdigit() for char in match.group())))


def _is_attribution_next(stop: Stop) -> bool:
    """ "Are you?" Mary asked. The quoted words and who said them are one sentence."""
    if stop.closers[-1:] not in CLOSING_QUOTES or not stop.closers or stop.opened.strip():
        return False
    match = _ATTRIBUTION.match(stop.after)
    return bool(match and match[1].lower() not in word_lists.PRONOUNS and match[2] in word_lists.REPORTING_VERBS)
