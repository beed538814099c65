"""One question into those that can each be looked up by itself: by a model where there is one, else by rule."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from highlighter.errors import NoModel
from highlighter.generation.chain import Chain
from highlighter.generation.dividing.rules import divided
from highlighter.generation.prompting import Prompts
from highlighter.generation.talking.calls import Reply
from highlighter.locale import N_

MOST = 5
TOKENS = 400
# Of a reply that could not be used as it was, so much stands in the warning.
TOLD = 500

_FENCED = re.compile(r"```[\w-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)


class SubQuestions(BaseModel):
    """What a model is held to."""

    questions: list[str] = Field(min_length=1, max_length=MOST)


@dataclass(frozen=True, slots=True)
class Division:
    """`warnings` are sentences for people; the rest tells what it cost."""

    questions: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    model: str = ""  # none: by rule
    tokens: int = 0


def sub_questions(
    question: str,
    history: Sequence[tuple[str, str]],
    chain: Chain | None,
    prompts: Prompts | None = None,
) -> Division:
    """One to five, never none: at worst the question itself."""
    question = question.strip()
    if chain is None or not chain.configured:
        return Division(divided(question, history))
    try:
        reply = chain.complete(
            (prompts or Prompts()).sub_questions(question, history),
            max_tokens=TOKENS, temperature=0.0, schema=SubQuestions,
        )  # fmt: skip
    except NoModel as none:
        return Division(divided(question, history), (N_("The question was divided by rule:") + " " + none.detail,))
    return _read(reply, question)


def _read(reply: Reply, question: str) -> Division:
    """Cheap and certain before loose: as asked, as plain JSON, as JSON in a fence, and else not at all."""
    model, wrote, how = reply.model, reply.text[:TOLD], ""
    found = _as_structured(reply)
    if not found:
        found = _as_json(reply.text)
        how = N_(
            "The sub-questions were read from plain JSON, as the model was not held to a structure;"
            f" {model} wrote: {wrote}"
        )
    if not found:
        found = _as_fenced(reply.text)
        how = N_(f"The sub-questions were read from JSON inside other text; {model} wrote: {wrote}")
    if not found:
        found = (question,)
        how = N_(f"The sub-questions could not be read, and the question is looked up as it is; {model} wrote: {wrote}")
    return Division(found, (*reply.said, how) if how else reply.said, reply.model, reply.tokens)


def _as_structured(reply: Reply) -> tuple[str, ...]:
    if not reply.structured:
        return ()
    try:
        return _tidy(SubQuestions.model_validate_json(reply.text).questions)
    except ValidationError:
        return ()


def _as_json(text: str) -> tuple[str, ...]:
    try:
        return _listed(json.loads(text))
    except (ValueError, RecursionError):
        return ()


def _as_fenced(text: str) -> tuple[str, ...]:
    """In a code fence, or from the first bracket to the last: models like to say something before and after."""
    inside = [match[1] for match in _FENCED.finditer(text)]
    inside += [text[text.find(one) : text.rfind(other) + 1] for one, other in ("{}", "[]") if one in text]
    return next(filter(None, map(_as_json, inside)), ())


def _listed(data: Any) -> tuple[str, ...]:
    """A list of questions, or an object that holds one, by whatever name."""
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list):
        return ()
    return _tidy(_question_of(item) for item in data)


def _question_of(item: Any) -> Any:
    return next(iter(item.values()), None) if isinstance(item, dict) else item


def _tidy(found: Any) -> tuple[str, ...]:
    questions = (" ".join(one.split()) for one in found if isinstance(one, str))
    kept: dict[str, str] = {}
    for one in filter(None, questions):
        kept.setdefault(one.casefold(), one)
    return tuple(kept.values())[:MOST]
