"""The serialization of checks, and of the sources that requests name: for HTTP, adapters and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from highlighter.grounding.checker import GroundingReport
from highlighter.grounding.verdicts import SUPPORTED
from highlighter.models import Claim, Source
from highlighter.schemas.checks import (
    CheckedSource,
    CheckedSupport,
    CheckResponse,
    ClaimOut,
    ConfidenceLevel,
    QuotationOut,
    QuotationState,
    VerdictName,
)


def build_sources(checked_sources: Sequence[CheckedSource]) -> list[Source]:
    """Return the sources that a request names or brings along."""
    return [
        Source(
            source.filename or "",
            document_id=source.document_id or "",
            chunk_index=source.chunk_index,
            text=source.text or "",
        )
        for source in checked_sources
    ]


def serialize_check(report: GroundingReport, sources: Sequence[Source], append_warnings: bool = False) -> CheckResponse:
    return CheckResponse(
        grounded=report.grounded, grounding_score=report.grounding_score, confidence=report.confidence,
        confidence_level=cast(ConfidenceLevel, report.confidence_level),
        claims=[_serialize_claim(claim, sources) for claim in report.claims],
        ungrounded_claims=[claim.text for claim in report.claims if claim.verdict != SUPPORTED],
        quotations=[
            QuotationOut(
                text=checked.quotation.text, start=checked.quotation.start, end=checked.quotation.end,
                state=cast(QuotationState, checked.check.state), source=checked.source, why=checked.check.why or None,
            )
            for checked in report.quotations
        ],
        warnings=list(report.warnings), text=report.with_warnings if append_warnings else None,
    )  # fmt: skip


def _serialize_claim(claim: Claim, sources: Sequence[Source]) -> ClaimOut:
    return ClaimOut(
        text=claim.text, start=claim.start, end=claim.end, verdict=cast(VerdictName, claim.verdict), score=claim.score,
        evidence=[
            CheckedSupport(
                source=sentence.source, start=sentence.start, end=sentence.end, text=sentence.text, score=sentence.score,
                marks=list(sentence.marks),
                document_id=sources[sentence.source].document_id or None,
                chunk_index=sources[sentence.source].chunk_index,
            )
            for sentence in claim.evidence
        ],
        why=claim.why or None, marks=list(claim.marks),
    )  # fmt: skip
