"""The active voice of English sentences: "The price is paid by the Buyer" says what "The Buyer pays the price" says.

A small model reads the same thing in another voice as something else. There is no parser: a sentence whose parts cannot
be told apart stays as it is.
"""

from __future__ import annotations

import re

from highlighter.text.lazy_pattern import compile_later
from highlighter.text.modal_verbs import ENGLISH_MODALS
from highlighter.text.numerals import ENGLISH_MONTHS, ENGLISH_WEEKDAYS
from highlighter.text.party_words import find_party_groups
from highlighter.text.past_verbs import strip_past_ending

_MODAL = f"(?:{ENGLISH_MODALS}|cannot)"
IRREGULAR_PARTICIPLES = {
    "paid": "pay", "made": "make", "given": "give", "kept": "keep", "held": "hold", "sent": "send", "taken": "take",
    "written": "write", "borne": "bear", "done": "do", "brought": "bring", "bought": "buy", "sold": "sell", "told": "tell",
    "left": "leave", "built": "build", "lent": "lend", "met": "meet", "won": "win", "lost": "lose", "found": "find",
    "chosen": "choose", "drawn": "draw", "driven": "drive", "known": "know", "seen": "see", "shown": "show", "set": "set",
    "led": "lead", "run": "run", "put": "put", "cut": "cut", "read": "read", "taught": "teach", "caught": "catch",
    "broken": "break", "spoken": "speak", "stolen": "steal", "withdrawn": "withdraw", "undertaken": "undertake",
    "overtaken": "overtake", "forbidden": "forbid", "understood": "understand", "said": "say", "laid": "lay", "heard": "hear",
}  # fmt: skip
_PASSIVE = compile_later(
    rf"^(?P<patient>[^,;:]{{2,120}}?) (?P<verb>is|are|was|were|(?:has|have|had) been|{_MODAL}(?: not)? be)(?P<negation> not)?"
    r" (?:(?P<adverb>\w+ly) )?(?P<participle>\w+ed|" + "|".join(IRREGULAR_PARTICIPLES) + r")"
    r"(?P<middle>(?: [^,;:]{1,80}?)?) by (?P<agent>[^,;:]{2,120}?)"
    r"(?P<rest>(?:,? (?:within|in|on|at|for|to|before|after|under|if|when|while|unless|until|with|without|from|during|each|every"
    r"|per|as|no later|not later|except|provided|subject)\b.*)?)(?P<stop>[.!]?)$",
    re.IGNORECASE,
)
# Where several things are said, or somebody says them, nothing is turned.
_SEVERAL_VERBS = compile_later(
    rf"\b(?:that|which|who|whose|whether|because|says?|said|states?|claims?|{_MODAL}|is|are|was|were|has|have|had|does|do|did)\b",
    re.IGNORECASE,
)
# Before what something is done to: "In May the fee is paid by the Buyer".
_ADVERBIAL = compile_later(
    r"(?:between|in|on|at|by|during|after|before|until|when|if|for|from|within|unless|under|with|without|where|while|as|to|once|since)\b",
    re.IGNORECASE,
)
_LIMIT = compile_later(r"\b(?:only|alone|solely|exclusively|nobody|none|no|neither|either)\b", re.IGNORECASE)
# After "by", these name a means or a time, and nobody who acts.
_NO_AGENT = compile_later(
    r"(?:\d|an? (?:vote|majority|letter|notice|e-?mail|order|decree|resolution|margin|factor|third|quarter|half)\b|way of|means of"
    r"|the (?:end|beginning|start|middle|time|same|following|next|first|last)\b|\w+ing\b|e-?mail|post|hand|law|now|then|default"
    rf"|(?:{ENGLISH_MONTHS}|{ENGLISH_WEEKDAYS}|noon|midnight)\b)",
    re.IGNORECASE,
)
_DETERMINER = r"(?:the|an?|this|that|these|those|each|every|any|all|no|both|its|their|his|her|our|your|my)"
# Who acts, beside names and the words for parties: causes, tools and deeds do not ("by the weight of the train").
_PERSON = compile_later(
    r"(?:they|you|people|persons?|part(?:y|ies)|staff|members?|officers?|officials?|inspectors?|experts?|specialists?|technicians?|owners?"
    r"|(?:wo)?m[ae]n|(?:wo)?men|drivers?|volunteers?|neighbours?|residents?|visitors?|guests?|lawyers?|solicitors?|surveyors?|police)"
)
_OFFICE_OF_NAME = compile_later(r" of (?:the )?(?-i:[A-Z])", re.IGNORECASE)
# "An undertaking to provide it", where "to the Seller" can go with what is done.
_INFINITIVE = compile_later(rf",? to (?!(?:{_DETERMINER}|[A-Z\d]\S*|him|her|them|us|me)\b)")
_PLURAL = compile_later(r"(?:\band\b|(?<!s)(?<!u)(?<!i)s$|\b(?:they|we|you|people|children|staff)$)", re.IGNORECASE)
_PRONOUNS = {"him": "he", "her": "she", "them": "they", "us": "we", "me": "I"}
# Two words in capitals, or capitals within the first: "Ms Okoro", "NEC4".
_NAME = compile_later(
    r"(?!(?:The|An?|This|That|These|Those|Each|Every|Any|All|No|Both|Its|Their|His|Her|Our|Your|My) )(?:[A-Z]\S* [A-Z]|[A-Z]\S*[A-Z0-9])"
)


def turn_active(sentence: str) -> str:
    """Return a sentence that says who does something in the passive voice ("... by the Buyer") in the active voice.

    Any other sentence is returned as it is.
    """
    match = _PASSIVE.match(sentence.strip())
    if (
        match is None
        or _ADVERBIAL.match(match["patient"])
        or _NO_AGENT.match(match["agent"])
        or sentence.count(" by ") > 1
    ):
        return sentence
    if any(_SEVERAL_VERBS.search(match[part]) for part in ("patient", "middle", "agent")):
        return sentence
    if _LIMIT.search(match["agent"]):  # "by a dealer only"
        return sentence
    if not _can_act(match["agent"]) or _INFINITIVE.match(match["rest"]):
        return sentence
    agent = _PRONOUNS.get(match["agent"].lower(), match["agent"])
    verb = _conjugate(match["verb"].lower(), match["participle"].lower(), bool(match["negation"]), agent)
    adverb = f" {match['adverb']}" if match["adverb"] else ""
    patient = match["patient"]
    if not _NAME.match(patient):
        patient = patient[0].lower() + patient[1:]
    return f"{agent[0].upper()}{agent[1:]}{adverb} {verb} {patient}{match['middle']}{match['rest']}{match['stop']}"


def _can_act(agent: str) -> bool:
    """Return whether the words after "by" surely are a person, a party or a name."""
    if agent.lower() in _PRONOUNS:
        return True
    words = re.sub(rf"^{_DETERMINER} ", "", agent, flags=re.IGNORECASE)
    office = _OFFICE_OF_NAME.split(words)[0]
    if " of " in office or " to " in office:
        return False
    head = office.split()[-1].lower()
    return words[0].isupper() or bool(_PERSON.fullmatch(head) or find_party_groups(head))


def _conjugate(passive: str, participle: str, is_negated: bool, agent: str) -> str:
    """Return the verb of the active voice: "must pay" for "must be paid", "pays" for "is paid"."""
    base = IRREGULAR_PARTICIPLES.get(participle) or strip_past_ending(participle)
    is_plural = bool(_PLURAL.search(agent))
    if passive.endswith(" be"):
        return f"{passive.removesuffix(' be')}{' not' if is_negated else ''} {base}"
    if passive.endswith(" been"):
        return f"{'have' if is_plural else 'has'}{' not' if is_negated else ''} {participle}"
    is_past = passive in ("was", "were")
    if is_negated:
        return f"{'did' if is_past else 'do' if is_plural else 'does'} not {base}"
    if is_past:
        return participle if participle.endswith("ed") else _PAST_FORMS.get(base, participle)
    return base if is_plural else _add_s(base)


_PAST_FORMS = {
    "give": "gave", "take": "took", "write": "wrote", "bear": "bore", "do": "did", "choose": "chose", "draw": "drew",
    "drive": "drove", "know": "knew", "see": "saw", "show": "showed", "break": "broke", "speak": "spoke", "steal": "stole",
    "withdraw": "withdrew", "undertake": "undertook", "overtake": "overtook", "forbid": "forbade", "run": "ran",
}  # fmt: skip


def _add_s(base: str) -> str:
    if re.search(r"(?:s|x|z|ch|sh|o)$", base):
        return f"{base}es"
    if re.search(r"[^aeiou]y$", base):
        return f"{base[:-1]}ies"
    return f"{base}s"
