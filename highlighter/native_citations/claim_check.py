"""Check the claims of a response against what its citations were found to cite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.errors import BadRequest
from highlighter.grounding.checker import Checker
from highlighter.grounding.cited_sources import CitedMarker, CitedSourceJudge, assign_markers
from highlighter.grounding.claims import find_common_markers
from highlighter.grounding.verdicts import round_grounding_score
from highlighter.models import Claim, Source
from highlighter.native_formats.native_response import NativeCitation
from highlighter.references.product_markers import find_product_markers

MAX_CHECKED_SOURCES = 100
UNCHECKED_NOTE = f"More than {MAX_CHECKED_SOURCES} texts are cited: claims that cite those after them are not checked."


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text that claims are held to. `start` is where it begins in its document; None for words of the vendor alone."""

    name: str
    text: str
    document_id: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """The claims of an answer with their verdicts, and the claim of each citation, as an index or None."""

    claims: tuple[Claim, ...] = ()
    texts: tuple[CheckedText, ...] = ()  # that the evidence of the claims is in
    texts_of_citation: tuple[tuple[int, ...], ...] = ()
    claim_of_citation: tuple[int | None, ...] = ()
    grounding_score: float | None = None
    note: str = ""

    def find_evidence(self, citation: int, document_id: str) -> list[tuple[int, int]]:
        """Return the spans of a document that decide on a citation's claim, in what it cites if there are any."""
        claim = self.claim_of_citation[citation]
        evidence = self.claims[claim].evidence if claim is not None else ()
        found = [
            (one.source in self.texts_of_citation[citation], text.start + one.start, text.start + one.end)
            for one in evidence
            if (text := self.texts[one.source]).start is not None and text.document_id == document_id
        ]
        has_own = any(is_own for is_own, _, _ in found)
        return [(start, end) for is_own, start, end in found if is_own or not has_own]


def check_claims(
    checker: Checker,
    answer: str,
    citations: Sequence[NativeCitation],
    texts: Sequence[CheckedText],
    texts_of_citation: Sequence[tuple[int, ...]],
    reasons: Sequence[str],
) -> ClaimCheck:
    """Judge each claim by the texts of its own citations; a claim that cites nothing, by all.

    `reasons` say why a citation has no text: it counts against its claim then.
    """
    nothing = ClaimCheck(claim_of_citation=(None,) * len(citations))
    if not answer.strip() or not texts:
        return nothing
    sources = [Source(one.name, document_id=one.document_id, text=one.text) for one in texts[:MAX_CHECKED_SOURCES]]
    markers = [
        _make_marker(citation, cited, reason)
        for citation, cited, reason in zip(citations, texts_of_citation, reasons, strict=True)
    ]
    spans = [*find_common_markers(answer), *find_product_markers(answer).signs]
    spans += [citation.label for citation in citations if citation.label]
    try:
        report = checker.check(answer, sources, spans)
    except BadRequest as err:  # an answer with more claims than can be checked still has its citations opened
        return ClaimCheck(claim_of_citation=nothing.claim_of_citation, note=err.detail)
    cited = [marker for marker in markers if marker and (marker.sources or marker.why_unresolved)]
    judged = CitedSourceJudge(checker, sources).judge_claims(report.claims, answer, cited)
    unread = {
        id(marker)
        for marker, numbers in zip(markers, texts_of_citation, strict=True)
        if any(number >= MAX_CHECKED_SOURCES for number in numbers)
    }
    assigned = [
        (claim, ids)
        for claim, placed in zip(judged, assign_markers(judged, answer, list(filter(None, markers))), strict=True)
        if unread.isdisjoint(ids := {id(marker) for marker in placed})
    ]
    claims = tuple(claim for claim, _ in assigned)
    claim_by_marker = {marker: number for number, (_, ids) in enumerate(assigned) for marker in ids}
    return ClaimCheck(
        claims,
        tuple(texts),
        tuple(texts_of_citation),
        tuple(claim_by_marker.get(id(marker)) for marker in markers),
        round_grounding_score(claims),
        UNCHECKED_NOTE if unread else "",
    )


def _make_marker(citation: NativeCitation, cited: Sequence[int], reason: str) -> CitedMarker | None:
    """Return where a citation is: at its marker, or at the end of the cited text; None if the response does not say."""
    sources = tuple(number for number in cited if number < MAX_CHECKED_SOURCES)
    why = "" if cited else citation.reason or reason
    if citation.label:
        return CitedMarker(*citation.label, sources, why)
    if citation.start is None or citation.end is None:
        return None
    last = max(citation.start, citation.end - 1)
    return CitedMarker(last, last, sources, why)
