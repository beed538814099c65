"""The decomposition of a question into sub-questions, by a language model where there is one, else by rules."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from highlighter.answering.decomposition import chinese, english, other_languages
from highlighter.answering.decomposition.vague_question import is_vague
from highlighter.answering.llm.fallback import ModelFallback
from highlighter.answering.llm.messages import Completion
from highlighter.answering.prompt_messages import PromptBuilder
from highlighter.answering.request import MAX_HISTORY_TURNS
from highlighter.errors import NoModelAnswered
from highlighter.locale import N_, join_messages
from highlighter.text.language import detect_chinese_script

log = logging.getLogger(__name__)

# Decomposition by rules: a question is split only where it certainly asks two things.

MAX_SUB_QUESTIONS = 5
# A longer text is no question, and rules would only tear it apart.
MAX_RULE_QUESTION_CHARACTERS = 1_000


def decompose_by_rules(question: str, history: Sequence[tuple[str, str]] = ()) -> tuple[str, ...]:
    """Return one to five questions, each complete in itself as far as rules can tell, or else the question itself."""
    question = " ".join(question.split())
    if len(question) > MAX_RULE_QUESTION_CHARACTERS:
        return (question,)
    rules = chinese if detect_chinese_script(question) else english
    previous_question = ""
    for earlier, _ in history[-MAX_HISTORY_TURNS:]:  # each may be a follow-up of the one before
        earlier = " ".join(earlier.split())[:MAX_RULE_QUESTION_CHARACTERS]
        if bool(detect_chinese_script(earlier)) == bool(detect_chinese_script(question)):
            previous_question = _complete_follow_up(earlier, previous_question) if previous_question else earlier
    if previous_question:
        question = _complete_follow_up(question, previous_question)
    if rules is english and other_languages.is_covered(question):
        parts = other_languages.split_question(question, MAX_SUB_QUESTIONS)
    else:
        parts = rules.split_question(question, MAX_SUB_QUESTIONS)
    return tuple({part.casefold(): part for part in parts}.values())[:MAX_SUB_QUESTIONS] or (question,)


def _complete_follow_up(question: str, previous_question: str) -> str:
    """Complete a follow-up by the question before; one that says nothing of its own asks that question again."""
    rules = chinese if detect_chinese_script(question) else english
    if is_vague(question) and not rules.has_question_word(question):  # "Tell me more"; "Why?" says something
        return previous_question
    completed = rules.complete_question(question, previous_question)
    return previous_question if is_vague(completed) else completed


# Decomposition by a language model.

MAX_REPLY_TOKENS = 400
# A warning quotes this much of a reply that was not as requested.
MAX_QUOTED_REPLY_CHARACTERS = 500

_CODE_FENCE = re.compile(r"```[\w-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)


class SubQuestions(BaseModel):
    """The schema of a model's reply."""

    questions: list[str] = Field(min_length=1, max_length=MAX_SUB_QUESTIONS)


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The sub-questions of a question, with warnings for users, the model and the tokens used."""

    questions: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    model: str = ""  # empty: by rules
    tokens: int = 0


def decompose_question(
    question: str,
    history: Sequence[tuple[str, str]],
    models: ModelFallback | None,
    prompt_builder: PromptBuilder | None = None,
) -> Decomposition:
    """Return one to five sub-questions; at worst, the question itself."""
    question = question.strip()
    if models is None or not models.is_configured:
        return Decomposition(decompose_by_rules(question, history))
    try:
        reply = models.complete(
            (prompt_builder or PromptBuilder()).build_sub_question_messages(question, history),
            max_tokens=MAX_REPLY_TOKENS, temperature=0.0, schema=SubQuestions,
        )  # fmt: skip
    except NoModelAnswered as error:
        return Decomposition(
            decompose_by_rules(question, history),
            (join_messages([N_("The question was split by rules, not by a model:"), error.detail]),),
        )
    return _parse_reply(reply, question)


def _parse_reply(reply: Completion, question: str) -> Decomposition:
    """Read a reply strictly before loosely: as structured output, as plain JSON, as JSON within other text."""
    model, excerpt, warning = reply.model, reply.text[:MAX_QUOTED_REPLY_CHARACTERS], ""
    questions = _parse_structured(reply)
    if not questions:
        questions = _parse_json(reply.text)
        warning = N_(
            "The model did not use structured output, so the sub-questions were read from plain JSON; "
            "{model} wrote: {excerpt}",
            model=model,
            excerpt=excerpt,
        )
    if not questions:
        questions = _parse_fenced_json(reply.text)
        warning = N_(
            "The sub-questions were read from JSON inside other text; {model} wrote: {excerpt}",
            model=model,
            excerpt=excerpt,
        )
    if not questions:
        log.warning("The sub-questions that %s wrote could not be read (%s characters)", model, len(reply.text))
        questions = (question,)
        warning = N_(
            "The sub-questions could not be read, so the question was searched as a whole; {model} wrote: {excerpt}",
            model=model,
            excerpt=excerpt,
        )
    return Decomposition(
        questions, (*reply.failed_attempts, warning) if warning else reply.failed_attempts, reply.model, reply.tokens
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
    """Parse JSON in a code fence, or from the first bracket to the last, as models often add text around the JSON."""
    candidates = [match[1] for match in _CODE_FENCE.finditer(text)]
    candidates += [
        text[text.find(opening) : text.rfind(closing) + 1] for opening, closing in ("{}", "[]") if opening in text
    ]
    return next(filter(None, map(_parse_json, candidates)), ())


def _read_question_list(data: Any) -> tuple[str, ...]:
    """Read a list of questions, or an object with such a list in any field."""
    if isinstance(data, dict):
        data = next((value for value in data.values() if isinstance(value, list)), None)
    if not isinstance(data, list):
        return ()
    return _deduplicate_questions(_question_text(item) for item in data)


def _question_text(item: Any) -> Any:
    return next(iter(item.values()), None) if isinstance(item, dict) else item


def _deduplicate_questions(items: Iterable[Any]) -> tuple[str, ...]:
    questions = (" ".join(item.split()) for item in items if isinstance(item, str))
    distinct: dict[str, str] = {}
    for question in filter(None, questions):
        distinct.setdefault(question.casefold(), question)
    return tuple(distinct.values())[:MAX_SUB_QUESTIONS]
