"""Questions divided by rule, without a model: only where it is sure that two things are asked. English and Chinese."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from highlighter.answering.decomposition import chinese, english
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.llm.messages import Completion
from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.errors import NoModelAnswered
from highlighter.locale import N_
from highlighter.text.language import detect_chinese_script

MAX_RULE_SUB_QUESTIONS = 5
# What is longer is a text rather than a question, and rules would only tear it up.
MAX_RULE_QUESTION_CHARACTERS = 1_000
# Of the history, the latest.
MAX_RULE_HISTORY_TURNS = 5


def decompose_by_rules(question: str, history: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """One to five questions, each complete in itself as far as rules can tell; the question itself where they cannot."""
    question = " ".join(question.split())
    if len(question) > MAX_RULE_QUESTION_CHARACTERS:
        return (question,)
    tongue = chinese if detect_chinese_script(question) else english
    before = ""
    for asked, _ in history[-MAX_RULE_HISTORY_TURNS:]:  # each may itself have counted on the one before it
        asked = " ".join(asked.split())[:MAX_RULE_QUESTION_CHARACTERS]
        if bool(detect_chinese_script(asked)) == bool(detect_chinese_script(question)):
            before = tongue.complete_question(asked, before) if before else asked
    question = tongue.complete_question(question, before) if before else question
    found = tongue.split_question(question, MAX_RULE_SUB_QUESTIONS)
    return tuple({one.casefold(): one for one in found}.values())[:MAX_RULE_SUB_QUESTIONS] or (question,)


# One question into those that can each be looked up by itself: by a model where there is one, else by rule.


MAX_SUB_QUESTIONS = 5
MAX_REPLY_TOKENS = 400
# Of a reply that could not be used as it was, so much stands in the warning.
MAX_QUOTED_REPLY_CHARACTERS = 500

_CODE_FENCE = re.compile(r"```[\w-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)


class SubQuestions(BaseModel):
    """What a model is held to."""

    questions: list[str] = Field(min_length=1, max_length=MAX_SUB_QUESTIONS)


@dataclass(frozen=True, slots=True)
class Decomposition:
    """`warnings` are sentences for people; the rest tells what it cost."""

    questions: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    model: str = ""  # none: by rule
    tokens: int = 0


def decompose_question(
    question: str,
    history: Sequence[tuple[str, str]],
    models: ModelFallback | None,
    prompt_builder: PromptBuilder | None = None,
) -> Decomposition:
    """One to five, never none: at worst the question itself."""
    question = question.strip()
    if models is None or not models.is_configured:
        return Decomposition(decompose_by_rules(question, history))
    try:
        reply = models.complete(
            (prompt_builder or PromptBuilder()).build_sub_question_messages(question, history),
            max_tokens=MAX_REPLY_TOKENS, temperature=0.0, schema=SubQuestions,
        )  # fmt: skip
    except NoModelAnswered as none:
        return Decomposition(
            decompose_by_rules(question, history),
            (N_("The question was split by rules, not by a model:") + " " + none.detail,),
        )
    return _parse_reply(reply, question)


def _parse_reply(reply: Completion, question: str) -> Decomposition:
    """Cheap and certain before loose: as asked, as plain JSON, as JSON in a fence, and else not at all."""
    model, wrote, how = reply.model, reply.text[:MAX_QUOTED_REPLY_CHARACTERS], ""
    found = _parse_structured(reply)
    if not found:
        found = _parse_json(reply.text)
        how = N_(
            "The model did not use structured output, so the sub-questions were read from plain "
            f"JSON; {model} wrote: {wrote}"
        )
    if not found:
        found = _parse_fenced_json(reply.text)
        how = N_(f"The sub-questions were read from JSON inside other text; {model} wrote: {wrote}")
    if not found:
        found = (question,)
        how = N_(
            f"The sub-questions could not be read, so the question was searched as a whole; {model} wrote: {wrote}"
        )
    return Decomposition(
        found, (*reply.failed_attempts, how) if how else reply.failed_attempts, reply.model, reply.tokens
    )


def _parse_structured(reply: Completion) -> tuple[str, ...]:
    if not reply.is_structured:
        return ()
    try:
        return _deduplicate_questions(SubQuestions.model_validate_json(reply.text).questions)
    except ValidationError:
        return ()


def _parse_json(text: str) -> tuple[str, ...]:
    try:
        return _read_question_list(json.loads(text))
    except (ValueError, RecursionError):
        return ()


def _parse_fenced_json(text: str) -> tuple[str, ...]:
    """In a code fence, or from the first bracket to the last: models like to say something before and after."""
    inside = [match[1] for match in _CODE_FENCE.finditer(text)]
    inside += [text[text.find(one) : text.rfind(other) + 1] for one, other in ("{}", "[]") if one in text]
    return next(filter(None, map(_parse_json, inside)), ())


def _read_question_list(data: Any) -> tuple[str, ...]:
    """A list of questions, or an object that holds one, by whatever name."""
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list):
        return ()
    return _deduplicate_questions(_question_text(item) for item in data)


def _question_text(item: Any) -> Any:
    return next(iter(item.values()), None) if isinstance(item, dict) else item


def _deduplicate_questions(found: Any) -> tuple[str, ...]:
    questions = (" ".join(one.split()) for one in found if isinstance(one, str))
    kept: dict[str, str] = {}
    for one in filter(None, questions):
        kept.setdefault(one.casefold(), one)
    return tuple(kept.values())[:MAX_SUB_QUESTIONS]
