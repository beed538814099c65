"""Strict mode: each claim ends with `(exact quote) [[label]]`, and is supported by the sources that it quotes.

A quote occurs word for word in its source and leaves no restriction of its sentence out. A claim is judged without its
quotes: a true quote would speak for a false claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.grounding.checker import MAX_CLAIMS, Checker
from highlighter.grounding.claims import ClaimSentence, extract_claims
from highlighter.grounding.cut_quotes import find_restriction_omitted_from_source
from highlighter.grounding.judge import ExternalJudge
from highlighter.grounding.quotations import VERIFIED, check_quote
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, shorten_claim
from highlighter.models import Claim, Source
from highlighter.text.characters import fold

_BALANCED_BRACKETS = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"
_GROUNDED_QUOTE = re.compile(rf"[\(（]({_BALANCED_BRACKETS})[\)）]\s*((?:\[\[[^\[\]\n]+\]\]\s*)+)")
_LABEL = re.compile(r"\[\[([^\[\]\n]+)\]\]")
_SENTENCE_ENDS = ".!?。！？:："


@dataclass(frozen=True, slots=True)
class GroundedQuote:
    """A unit "(exact quote) [[label]]"; `[start, end)` is its span in the text."""

    quote: str
    labels: tuple[str, ...]
    start: int
    end: int


def find_grounded_quotes(text: str) -> list[GroundedQuote]:
    """Return the units "(exact quote) [[label]]" in the order of the text."""
    return [
        GroundedQuote(
            match[1].strip(), tuple(_LABEL.findall(match[2])), match.start(), match.start(2) + len(match[2].rstrip())
        )
        for match in _GROUNDED_QUOTE.finditer(text)
    ]


@dataclass(frozen=True, slots=True)
class QuotedClaim:
    """A claim with the quotes that follow it, before the next claim."""

    claim: ClaimSentence
    quotes: tuple[GroundedQuote, ...]


def list_grounding_errors(
    text: str, sources: Sequence[Source], checker: Checker, judge: ExternalJudge | None = None
) -> list[str]:
    """Return why an answer is not grounded in strict mode; empty if it is. Sources are identified by their labels."""
    if not text.strip():
        return ["The answer is empty."]
    quotes = find_grounded_quotes(text)
    claims = _pair_claims(text, quotes)
    if len(claims) > MAX_CLAIMS:
        return [f"The answer has {len(claims):,} claims; the limit is {MAX_CLAIMS}."]
    return [
        *(
            f"“{shorten_claim(item.claim.text)}” does not end with (exact quote) [[label]]."
            for item in claims
            if not item.quotes
        ),
        *(
            _describe_verdict(claim)
            for claim in _judge_claims(claims, sources, checker, judge)
            if claim.verdict != SUPPORTED
        ),
        *(reason for quote in quotes for reason in _list_quote_errors(quote, sources)),
    ]


def _pair_claims(text: str, quotes: Sequence[GroundedQuote]) -> list[QuotedClaim]:
    text_without_quotes = _blank_quotes(text, quotes)
    label_spans = [match.span() for match in _LABEL.finditer(text_without_quotes)]
    claims = extract_claims(text_without_quotes, label_spans)
    claim_ends = [*(claim.start for claim in claims[1:]), len(text)][: len(claims)]
    return [
        QuotedClaim(claim, tuple(quote for quote in quotes if claim.start <= quote.start < claim_end))
        for claim, claim_end in zip(claims, claim_ends, strict=True)
    ]


def _judge_claims(
    claims: Sequence[QuotedClaim], sources: Sequence[Source], checker: Checker, judge: ExternalJudge | None
) -> list[Claim]:
    """Return the verdicts on the claims with quotes, each by the sources that its quotes name."""
    claims_by_sources: dict[tuple[int, ...], list[ClaimSentence]] = {}
    for item in claims:
        labels = {_normalise_label(label) for quote in item.quotes for label in quote.labels}
        cited = tuple(index for index, source in enumerate(sources) if _normalise_label(source.label) in labels)
        if cited:
            claims_by_sources.setdefault(cited, []).append(item.claim)
    judged: list[Claim] = []
    for cited, sentences in claims_by_sources.items():
        index = checker.index_sources([sources[number] for number in cited], [item.text for item in sentences])
        judged += checker.judge_claims(sentences, index, judge)
    return sorted(judged, key=lambda claim: claim.start)


_VERDICT_WORDS = {
    PARTLY: "supported only in part by the quoted source",
    CONTRADICTED: "contradicted by the quoted source",
    UNSUPPORTED: "not supported by the quoted source",
}


def _describe_verdict(claim: Claim) -> str:
    reason = f": {claim.why.rstrip('.')}" if claim.why and claim.verdict != UNSUPPORTED else ""
    return f"“{shorten_claim(claim.text)}” is {_VERDICT_WORDS[claim.verdict]}{reason}."


def _blank_quotes(text: str, quotes: Sequence[GroundedQuote]) -> str:
    """Replace the units by spaces; a sentence whose full stop follows its unit, or is missing, ends before the unit."""
    for quote in quotes:
        before = text[: quote.start].rstrip()
        full_stop = "" if not before or before[-1] in _SENTENCE_ENDS else "."
        kept_length = len(before)
        blank = full_stop + " " * (quote.end - kept_length - len(full_stop))
        text = text[:kept_length] + blank + text[quote.end :]
        if full_stop and text[quote.end :].lstrip()[:1] in tuple(_SENTENCE_ENDS):
            offset = quote.end + len(text[quote.end :]) - len(text[quote.end :].lstrip())
            text = text[:offset] + " " + text[offset + 1 :]
    return text


def _list_quote_errors(grounded_quote: GroundedQuote, sources: Sequence[Source]) -> list[str]:
    quote, errors, known_sources = grounded_quote.quote, [], []
    for label in grounded_quote.labels:
        labelled_sources = [source for source in sources if _normalise_label(source.label) == _normalise_label(label)]
        known_sources += labelled_sources
        if not labelled_sources:
            errors.append(f"Unknown source [[{label}]].")
    if not quote:
        return [*errors, f"The quote before [[{grounded_quote.labels[0]}]] is empty."]
    checks = [(source, check_quote(quote, source.text)) for source in known_sources]
    quoted_sources = [source for source, check in checks if check.state == VERIFIED or check.left_out]
    if checks and not quoted_sources:
        source, check = checks[0]
        errors.append(f"“{shorten_claim(quote)}” is not in [[{source.label}]] word for word. {check.why}".strip())
    omissions = [find_restriction_omitted_from_source(quote, source.text) for source in quoted_sources]
    if omissions and all(omissions):
        errors.append(
            f"“{shorten_claim(quote)}” leaves out “{shorten_claim(omissions[0] or '')}”, which stands in the same "
            f"sentence of [[{quoted_sources[0].label}]]."
        )
    return errors


def _normalise_label(label: str) -> str:
    return fold(label).strip()
