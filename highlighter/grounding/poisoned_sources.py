"""Poisoned sources: documents with sentences that instruct a language model.

`SourceIndex` withholds such sentences from every claim. Here the claims that they were to carry get their reason, and
the answer its warnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.verdicts import PARTLY, UNSUPPORTED
from highlighter.grounding.wording import parse_wording
from highlighter.locale import N_
from highlighter.models import Claim, Source
from highlighter.text.model_instructions import split_model_instructions

ONLY_INSTRUCTION_SAYS_THIS = N_("The only sentence that says this instructs the machine: it is no evidence.")
# A sentence with this share of a claim's content words says what the claim says.
MIN_SHARED_WORDS = 0.8


def explain_instructions(claims: Sequence[Claim], source_index: SourceIndex) -> list[Claim]:
    """Return the claims; those that only an instruction says get this as their reason."""
    return [
        replace(claim, why=ONLY_INSTRUCTION_SAYS_THIS)
        if claim.verdict in (PARTLY, UNSUPPORTED) and is_said_by_instruction(claim.text, source_index)
        else claim
        for claim in claims
    ]


def list_instruction_warnings(sources: Sequence[Source]) -> tuple[str, ...]:
    """Return a sentence for users for each source that gives instructions to software."""
    return tuple(
        dict.fromkeys(
            describe_instructions(source.filename or f"Source {number}")
            for number, source in enumerate(sources, 1)
            if split_model_instructions(source.text)
        )
    )


def describe_instructions(name: str, page: int = 0) -> str:
    """Return a sentence for users that names a source, and the page where it gives instructions to software."""
    if page:
        return N_(
            "“{name}” gives instructions to software on page {page}. They are never used as evidence.",
            name=name,
            page=page,
        )
    return N_("“{name}” gives instructions to software. They are never used as evidence.", name=name)


def is_said_by_instruction(claim: str, source_index: SourceIndex) -> bool:
    """Return whether a sentence that instructs a language model says what a claim says."""
    words = parse_wording(claim).content_words
    return any(
        sum(bool(word.keys & sentence.wording.keys) for word in words) >= MIN_SHARED_WORDS * len(words)
        for sentence in source_index.excluded
        if words
    )
