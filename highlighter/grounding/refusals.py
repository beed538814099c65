"""What a source refuses without a "not", and a claim allows: "Tenders sent by e-mail will be rejected", "Nobody may swim".

A model takes the words of a refusal for those of a permission. The languages are English, German, French, Spanish, Italian,
Portuguese, Dutch, Russian, Chinese and Japanese. Texts are folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from highlighter.grounding.wording import Wording
from highlighter.quotes.restrictions import RESTRICTION
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import COLON, MATTERS, find_clause
from highlighter.text.function_words import ALL_FUNCTION_WORDS
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import PERMISSION_WORDS

_ALLOWS = compile_later(rf"\b(?:{PERMISSION_WORDS}|is|are) accepted\b|\b(?:{PERMISSION_WORDS})\b|可|できる|てもよい")
_REFUSED = compile_later(
    r"\b(?:(?:will|shall|must|is|are|should|to) (?:always |also )?(?:be )?(?:rejected|refused|disregarded|avoided|excluded|discarded|returned unopened|prohibited|forbidden)"
    r"|(?:wird|werden|ist|sind) [^,;:.]{0,40}?(?:abgelehnt|zurückgewiesen|ausgeschlossen|vermeiden|verboten|untersagt)"
    r"|(?:sera|seront|est|sont|être) (?:rejet|refus|évit|exclu|écart|interdit|proscrit)[\wé]*"
    r"|(?:será|serán|es|son|están?|ser) (?:rechaz|exclu|prohib|evit)\w*|(?:debe|deben) evitarse"
    r"|(?:sarà|saranno|è|sono|essere) (?:respint|rifiutat|esclus|vietat|evitat)[oaie]|(?:va|vanno) evitat[oaie]"
    r"|(?:será|serão|é|são|ser) (?:rejeitad|recusad|excluíd|proibid|evitad)[oa]s?"
    r"|(?:wordt|worden) (?:afgewezen|geweigerd|uitgesloten|vermeden)|(?:is|zijn) verboden|(?:отклоня|исключа)[ею]тся|запрещен[аоы]?|следует избегать)\b"
    r"|一律(?:拒绝|拒收)|应避免|應避免|避けること"
)
_NOBODY_MAY = compile_later(
    r"\b(?:no ?(?:body|one|person) (?:may|can|shall|must|is (?:allowed|permitted) to)|niemand (?:darf|kann)|personne ne (?:peut|doit)|nul ne (?:peut|doit)|nadie (?:puede|debe)"
    r"|nessuno (?:può|deve)|ninguém (?:pode|deve)|niemand mag|никто не (?:может|вправе|должен))\b|(?:任何人|所有人|人人)(?:均|都|一律)?(?:不得|不可|不能|不准)|誰も"
)
_COMMA = compile_later(r"[,，](?!\d)")
# What a clause says before a comma, behind which another one has a subject of its own: "Dogs are allowed, cats are forbidden".
_PREDICATE = compile_later(
    rf"\b(?:{PERMISSION_WORDS}|is|are|ist|sind|est|sont|es|son|están?|è|sono|são|estão|zijn)\b|可"
)
# What is refused only in some case is not refused.
_CASE_AFTER = compile_later(
    r"\s(?:if|when|where|unless|wenn|falls|sofern|si|lorsque|cuando|se|quando|als|indien|если|by|von|par|por|da|door)\b"
)


class Refusal(NamedTuple):
    """The permission of a claim at `[start, end)`, and the words of the source that refuse the same."""

    start: int
    end: int
    words: str


def find_refusals(claim: Wording, source: Wording) -> Iterator[Refusal]:
    """Yield what a claim allows, and its source refuses or allows nobody."""
    claim_text, source_text = fold(claim.text), fold(source.text)
    allows = _ALLOWS.search(claim_text)
    if allows is None or has_negation(claim_text) or _REFUSED.search(claim_text):
        return
    for words in (_find_refused(claim, source, source_text), _find_nobody(claim, source, source_text)):
        if words:
            yield Refusal(*allows.span(), words)


def _find_refused(claim: Wording, source: Wording, folded: str) -> str:
    """Return "will be rejected" of the clause with the claim's words; "" where another clause has some, or allows something."""
    match = _REFUSED.search(folded)
    if match is None or _CASE_AFTER.match(folded, match.end()) or RESTRICTION.search(folded):
        return ""
    start = _find_clause_start(source, folded, match.start())
    if has_negation(folded[start : match.end()]):
        return ""
    allowed = _ALLOWS.search(folded, start, match.start())
    first, last = (allowed.end(), match.start()) if allowed else (match.start(), match.start())
    granted = source.keys_between(first, last)
    refused = source.keys_between(start, match.end())
    elsewhere = source.keys - refused
    words = [word for word in claim.content_words if word.text not in ALL_FUNCTION_WORDS]
    shared = [word for word in words if word.keys & refused]
    is_about_more = any(word.keys & elsewhere and not word.keys & refused for word in words)
    is_allowed = any(word.keys & granted for word in shared)
    return source.text[slice(*match.span())] if shared and not is_about_more and not is_allowed else ""


def _find_clause_start(source: Wording, folded: str, end: int) -> int:
    """Return where the clause begins that refuses something at `end`."""
    start, _ = find_clause(folded, end, end, MATTERS | {COLON})
    commas = [comma.start() for comma in _COMMA.finditer(folded, start, end)]
    if len(commas) != 1 or not _PREDICATE.search(folded, start, commas[0]):
        return start
    has_subject = any(not word.is_stop_word for word in source.words_between(commas[0], end))
    return commas[0] + 1 if has_subject else start


def _find_nobody(claim: Wording, source: Wording, folded: str) -> str:
    """Return "Nobody may" of a sentence all of whose other words a claim has."""
    match = _NOBODY_MAY.search(folded)
    if match is None or RESTRICTION.search(folded):
        return ""
    beside = [word for word in source.content_words if word.end <= match.start() or word.start >= match.end()]
    is_same = bool(beside) and all(word.keys & claim.keys for word in beside)
    return source.text[slice(*match.span())] if is_same else ""
