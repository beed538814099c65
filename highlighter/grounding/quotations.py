"""Check the quotations of an answer against a source: verified, altered (with the difference), or not found."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.locale import N_
from highlighter.quotes.match import QUOTE_NOT_FOUND, QuoteMatch
from highlighter.quotes.matcher import (
    find_closest_match,
    list_changes,
    match_quote,
    trim_quote,
)
from highlighter.quotes.normal_form import ComparableText
from highlighter.quotes.restrictions import find_restriction_beside
from highlighter.quotes.significance import MIN_EXACT_STRENGTH, measure_strength
from highlighter.quotes.word_diff import ADDED, SAME, DiffSegment
from highlighter.text.quotation_marks import QUOTATION
from highlighter.text.sentences import split_sentences

VERIFIED, ALTERED, NOT_FOUND = "verified", "altered", "not found"

# The strength from which a sentence can be recognised as joined to another one.
MIN_RUN_STRENGTH = 3


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words between quotation marks in an answer; `[start, end)` is their span."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuotationCheck:
    """The result of checking a quotation; `[start, end)` is the span of the source it was taken from."""

    state: str
    start: int = 0
    end: int = 0
    differs: tuple[DiffSegment, ...] = ()
    why: str = ""
    spans: tuple[tuple[int, int], ...] = ()  # of the fragments, where the quotation leaves words out
    left_out: str = ""  # the negation or restriction right beside the quotation, which else is verbatim


def find_quotations(answer: str) -> list[Quotation]:
    """Return the quotations that are long enough to be located; a single word in quotation marks is none."""
    quotations = []
    for match in QUOTATION.finditer(answer):
        group = match.lastindex or 0
        if measure_strength(match[group]) >= MIN_EXACT_STRENGTH:
            quotations.append(Quotation(match[group], match.start(group), match.end(group)))
    return quotations


def check_quote(quote: str, source: str | ComparableText, around: str = "") -> QuotationCheck:
    """Check a quotation against the cited source; `around` are the words of the answer around it.

    Differences in case, hyphens or quotation marks do not count, nor what an ellipsis stands for if no word of it
    restricts the quoted ones. A quotation that stops beside a "not", "only" or "unless" is altered.
    """
    text = source if isinstance(source, ComparableText) else ComparableText(source)
    quote = trim_quote(quote)
    match = find_closest_match(text, quote)
    if match and match.is_verbatim:
        return _check_edges(text, match, around)
    if joined := _check_joined_sentences(text, quote):
        return joined
    if match and (match.differs or match.why != QUOTE_NOT_FOUND):
        why = _explain_difference(match)
        return QuotationCheck(ALTERED, match.start, match.end, match.differs, why, match.spans)
    return QuotationCheck(NOT_FOUND, why=QUOTE_NOT_FOUND)


def _check_edges(text: ComparableText, match: QuoteMatch, around: str) -> QuotationCheck:
    """Return that a quotation is verified where one of its places has no restriction beside it that the answer leaves out."""
    left_out = ""
    for start, end in ((match.start, match.end), *match.other_spans):
        restriction = find_restriction_beside(text.text, start, end, around)
        if not restriction:
            spans = match.spans if start == match.start else ()
            return QuotationCheck(VERIFIED, start, end, spans=spans)
        left_out = left_out or restriction
    why = N_("The quote leaves out “{restriction}”.", restriction=left_out)
    return QuotationCheck(ALTERED, match.start, match.end, why=why, spans=match.spans, left_out=left_out)


def _check_joined_sentences(text: ComparableText, quote: str) -> QuotationCheck | None:
    """Return a check if all sentences exist but are not adjacent: the omitted text between them is the difference."""
    sentences = [span.text for span in split_sentences(quote)]
    if len(sentences) < 2 or any(measure_strength(sentence) < MIN_RUN_STRENGTH for sentence in sentences):
        return None
    matches = []
    for sentence in sentences:
        match = match_quote(text, sentence)
        if match is None or not match.is_verbatim:
            return None
        matches.append(match)
    first, last = matches[0], matches[-1]
    omitted = text.text[first.end : last.start].strip()
    between = (DiffSegment(ADDED, "", omitted),) if omitted and len(sentences) == 2 else ()
    segments = (
        DiffSegment(SAME, sentences[0], sentences[0]),
        *between,
        *(DiffSegment(SAME, sentence, sentence) for sentence in sentences[1:]),
    )
    start, end = min(match.start for match in matches), max(match.end for match in matches)
    return QuotationCheck(ALTERED, start, end, segments, N_("The quoted sentences are not consecutive in the source."))


def _explain_difference(match: QuoteMatch) -> str:
    if match.why not in ("", QUOTE_NOT_FOUND):
        return match.why
    segment = next(iter(list_changes(match.differs)), None)
    if segment is None:
        return N_("The quote does not match the source word for word.")
    if not segment.theirs:
        return N_("The quote says “{quote_words}”, the source does not.", quote_words=segment.ours)
    if not segment.ours:
        return N_("The source says “{source_words}”, the quote does not.", source_words=segment.theirs)
    return N_(
        "The source says “{source_words}” where the quote says “{quote_words}”.",
        source_words=segment.theirs,
        quote_words=segment.ours,
    )
