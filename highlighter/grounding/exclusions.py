"""What a source excludes: "All damage other than flood damage", "..., excluding dental care", an empty checkbox.

A model overlooks that a claim speaks of the very thing that its sentence leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from highlighter.grounding.wording import KeyedWord, Wording, join_keys, parse_wording
from highlighter.quotes.restrictions import RESTRICTION
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.function_words import FUNCTION_WORDS_BESIDE_ENGLISH
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import DUTY_VERBS, PERMISSION_WORDS
from highlighter.text.negations import NEGATION, classify_word
from highlighter.text.terms import is_cjk

# Exclusions of a sentence that are looked at: a text with more is no sentence.
MAX_EXCLUSIONS = 20
_EXCLUSION = compile_later(
    r"\b(?:other than|except(?:ing)?(?: for)?|excluding|with the exception of|(?<=, )save for|but not"
    r"|mit ausnahme|ausgenommen|außer|ausser|sauf|hormis|excepté|à l'exception|excepto|salvo|con excepción|a excepción"
    r"|tranne|eccetto|ad eccezione|esclus[aeio]|exceto|com exceção|à exceção|behalve|uitgezonderd|met uitzondering"
    r"|кроме(?! того)|за исключением)\s+(?P<excluded>[^,;:.()，；：。（）]+)"
    r"|(?:باستثناء|ما عدا|למעט)\s+(?P<joined>[^,;:.()،]+)"
    r"|(?P<korean>[^,.。，]{1,20}?)[은는을를]? ?제외(?:하고|하면|한)|(?P<japanese>[^、。，,]{1,20}?)(?:を除[きくい]|以外[はのを])"
    r"|除了?(?P<before>[^,，;；。]{1,20})(?:以外|之外|外)(?![,，]?[^,，。]{0,6}[还也亦又])|(?:不包括|不包含|不含|但不含)(?P<after>[^,，;；。()（）]+)"
    r"|(?P<box>(?:☐|\[ \])\s*[^\[☐☑☒✓✔\n]+)"
)
# What denies a thing, so that its exceptions are granted.
_DENYING_WORD = compile_later(
    r"\b(?:prohibit|forbid|forbidden|exclud|refus|bann?ed|prevent|reject|deni|deny|verboten|untersagt|interdit|prohibid|vietat|proibid"
    r"|запрещ|closed\b|geschlossen|fermée?s?\b|cerrad[ao]|chius[aeio]|fechad[ao]|gesloten|закрыт)|禁|拒|금지"
)
_DENIAL = compile_later(f"{_DENYING_WORD.pattern}|不")
_EXCEPT = compile_later(r"\b(?:other than|excluding|with the exception of|except(?: for)?)\b", re.IGNORECASE)


# A price that does not include a tax is one to which it is added.
_WITHOUT_TAX = compile_later(
    r"\b(?:excluding|exclusive of|net of)(?= (?:vat|value[- ]added tax|sales tax|gst)\b)", re.IGNORECASE
)
# Words that may be missing from a claim about what they stand for: "its obligation to pay the Charges".
_HEAD_NOUNS = frozenset(
    "its their any those obligation obligations duty duties liability case cases event right claim claims"
    " derjenigen denen celles ceux celle celui quelle quelli quella quello aquellos aquellas degenen".split()
)
# A denied permission, and words by which a claim grants one.
_DENIED_PERMISSION = compile_later(
    r"\b(?:(?:must|shall|may|can|is|are) ?not|no(?:body)?\b.* (?:may|allowed|permitted)|prohibit|forbidden|verboten|untersagt"
    r"|nicht (?:gestattet|erlaubt|zulässig)|d[aü]rf(?:en)?\b.* (?:nicht|kein)|interdit|ne (?:\w+ ){1,2}pas (?:autoris|permis)"
    r"|ne peu(?:t|vent) pas|prohibid|no .*permitid|no puede|vietat|proibid|non .*(?:consentit|ammess|permess)|não .*permitid"
    r"|niet .*toegestaan|запрещ|не (?:разреш|допуска))|不得|禁止|严禁|不可|不允许|不准"
)
_PERMISSION = compile_later(rf"{PERMISSION_WORDS}|zulässig|permise?s?|están?")
_DUTY = compile_later(rf"\b(?:{DUTY_VERBS}|required|obliged)\b|必须|应当")
_CHINESE_PERMISSION = compile_later("可以?|允许|准许")
_CHINESE_GLUE = frozenset("可以允许准下时中内的在")
_FOLLOWING = compile_later(r"[;；]")
_AND = compile_later(r"\b(?:and|or|und|oder|et|ou|y|o|e|en|of|и|или)\b|[、和及或]")
_END = compile_later(r"[\s.。!）)]*")


class Exclusion(NamedTuple):
    """Words of a source that exclude something, and the span in the claim of what they exclude."""

    words: str
    start: int
    end: int
    is_agreed: bool  # the claim grants what is left out of a denial, or denies what is left out of a grant


class _StatedExclusion(NamedTuple):
    """An exclusion of a source whose words a claim has."""

    span: tuple[int, int]
    named: list[KeyedWord]  # the words of the claim
    words_beside: tuple[KeyedWord, ...]  # the words of the source from which it is left out
    is_from_denial: bool
    is_part: bool  # the claim names only one of several things: "except for clothing and linen"


def find_exclusions(claim: Wording, source: Wording) -> Iterator[Exclusion]:
    """Yield what the source excludes and the claim speaks of, without an exclusion of its own.

    A claim that denies something is compared with what the source leaves out of the same denial.
    """
    is_denial = _is_denial(fold(claim.text))
    for stated in _find_stated_exclusions(claim, source):
        is_agreed = is_denial != stated.is_from_denial
        if stated.is_part and not is_agreed:
            continue
        if is_agreed or not is_denial or _says_no_more(claim, stated):
            words = source.text[slice(*stated.span)].strip()
            yield Exclusion(words, stated.named[0].start, stated.named[-1].end, is_agreed)


def grants(claim: Wording, source: Wording) -> bool:
    """Return whether a claim allows just what the source leaves out of what it forbids: "No animals are allowed except dogs"."""
    text, folded = fold(claim.text), fold(source.text)
    is_permission = any(map(_PERMISSION.fullmatch, text.rstrip(".").split())) or _CHINESE_PERMISSION.search(text)
    if not is_permission or _DUTY.search(text) or has_negation(text) or _DENIAL.search(text):
        return False
    for stated in _find_stated_exclusions(claim, source):
        start, end = stated.span
        is_whole = _END.fullmatch(folded, end) or not folded[:start].strip()
        rest = folded[:start] + " " * (end - start) + folded[end:]
        is_plain = is_whole and not stated.is_part and _DENIED_PERMISSION.search(rest) and not RESTRICTION.search(rest)
        if stated.is_from_denial and is_plain and _says_no_more(claim, stated):
            return True
    return False


def find_denied_exclusion(claim: str, sentence: str) -> str | None:
    """Return the words that leave out of a grant what a claim denies: "except banks" where no bank is said to be notified.

    Such a claim is not contradicted, but may exchange who does something to whom: words do not tell.
    """
    if not _is_denial(fold(claim)):
        return None
    exclusions = find_exclusions(parse_wording(claim), parse_wording(sentence))
    return next((exclusion.words for exclusion in exclusions if exclusion.is_agreed), None)


def _find_stated_exclusions(claim: Wording, source: Wording) -> Iterator[_StatedExclusion]:
    if _EXCLUSION.search(fold(claim.text)):
        return
    source_text = fold(source.text)
    for match in islice(_EXCLUSION.finditer(source_text), MAX_EXCLUSIONS):
        # "Except in an emergency, nobody may ...": what is denied follows.
        is_first = not source_text[: match.start()].strip()
        beside_start, beside_end = (match.end(), len(source_text)) if is_first else (0, match.start())
        beside = source_text[beside_start:beside_end]
        start, end = match.span(match.lastgroup or 0)
        excluded = [word for word in source.words_between(start, end) if word.end <= end and not word.is_stop_word]
        excluded = [word for word in excluded if word.text not in FUNCTION_WORDS_BESIDE_ENGLISH] or excluded
        own = [word for word in excluded if word.text not in _HEAD_NOUNS] or excluded
        named = [word for word in claim.words if any(word.keys & other.keys for other in own)]
        outside = (word.keys for word in source.words if not start <= word.start < end and not word.is_stop_word)
        elsewhere = frozenset[str]().union(*outside)
        # What follows may say more of it: "..., except on Fridays; then Ellen teaches".
        following = _FOLLOWING.search(source_text, match.end())
        if following and any(
            w.keys & claim.keys for w in source.words_between(following.end(), len(source_text)) if _is_content(w)
        ):
            continue
        items = [own, *_split_items(source, own)]
        of_claim = [item for item in items if item and all(word.keys & claim.keys for word in item)]
        if of_claim and not all(word.keys & elsewhere for word in of_claim[0]):
            is_from_denial = bool(_DENIAL.search(beside) or has_negation(beside))
            words_beside = tuple(source.words_between(beside_start, beside_end))
            yield _StatedExclusion(match.span(), named, words_beside, is_from_denial, of_claim[0] is not own)


def _split_items(source: Wording, words: list[KeyedWord]) -> list[list[KeyedWord]]:
    """Return the words of each thing that a list names."""
    items: list[list[KeyedWord]] = [[]]
    for word in words:
        before = source.text[items[-1][-1].end : word.start] if items[-1] else ""
        items.append([word]) if _AND.search(fold(before)) else items[-1].append(word)
    return items


def _is_denial(folded: str) -> bool:
    return has_negation(folded) != bool(_DENYING_WORD.search(folded))


def _is_content(word: KeyedWord) -> bool:
    return not word.is_stop_word and word.text not in FUNCTION_WORDS_BESIDE_ENGLISH


def _says_no_more(claim: Wording, stated: _StatedExclusion) -> bool:
    """Return whether a claim has only words of the exclusion, of what it is left out of, and of permissions."""
    keys_beside = join_keys(stated.words_beside)
    return all(
        word.keys & keys_beside
        or word in stated.named
        or word.text in FUNCTION_WORDS_BESIDE_ENGLISH
        or _PERMISSION.fullmatch(word.text)
        or _DENIAL.match(word.text)
        or classify_word(word.text) == NEGATION
        or (is_cjk(word.text[0]) and not _CHINESE_GLUE.isdisjoint(word.text))
        for word in claim.content_words
    )


def unify_exclusions(claim: str, sentences: Sequence[str]) -> tuple[str, list[str]]:
    """Return a claim and the sentences with "except" for "other than", "with the exception of" and the like, if both exclude.

    Prices "excluding VAT" are prices "plus VAT".
    """
    claim, sentences = (_WITHOUT_TAX.sub("plus", claim), [_WITHOUT_TAX.sub("plus", text) for text in sentences])
    if not _EXCEPT.search(claim):
        return claim, list(sentences)
    return _EXCEPT.sub("except", claim), [_EXCEPT.sub("except", sentence) for sentence in sentences]
