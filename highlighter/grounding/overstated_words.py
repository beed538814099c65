"""Claims that say more strongly what a sentence only allows, recommends, takes back, or has as a condition.

A model takes "may be considered" for "should be given", and "applies if the company obtains the licence" for a company that
has it. The languages are English, German, French, Spanish, Italian, Portuguese, Dutch, Russian and Chinese where a row does
not say otherwise. Texts are folded.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from rapidfuzz.distance import Prefix

from highlighter.grounding.unsaid_words import tells_past
from highlighter.grounding.wording import KeyedWord, Wording, join_keys, parse_wording
from highlighter.quotes.significance import has_negation
from highlighter.text.characters import fold
from highlighter.text.clauses import AND, MATTERS, find_clause
from highlighter.text.function_words import ALL_FUNCTION_WORDS
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import DUTY_VERBS, PERMISSION_WORDS
from highlighter.text.terms import is_cjk

MIN_SHARED_WORDS, MIN_STEM = 2, 5
# Conditions of a sentence that are looked at: a text with more is no sentence.
MAX_CONDITIONS = 20
# From the strongest to the weakest.
_DUTY = (
    rf"\b(?:{DUTY_VERBS}|(?:is|are) (?:required|obliged)|ha(?:s|ve) to|mandatory|compulsory|obligatory|verpflichtet|verpflichtend|vorgeschrieben|obligatoires?|tenue?s? de"
    r"|obligatori[oaie]s?|obligad[oa]s?|deberán?|obbligat[oaie]|dovr(?:à|anno)|obrigatóri[oa]s?|obrigad[oa]s?|verplicht|обязательн\w*)\b|必须|强制"
)
_ADVICE = (
    r"\b(?:should|ought to|recommend(?:s|ed)?|advis(?:es?|ed|able)|(?:is|are|was|were) (?:asked|requested|encouraged|invited)|sollten?|empfohlen|empfiehlt|(?:wird|werden) gebeten|ratsam"
    r"|devrai(?:t|ent)|recommandée?s?|conseillée?s?|(?:est|sont) (?:priée?s?|invitée?s?)|deberían?|recomend(?:ad[oa]s?|a|able)|aconsej\w+|se (?:ruega|pide)|dovrebbe(?:ro)?|raccomandat[oaie]"
    r"|consigliat[oaie]|pregat[oaie]|deveriam?|recomendad[oa]s?|aconselhad[oa]s?|aanbevolen|aangeraden|verzocht|zou(?:den)? moeten|рекоменд\w+|следует)\b|建议|推荐"
)
_OPTION = (
    r"\b(?:(?:may|might|can|could) (?:also )?(?:be (?:considered|used|given|offered|tried|appropriate|useful|helpful)|want|wish|consider|choose|prefer|help)|(?:kann|können) [^,;.]{0,60}?\b(?:erwogen|verwendet|gegeben) werden"
    r"|(?:peut|peuvent) (?:être )?(?:envisag|utilis|propos|prescri)\w+|pueden? (?:considerar|utilizar|plantear|ofrecer)se|(?:può|possono) essere (?:considerat|utilizzat|offert|propost)[oaie]"
    r"|podem? (?:ser )?(?:considerad|utilizad|oferecid)[oa]s?|(?:kan|kunnen) [^,;.]{0,60}?\b(?:overwogen|gebruikt) worden|можно (?:рассмотреть|использовать))\b|可考虑|可以考虑"
)
_LADDER = tuple(compile_later(words) for words in (_DUTY, _ADVICE, _OPTION))
# What is a fact only in some case. German has "als" for "than", and Spanish "se" before verbs.
_CONDITIONS = {
    "en": r"if|provided that|as soon as", "de": "wenn|falls|sofern|sobald", "fr": r"si|lorsque|dès que", "es": "si|en cuanto",
    "it": "se|qualora|non appena", "pt": "se|caso|assim que", "nl": "als|indien|zodra", "ru": "если|как только",
}  # fmt: skip
_ANY_CONDITION = "|".join(words for language, words in _CONDITIONS.items() if language not in ("it", "pt", "nl"))
_NO_FACT = compile_later(
    rf"\b(?:{_ANY_CONDITION})\b|[如若]|一旦|{_DUTY}|{_ADVICE}|\b(?:{PERMISSION_WORDS}|will|would|might|could|when|whether|unless|until|condition\w*|requir\w*|need\w*"
    r"|wird|werden|bedingung\w*|voraussetz\w*|brauch\w*|sera|condici[oó]n\w*|necesit\w*|condizion\w*|condiç\w*|voorwaarde\w*|услови\w*)\b|条件|将|需"
)
# What somebody has taken back.
_WITHDREW = compile_later(
    r"(?:\b(?:withdr(?:e|a)wn?|dropped|abandoned|revoked|lifted|retracted|(?:a|ont) (?:retiré|abandonné|levé)|retir(?:ó|aron)|(?:ha|han) retirado|(?:ha|hanno) ritirato|ritirò|retir(?:ou|aram)|отозвал[аи]?|снял[аи]?)"
    r"|(?:zog|zogen|trok|trokken)|撤回了?|撤销了?)\s?(?P<thing>[^,;:.，；。]{3,80})"
)
_TAKES_BACK = compile_later(
    r"\b(?:withdr\w+|drop\w*|abandon\w*|revo\w+|lift\w*|retract\w*|no longer|retir\w+|lev[éa]\w*|ritir\w+|zurück\w*|ingetrokken|отозва\w+|снял\w*|original\w*|initial\w*|first|earlier)\b|撤"
)
# What is allowed with an exception.
_FORBIDDEN = compile_later(
    r"\b(?:prohib\w+|forb[ia]d\w*|bann\w+|not (?:allowed|permitted)|verboten|verbiet\w+|untersag\w+|interdi\w+|prohíb\w+|vietat\w+|viet\w+|proíb\w+|proib\w+|verboden|verbied\w+|запре\w+)\b|禁止|不准"
)
_ALLOWED_UNLESS = compile_later(
    rf"\b(?:{PERMISSION_WORDS}|zulässig|permise?s?)\b[^.;。]{{0,120}}?(?P<exception>\b(?:unless|except|es sei denn|sofern|soweit|außer|sauf|à moins|salvo|a menos|excepto|tranne|a meno|eccetto|exceto|tenzij|behalve|если)\b[^.;。]{{3,160}})"
    r"|(?:可以|允许)[^。；]{0,60}(?P<chinese>除非[^。；]{2,60})"
)
_EXCEPTION_OF_CLAIM = compile_later(
    r"\b(?:unless|except\w*|if|when|where|es sei denn|sofern|wenn|falls|außer|sauf|à moins|si|salvo|a menos|excepto|cuando|tranne|se|quando|exceto|tenzij|als|behalve|если)\b|除非|如"
)


def find_overstatement(claim: str, sentence: str) -> str | None:
    """Return the words by which a sentence says less than a claim of the same matter: "may be considered" for "should"."""
    wording, source = parse_wording(claim), parse_wording(sentence)
    return (
        _find_weaker_modal(wording, source)
        or _find_condition(wording, source)
        or _find_withdrawal(wording, source)
        or _find_exception(wording, source)
    )


def _find_weaker_modal(claim: Wording, source: Wording) -> str | None:
    """Return "recommended" of a sentence that demands nothing, if a claim says that it does."""
    claim_text, folded = fold(claim.text), fold(source.text)
    if has_negation(claim_text) or has_negation(folded):
        return None
    claimed, stated = (
        next((level for level, words in enumerate(_LADDER) if words.search(text)), len(_LADDER))
        for text in (claim_text, folded)
    )
    match = _LADDER[stated].search(folded) if claimed < stated < len(_LADDER) else None
    if match is None:
        return None
    clause = source.words_between(*find_clause(folded, *match.span(), MATTERS | {AND}))
    is_about_it = sum(bool(word.keys & claim.keys) for word in clause if not word.is_stop_word) >= MIN_SHARED_WORDS
    return source.text[slice(*match.span())] if is_about_it else None


def _find_condition(claim: Wording, source: Wording) -> str | None:
    """Return "if it obtains the licence" of a sentence, if a claim has only words of that condition, and tells it as a fact."""
    claim_text, folded = fold(claim.text), fold(source.text)
    if _NO_FACT.search(claim_text):
        return None
    conditions = _build_condition(detect_language(f"{source.text} {claim.text}")).finditer(folded)
    for match in islice(conditions, MAX_CONDITIONS):
        within = range(match.start(), match.end())
        case = join_keys(word for word in _list_content(source) if word.start in within)
        elsewhere = join_keys(word for word in _list_content(source) if word.start not in within) - case
        claimed = _list_content(claim)
        shared = [word for word in claimed if word.keys & case]
        if len(shared) >= MIN_SHARED_WORDS and not any(word.keys & elsewhere for word in claimed):
            return source.text[slice(*match.span())].strip(" .")
    return None


def _list_content(wording: Wording) -> list[KeyedWord]:
    """Return the words that are no function words of any language."""
    return [word for word in wording.content_words if word.text not in ALL_FUNCTION_WORDS]


@cache
def _build_condition(language: str) -> re.Pattern[str]:
    words = _CONDITIONS.get(language, _ANY_CONDITION)
    return re.compile(rf"(?:\b(?:{words})\s|(?<=\ss')(?=ils?\s)|如果|若(?!干)|一旦)(?P<case>[^,;:，；：。]{{3,200}})")


def _find_withdrawal(claim: Wording, source: Wording) -> str | None:
    """Return "withdrew its objection" of a sentence, if a claim says that somebody objects."""
    claim_text, folded = fold(claim.text), fold(source.text)
    match = _WITHDREW.search(folded)
    if match is None or _TAKES_BACK.search(claim_text) or tells_past(claim_text) or has_negation(claim_text):
        return None
    things = [word.text for word in source.words_between(*match.span("thing")) if not word.is_stop_word]
    is_cjk_text = any(map(is_cjk, claim_text))
    is_said = any(
        Prefix.similarity(word.text, thing) >= (2 if is_cjk_text else MIN_STEM)
        for word in claim.content_words
        for thing in things
    )
    return source.text[slice(*match.span())].strip(" .") if is_said else None


def _find_exception(claim: Wording, source: Wording) -> str | None:
    """Return "unless the owner forbids it" of a sentence that allows something, if a claim says that it is forbidden."""
    claim_text, folded = fold(claim.text), fold(source.text)
    match = _ALLOWED_UNLESS.search(folded)
    forbidden = _FORBIDDEN.search(claim_text)
    if match is None or forbidden is None or _EXCEPTION_OF_CLAIM.search(claim_text):
        return None
    if has_negation(claim_text[: forbidden.start()]):  # "is not prohibited"
        return None
    span = match.span("exception" if match["exception"] else "chinese")
    named = [w for w in source.words_between(*span) if not w.is_stop_word and not _FORBIDDEN.search(w.text)]
    elsewhere = join_keys(word for word in source.words if not span[0] <= word.start < span[1])
    # Of what the exception names, it is true: "except in the garden".
    is_of_exception = any(word.keys & claim.keys - elsewhere for word in named)
    return None if is_of_exception else source.text[slice(*span)].strip(" .")
