"""The results of the MCP tools: shorter than the API's, because the model reads them all, and with whole URLs as links."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from highlighter.adapters.library import Library, make_links_absolute
from highlighter.schemas.answers import AnswerOut, CitationOut
from highlighter.schemas.checks import CheckResponse
from highlighter.schemas.native_citations import NativeCitationOut, NativeCitationsResponse, NativeClaimOut
from highlighter.schemas.notes import NotePage
from highlighter.schemas.quotes import LocateResponse, QuoteMatchOut
from highlighter.schemas.search import HighlightResponse, HitOut, SearchResponse, SentenceOut

LINKS_FIELD = Field(
    description="self opens the passage in the viewer, its sentences highlighted; pdf, if there is one, opens the page"
)


class SentenceResult(BaseModel):
    """A sentence with its score."""

    model_config = ConfigDict(serialize_by_alias=True)

    text: str
    score: float
    highlighted: bool = Field(
        validation_alias=AliasChoices("lit", "highlighted"),
        serialization_alias="lit",
        description="whether the sentence answers the question",
    )
    page: int | None


class PassageResult(BaseModel):
    """A passage that a search found."""

    document_id: str
    name: str
    chunk_index: int
    pages: list[int]
    section: str
    score: float
    text: str
    sentences: list[SentenceResult] = Field(description="the best ones, best first")
    links: dict[str, str] = LINKS_FIELD


class SearchResults(BaseModel):
    """The passages that answer a question."""

    passages: list[PassageResult]
    note: str | None = Field(description="when a part of the method could not run")


class NoteResult(BaseModel):
    """A reader's note."""

    document_id: str
    quote: str = Field(description="the words that the note is about")
    text: str = Field(description="what the reader says; empty for a highlight alone")
    colour: str
    author: str = Field(description="empty where the author has no name")
    outcome: str = Field(description="of the words in this version: same, moved, changed, or gone")
    link: str = Field(description="opens the document at the note")


class NoteResults(BaseModel):
    """Readers' notes."""

    notes: list[NoteResult]
    total: int


class HighlightResults(BaseModel):
    """The sentences of a text that answer a question."""

    sentences: list[SentenceResult] = Field(description="the sentences that answer, in reading order")
    looked_at: int = Field(description="the number of sentences that were scored")
    links: dict[str, str] = LINKS_FIELD
    note: str | None


class QuoteMatchResult(BaseModel):
    """A span that matches a quote."""

    document_id: str
    name: str
    page: int
    chunk_index: int
    tier: str
    text: str = Field(description="the words of the document")
    why: str | None = Field(description="why a near miss does not match")
    links: dict[str, str] = LINKS_FIELD


class LocateResult(BaseModel):
    """The best match of a quote, and other candidates."""

    tier: str = Field(description="exact, normalised, fuzzy, semantic; none: not found")
    place: QuoteMatchResult | None
    near: list[QuoteMatchResult] = Field(description="other matches, and near misses")
    why: str | None


class OpenedCitationResult(BaseModel):
    """A citation of another product's response, opened in the library."""

    cited: str | None = Field(description="the text of the answer that it is about")
    source: str = Field(description="what the response calls its source")
    tier: str = Field(description="exact, normalised, fuzzy, semantic; chunk, page, document: nothing was quoted; none")
    document_id: str | None
    name: str | None
    page: int | None
    sentences: list[str] = Field(description="what the document says there")
    verdict: str | None = Field(description="whether that supports the claim")
    why: str | None = Field(description="why the claim is not supported")
    reason: str | None = Field(description="why nothing was found, or not all")
    links: dict[str, str] = LINKS_FIELD


class OpenedCitationResults(BaseModel):
    """The citations of another product's response."""

    citations: list[OpenedCitationResult]
    note: str | None


class CitationResult(BaseModel):
    """A citation of an answer."""

    label: str = Field(description="the marker in the text")
    document_id: str | None
    name: str
    page: int | None
    quote: str = Field(description="the words of the document")
    quoted: str | None = Field(description="whether the answer quotes them exactly: verified, altered, not found")
    score: float = Field(description="whether they answer the question: the evidence score, 0 to 1")
    links: dict[str, str]


class ClaimResult(BaseModel):
    """A statement of an answer, with its verdict."""

    text: str
    verdict: str
    why: str | None


class AnswerResult(BaseModel):
    """An answer with its citations and checked claims."""

    text: str
    citations: list[CitationResult]
    claims: list[ClaimResult]
    headline: str = Field(description="parts of the question answered, and claims supported")
    grounding_score: float
    confidence: str
    refused: bool
    refusal_reason: str | None
    warnings: list[str]
    links: dict[str, str] = Field(
        description="self opens the answer beside its sources; pack is the evidence pack, a zip"
    )


class EvidenceResult(BaseModel):
    """A sentence of a source for a claim, or against it."""

    source: int = Field(description="index into the sources given")
    text: str


class CheckedClaimResult(ClaimResult):
    """A statement of a checked answer, with its verdict and the sentences that decide."""

    evidence: list[EvidenceResult]


class CheckResult(BaseModel):
    """The verdicts on an answer: every claim must be supported for it to be grounded."""

    grounded: bool | None = Field(description="null where the answer has no claim that could be checked")
    claims: list[CheckedClaimResult]
    quotations: list[str] = Field(description="quotations that the sources do not have, with the reason")
    warnings: list[str]


def build_search_results(results: SearchResponse, library: Library) -> SearchResults:
    return SearchResults(passages=[_build_passage(hit, library) for hit in results.hits], note=results.degraded)


def build_highlight_results(results: HighlightResponse, library: Library) -> HighlightResults:
    return HighlightResults(
        sentences=[_build_sentence(sentence) for sentence in results.sentences if sentence.highlighted],
        looked_at=len(results.sentences), links=make_links_absolute(results.links, library), note=results.degraded,
    )  # fmt: skip


def build_locate_result(location: LocateResponse, library: Library) -> LocateResult:
    return LocateResult(
        tier=location.tier, place=_build_match(location.place, library) if location.place else None,
        near=[_build_match(candidate, library) for candidate in location.candidates], why=location.why,
    )  # fmt: skip


def build_opened_citation_results(opened: NativeCitationsResponse, library: Library) -> OpenedCitationResults:
    (response,) = opened.responses
    return OpenedCitationResults(
        citations=[_build_opened_citation(one, response.claims, library) for one in response.citations],
        note=response.note,
    )


def _build_opened_citation(
    citation: NativeCitationOut, claims: Sequence[NativeClaimOut], library: Library
) -> OpenedCitationResult:
    place = citation.place
    return OpenedCitationResult(
        cited=citation.cited.text if citation.cited else None, source=citation.source.name, tier=citation.tier,
        document_id=place.document_id if place else None, name=place.name if place else None,
        page=place.page if place else None, sentences=[one.text for one in citation.sentences],
        verdict=citation.verdict, why=None if citation.claim is None else claims[citation.claim].why, reason=citation.reason,
        links=make_links_absolute(place.links, library) if place else {},
    )  # fmt: skip


def build_answer_result(answer: AnswerOut, library: Library) -> AnswerResult:
    return AnswerResult(
        text=answer.text, citations=[_build_citation(citation, library) for citation in answer.citations],
        claims=[ClaimResult(text=claim.text, verdict=claim.verdict, why=claim.why) for claim in answer.claims],
        headline=answer.headline.text, grounding_score=answer.grounding_score, confidence=answer.confidence_level, refused=answer.refused,
        refusal_reason=answer.refusal_reason, warnings=answer.warnings, links=make_links_absolute(answer.links, library),
    )  # fmt: skip


def build_check_result(checked: CheckResponse) -> CheckResult:
    return CheckResult(
        grounded=checked.grounded,
        claims=[
            CheckedClaimResult(
                text=claim.text, verdict=claim.verdict, why=claim.why,
                evidence=[EvidenceResult(source=item.source, text=item.text) for item in claim.evidence],
            )
            for claim in checked.claims
        ],
        quotations=[f"“{item.text}”: {item.state}. {item.why or ''}".strip() for item in checked.quotations if item.state != "verified"],
        warnings=checked.warnings,
    )  # fmt: skip


def _build_passage(hit: HitOut, library: Library) -> PassageResult:
    return PassageResult(
        document_id=hit.document_id, name=hit.name, chunk_index=hit.chunk_index, pages=hit.pages, section=hit.section,
        score=hit.score, text=hit.text, sentences=[_build_sentence(sentence) for sentence in hit.sentences],
        links=make_links_absolute(hit.links, library),
    )  # fmt: skip


def _build_sentence(sentence: SentenceOut) -> SentenceResult:
    return SentenceResult(
        text=sentence.text, score=round(sentence.score, 4), highlighted=sentence.highlighted, page=sentence.page
    )


def _build_match(place: QuoteMatchOut, library: Library) -> QuoteMatchResult:
    return QuoteMatchResult(
        document_id=place.document_id, name=place.name, page=place.page, chunk_index=place.chunk_index, tier=place.tier,
        text=place.text, why=place.why, links=make_links_absolute(place.links, library),
    )  # fmt: skip


def _build_citation(citation: CitationOut, library: Library) -> CitationResult:
    return CitationResult(
        label=citation.label, document_id=citation.document_id, name=citation.filename, page=citation.page,
        quote=citation.quote, quoted=citation.quoted, score=round(citation.probability, 4), links=make_links_absolute(citation.links, library),
    )  # fmt: skip


def build_note_results(page: NotePage) -> NoteResults:
    notes = [
        NoteResult(
            document_id=note.document_id, quote=note.quote, text=note.text, colour=note.target.styleClass,
            author=(note.creator or {}).get("name", ""), outcome=note.outcome, link=note.view,
        )
        for note in page.items
    ]  # fmt: skip
    return NoteResults(notes=notes, total=page.total)
