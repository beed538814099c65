"""What the question's form says: as typed, to be shown again, and as an Ask."""

from __future__ import annotations

from dataclasses import dataclass, replace

from werkzeug.datastructures import MultiDict

from highlighter.answering.request import GROUNDED, INLINE, MAX_HISTORY_TURNS, PLAIN, QuestionRequest

# Of an earlier answer this much is sent along: what a follow-up refers to stands in its beginning.
MAX_TURN_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class QuestionForm:
    question: str = ""
    mode: str = GROUNDED
    format: str = PLAIN
    citation_style: str = INLINE
    collection: str = ""
    history: tuple[tuple[str, str], ...] = ()  # (question, answer), oldest first

    @classmethod
    def from_fields(cls, fields: MultiDict) -> QuestionForm:
        chosen = {name: fields[name] for name in ("mode", "format", "citation_style", "collection") if fields.get(name)}
        turns = zip(fields.getlist("asked"), fields.getlist("answered"), strict=False)
        history = tuple((question[:MAX_TURN_CHARACTERS], answer[:MAX_TURN_CHARACTERS]) for question, answer in turns)
        return cls(fields.get("question", "").strip(), **chosen, history=history[-MAX_HISTORY_TURNS:])

    @property
    def usual(self) -> bool:
        """Whether nothing was chosen, so that the choices may stay folded away."""
        return self == QuestionForm(self.question, history=self.history)

    def build_ask(self) -> QuestionRequest:
        filters = {"collection": self.collection} if self.collection else {}
        return QuestionRequest(self.question, self.mode, self.format, self.citation_style, self.history, filters)

    def build_follow_up(self, answer: str) -> QuestionForm:
        """For a question that follows up on this one and its answer. What was refused is no part of a conversation."""
        turns = (
            (*self.history, (self.question[:MAX_TURN_CHARACTERS], answer[:MAX_TURN_CHARACTERS]))
            if answer
            else self.history
        )
        return replace(self, question="", history=turns[-MAX_HISTORY_TURNS:])
