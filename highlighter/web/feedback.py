"""Feedback on a highlight, checked against the text that it is about, from the form or the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.access import get_visible_collections
from highlighter.errors import BadRequest, NotFound
from highlighter.locale import N_
from highlighter.models import Chunk
from highlighter.search import MAX_QUESTION_CHARACTERS
from highlighter.store import feedback
from highlighter.store.feedback import MAX_HIGHLIGHTED_SPANS, MAX_NOTE_CHARACTERS, RIGHT, WRONG, SpanOffsets
from highlighter.store.lookup import require_chunk
from highlighter.web import request_context


@dataclass(frozen=True, slots=True)
class FeedbackSubmission:
    """A reader's verdict on one sentence of a chunk, for the question that the chunk was shown for."""

    document_id: str
    chunk_index: int
    pipeline: int | None
    span: SpanOffsets
    verdict: str
    question: str
    highlighted: Sequence[SpanOffsets] = ()  # all highlighted sentences of the chunk
    note: str = ""


def record_feedback(submission: FeedbackSubmission) -> str:
    """Save feedback and return its id, by which it can be withdrawn."""
    question, note = submission.question.strip(), submission.note.strip()
    if submission.verdict not in (RIGHT, WRONG):
        raise BadRequest(N_("The verdict must be {right!r} or {wrong!r}.", right=RIGHT, wrong=WRONG))
    if not question or len(question) > MAX_QUESTION_CHARACTERS:
        raise BadRequest(N_("The question must have 1 to {limit:,} characters.", limit=MAX_QUESTION_CHARACTERS))
    if len(note) > MAX_NOTE_CHARACTERS:
        raise BadRequest(N_("The note must have at most {limit:,} characters.", limit=MAX_NOTE_CHARACTERS))
    if len(submission.highlighted) > MAX_HIGHLIGHTED_SPANS:
        raise BadRequest(
            N_("At most {limit:,} sentences of a section can be highlighted.", limit=MAX_HIGHLIGHTED_SPANS)
        )
    catalog, span = request_context.get_catalog(), submission.span
    document = request_context.get_readable_document(submission.document_id)
    chunk = require_chunk(catalog, document, submission.chunk_index, submission.pipeline, span[0])
    _check_spans(chunk, (span, *submission.highlighted), submission.chunk_index)
    judgement = feedback.HighlightJudgement(span, submission.verdict, question, submission.highlighted, note)
    return feedback.save_feedback(catalog.engine, document, chunk, judgement)


def _check_spans(chunk: Chunk, spans: Sequence[SpanOffsets], chunk_index: int) -> None:
    if not all(chunk.start <= start < end <= chunk.end for start, end in spans):
        raise BadRequest(
            N_(
                "A sentence of section {index} must be between {start} and {end} in the text.",
                index=chunk_index,
                start=chunk.start,
                end=chunk.end,
            )
        )


def withdraw_feedback(id: str) -> None:
    if not feedback.undo_feedback(request_context.get_catalog().engine, id, get_visible_collections()):
        raise NotFound("Feedback not found.")
