"""The verdicts on claims, and what follows from them for a whole answer: grounding score, confidence and warnings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from highlighter.models import Claim

SUPPORTED, PARTLY, CONTRADICTED, UNSUPPORTED = VERDICTS = ("supported", "partly", "contradicted", "unsupported")
# The claim is right, but none of the sources that it cites says it; a judge never decides this.
WRONG_SOURCE = "wrong_source"
# What the claim cites was left out of the comparison; a judge never decides this either.
NOT_COMPARED = "not_compared"
CONFIDENCE_HIGH, CONFIDENCE_MEDIUM, CONFIDENCE_LOW = "high", "medium", "low"
HIGH_CONFIDENCE_ABOVE, MEDIUM_CONFIDENCE_ABOVE = 0.5, 0.2
MAX_CLAIM_CHARACTERS_SHOWN = 160
# Of the false and of the true claims in bench/lies, so many percent are called supported: docs/explanation/figures.md.
FALSE_CLAIMS_SUPPORTED_PERCENT, TRUE_CLAIMS_SUPPORTED_PERCENT = 4, 48


def compute_grounding_score(claims: Sequence[Claim]) -> float:
    """Return the expected share of supported claims; 1.0 for an answer without claims."""
    return sum(claim.score for claim in claims) / len(claims) if claims else 1.0


def round_grounding_score(claims: Sequence[Claim]) -> float | None:
    """Return the rounded score of a check; None for an answer without claims, of which nothing was checked."""
    return round(compute_grounding_score(claims), 4) if claims else None


def is_grounded(claims: Sequence[Claim]) -> bool | None:
    """Return whether all claims are supported; None for an answer without claims, of which nothing was checked."""
    return all(claim.verdict == SUPPORTED for claim in claims) if claims else None


def compute_confidence(probabilities: Iterable[float], grounding_score: float = 1.0) -> tuple[float, str]:
    """Return the highest probability of a sentence to be evidence, but never more than the grounding score, and its level.

    Good evidence does not make an answer good: its claims may say something else.
    """
    confidence = min(float(max(probabilities, default=0.0)), grounding_score)
    if confidence > HIGH_CONFIDENCE_ABOVE:
        return confidence, CONFIDENCE_HIGH
    return confidence, CONFIDENCE_MEDIUM if confidence > MEDIUM_CONFIDENCE_ABOVE else CONFIDENCE_LOW


def list_warnings(claims: Iterable[Claim]) -> list[str]:
    """Return a line for each claim that is not supported."""
    return [
        f"{_WARNING_PREFIXES[claim.verdict]}: “{shorten_claim(claim.text)}” {claim.why}".strip()
        for claim in claims
        if claim.verdict != SUPPORTED
    ]


def append_warnings(text: str, claims: Iterable[Claim]) -> str:
    """Return the text followed by a warning for each claim that is not supported."""
    warnings = list_warnings(claims)
    return text.rstrip() + "\n\n" + "\n".join(f"⚠ {warning}" for warning in warnings) if warnings else text


_WARNING_PREFIXES = {
    PARTLY: "Supported in part", CONTRADICTED: "Contradicted by the sources",
    UNSUPPORTED: "Not supported by the sources", WRONG_SOURCE: "Wrong source cited",
    NOT_COMPARED: "Not compared with what it cites",
}  # fmt: skip


def shorten_claim(text: str) -> str:
    return (
        text if len(text) <= MAX_CLAIM_CHARACTERS_SHOWN else text[:MAX_CLAIM_CHARACTERS_SHOWN].rsplit(" ", 1)[0] + " …"
    )
