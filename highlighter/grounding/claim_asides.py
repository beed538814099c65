"""What states nothing in a claim: "However,", "(see below)", "The contract says that", and the quote that it rests on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from highlighter.grounding.entailment import normalise_spelling
from highlighter.grounding.source_index import SourceIndex
from highlighter.text.characters import fold

# A verbatim parenthesis of this share of a claim is the quote that it rests on; a shorter one is part of the claim.
MIN_QUOTE_SHARE = 0.25
_PARENTHESIS = re.compile(r"(?<!\s)\s*[(（](?P<text>[^()（）]+)[)）]")
_OPENING_PHRASE = re.compile(
    r"^(?:in (?:general|short|summary)|generally|overall|however|still|that said|what can be said is this|nevertheless"
    r"|但是|不過|不过|然而|總之|总之|此外|補充一點|补充一点|一般而言|一般來說|一般来说)\s?[,:，：]\s*",
    re.IGNORECASE,
)
# "According to the contract, ...", "The report says that ...": who says it is no part of what is said. A word between, as in
# "the old lease", tells the document from others.
_GENERIC_NOUNS = frozenset(
    "document documents source sources text texts passage passages excerpt excerpts 文件 文档 来源 原文".split()
)
_DOCUMENT_NOUN = (
    rf"(?P<noun>{'|'.join(sorted(_GENERIC_NOUNS))}|contract|agreement|lease|policy|report|letter|leaflet|manual|minutes|memo|notice"
    r"|rules|regulations?|terms|guidelines?|act|合同|合约|协议|报告|条款|规则|规定|说明书)"
)
_SPEAKERS = (
    re.compile(rf"(?:according to|under|as (?:stated|set out) in|as per|per) (?:the|this) {_DOCUMENT_NOUN},\s*"),
    re.compile(
        rf"(?:the|this) {_DOCUMENT_NOUN}"
        r" (?:says?|states?|provides?|stipulates?|specif(?:y|ies)|notes?|explains?|confirms?) that\s+"
    ),
    re.compile(rf"(?:根据|按照|依照)(?:本|该|此)?{_DOCUMENT_NOUN}(?:的?规定)?[,，]\s*"),
)
_CROSS_REFERENCE = re.compile(r"(?:see|cf\.?|compare)\s", re.IGNORECASE)


def blank_asides(claims: Sequence[str], source_index: SourceIndex) -> list[str]:
    """Return the claims with blanks for what states nothing: "However,", "(see below)", and the quote that a claim rests on.

    The words of a quote would speak for a claim that says something else. Offsets stay as they are.
    """
    has_aside = any(_PARENTHESIS.search(claim) or _find_speaker(claim) for claim in claims)
    source_text = normalise_spelling(" ".join(s.text for s in source_index.sentences)) if has_aside else ""
    return [_blank_asides_of_claim(claim, source_text) for claim in claims]


def close_gaps(claim: str) -> str:
    """Return a claim without the blanks that an aside left."""
    return re.sub(r"\s+(?=[.,;:。，；：]|$)", "", " ".join(claim.split()))


def _blank_asides_of_claim(claim: str, source_text: str) -> str:
    if normalise_spelling(claim) in source_text:  # its asides are those of the source
        return claim

    def blank_aside(match: re.Match[str]) -> str:
        is_longer = len(match["text"]) > MIN_QUOTE_SHARE * len(claim)
        is_quote = is_longer and normalise_spelling(match["text"]) in source_text
        return " " * len(match.group()) if is_quote or _CROSS_REFERENCE.match(match["text"]) else match.group()

    bare_claim = _OPENING_PHRASE.sub(lambda match: " " * len(match.group()), _PARENTHESIS.sub(blank_aside, claim))
    bare_claim = _blank_speaker(bare_claim, source_text)
    return bare_claim if bare_claim.strip(" .。") else claim


def _find_speaker(claim: str) -> re.Match[str] | None:
    folded = fold(claim)
    return next(filter(None, (pattern.match(folded) for pattern in _SPEAKERS)), None)


def _blank_speaker(claim: str, source_text: str) -> str:
    """Return a claim with blanks for "The contract says that", where the source calls itself a contract.

    A source that says so of another document stays what it is compared with.
    """
    speaker = _find_speaker(claim)
    if speaker is None or normalise_spelling(speaker.group()) in source_text:
        return claim
    is_source = speaker["noun"] in _GENERIC_NOUNS or speaker["noun"] in source_text
    return " " * speaker.end() + claim[speaker.end() :] if is_source else claim
