"""What a source excludes: "All damage other than flood damage", "..., excluding dental care", an empty checkbox.

A model overlooks that a claim speaks of the very thing that its sentence leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from highlighter.grounding.wording import Wording
from highlighter.quotes.significance import NEGATION_SIGN, count_facts
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

_EXCLUSION = compile_later(
    r"\b(?:other than|except(?:ing)?(?: for)?|excluding|with the exception of|but not"
    r"|mit ausnahme von|ausgenommen|ausser|sauf|hormis|a l'exception de|excepto|salvo)\s+(?P<excluded>[^,;:.()，；：。（）]+)"
    r"|除了?(?P<before>[^,，;；。]{1,20})(?:以外|之外|外)(?![,，]?[^,，。]{0,6}[还也亦又])|(?:不包括|不包含|不含|但不含)(?P<after>[^,，;；。()（）]+)"
    r"|(?P<box>(?:☐|\[ \])\s*[^\[☐☑☒✓✔\n]+)"
)
# What denies a thing, so that its exceptions are granted.
_DENIAL = compile_later(
    r"\b(?:prohibit|forbid|forbidden|exclud|refus|bann?ed|prevent|reject|deni|deny|verboten|untersagt|interdit|prohibid)|禁|拒|不"
)
_EXCEPT = compile_later(r"\b(?:other than|excluding|with the exception of|except(?: for)?)\b", re.IGNORECASE)


class Exclusion(NamedTuple):
    """Words of a source that exclude something, and the span in the claim of what they exclude."""

    words: str
    start: int
    end: int
    is_granted: bool  # what is left out of a denial: "prohibited except in the garden"


def find_exclusions(claim: Wording, source: Wording) -> Iterator[Exclusion]:
    """Yield what the source excludes and the claim speaks of, without a "not" or an exclusion of its own."""
    claim_text = fold(claim.text)
    if count_facts(claim_text)[NEGATION_SIGN] or _EXCLUSION.search(claim_text):
        return
    source_text = fold(source.text)
    for match in _EXCLUSION.finditer(source_text):
        before = source_text[: match.start()]
        is_granted = bool(_DENIAL.search(before) or count_facts(before)[NEGATION_SIGN])
        start, end = match.span(match.lastgroup or 0)
        excluded = [word for word in source.words_between(start, end) if word.end <= end and not word.is_stop_word]
        named = [word for word in claim.words if any(word.keys & other.keys for other in excluded)]
        outside = (word.keys for word in source.words if not start <= word.start < end and not word.is_stop_word)
        elsewhere = frozenset[str]().union(*outside)
        is_named = excluded and all(word.keys & claim.keys for word in excluded)
        if is_named and not all(word.keys & elsewhere for word in excluded):
            words = source.text[match.start() : match.end()].strip()
            yield Exclusion(words, named[0].start, named[-1].end, is_granted)


def unify_exclusions(claim: str, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Return a claim and the sentences with "except" for "other than", "with the exception of" and the like, if both exclude."""
    if not _EXCEPT.search(claim):
        return claim, list(sentences)
    return _EXCEPT.sub("except", claim), [_EXCEPT.sub("except", sentence) for sentence in sentences]
