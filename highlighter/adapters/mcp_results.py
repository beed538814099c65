"""What a model is told by the tools: less than the API says, for it has to read it all; links are whole addresses."""

from __future__ import annotations

from pydantic import BaseModel, Field

from highlighter.adapters.library import Library, make_links_absolute
from highlighter.schemas.answers import AnswerOut, CitationOut
from highlighter.schemas.quotes import LocateAnswer, QuoteMatchOut
from highlighter.schemas.search import HighlightAnswer, HitOut, SearchAnswer, SentenceOut

LINKS_FIELD = Field(
    description="self opens it in the viewer with its sentences highlighted; pdf, where there is one, opens "
    "the page itself"
)


class SentenceResult(BaseModel):
    text: str
    score: float
    lit: bool = Field(description="it answers the question")
    page: int | None


class PassageResult(BaseModel):
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
    passages: list[PassageResult]
    note: str | None = Field(description="when less than the whole method could run")


class HighlightResults(BaseModel):
    sentences: list[SentenceResult] = Field(description="the sentences that answer, in reading order")
    looked_at: int = Field(description="how many sentences there are")
    links: dict[str, str] = LINKS_FIELD
    note: str | None


class QuoteMatchResult(BaseModel):
    document_id: str
    name: str
    page: int
    chunk_index: int
    tier: str
    text: str = Field(description="what the document says there")
    why: str | None = Field(description="what is wrong with a near miss")
    links: dict[str, str] = LINKS_FIELD


class LocateResult(BaseModel):
    tier: str = Field(description="exact, normalised, fuzzy, semantic; none: not found")
    place: QuoteMatchResult | None
    near: list[QuoteMatchResult] = Field(description="other places, and near misses")
    why: str | None


class CitationResult(BaseModel):
    label: str = Field(description="the marker in the text")
    document_id: str | None
    name: str
    page: int | None
    quote: str = Field(description="the document's own words")
    links: dict[str, str]


class ClaimResult(BaseModel):
    text: str
    verdict: str
    why: str | None


class AnswerResult(BaseModel):
    text: str
    citations: list[CitationResult]
    claims: list[ClaimResult]
    grounding_score: float
    confidence: str
    refused: bool
    refusal_reason: str | None
    warnings: list[str]
    links: dict[str, str] = Field(description="self opens the answer beside its sources; pack is its evidence as a zip")


def build_search_results(found: SearchAnswer, library: Library) -> SearchResults:
    return SearchResults(passages=[_build_passage(hit, library) for hit in found.hits], note=found.degraded)


def build_highlight_results(found: HighlightAnswer, library: Library) -> HighlightResults:
    return HighlightResults(
        sentences=[_build_sentence(one) for one in found.sentences if one.highlighted], looked_at=len(found.sentences),
        links=make_links_absolute(found.links, library), note=found.degraded,
    )  # fmt: skip


def build_locate_result(found: LocateAnswer, library: Library) -> LocateResult:
    return LocateResult(
        tier=found.tier, place=_build_match(found.place, library) if found.place else None,
        near=[_build_match(one, library) for one in found.candidates], why=found.why,
    )  # fmt: skip


def build_answer_result(answer: AnswerOut, library: Library) -> AnswerResult:
    return AnswerResult(
        text=answer.text, citations=[_build_citation(one, library) for one in answer.citations],
        claims=[ClaimResult(text=one.text, verdict=one.verdict, why=one.why) for one in answer.claims],
        grounding_score=answer.grounding_score, confidence=answer.confidence_level, refused=answer.refused,
        refusal_reason=answer.refusal_reason, warnings=answer.warnings, links=make_links_absolute(answer.links, library),
    )  # fmt: skip


def _build_passage(hit: HitOut, library: Library) -> PassageResult:
    return PassageResult(
        document_id=hit.document_id, name=hit.name, chunk_index=hit.chunk_index, pages=hit.pages, section=hit.section,
        score=hit.score, text=hit.text, sentences=[_build_sentence(one) for one in hit.sentences],
        links=make_links_absolute(hit.links, library),
    )  # fmt: skip


def _build_sentence(one: SentenceOut) -> SentenceResult:
    return SentenceResult(text=one.text, score=round(one.score, 4), lit=one.highlighted, page=one.page)


def _build_match(place: QuoteMatchOut, library: Library) -> QuoteMatchResult:
    return QuoteMatchResult(
        document_id=place.document_id, name=place.name, page=place.page, chunk_index=place.chunk_index, tier=place.tier,
        text=place.text, why=place.why, links=make_links_absolute(place.links, library),
    )  # fmt: skip


def _build_citation(one: CitationOut, library: Library) -> CitationResult:
    return CitationResult(
        label=one.label, document_id=one.document_id, name=one.filename, page=one.page, quote=one.quote,
        links=make_links_absolute(one.links, library),
    )  # fmt: skip
