"""What is asked, and how it is to be answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from highlighter.answering.json_data import check_schema
from highlighter.errors import BadRequest
from highlighter.search import MIN_SCORE

SIMPLE, GROUNDED, ANALYTICAL, CONVERSATIONAL, SUMMARY, COMPARISON = MODES = (
    "simple", "grounded", "analytical", "conversational", "summary", "comparison"
)  # fmt: skip
PLAIN, MARKDOWN, BULLETS, JSON = FORMATS = ("plain", "markdown", "bullets", "json")
INLINE, FOOTNOTE, ENDNOTE = CITATION_STYLES = ("inline", "footnote", "endnote")
# Schemas that go by name; any other is a JSON schema of the caller's own.
ANSWER_WITH_SOURCES, COMPARISON_RESULT = NAMED_SCHEMAS = ("AnswerWithSources", "ComparisonResult")

MAX_QUESTION_CHARACTERS = 4_000
MAX_INSTRUCTIONS_CHARACTERS = 4_000
MAX_SOURCES = 50
MAX_SOURCE_CHARACTERS = 200_000  # characters of a text of the caller's own
MAX_TOTAL_SOURCE_CHARACTERS = (
    500_000  # of all of them together: each is read for each sub-question, while its caller waits
)
DEFAULT_PASSAGES, MAX_PASSAGES = 8, 30
MAX_HISTORY_TURNS = 5  # of the history, the latest


@dataclass(frozen=True, slots=True)
class CallerSource:
    """A source of the caller's own: a text, or a document that is kept here, or one chunk of it."""

    text: str = ""
    filename: str = ""
    page: int = 0
    document_id: str = ""
    chunk_index: int | None = None


@dataclass(frozen=True, slots=True)
class QuestionRequest:
    question: str
    mode: str = GROUNDED
    format: str = PLAIN
    citation_style: str = INLINE
    history: tuple[tuple[str, str], ...] = ()  # (question, answer), oldest first
    filters: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[CallerSource, ...] | None = None  # instead of a search; an empty one is no source at all
    schema: str | Mapping[str, Any] | None = None
    instructions: str = ""
    include_citations: bool = True
    require_grounding: bool = False  # each sentence ends with "(exact quote) [[label]]", or it is no answer
    max_tokens: int | None = None
    temperature: float = 0.0
    limit: int = DEFAULT_PASSAGES
    min_score: float = MIN_SCORE
    append_warnings: bool = False

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise BadRequest("Enter a question.")
        length, written = len(self.question), len(self.instructions)
        if length > MAX_QUESTION_CHARACTERS:
            raise BadRequest(f"The question has {length:,} characters; the limit is {MAX_QUESTION_CHARACTERS:,}.")
        if written > MAX_INSTRUCTIONS_CHARACTERS:
            raise BadRequest(
                f"The instructions have {written:,} characters; the limit is {MAX_INSTRUCTIONS_CHARACTERS:,}."
            )
        for what, value, known in (
            ("mode", self.mode, MODES), ("format", self.format, FORMATS),
            ("citation style", self.citation_style, CITATION_STYLES),
        ):  # fmt: skip
            if value not in known:
                raise BadRequest(f"No {what} is called {value!r}; use one of {', '.join(known)}.")
        if isinstance(self.schema, str) and self.schema not in NAMED_SCHEMAS:
            raise BadRequest(f"Unknown schema {self.schema!r}; use one of {', '.join(NAMED_SCHEMAS)}, or your own.")
        if isinstance(self.schema, Mapping):
            check_schema(self.schema)
        if self.sources is not None and len(self.sources) > MAX_SOURCES:
            raise BadRequest(f"The request has {len(self.sources):,} sources; the limit is {MAX_SOURCES}.")
        characters = sum(len(one.text) for one in self.sources or ())
        if characters > MAX_TOTAL_SOURCE_CHARACTERS:
            raise BadRequest(
                f"The sources have {characters:,} characters; the limit is "
                f"{MAX_TOTAL_SOURCE_CHARACTERS:,}. Upload them as documents instead."
            )
        if not 1 <= self.limit <= MAX_PASSAGES:
            raise BadRequest(f"The number of passages must be between 1 and {MAX_PASSAGES}.")
