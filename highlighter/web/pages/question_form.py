"""The form of the ask page: shown again as it was filled in, and turned into a question request."""

from __future__ import annotations

from dataclasses import dataclass, replace

from werkzeug.datastructures import MultiDict

from highlighter.answering.request import GROUNDED, INLINE, MAX_HISTORY_TURNS, PLAIN, QuestionRequest

# So much of an earlier turn is sent along: a follow-up question refers to its beginning.
MAX_TURN_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question with its options, and the conversation so far."""

    question: str = ""
    mode: str = GROUNDED
    format: str = PLAIN
    citation_style: str = INLINE
    collection: str = ""
    history: tuple[tuple[str, str], ...] = ()  # (question, answer), oldest first

    @classmethod
    def from_fields(cls, fields: MultiDict[str, str]) -> QuestionForm:
        chosen = {name: fields[name] for name in ("mode", "format", "citation_style", "collection") if fields.get(name)}
        turns = zip(fields.getlist("asked"), fields.getlist("answered"), strict=False)
        history = tuple((question[:MAX_TURN_CHARACTERS], answer[:MAX_TURN_CHARACTERS]) for question, answer in turns)
        return cls(fields.get("question", "").strip(), **chosen, history=history[-MAX_HISTORY_TURNS:])

    @property
    def is_default(self) -> bool:
        """Whether all options have their defaults, so that they can stay folded."""
        return self == QuestionForm(self.question, history=self.history)

    def build_ask(self) -> QuestionRequest:
        filters = {"collection": self.collection} if self.collection else {}
        return QuestionRequest(self.question, self.mode, self.format, self.citation_style, self.history, filters)

    def build_follow_up(self, answer: str) -> QuestionForm:
        """Return the form for the next question. An empty answer, as of a refused question, does not join the history."""
        turn = self.question[:MAX_TURN_CHARACTERS], answer[:MAX_TURN_CHARACTERS]
        history = (*self.history, turn) if answer else self.history
        return replace(self, question="", history=history[-MAX_HISTORY_TURNS:])
