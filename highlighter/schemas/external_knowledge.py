"""The request and response models of Dify's External Knowledge API. Unknown fields are ignored, as Dify adds some."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from highlighter.schemas.search import MetadataValue, Question

KnowledgeId = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
MAX_CONDITIONS = 20


class RetrievalSetting(BaseModel):
    """How many records are wanted, and how good they must be."""

    top_k: int = Field(ge=1)
    score_threshold: float | None = Field(None, ge=0, le=1)  # null, or 0.0, where it is switched off


class Condition(BaseModel):
    """A condition on one field of the documents' metadata."""

    name: str | list[str]  # a list in earlier versions of Dify
    comparison_operator: str
    value: MetadataValue | list[MetadataValue] | None = None


class MetadataCondition(BaseModel):
    """The conditions that documents must meet: all of them, or any."""

    logical_operator: Literal["and", "or"] | None = None  # null means "and"
    conditions: list[Condition] | None = Field(None, max_length=MAX_CONDITIONS)


class RetrievalRequest(BaseModel):
    """A query of Dify, and the collection that is searched."""

    knowledge_id: KnowledgeId
    query: Question
    retrieval_setting: RetrievalSetting
    metadata_condition: MetadataCondition | None = None


class Record(BaseModel):
    """A chunk that a search found. `metadata` is never null: Dify would fail."""

    content: str
    score: float
    title: str
    metadata: dict[str, Any]


class RetrievalResponse(BaseModel):
    """The records of a query, best first."""

    records: list[Record]
