"""The form of the ask page: shown again as it was filled in, and turned into a question request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from werkzeug.datastructures import MultiDict

from highlighter.answering.request import GROUNDED, INLINE, MAX_HISTORY_TURNS, PLAIN, QuestionRequest
from highlighter.metadata import DOCUMENT_ID, TAGS
from highlighter.web.pages.question_sources import COLLECTION_FIELD, DOCUMENT_FIELD, TAG_FIELD, SourceQuery

# So much of an earlier turn is sent along: a follow-up question refers to its beginning.
MAX_TURN_CHARACTERS = 2_000
MAX_ID_CHARACTERS = 64
MAX_CHOSEN_SOURCES = 50  # documents or tags: a page of the library, and as much as a URL holds


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question with its options, and the conversation so far."""

    question: str = ""
    mode: str = GROUNDED
    format: str = PLAIN
    citation_style: str = INLINE
    collection: str = ""
    history: tuple[tuple[str, str], ...] = ()  # (question, answer), oldest first
    previous: str = ""  # id of the answer that the last turn of the history is
    documents: tuple[str, ...] = ()  # ids; empty: all
    tags: tuple[str, ...] = ()  # documents with any of them; empty: all

    @classmethod
    def from_fields(cls, fields: MultiDict[str, str]) -> QuestionForm:
        chosen = {name: fields[name] for name in ("mode", "format", "citation_style", "collection") if fields.get(name)}
        turns = zip(fields.getlist("asked"), fields.getlist("answered"), strict=False)
        history = tuple((question[:MAX_TURN_CHARACTERS], answer[:MAX_TURN_CHARACTERS]) for question, answer in turns)
        return cls(
            fields.get("question", "").strip(),
            **chosen,
            history=history[-MAX_HISTORY_TURNS:],
            previous=fields.get("previous", "")[:MAX_ID_CHARACTERS] if history else "",
            documents=_read_sources(fields, DOCUMENT_FIELD),
            tags=_read_sources(fields, TAG_FIELD),
        )

    @classmethod
    def from_url(cls, question: str, fields: MultiDict[str, str]) -> QuestionForm:
        """Return the form with the question and the sources that a URL names."""
        return cls(
            question,
            collection=fields.get(COLLECTION_FIELD, ""),
            documents=_read_sources(fields, DOCUMENT_FIELD),
            tags=_read_sources(fields, TAG_FIELD),
        )

    @classmethod
    def from_record(cls, question: str, filters: Mapping[str, Any]) -> QuestionForm:
        """Return the form of a stored question with the sources that it was limited to."""
        collections = _to_texts(filters.get("collection"))
        return cls(
            question,
            collection=collections[0] if len(collections) == 1 else "",
            documents=_to_texts(filters.get(DOCUMENT_ID)),
            tags=_to_texts(filters.get(TAGS)),
        )

    @property
    def is_default(self) -> bool:
        """Whether all options have their defaults, so that they can stay folded."""
        return replace(self, documents=(), tags=()) == QuestionForm(
            self.question, history=self.history, previous=self.previous
        )

    @property
    def source_query(self) -> SourceQuery:
        """Return the fields of a URL that limits a question to the same sources."""
        collection = ((COLLECTION_FIELD, self.collection),) if self.collection else ()
        chosen = (
            *((DOCUMENT_FIELD, document_id) for document_id in self.documents),
            *((TAG_FIELD, tag) for tag in self.tags),
        )
        return (*chosen, *collection)

    def build_ask(self) -> QuestionRequest:
        limits = {"collection": self.collection, DOCUMENT_ID: list(self.documents), TAGS: list(self.tags)}
        filters = {key: value for key, value in limits.items() if value}
        return QuestionRequest(
            self.question, self.mode, self.format, self.citation_style, self.history, filters, previous=self.previous
        )

    def build_follow_up(self, answer: str, answer_id: str) -> QuestionForm:
        """Return the form for the next question. An empty answer, as of a refused question, does not join the history."""
        turn = self.question[:MAX_TURN_CHARACTERS], answer[:MAX_TURN_CHARACTERS]
        if not answer:
            return replace(self, question="")
        return replace(self, question="", history=(*self.history, turn)[-MAX_HISTORY_TURNS:], previous=answer_id)


def _read_sources(fields: MultiDict[str, str], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, fields.getlist(name))))[:MAX_CHOSEN_SOURCES]


def _to_texts(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),) if value else ()
