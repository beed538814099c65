"""Words that deny without a "not": "forbidden" is not allowed, "voluntary" is not obligatory, what is "discharged" no longer applies.

A claim that denies in such a word what its source denies with a "not", or the other way round, is not contradicted by it. The languages are
English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese and Japanese. Texts are folded.
"""

from __future__ import annotations

from highlighter.grounding.local_negations import has_irrelevant_negation
from highlighter.grounding.wording import Wording
from highlighter.quotes.significance import NEGATION_SIGN, count_facts
from highlighter.text.characters import fold
from highlighter.text.lazy_pattern import compile_later

_DENIAL_WORD = compile_later(
    r"\b(?:forbidden|prohibit(?:s|ed)|bann?(?:s|ed)|forbids?|voluntary|optional|discharged|repealed|revoked|rescinded|lapsed|lapses|expired|expires|ceased|ceases|refused|rejected"
    r"|(?:(?<=not )|(?<=n't ))(?:forbid|prohibit|ban|repeal|revoke|rescind|lapse|expire|cease|refuse|reject)"
    r"|verboten|untersagt|freiwillig|aufgehoben|erloschen|erlischt|abgelehnt|außer kraft"
    r"|interdite?s?|interdit|facultati(?:f|ve)s?|volontaires?|abrogée?s?|levée?s?|expirée?s?|refusée?s?"
    r"|prohibid[oa]s?|prohíben?|voluntari[oa]s?|opcional(?:es)?|facultativ[oa]s?|derogad[oa]s?|revocad[oa]s?|rechazad[oa]s?"
    r"|vietat[oaie]|proibid[oa]s?|volontari[oae]|facoltativ[oaie]|abrogat[oaie]|revocat[oaie]|scadut[oaie]|revogad[oa]s?|caducad[oa]s?"
    r"|verboden|vrijwillig|facultatief|ingetrokken|vervallen|запрещ\w+|добровольн\w+|отмен[её]н\w*)\b"
    r"|禁止|严禁|自愿|任意|废止|撤销|失效"
)
# What a claim says with which something is allowed.
_WITH = compile_later(
    r"\b(?:with|if|when|after|once|subject to|only|mit|wenn|nach|nur|avec|si|après|con|dopo|com|após|met|na|с|после)\b|[经經]"
)
# "Not ... without the consent" is "with the consent".
_NOT_WITHOUT = compile_later(
    r"\b(?:not|no|nicht|kein\w*|ne|no|non|não|niet|не)\b[^.;:]{1,80}?\b(?:without|ohne|sans|sin|senza|sem|zonder|без)\b(?P<thing>[^,.;:]{2,60})|[不未][^,。;]{0,4}[经經](?P<consent>[^,。;]{1,12})"
)


def denies_alike(claim: Wording, source: Wording) -> bool:
    """Return whether the "not" of one of two texts is no contradiction of the other.

    The other one denies in a word, allows with what the source requires, or does not speak of what is negated.
    """
    claim_text, source_text = fold(claim.text), fold(source.text)
    negations = count_facts(claim_text)[NEGATION_SIGN], count_facts(source_text)[NEGATION_SIGN]
    if max(negations) < 2 and has_equal_denials(claim_text, source_text, *negations):
        return True
    is_said = all(
        word.keys & source.keys for word in claim.content_words
    )  # else another word may contradict: "blue" for "red"
    if is_said and has_irrelevant_negation(claim, source):
        return True
    without = _NOT_WITHOUT.search(source_text)
    if without is None or negations[0] or not _WITH.search(claim_text):
        return False
    thing = source.words_between(*without.span("thing" if without["thing"] else "consent"))
    return any(word.keys & claim.keys for word in thing if not word.is_stop_word)


def has_equal_denials(claim_text: str, source_text: str, claim_negations: int, source_negations: int) -> bool:
    """Return whether only one of two folded texts has a "not", and the words that deny make up for it."""
    words = len(_DENIAL_WORD.findall(claim_text)), len(_DENIAL_WORD.findall(source_text))
    is_other = claim_negations % 2 != source_negations % 2
    return is_other and max(words) == 1 and (claim_negations + words[0]) % 2 == (source_negations + words[1]) % 2
