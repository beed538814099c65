"""What a model is told by the tools: less than the API says, for it has to read it all; links are whole addresses."""

from __future__ import annotations

from pydantic import BaseModel, Field

from highlighter.adapters.library import Library, whole_links
from highlighter.api.answer_schemas import AnswerOut, CitationOut
from highlighter.api.quote_schemas import LocateAnswer, PlaceOut
from highlighter.api.schemas import HighlightAnswer, HitOut, SearchAnswer, SentenceOut

LINKS = Field(
    description="self opens it in the viewer, its sentences lit; pdf, where there is one, opens the page itself"
)


class Sentence(BaseModel):
    text: str
    score: float
    lit: bool = Field(description="it answers the question")
    page: int | None


class Passage(BaseModel):
    document_id: str
    name: str
    chunk_index: int
    pages: list[int]
    section: str
    score: float
    text: str
    sentences: list[Sentence] = Field(description="the best ones, best first")
    links: dict[str, str] = LINKS


class Passages(BaseModel):
    passages: list[Passage]
    note: str | None = Field(description="when less than the whole method could run")


class Highlighted(BaseModel):
    sentences: list[Sentence] = Field(description="those that answer, in reading order")
    looked_at: int = Field(description="how many sentences there are")
    links: dict[str, str] = LINKS
    note: str | None


class FoundPlace(BaseModel):
    document_id: str
    name: str
    page: int
    chunk_index: int
    tier: str
    text: str = Field(description="what the document says there")
    why: str | None = Field(description="what is wrong with a near miss")
    links: dict[str, str] = LINKS


class LocatedQuote(BaseModel):
    tier: str = Field(description="exact, normalised, fuzzy, semantic; none: it stands nowhere")
    place: FoundPlace | None
    near: list[FoundPlace] = Field(description="other places, and near misses")
    why: str | None


class Cited(BaseModel):
    label: str = Field(description="the mark in the text")
    document_id: str | None
    name: str
    page: int | None
    quote: str = Field(description="the document's own words")
    links: dict[str, str]


class Judged(BaseModel):
    text: str
    verdict: str
    why: str | None


class Answered(BaseModel):
    text: str
    citations: list[Cited]
    claims: list[Judged]
    grounding_score: float
    confidence: str
    refused: bool
    refusal_reason: str | None
    warnings: list[str]
    links: dict[str, str] = Field(description="self opens the answer beside its sources; pack is its evidence as a zip")


def passages(found: SearchAnswer, library: Library) -> Passages:
    return Passages(passages=[_passage(hit, library) for hit in found.hits], note=found.degraded)


def highlighted(found: HighlightAnswer, library: Library) -> Highlighted:
    return Highlighted(
        sentences=[_sentence(one) for one in found.sentences if one.highlighted], looked_at=len(found.sentences),
        links=whole_links(found.links, library), note=found.degraded,
    )  # fmt: skip


def located(found: LocateAnswer, library: Library) -> LocatedQuote:
    return LocatedQuote(
        tier=found.tier, place=_place(found.place, library) if found.place else None,
        near=[_place(one, library) for one in found.candidates], why=found.why,
    )  # fmt: skip


def answered(answer: AnswerOut, library: Library) -> Answered:
    return Answered(
        text=answer.text, citations=[_cited(one, library) for one in answer.citations],
        claims=[Judged(text=one.text, verdict=one.verdict, why=one.why) for one in answer.claims],
        grounding_score=answer.grounding_score, confidence=answer.confidence_level, refused=answer.refused,
        refusal_reason=answer.refusal_reason, warnings=answer.warnings, links=whole_links(answer.links, library),
    )  # fmt: skip


def _passage(hit: HitOut, library: Library) -> Passage:
    return Passage(
        document_id=hit.document_id, name=hit.name, chunk_index=hit.chunk_index, pages=hit.pages, section=hit.section,
        score=hit.score, text=hit.text, sentences=[_sentence(one) for one in hit.sentences],
        links=whole_links(hit.links, library),
    )  # fmt: skip


def _sentence(one: SentenceOut) -> Sentence:
    return Sentence(text=one.text, score=round(one.score, 4), lit=one.highlighted, page=one.page)


def _place(place: PlaceOut, library: Library) -> FoundPlace:
    return FoundPlace(
        document_id=place.document_id, name=place.name, page=place.page, chunk_index=place.chunk_index, tier=place.tier,
        text=place.text, why=place.why, links=whole_links(place.links, library),
    )  # fmt: skip


def _cited(one: CitationOut, library: Library) -> Cited:
    return Cited(
        label=one.label, document_id=one.document_id, name=one.filename, page=one.page, quote=one.quote,
        links=whole_links(one.links, library),
    )  # fmt: skip
