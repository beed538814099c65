"""What happens while an answer is made, in order: what a stream sends, and a page draws."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.generation.answer import Answer, SubQuestion
from highlighter.models import Citation, Claim


@dataclass(frozen=True, slots=True)
class Divided:
    sub_questions: tuple[str, ...]
    name = "sub_questions"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search brought, by sub-question."""

    sub_questions: tuple[SubQuestion, ...]
    sources: int
    name = "evidence"


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    name = "token"


@dataclass(frozen=True, slots=True)
class Cited:
    """Its mark was the last thing written."""

    citation: Citation
    name = "citation"


@dataclass(frozen=True, slots=True)
class Checked:
    claims: tuple[Claim, ...]
    grounding_score: float
    name = "check"


@dataclass(frozen=True, slots=True)
class Done:
    answer: Answer
    name = "done"


Event = Divided | Found | Token | Cited | Checked | Done
