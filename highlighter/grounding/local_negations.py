"""Negations that reach only to the end of their clause: "without deduction", "on 29 September, not on 22 September"."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from highlighter.grounding.wording import KeyedWord, Wording
from highlighter.quotes.significance import NEGATION_SIGN, count_facts
from highlighter.text.characters import fold
from highlighter.text.language import detect_language
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.negations import NEGATING_PREPOSITIONS, NEGATION, classify_word

# Negations and clauses that are looked at: a text with more is no sentence. Words that a clause has at least.
MAX_NEGATIONS, MAX_CLAUSES, MIN_CLAUSE_WORDS = 20, 20, 3
# A claim with all words of a negated clause, if these are so many, speaks of it: "was paid to paint the hall and did not paint the hall".
MIN_NEGATED_WORDS = 2
CLAUSE_END = compile_later(r"[,:.](?!\d)|[;，；：。]")
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
# A clause beside another one: "paid £10,000 and has paid nothing since". A "but" may take back what stands before it.
_COORDINATION = compile_later(r"[;；]\s?|,?\s(?:and|und|et|y|e|en|и)\s")
# What speaks of the other clause: "and this was not confirmed", "and is no longer".
_REFERENCE = compile_later(
    r"\b(?:this|that|these|those|it|they|so|such|the same|no longer|any ?more|any longer|yet|neither|nor|either|dies\w*|das|es|so|mehr|noch|auch"
    r"|cela|ceci|ce|c'|ça|il|elle|ils|elles|plus|encore|esto|eso|ello|ya|tampoco|ciò|questo|più|ancora|neanche|isso|isto|já|dat|dit|het|meer|это|больше)\b"
)
# Verbs that any clause may have.
_HAPPENS = compile_later(
    r"occur(?:s|red)?|happen(?:s|ed)?|ar[io]ses?|exist(?:s|ed)?|tr[aei]te?n?|aufgetreten|survien(?:t|nent)|survenue?s?|ocurr\w+|produ[cj]\w+|verific\w+|ocorr\w+|opgetreden|возник\w+"
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


def has_irrelevant_negation(claim: Wording, source: Wording) -> bool:
    """Return whether the only "not" of a source is one of which a claim without a "not" does not speak."""
    text = source.text
    for negation in _find_irrelevant_negations(claim, source):
        if fold(text[negation.start : negation.end]) not in NEGATING_PREPOSITIONS:
            text = text[: negation.start] + " " * (negation.end - negation.start) + text[negation.end :]
    has_other = count_facts(fold(text))[NEGATION_SIGN] or count_facts(fold(claim.text))[NEGATION_SIGN]
    return text != source.text and not has_other


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
        elsewhere = frozenset[str]().union(*(word.keys for word in content_words if word.start not in reach))
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
    for start, end, first, may_be_left_out in (
        *spans,
        *((*match.span("not"), match.start(), True) for match in _CONTRASTING_NOT.finditer(folded)),
    ):
        end_of_clause = CLAUSE_END.search(source.text, end)
        clause_end = end_of_clause.start() if end_of_clause else len(source.text)
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
    """Yield the negations of clauses that stand beside another one and do not speak of it."""
    is_dutch = detect_language(source.text) == "nl"  # elsewhere "en" is "in"
    matches = islice(_COORDINATION.finditer(folded), MAX_CLAUSES)
    borders = [match.span() for match in matches if is_dutch or match[0].strip(" ,") != "en"]
    for (_, start), (end, _) in pairwise([(0, 0), *borders, (len(folded), len(folded))]):
        words = source.words_between(start, end)
        is_own = bool(borders) and len(words) >= MIN_CLAUSE_WORDS and not _REFERENCE.search(folded, start, end)
        for word in words if is_own else ():
            if classify_word(word.text) == NEGATION and word.text not in NEGATING_PREPOSITIONS:
                yield LocalNegation(word.start, word.end, start, end, start, may_be_left_out=False)
