"""Find quotes that leave a restriction of their sentence out, so that what is left says more than the source.

The restrictions are those of English and Chinese: conditions, exceptions, "only", and a negation right before the quote.
Patterns match the folded text. Folding keeps lengths, so offsets of matches also hold in the original text.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise

from highlighter.grounding.statements import split_statements
from highlighter.grounding.wording import parse_wording
from highlighter.quotes.match import OMISSION, QuoteMatch
from highlighter.quotes.matcher import find_closest_match
from highlighter.quotes.restrictions import (
    CHINESE_CONDITION,
    CHINESE_PROVISO,
    ENGLISH_CONDITION,
    ENGLISH_PROVISO,
    RESTRICTION,
    find_bound_restriction,
)
from highlighter.text.characters import fold
from highlighter.text.language import detect_chinese_script
from highlighter.text.lazy_pattern import compile_later
from highlighter.text.sentences import split_sentences
from highlighter.text.terms import is_cjk

# Characters around a quote in which its sentence is looked for.
MAX_SENTENCE_CHARACTERS = 2_000
# A claim with fewer of the words beside a restriction may speak of something that it does not restrict.
# Of the pairs of ideographs that are words of a claim, half cut two words.
MIN_SHARE_OF_CLAIM, MIN_SHARE_OF_CJK_CLAIM = 0.6, 0.3

# A restriction of a sentence that a claim says in other words: "but" may begin anything there.
_RESTRICTION_OF_PARAPHRASE = compile_later(
    rf"\b(?:{ENGLISH_PROVISO}|{ENGLISH_CONDITION})\b|{CHINESE_PROVISO}|{CHINESE_CONDITION}"
)
# After a semicolon, "if" begins another rule, and a proviso still belongs to the words before.
_PROVISO_CLAUSE = compile_later(rf"\s*(?:and |or )?(?:(?:{ENGLISH_PROVISO}|but|however)\b|{CHINESE_PROVISO})")
# A restriction in the words before a quote begins the sentence, with or without a number, or follows a comma.
_LEADING_RESTRICTION = compile_later(
    r"(?:^[\W\d_]*(?:[a-z]{1,3}\)\s*)?|[,:、]\s*)(?:and |or |but |then |however, |但|而)?"
    rf"(?P<restriction>(?:{ENGLISH_PROVISO}|{ENGLISH_CONDITION}|where|whenever)\b"
    r"|除|仅|只(?:有|要|限)|如(?!下|此|上|何|期|实|同)|倘|假[如若]|若(?!干)|在[^,。]{1,30}(?:情况|情形|条件|前提)下"
    r"|未经|一旦|凡|[^\W\d]{2,40}的(?=[,、]\s*$))"
)
_RESTRICTION_BEFORE_QUOTE = compile_later(
    r"(?:\b(?:only|solely|not|never|no|nor|neither|cannot|\w+n't)\s+(?:(?:the|an?|any|be|to)\s+)?|没有|[不未没无勿仅只])$"
)
_SEMICOLON, _SENTENCE_END, _COMMA = re.compile("[;；]"), re.compile(r"[.!?]\s|[。！？]"), re.compile("[,;，；]")
# After a comma, these restrict all that stands before; another restriction may be of a part of it.
_EXCEPTIONS = frozenset(("except", "excepting", "unless"))
MIN_SHARED_WORDS = 2
# Before a clause with a verb of its own; a noun with its article may be one more thing of the same clause.
_NEXT_CLAUSE = re.compile(
    r",\s(?:and|but|und|aber|et|mais|y|pero|e|ma|mas|en|maar)\s(?!(?:the|an?|any|all|its?|his|her|their|our|your|der|die|das|le|la|les|el|los|las|il|lo|o|os|as|de|het)\s)"
)
MIN_CLAUSE_WORDS, MAX_RESTRICTIONS = 2, 20
_OUTER_CHARACTERS = " \t\r\n,.;:，。；：、"


def find_omitted_restriction(quote: str, sentence: str) -> str | None:
    """Return the words of a sentence that restrict what a quote of it says, and that the quote leaves out.

    `sentence` may hold several sentences if the quote spans them. Return None if the quote does not occur in it, or if at
    least one place where it occurs has no restriction that the quote leaves out.
    """
    match = find_closest_match(sentence, quote)
    return _choose_omission(match, [_find_omission(sentence, *span) for span in _list_spans(match)], sentence)


def find_restriction_omitted_from_source(quote: str, source: str) -> str | None:
    """Return what `find_omitted_restriction` returns for the sentences of a source that hold the quote."""
    match, omissions = find_closest_match(source, quote), []
    for start, end in _list_spans(match):
        first, last = _find_sentence_span(source, start, end)
        omissions.append(_find_omission(source[first:last], start - first, end - first))
    return _choose_omission(match, omissions, source)


def _choose_omission(match: QuoteMatch | None, omissions: list[str | None], text: str) -> str | None:
    """Return the first omission; None when the quote is complete at one of its places."""
    if omissions and all(omissions):
        return omissions[0]
    return _find_restriction_at_ellipsis(match, text) if match else None


def _list_spans(match: QuoteMatch | None) -> list[tuple[int, int]]:
    is_complete = match is not None and (match.is_verbatim or (match.reason == OMISSION and not match.spans))
    return [(match.start, match.end), *match.other_spans] if match and is_complete else []


def _find_sentence_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences that hold a span of the text."""
    offset = max(0, start - MAX_SENTENCE_CHARACTERS)
    sentences = split_sentences(text[offset : end + MAX_SENTENCE_CHARACTERS])
    spans = [(offset + sentence.start_char, offset + sentence.end_char) for sentence in sentences]
    touched = [span for span in spans if span[0] < end and span[1] > start]
    return min([start, *(first for first, _ in touched)]), max([end, *(last for _, last in touched)])


def _find_omission(sentence: str, start: int, end: int) -> str | None:
    """Return the restriction left out of the quote at a span of a sentence: after it, or before it."""
    return _find_restriction_after(sentence[end:]) or _find_restriction_before(sentence[:start])


def _find_restriction_after(rest: str) -> str | None:
    first_clause, *other_clauses = _SEMICOLON.split(rest)
    if match := RESTRICTION.search(fold(first_clause)):
        return first_clause[match.start() :].strip(_OUTER_CHARACTERS)
    provisos = (clause for clause in other_clauses[:1] if _PROVISO_CLAUSE.match(fold(clause)))
    return next((clause.strip(_OUTER_CHARACTERS) for clause in provisos), None)


def _find_restriction_before(words: str) -> str | None:
    clause = _SEMICOLON.split(words)[-1]
    folded = fold(clause)
    if match := _LEADING_RESTRICTION.search(folded):
        return clause[match.start("restriction") :].strip(_OUTER_CHARACTERS)
    if match := _RESTRICTION_BEFORE_QUOTE.search(folded):
        return clause[match.start() :].strip(_OUTER_CHARACTERS)
    return None


def _find_restriction_at_ellipsis(match: QuoteMatch, text: str) -> str | None:
    """Return the restriction that an ellipsis of the quote stands for, within the sentences that the quote begins or ends."""
    if not (match.is_verbatim or match.reason == OMISSION):
        return None
    for (first, start), (end, _) in pairwise(match.spans):
        omitted = text[start:end]
        if bound := find_bound_restriction(text[first:start], omitted):
            return bound
        sentences = _SENTENCE_END.split(omitted)
        for words in dict.fromkeys((sentences[0], sentences[-1])):
            if restriction := RESTRICTION.search(fold(words)):
                return _COMMA.split(words[restriction.start() :])[0].strip(_OUTER_CHARACTERS)
    return None


def find_unsaid_restriction(claim: str, sentence: str) -> str | None:
    """Return the words of a sentence that restrict what a claim says in words of its own, and that the claim leaves out.

    A claim that restricts something itself, has a word of the restriction, has few words of the rest of the sentence, or is in
    another language is left to the model.
    """
    if RESTRICTION.search(fold(claim)) or bool(detect_chinese_script(claim)) != bool(detect_chinese_script(sentence)):
        return None
    claim_wording = parse_wording(claim)
    claim_keys = claim_wording.keys
    min_share = MIN_SHARE_OF_CJK_CLAIM if any(map(is_cjk, claim)) else MIN_SHARE_OF_CLAIM
    statement = max(split_statements(sentence), key=lambda text: _count_shared(claim_keys, text))
    for clause in _SEMICOLON.split(statement):
        matches = list(islice(_RESTRICTION_OF_PARAPHRASE.finditer(fold(clause)), MAX_RESTRICTIONS))
        alternatives = [_read_restriction(clause, match) for match in matches]
        for match, restriction in zip(matches, alternatives, strict=True):
            if _is_of_next_clause(claim_keys, clause, match.start()) or _names_alternative(
                claim_keys, restriction, alternatives
            ):
                continue
            rest = clause.replace(restriction, " ")
            restriction_words = parse_wording(restriction).content_words
            rest_keys = parse_wording(rest).keys
            own_words = [word for word in restriction_words if not word.keys & rest_keys]
            said_there = sum(bool(word.keys & rest_keys) for word in claim_wording.content_words)
            is_of_all = match[0] in _EXCEPTIONS and clause[: match.start()].rstrip().endswith(",")
            min_shared = MIN_SHARED_WORDS if is_of_all else min_share * len(claim_wording.content_words)
            is_about_rest = said_there >= min_shared
            if is_about_rest and own_words and not any(word.keys & claim_keys for word in own_words):
                return restriction.strip(_OUTER_CHARACTERS)
    return None


def _read_restriction(clause: str, match: re.Match[str]) -> str:
    return _COMMA.split(clause[match.start() :])[0]


def _is_of_next_clause(claim_keys: frozenset[str], clause: str, start: int) -> bool:
    """Return whether a restriction at an offset follows a clause of which a claim says nothing: "check it within a week, and
    refer him back if the pulse is below 50".
    """
    borders = list(_NEXT_CLAUSE.finditer(clause, 0, start))
    if (
        len(borders) != 1 or "," in clause[: borders[0].start()]
    ):  # else it may be a list, whose items it restricts together
        return False
    before, between = clause[: borders[0].start()], clause[borders[0].end() : start]
    is_clause = len(parse_wording(between).content_words) >= MIN_CLAUSE_WORDS
    return is_clause and not _count_shared(claim_keys, between) and _count_shared(claim_keys, before) > 1


def _names_alternative(claim_keys: frozenset[str], restriction: str, restrictions: list[str]) -> bool:
    """Return whether a claim speaks of another of several conditions, each of which is enough: "if you are pregnant, if you drive"."""
    first = restriction.split()[0].lower()
    others = [other for other in restrictions if other != restriction and other.split()[0].lower() == first]
    return any(_count_shared(claim_keys - parse_wording(restriction).keys, other) for other in others)


def _count_shared(keys: frozenset[str], text: str) -> int:
    return sum(bool(word.keys & keys) for word in parse_wording(text).content_words)
