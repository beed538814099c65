"""The request for an answer: the question, its sources and the form of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from highlighter.answering.json_data import check_schema
from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.search import MIN_SCORE
from highlighter.settings import MAX_REFUSAL_TEXT_CHARACTERS, is_one_line

SIMPLE, GROUNDED, ANALYTICAL, CONVERSATIONAL, SUMMARY, COMPARISON = MODES = (
    "simple", "grounded", "analytical", "conversational", "summary", "comparison"
)  # fmt: skip
PLAIN, MARKDOWN, BULLETS, JSON = FORMATS = ("plain", "markdown", "bullets", "json")
INLINE, FOOTNOTE, ENDNOTE = CITATION_STYLES = ("inline", "footnote", "endnote")
# Schemas that are requested by name; any other is a JSON schema of the caller.
ANSWER_WITH_SOURCES, COMPARISON_RESULT = NAMED_SCHEMAS = ("AnswerWithSources", "ComparisonResult")

MAX_ASKED_CHARACTERS = 4_000
MAX_INSTRUCTIONS_CHARACTERS = 4_000
MAX_SOURCES = 50
MAX_SOURCE_CHARACTERS = 200_000  # of one text of the caller
# Each text is searched for each sub-question while the caller waits.
MAX_TOTAL_SOURCE_CHARACTERS = 500_000
DEFAULT_PASSAGES, MAX_PASSAGES = 8, 30
MAX_HISTORY_TURNS = 5  # only the latest turns are read


@dataclass(frozen=True, slots=True)
class CallerSource:
    """A source that the caller names: a text, a stored document, or one chunk of a document."""

    text: str = ""
    filename: str = ""
    page: int = 0
    document_id: str = ""
    chunk_index: int | None = None


@dataclass(frozen=True, slots=True)
class QuestionRequest:
    """A question and the form of its answer; limits are checked when the request is created."""

    question: str
    mode: str = GROUNDED
    format: str = PLAIN
    citation_style: str = INLINE
    history: tuple[tuple[str, str], ...] = ()  # (question, answer), oldest first
    filters: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[CallerSource, ...] | None = None  # instead of a search; an empty tuple means no source at all
    schema: str | Mapping[str, Any] | None = None
    instructions: str = ""
    include_citations: bool = True
    require_grounding: bool = False  # strict mode: each sentence ends with "(exact quote) [[label]]"
    max_tokens: int | None = None
    temperature: float = 0.0
    limit: int = DEFAULT_PASSAGES
    min_score: float = MIN_SCORE
    append_warnings: bool = False
    model: str = ""  # one of LLM_MODELS, or EXTRACTIVE_MODEL; empty: those of the settings, in order
    refusal: str = ""  # the words of a refusal; empty: those of the settings
    min_grounding: float = 0.0  # answers with a lower grounding score are refused, as by MIN_GROUNDING
    previous: str = ""  # id of the stored answer that the last turn of the history is

    def __post_init__(self) -> None:
        if not self.question.strip():
            raise BadRequest("Enter a question.")
        self._check_lengths()
        self._check_choices()
        if self.refusal and not is_one_line(self.refusal):
            raise BadRequest(
                N_("The refusal must be one line of {limit} characters or less.", limit=MAX_REFUSAL_TEXT_CHARACTERS)
            )
        self._check_schema()
        self._check_sources()
        if not 1 <= self.limit <= MAX_PASSAGES:
            raise BadRequest(N_("The number of passages must be between 1 and {limit}.", limit=MAX_PASSAGES))

    def _check_lengths(self) -> None:
        question_length, instructions_length = len(self.question), len(self.instructions)
        if question_length > MAX_ASKED_CHARACTERS:
            raise BadRequest(
                N_(
                    "The question has {count:,} characters; the limit is {limit:,}.",
                    count=question_length,
                    limit=MAX_ASKED_CHARACTERS,
                )
            )
        if instructions_length > MAX_INSTRUCTIONS_CHARACTERS:
            raise BadRequest(
                N_(
                    "The instructions have {count:,} characters; the limit is {limit:,}.",
                    count=instructions_length,
                    limit=MAX_INSTRUCTIONS_CHARACTERS,
                )
            )

    def _check_choices(self) -> None:
        for option, value, choices in (
            ("mode", self.mode, MODES), ("format", self.format, FORMATS),
            ("citation style", self.citation_style, CITATION_STYLES),
        ):  # fmt: skip
            if value not in choices:
                raise BadRequest(
                    N_(
                        "No {option} is called {value!r}; use one of {choices}.",
                        option=option,
                        value=value,
                        choices=", ".join(choices),
                    )
                )

    def _check_schema(self) -> None:
        if isinstance(self.schema, str) and self.schema not in NAMED_SCHEMAS:
            raise BadRequest(
                N_(
                    "Unknown schema {schema!r}; use one of {choices}, or your own.",
                    schema=self.schema,
                    choices=", ".join(NAMED_SCHEMAS),
                )
            )
        if isinstance(self.schema, Mapping):
            check_schema(self.schema)

    def _check_sources(self) -> None:
        if self.sources is not None and len(self.sources) > MAX_SOURCES:
            raise BadRequest(
                N_(
                    "The request has {count:,} sources; the limit is {limit}.",
                    count=len(self.sources),
                    limit=MAX_SOURCES,
                )
            )
        characters = sum(len(source.text) for source in self.sources or ())
        if characters > MAX_TOTAL_SOURCE_CHARACTERS:
            raise BadRequest(
                N_(
                    "The sources have {count:,} characters; the limit is {limit:,}. Upload them as documents instead.",
                    count=characters,
                    limit=MAX_TOTAL_SOURCE_CHARACTERS,
                )
            )
