"""Sources whose text was recognised from images: their letters may be misread, and a check says so."""

from __future__ import annotations

from collections.abc import Sequence

from highlighter.locale import N_, join_messages
from highlighter.models import Claim, Source


def list_recognition_warnings(sources: Sequence[Source], claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return a sentence for users for each recognised source that is evidence for a claim."""
    used = sorted({evidence.source for claim in claims for evidence in claim.evidence})
    return tuple(
        dict.fromkeys(
            describe_recognition(sources[index].filename or f"Source {index + 1}", sources[index].recognition)
            for index in used
            if sources[index].recognition
        )
    )


def describe_recognition(name: str, confidence: float) -> str:
    """Return a sentence for users that says how reliably the text of a source was recognised."""
    percent = f"{confidence:.0%}"
    return join_messages(
        [
            N_(
                "The text of “{name}” was recognised from images (OCR), with a confidence of {percent}.",
                name=name,
                percent=percent,
            ),
            N_("Compare names and numbers with the page."),
        ]
    )
