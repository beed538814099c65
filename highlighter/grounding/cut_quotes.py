"""Find quotes that leave a restriction of their sentence out, so that what is left says more than the source.

The restrictions are those of English and Chinese: conditions, exceptions, "only", and a negation right before the quote.
Patterns match the folded text. Folding keeps lengths, so offsets of matches also hold in the original text.
"""

from __future__ import annotations

import re

from highlighter.grounding.quotations import VERIFIED, check_quote
from highlighter.quotes.matcher import EXACT, NORMALISED, match_quote
from highlighter.text.characters import fold
from highlighter.text.sentences import split_sentences

# Characters around a quote in which its sentence is looked for.
MAX_SENTENCE_CHARACTERS = 2_000

_ENGLISH_PROVISO = (
    r"unless|except(?:ing)?|excluding|save (?:for|that|as|where|when|if)|provid(?:ed|ing) (?:always,? )?that|(?<=, )provided"
    r"|subject to|with the exception|other than|apart from|only"
)
_ENGLISH_CONDITION = (
    r"if|in case|in the event|on (?:the )?condition|(?:as|so) long as|solely|exclusively|insofar as|to the extent"
)
_CHINESE_PROVISO = r"除非|除外|例外|以外|除[^,。;]{1,20}外|但|不过|然而|[惟唯](?!一)|前提|条件是|为限"
_CHINESE_CONDITION = r"仅|只(?:有|限|能|可|在|要|于|得|须|准)|限于|如(?:果|若|有|未|遇|需|经|获)|倘|假[如若]|若(?!干)|(?:情况|情形|条件)下"
# A restriction in the words that follow a quote.
_RESTRICTION = re.compile(
    rf"\b(?:{_ENGLISH_PROVISO}|{_ENGLISH_CONDITION}|but|however)\b|{_CHINESE_PROVISO}|{_CHINESE_CONDITION}"
)
# After a semicolon, "if" begins another rule, and a proviso still belongs to the words before.
_PROVISO_CLAUSE = re.compile(rf"\s*(?:and |or )?(?:(?:{_ENGLISH_PROVISO}|but|however)\b|{_CHINESE_PROVISO})")
# A restriction in the words before a quote begins the sentence, with or without a number, or follows a comma.
_LEADING_RESTRICTION = re.compile(
    r"(?:^[\W\d_]*(?:[a-z]{1,3}\)\s*)?|[,:、]\s*)(?:and |or |but |then |however, |但|而)?"
    rf"(?P<restriction>(?:{_ENGLISH_PROVISO}|{_ENGLISH_CONDITION}|where|whenever)\b"
    r"|除|仅|只(?:有|要|限)|如(?!下|此|上|何|期|实|同)|倘|假[如若]|若(?!干)|在[^,。]{1,30}(?:情况|情形|条件|前提)下)"
)
_RESTRICTION_BEFORE_QUOTE = re.compile(
    r"(?:\b(?:only|solely|not|never|no|nor|neither|cannot|\w+n't)\s+(?:(?:the|an?|any|be|to)\s+)?|没有|[不未没无勿仅只])$"
)
_CLAUSE_END = re.compile("[;；]")
_OUTER_CHARACTERS = " \t\r\n,.;:，。；：、"


def find_omitted_restriction(quote: str, sentence: str) -> str | None:
    """Return the words of a sentence that restrict what a quote of it says, and that the quote leaves out.

    The sentence may be several, where the quote runs over their ends. None: the quote leaves no restriction out, at one
    of the places at least where it occurs, or it does not occur.
    """
    return _choose_omission([_find_omission(quote, sentence, *span) for span in _find_quote_spans(quote, sentence)])


def find_restriction_omitted_from_source(quote: str, source: str) -> str | None:
    """Return what `find_omitted_restriction` returns for the sentences of a source that hold the quote."""
    omissions = []
    for start, end in _find_quote_spans(quote, source):
        first, last = _find_sentence_span(source, start, end)
        omissions.append(_find_omission(quote, source[first:last], start - first, end - first))
    return _choose_omission(omissions)


def _choose_omission(omissions: list[str | None]) -> str | None:
    """Return the first omission; None when the quote is complete at one of its places."""
    return omissions[0] if omissions and all(omissions) else None


def _find_quote_spans(quote: str, text: str) -> list[tuple[int, int]]:
    match = match_quote(text, quote)
    if match and match.tier in (EXACT, NORMALISED):
        return [(match.start, match.end), *match.other_spans]
    check = check_quote(quote, text)  # it finds a quote with an ellipsis, too
    return [(check.start, check.end)] if check.state == VERIFIED else []


def _find_sentence_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the sentences that hold a span of the text."""
    offset = max(0, start - MAX_SENTENCE_CHARACTERS)
    sentences = split_sentences(text[offset : end + MAX_SENTENCE_CHARACTERS])
    spans = [(offset + sentence.start_char, offset + sentence.end_char) for sentence in sentences]
    touched = [span for span in spans if span[0] < end and span[1] > start]
    return min([start, *(first for first, _ in touched)]), max([end, *(last for _, last in touched)])


def _find_omission(quote: str, sentence: str, start: int, end: int) -> str | None:
    """Return the restriction left out of the quote at a span of a sentence: after it, before it, or at its ellipsis."""
    return (
        _find_restriction_after(sentence[end:])
        or _find_restriction_before(sentence[:start])
        or _find_restriction_within(sentence[start:end], quote)
    )


def _find_restriction_after(rest: str) -> str | None:
    first_clause, *other_clauses = _CLAUSE_END.split(rest)
    if match := _RESTRICTION.search(fold(first_clause)):
        return first_clause[match.start() :].strip(_OUTER_CHARACTERS)
    provisos = (clause for clause in other_clauses[:1] if _PROVISO_CLAUSE.match(fold(clause)))
    return next((clause.strip(_OUTER_CHARACTERS) for clause in provisos), None)


def _find_restriction_before(words: str) -> str | None:
    clause = _CLAUSE_END.split(words)[-1]
    folded = fold(clause)
    if match := _LEADING_RESTRICTION.search(folded):
        return clause[match.start("restriction") :].strip(_OUTER_CHARACTERS)
    if match := _RESTRICTION_BEFORE_QUOTE.search(folded):
        return clause[match.start() :].strip(_OUTER_CHARACTERS)
    return None


def _find_restriction_within(span: str, quote: str) -> str | None:
    """Return the restriction that an ellipsis of the quote stands for."""
    quoted = _RESTRICTION.findall(fold(quote))
    for match in _RESTRICTION.finditer(fold(span)):
        if match[0] not in quoted:
            return re.split("[,;，；]", span[match.start() :])[0].strip(_OUTER_CHARACTERS)
    return None
