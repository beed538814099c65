"""A response whose citations were opened: where each is in the answer, what it cites here, and its claim's verdict."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.models import Claim, DocumentQuoteMatch, Sentence
from highlighter.native_citations.source_locator import LocatedSource
from highlighter.native_formats.native_response import NativeSource


@dataclass(frozen=True, slots=True)
class OpenedCitation:
    """A citation of one source. `[start, end)` is the cited text in the answer; None where the response does not say."""

    kind: str
    start: int | None
    end: int | None
    label: tuple[int, int] | None
    quote: str
    source: NativeSource
    located: LocatedSource
    claim: int | None = None  # index into the claims of the response
    sentences: tuple[Sentence, ...] = ()  # of the document: those with the cited words, or the evidence for the claim
    highlighted: DocumentQuoteMatch | None = None  # the cited words, or these sentences; None where neither is known


@dataclass(frozen=True, slots=True)
class OpenedResponse:
    """A response with its opened citations and the verdicts on its claims."""

    format: str
    text: str
    citations: tuple[OpenedCitation, ...]
    claims: tuple[Claim, ...] = ()
    grounding_score: float | None = None  # None where nothing was checked
    note: str = ""  # why nothing, or not everything, was checked, as a sentence for users
