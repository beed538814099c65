"""What a sentence denies, and whether a claim denies the same: with a "not", or in a word, as what is "forbidden" is not allowed.

Some negations reach only to the end of their clause ("without deduction", "on 29 September, not on 22 September"), so that a
claim may not speak of what they negate. A claim that denies in a word what its source denies with a "not", or the other way round,
is not contradicted by it. The languages are English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese and
Japanese. Texts are folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from highlighter.grounding.wording import KeyedWord, Wording, join_keys
from highlighter.quotes.significance import count_negations
from highlighter.text.characters import fold
from highlighter.text.clauses import COORDINATIONS, MARKS, find_clauses, list_clauses
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import NEGATING_PREPOSITIONS, NEGATION, classify_word

# Negations and clauses that are looked at: a text with more is no sentence. Words that a clause has at least.
MAX_NEGATIONS, MAX_CLAUSES, MIN_CLAUSE_WORDS = 20, 20, 3
# A claim with all words of a negated clause, if these are so many, speaks of it: "was paid to paint the hall and did not paint the hall".
MIN_NEGATED_WORDS = 2

# Before what stands instead of something else.
_CONTRASTING_NOT = compile_later(
    r"[,，]\s?(?:and |but |und |et )?(?P<not>(?:not|nicht|non|pas)\b|[而並并]?(?:非|不是))"
    r"(?!\s(?:later|earlier|sooner|less|more|fewer|exceeding|only|just|even|until|unless|before|including|being|all|every|yet|nur)\b)"
)
# A clause that gives the reason of what stands before it: "succeeds in part, since the Claimant is not entitled to all of it".
_REASON = compile_later(
    r"[,;，；]\s?(?:(?:since|because|as|given that|da|weil|denn|car|puisqu'?e?|parce qu'?e?|étant donné|porque|ya que|puesto que|dado que|pues"
    r"|pois|já que|perché|poiché|giacché|omdat|aangezien|want|так как|поскольку|потому что|ибо)\b|因为|由于|因為|由於)[^;；。]*"
)
# What speaks of the other clause: "and this was not confirmed", "and is no longer".
_REFERENCE = compile_later(
    r"\b(?:this|that|these|those|it|they|so|such|the same|no longer|any ?more|any longer|yet|neither|nor|either|dies\w*|das|es|so|mehr|noch|auch"
    r"|cela|ceci|ce|c'|ça|il|elle|ils|elles|plus|encore|esto|eso|ello|ya|tampoco|ciò|questo|più|ancora|neanche|isso|isto|já|dat|dit|het|meer|это|больше)\b"
)
# Verbs that any clause may have.
_HAPPENS = compile_later(
    r"occur(?:s|red)?|happen(?:s|ed)?|ar[io]ses?|exist(?:s|ed)?|tr[aei]te?n?|aufgetreten|survien(?:t|nent)|survenue?s?|ocurr\w+|produ[cj]\w+|verific\w+|ocorr\w+|opgetreden|возник\w+"
)
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
# An item of a list for which nothing is left: "..., electric vehicles 15 points, older vehicles none".
_ITEM_WITHOUT = compile_later(
    r"(?:[,;]\s|\s(?:and|und|et|y|e|en|и)\s)(?P<item>[^,;.:]{1,60}\s)(?P<not>none|nothing|kein(?:e[rsn]?)?|nichts|aucune?s?|rien|ningun[oa]|ninguno|nada"
    r"|nessun[oa]|niente|nenhuma?|geen|niets|ничего)(?=\s*(?:[,;.]|$))"
)


class LocalNegation(NamedTuple):
    """A negating word at `[start, end)` of a sentence, and where its clause begins and ends."""

    start: int
    end: int
    clause_start: int
    clause_end: int
    reach_start: int  # where the words begin that it may negate
    may_be_left_out: bool  # its clause, as what stands after a comma in place of something else, or a reason


def blank_local_negations(claim: Wording, source: Wording, source_text: str) -> str:
    """Return a source's text with blanks for each "without" and ", not" that negates nothing of which the claim speaks."""
    for negation in _find_irrelevant_negations(claim, source):
        start, end = negation.start, negation.end
        source_text = source_text[:start] + " " * (end - start) + source_text[end:]
    return source_text


def remove_irrelevant_corrections(claim: Wording, source: Wording) -> str:
    """Return a source's text without what stands there instead of something else, and reasons, if the claim does not speak of it."""
    text = source.text
    for negation in sorted(_find_irrelevant_negations(claim, source), reverse=True):
        if negation.may_be_left_out:
            text = text[: negation.clause_start] + text[negation.clause_end :]
    return text


def _find_irrelevant_negations(claim: Wording, source: Wording) -> Iterator[LocalNegation]:
    """Yield the local negations that negate none of the claim's words; those that the source says elsewhere may come from there."""
    content_words = [word for word in source.words if not word.is_stop_word]
    for negation in islice(_find_local_negations(source), MAX_NEGATIONS):
        reach = range(negation.reach_start, negation.clause_end)
        elsewhere = join_keys(word for word in content_words if word.start not in reach)
        negated = [word for word in content_words if word.start in reach and _can_be_negated(word)]
        is_same_language = bool(elsewhere & claim.keys)  # words of another language can be the negated ones
        in_claim = [word for word in negated if word.keys & claim.keys]
        is_repeated = len(negated) >= MIN_NEGATED_WORDS and len(in_claim) == len(negated)
        if is_same_language and not is_repeated and all(word.keys & elsewhere for word in in_claim):
            yield negation


def _can_be_negated(word: KeyedWord) -> bool:
    return classify_word(word.text) != NEGATION and not _HAPPENS.fullmatch(word.text)


def _find_local_negations(source: Wording) -> Iterator[LocalNegation]:
    folded = fold(source.text)
    spans = [(word.start, word.end, word.start, False) for word in source.words if word.text in NEGATING_PREPOSITIONS]
    spans += [(*match.span("not"), match.start(), True) for match in _CONTRASTING_NOT.finditer(folded)]
    clauses = find_clauses(folded, ((end, end) for _, end, _, _ in spans), MARKS)
    for (start, end, first, may_be_left_out), (_, clause_end) in zip(spans, clauses, strict=True):
        yield LocalNegation(start, end, first, clause_end, end, may_be_left_out)
    for item in _ITEM_WITHOUT.finditer(folded):
        yield LocalNegation(
            *item.span("not"), item.start("item"), item.end(), item.start("item"), may_be_left_out=False
        )
    yield from _find_negated_clauses(source, folded)
    for reason in _REASON.finditer(folded):
        first, last = reason.span()
        words = source.words_between(first, last)
        negations = (w for w in words if classify_word(w.text) == NEGATION and w.text not in NEGATING_PREPOSITIONS)
        for number, word in enumerate(negations):
            yield LocalNegation(word.start, word.end, first, last, first, may_be_left_out=not number)


def _find_negated_clauses(source: Wording, folded: str) -> Iterator[LocalNegation]:
    """Yield the negations of clauses beside another one that do not speak of it: "paid £10,000 and has paid nothing since".

    A "but" may take back what stands before it.
    """
    clauses = list_clauses(folded, COORDINATIONS)[:MAX_CLAUSES]
    for start, end in clauses:
        words = source.words_between(start, end)
        is_own = len(clauses) > 1 and len(words) >= MIN_CLAUSE_WORDS and not _REFERENCE.search(folded, start, end)
        for word in words if is_own else ():
            if classify_word(word.text) == NEGATION and word.text not in NEGATING_PREPOSITIONS:
                yield LocalNegation(word.start, word.end, start, end, start, may_be_left_out=False)


def denies_alike(claim: Wording, source: Wording) -> bool:
    """Return whether the "not" of one of two texts is no contradiction of the other.

    The other one denies in a word, or allows with what the source requires.
    """
    claim_text, source_text = fold(claim.text), fold(source.text)
    negations = count_negations(claim_text), count_negations(source_text)
    if max(negations) < 2 and has_equal_denials(claim_text, source_text, *negations):
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
