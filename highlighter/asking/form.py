"""What the question's form says: as typed, to be shown again, and as an Ask."""

from __future__ import annotations

from dataclasses import dataclass, replace

from werkzeug.datastructures import MultiDict

from highlighter.generation.ask import GROUNDED, INLINE, PLAIN, TURNS_READ, Ask

# Of an earlier answer this much is sent along: what a follow-up refers to stands in its beginning.
TURN = 2_000


@dataclass(frozen=True, slots=True)
class Form:
    question: str = ""
    mode: str = GROUNDED
    format: str = PLAIN
    citation_style: str = INLINE
    collection: str = ""
    history: tuple[tuple[str, str], ...] = ()  # (question, answer), oldest first

    @classmethod
    def of(cls, typed: MultiDict) -> Form:
        chosen = {name: typed[name] for name in ("mode", "format", "citation_style", "collection") if typed.get(name)}
        turns = zip(typed.getlist("asked"), typed.getlist("answered"), strict=False)
        history = tuple((question[:TURN], answer[:TURN]) for question, answer in turns)
        return cls(typed.get("question", "").strip(), **chosen, history=history[-TURNS_READ:])

    @property
    def usual(self) -> bool:
        """Whether nothing was chosen, so that the choices may stay folded away."""
        return self == Form(self.question, history=self.history)

    def ask(self) -> Ask:
        filters = {"collection": self.collection} if self.collection else {}
        return Ask(self.question, self.mode, self.format, self.citation_style, self.history, filters)

    def next(self, answer: str) -> Form:
        """For a question that follows up on this one and its answer. What was refused is no part of a conversation."""
        turns = (*self.history, (self.question[:TURN], answer[:TURN])) if answer else self.history
        return replace(self, question="", history=turns[-TURNS_READ:])
