"""A check as it is sent: over HTTP, and by the command line as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.grounding.checker import GroundingReport
from highlighter.grounding.verdicts import SUPPORTED
from highlighter.models import Claim, Source
from highlighter.schemas.checks import CheckAnswer, CheckedSupport, ClaimOut, QuotationOut


def serialize_check(checked: GroundingReport, sources: Sequence[Source], append_warnings: bool = False) -> CheckAnswer:
    return CheckAnswer(
        grounded=checked.grounded, grounding_score=checked.grounding_score, confidence=checked.confidence,
        confidence_level=checked.confidence_level, claims=[_serialize_claim(claim, sources) for claim in checked.claims],
        ungrounded_claims=[claim.text for claim in checked.claims if claim.verdict != SUPPORTED],
        quotations=[
            QuotationOut(
                text=one.quotation.text, start=one.quotation.start, end=one.quotation.end, state=one.check.state,
                source=one.source, why=one.check.why or None,
            )
            for one in checked.quotations
        ],
        text=checked.with_warnings if append_warnings else None,
    )  # fmt: skip


def _serialize_claim(claim: Claim, sources: Sequence[Source]) -> ClaimOut:
    return ClaimOut(
        text=claim.text, start=claim.start, end=claim.end, verdict=claim.verdict, score=claim.score,
        evidence=[
            CheckedSupport(
                source=one.source, start=one.start, end=one.end, text=one.text, score=one.score,
                document_id=sources[one.source].document_id or None, chunk_index=sources[one.source].chunk_index,
            )
            for one in claim.evidence
        ],
        why=claim.why or None,
    )  # fmt: skip
