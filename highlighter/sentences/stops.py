"""Where sentences end within one stretch of text: every stop is looked at once, with the little that stands around it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from highlighter.sentences import words
from highlighter.sentences.enclosures import enclosed
from highlighter.sentences.markers import only_enumerates
from highlighter.sentences.periods import ends_by_period
from highlighter.sentences.stop import CLUSTER, QUOTE_CLOSERS, WIDE, Stop, is_caseless, is_ideograph

# A longer stretch without a stop is a table, a dump, a damaged file: cut, so that no chunk holds a whole megabyte.
SENTENCE_LIMIT = 5_000

_NO_OPENING = frozenset(",;:)]}”’»」』）】，、：")
_DOMAINS = words.of("com net org edu gov io js py txt pdf html htm doc docx xls xlsx")
# After 。」 these report the quoted words: と (said), 他说, ", he says".
_REPORTS = re.compile(
    r"\s*(?:と|って|との|なんて|など|という|, ?|，|、|—|[他她它我你妳您][們们]?[^。！？]{0,4}[說说道問问答喊叫笑]|[說说道問问答][:：，,])"
)
_CITED = re.compile(r"\s*[(\[][^()\[\].!?]{1,60}[)\]][.;,]")
_WHO_SAID = re.compile(r"([^\W\d_]+)\.?\s+(?:[A-Z][^\W\d_]*\s+)?([^\W\d_]+)")
# A vowel late in the word, and a last letter with which many words end.
_WHOLE = re.compile(r"[aeiouyαεηιουωаеиоуыэюя].{0,2}(?<=[aeiouysndtgαεηιουωςνаеиоуыэюяйьмхтв])$")
_PLAIN_BEFORE = re.compile(r"[(\"'“]?(?:[^\W\d_]{2,}(?:['’-][^\W\d_]+)*|[$€£]?\d[\d,.]{2,}%?)")
_PLAIN_AFTER = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?)\"”]*")


def boundaries(text: str, start: int, end: int) -> Iterator[int]:
    """Offsets in `text[start:end]` at which a sentence ends, in order; the end itself is not among them."""
    pairs = iter([*enclosed(text, start, end), (end, end + 1)])
    pair = next(pairs)
    begin = start
    small_letters = text[start : min(end, start + SENTENCE_LIMIT)].islower()
    for match in CLUSTER.finditer(text, start, end):
        at = _past_marks(text, match.end(), end)
        while pair[1] <= match.start():
            pair = next(pairs)
        if (pair[0] < match.start() and at < pair[1]) or at < begin or _is_remark(text, match):
            continue
        bracketed = begin < pair[0] < match.start()
        cut = _end_of(Stop.at(text, begin, end, match, at, bracketed=bracketed, small_letters=small_letters))
        if cut:
            yield cut
            rest = text[cut : cut + 50]
            begin = cut + len(rest) - len(rest.lstrip())


def _past_marks(text: str, at: int, end: int) -> int:
    while at < end and unicodedata.category(text[at]) in ("Mn", "Me", "Cf"):  # a mark belongs to what it stands on
        at += 1
    return at


def _is_remark(text: str, match: re.Match) -> bool:
    """[...], (!), [?]: a remark inside a sentence."""
    return text[match.start() - 1 : match.start()] in ("[", "(") and match["closers"][:1] in ("]", ")")


def _end_of(stop: Stop) -> int | None:
    """The offset at which this stop ends its sentence, if it does."""
    next_mark = stop.right.lstrip()[:1]
    if not next_mark or (next_mark in _NO_OPENING and not (stop.spaced and next_mark in "”’»")):
        return None
    if only_enumerates(stop.so_far):
        return None
    if any(mark in WIDE for mark in stop.marks) or stop.marks.strip() in (":", "|", ";"):
        return None if _is_reported(stop) else stop.end
    if "．" in stop.marks:
        return None if stop.before[-1:].isdigit() and stop.right[:1].isdigit() else stop.end
    if not stop.spaced:
        return stop.end if _ends_without_space(stop) else None
    if _is_ellipsis(stop.marks):
        return _end_of_ellipsis(stop)
    if "¿" in stop.opened or "¡" in stop.opened:
        return stop.end
    if _goes_on_small(stop) or _is_cited(stop) or _is_said_by(stop):
        return None
    if stop.marks == ".":
        return stop.end if ends_by_period(stop) else None
    return None if stop.following.lower() in words.COMPANIES else stop.end


def _is_reported(stop: Stop) -> bool:
    """A closing quote, then the words that report what was quoted; a remark in brackets, then its sentence's rest."""
    if stop.bracketed and stop.closers[-1:] in ("）", ")") and not stop.spaced:
        return True
    return stop.closers[-1:] in tuple('」』”’"»)）') and bool(stop.closers and _REPORTS.match(stop.right))


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
        and stop.following.lower() not in _DOMAINS
        and bool(_PLAIN_BEFORE.fullmatch(token) and _PLAIN_AFTER.fullmatch(rest))
        and not (token.isupper() and stop.marks == ".")
    )


def _is_ellipsis(marks: str) -> bool:
    return marks == "…" or (len(marks) > 1 and set(marks) <= set(". \xa0…"))


def _end_of_ellipsis(stop: Stop) -> int | None:
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


def _goes_on_small(stop: Stop) -> bool:
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
        stop.marks == "." and len(word) > 5 and word.isalpha() and word.islower() and _WHOLE.search(_plain(word))
    )


def _plain(word: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))


def _is_cited(stop: Stop) -> bool:
    """ "... as it was." (Smith 55). The source in brackets belongs to what stands before it."""
    match = _CITED.match(stop.right)
    return bool(match and (stop.closers or any(char.isdigit() for char in match.group())))


def _is_said_by(stop: Stop) -> bool:
    """ "Are you?" Mary asked. The quoted words and who said them are one sentence."""
    if stop.closers[-1:] not in QUOTE_CLOSERS or not stop.closers or stop.opened.strip():
        return False
    match = _WHO_SAID.match(stop.after)
    return bool(match and match[1].lower() not in words.PRONOUNS and match[2] in words.SAID)
