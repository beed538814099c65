"""Join two lines into one text: with a space, without one, or with a hyphen removed."""

from __future__ import annotations

import re
from collections.abc import Container

from highlighter.text.sentences.line_breaks import NEVER_LAST_WORDS

HYPHENS = "-\u2010\u00ad"

# Scripts without spaces between words: their lines are joined without a space.
UNSPACED_SCRIPT = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u31c0-\u31ef\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
# The script of Chinese and Japanese.
CHINESE_OR_JAPANESE = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def _split_words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Parts of compounds that always have a hyphen: at a line break, the hyphen stays.
_HYPHENATED_PREFIXES = _split_words(
    "self all cross ex half high low long short well ill quasi non twenty thirty forty fifty sixty "
    "seventy eighty ninety one two three four five six seven eight nine ten mid multi vice third second "
    "first so would world large small full part real state year day month open on off in up two-way email "
    "e x t"
)
_HYPHENATED_SUFFIXES = _split_words(
    "based related free term wide like specific style type time called level year old day month party way "
    "sized class owned term's year's friendly ready only employed employment made known defined in law "
    "to-date up out off down"
)
_MIN_HEADING_PART_CHARACTERS = 4  # of both parts of a word: shorter ones are syllables
_MIN_OPEN_CHARACTERS = 16  # a shorter line is a label or part of a title, and may end with any word
_OPEN_WORDS = NEVER_LAST_WORDS | _split_words(
    "any such each every our your their its whose shall between upon under this these those my his would might must "
    "should could cannot if when while because unless until whether about against among during within without through via "
    "including ein eine einen einem einer zur zum auf für durch wird werden un une au aux par pour sur dans avec que qui "
    "est una con para del della delle sono"
)
_LAST_WORD = re.compile(r"(?<![;:]\s)(?<!\S)[^\W\d_]+$")  # "...; and" ends an item of a list
_WORD_END = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+")
_ADDRESS_SIGNS = "/?&=#%~_-"  # at which addresses are broken
_COMPOUND_END = re.compile(r"[-\u2010][^\W\d_]+[-\u2010]$")
_WORD_START = re.compile(r"[^\W\d_]+")


def choose_joint(before: str, after: str, words: Container[str], *, is_heading: bool = False) -> tuple[int, str]:
    """Return (characters to remove from the end of `before`, the separator) for two consecutive lines.

    `words` is the vocabulary of the document in lower case: the spelling elsewhere decides whether a hyphen belongs. Words of
    headings are rarely broken: there, a hyphen belongs unless the word stands without it elsewhere.
    """
    if not before or not after:
        return 0, ""
    last, first = before[-1], after[0]
    if last == "/" and _ADDRESS.match(after):
        return 0, " "
    if ("//" in before or last == ":") and _is_address_cut(before, after):
        return 0, ""
    if last in HYPHENS and len(before) > 1:
        return _resolve_hyphen(before, after, words, is_heading=is_heading)
    if _is_closed_up(last, first):
        return 0, ""
    if last == "\u2013" and before[-2:-1].isalnum() and first.isalnum():
        return 0, ""  # a range: "2018\u201323"
    if last in "\u2014/" and before[-2:-1].strip():
        return 0, ""  # "and/or", an address, words joined by a dash
    return 0, " "


def _is_address_cut(before: str, after: str) -> bool:
    """Return whether a line ends within the address of a page on the web, which goes on without a space."""
    address, rest = before.rsplit(" ", 1)[-1], after.split(" ", 1)[0]
    if "://" not in address:
        return is_cut_after_scheme(before, after)
    if address[-1] in _ADDRESS_SIGNS or rest[0] in _ADDRESS_SIGNS:
        return len(rest) > 1 and (rest[0].isalnum() or rest[0] in _ADDRESS_SIGNS)
    return address[-1] == "." and not rest[0].isupper() and any(sign in rest[:-1] for sign in "./?=")


def is_cut_after_scheme(before: str, after: str) -> bool:
    """Return whether an address of a page on the web is cut beside its slashes: "https:", "//port.example"."""
    scheme = before.lower().endswith
    return (after.startswith("//") and scheme(("http:", "https:"))) or (
        after[:1].isalnum() and scheme(("http://", "https://"))
    )


def begins_with_address(text: str) -> bool:
    return _ADDRESS.match(text) is not None


def are_addresses(before: str, after: str) -> bool:
    """Return whether two lines are an address of a page on the web each, and the first is not cut."""
    return _ADDRESS.fullmatch(before) is not None and _ADDRESS.fullmatch(after) is not None


def has_open_end(text: str) -> bool:
    """Return whether a line ends with a word that ends no sentence: "in accordance with the"."""
    if len(text) < _MIN_OPEN_CHARACTERS:
        return False
    match = _LAST_WORD.search(text, len(text) - _MIN_OPEN_CHARACTERS)  # no such word is as long
    return match is not None and match.group().lower() in _OPEN_WORDS


def _is_closed_up(last: str, first: str) -> bool:
    """Return whether Chinese or Japanese stands on both sides, or on one side with punctuation on the other."""
    left, right = bool(UNSPACED_SCRIPT.match(last)), bool(UNSPACED_SCRIPT.match(first))
    return (left and right) or (left and not first.isalnum()) or (right and not last.isalnum())


def _resolve_hyphen(before: str, after: str, words: Container[str], *, is_heading: bool) -> tuple[int, str]:
    is_soft = before[-1] == "\u00ad"
    head, tail = _WORD_END.search(before), _WORD_START.match(after)
    if is_soft:
        is_compound = head is not None and tail is not None and f"{head[1]}-{tail[0]}".lower() in words
        return (1, "-") if is_compound else (1, "")
    if not before[-2].strip():
        return 0, " "  # a dash between words, not a hyphen
    if not head or not tail:
        return 0, ""
    left, right = head.group(1), tail.group(0)
    if not right[0].islower():
        return 0, ""
    is_kept = _is_hyphen_kept(left, right, before, words)
    if is_heading and min(len(left), len(right)) >= _MIN_HEADING_PART_CHARACTERS:
        is_kept = (left + right).lower() not in words
    return (0, "") if is_kept else (1, "")


def _is_hyphen_kept(left: str, right: str, before: str, words: Container[str]) -> bool:
    whole, hyphenated = (left + right).lower(), f"{left}-{right}".lower()
    if whole in words:
        return False
    if hyphenated in words:
        return True
    if left.lower() in _HYPHENATED_PREFIXES or right.lower() in _HYPHENATED_SUFFIXES or _COMPOUND_END.search(before):
        return True
    # Capitals inside a word ("PDF-based") and single letters ("e-mail") are never syllables.
    return len(left) == 1 or (left.isupper() and len(left) > 1)
