"""The messages sent to a language model, by the built-in prompts or those of a folder."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, TypeGuard

from pydantic import BaseModel

from highlighter.answering.llm.messages import (
    ASSISTANT_ROLE,
    SYSTEM_ROLE,
    USER_ROLE,
    Message,
    ReplySchema,
    Schema,
    to_json_schema,
)
from highlighter.answering.prompt_templates import (
    BUILT_IN_PROMPTS,
    MAX_ANSWER_TOKENS,
    MAX_ANSWER_WORDS,
    MAX_SUMMARY_TOKENS,
    MAX_SUMMARY_WORDS,
    REQUIRED_PLACEHOLDERS,
    compute_prompt_version,
)
from highlighter.answering.refusals import REFUSAL, fill_refusal
from highlighter.answering.request import MAX_HISTORY_TURNS
from highlighter.models import Source
from highlighter.settings import SettingsError
from highlighter.text.model_instructions import split_model_instructions
from highlighter.text.sentences.boundaries import MAX_SENTENCE_CHARACTERS

# Framed sources: each stands between two boundary lines that no source can write.

# Of all sources together: about 25,000 tokens, which every current model accepts.
MAX_PROMPT_SOURCE_CHARACTERS = 100_000
# Characters that readers do not see but models read: control characters, and tags that can hide instructions.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\ufeff\U000e0000-\U000e007f]")
# Stands in a prompt for a sentence that instructs the model.
LEFT_OUT_NOTE = "[a sentence that instructs the reader's software was left out]"
_BRACKETS = str.maketrans("[]", "()")  # they would end a label early


def frame_sources(
    sources: Sequence[Source],
    other_text: str = "",
    max_characters: int = MAX_PROMPT_SOURCE_CHARACTERS,
    allow_instructions: bool = False,
) -> tuple[str, str]:
    """Return a boundary and the sources between lines that hold the boundary.

    Sentences of the sources that instruct a language model are left out unless `allow_instructions` is true.

    The author of a source cannot know the boundary: it is a hash of all sources and of `other_text`, the rest of the
    message, and occurs in none of them. The same request has the same boundary.
    """
    labels = [clean_label(source) for source in sources]
    if len({label.casefold() for label in labels}) < len(labels) or not all(labels):
        raise ValueError("Each source needs a label of its own.")
    share = max_characters // max(len(sources), 1)
    texts = [_truncate_text(source, share, allow_instructions) for source in sources]
    boundary = _make_boundary([*labels, *texts, other_text])
    blocks = (
        f"===== SOURCE {boundary} =====\nLabel: [{label}]\n{text}\n===== END {boundary} ====="
        for label, text in zip(labels, texts, strict=True)
    )
    return boundary, "\n\n".join(blocks)


def clean_label(source: Source) -> str:
    """Return a label on one line, without square brackets."""
    return " ".join(_INVISIBLE.sub("", source.label).translate(_BRACKETS).split())


def find_truncated_labels(sources: Sequence[Source], max_characters: int = MAX_PROMPT_SOURCE_CHARACTERS) -> list[str]:
    """Return the labels of the sources that are too long to be sent whole."""
    share = max_characters // max(len(sources), 1)
    return [source.label for source in sources if len(source.text) > share]


def _truncate_text(source: Source, max_characters: int, allow_instructions: bool) -> str:
    text = source.text[:max_characters]
    if not allow_instructions:  # a sentence that the limit cuts in two is recognised whole
        text = leave_out_instructions(source.text[: max_characters + MAX_SENTENCE_CHARACTERS], max_characters)
    text = _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return text if len(source.text) <= max_characters else f"{text.rstrip()} ..."


def leave_out_instructions(text: str, end: int) -> str:
    """Return a text up to an offset, with a note in place of each sentence that instructs a language model."""
    parts, start = [], 0
    for sentence in split_model_instructions(text):
        if sentence.start_char < end:
            parts += [text[start : sentence.start_char], LEFT_OUT_NOTE]
            start = sentence.end_char
    return "".join([*parts, text[start:end]])


def _make_boundary(texts: Sequence[str]) -> str:
    joined = "\0".join(texts)
    boundary = hashlib.sha256(joined.encode(errors="surrogatepass")).hexdigest()[:12]
    while boundary in joined:
        boundary = hashlib.sha256(boundary.encode()).hexdigest()[:12]
    return boundary


MAX_TURN_CHARACTERS = 2_000  # of a question or an answer of an earlier turn
MAX_PROMPT_FILE_BYTES = 50_000


class PromptBuilder:
    """The builder of messages from prompt templates."""

    def __init__(
        self,
        replacements: Mapping[str, str] | None = None,
        allow_instructing_sources: bool = False,
        refusal_text: str = "",
    ):
        """Take the refusal that models are asked for, if it is not the standard one."""
        self.allow_instructing_sources = allow_instructing_sources
        self._templates = {**BUILT_IN_PROMPTS, **(replacements or {})}
        self.templates = fill_refusal(self._templates, refusal_text) if refusal_text else self._templates
        self.version = compute_prompt_version(self.templates)

    def with_refusal(self, refusal_text: str) -> PromptBuilder:
        """Return the same builder with another refusal that models are asked for."""
        return PromptBuilder(self._templates, self.allow_instructing_sources, refusal_text)

    @classmethod
    def from_folder(cls, folder: Path | None, allow_instructing_sources: bool = False) -> PromptBuilder:
        return cls(_read_folder(folder) if folder else None, allow_instructing_sources)

    def build_answer_messages(
        self,
        question: str,
        sources: Sequence[Source],
        *,
        mode: str = "grounded",
        format: str = "plain",
        style: str = "inline",
        require_grounding: bool = False,
        sub_questions: Sequence[str] = (),
        history: Sequence[tuple[str, str]] = (),
        instructions: str = "",
        schema: ReplySchema = None,
        max_words: int | None = None,
    ) -> list[Message]:
        """Build the messages for an answer: the question comes last, and the system message holds no text of others."""
        max_words = max_words or (MAX_SUMMARY_WORDS if mode == "summary" else MAX_ANSWER_WORDS)
        system = [
            self.fill_template("rules", refusal=REFUSAL),
            self.fill_template(mode, words=max_words, refusal=REFUSAL),
            self.fill_template("shape", schema=_dump_schema(schema))
            if _is_built_in_schema(schema)
            else self._format_instructions(format, schema),
            self.fill_template("strict" if require_grounding else style),
        ]
        boundary, framed_sources = self._frame(sources, "\n".join([question, instructions, *sub_questions]))
        parts = "\n".join(f"{number}. {sub_question}" for number, sub_question in enumerate(sub_questions, 1))
        reader_instructions = instructions.strip()
        if schema is not None and not _is_built_in_schema(schema):  # it is a caller's text: not in the system message
            reader_instructions = (
                f"{reader_instructions}\n{self.fill_template('shape', schema=_dump_schema(schema))}".strip()
            )
        user_message = self.fill_template(
            "asked", mark=boundary, sources=framed_sources, question=question.strip(),
            parts=self.fill_template("parts", parts=parts) if len(sub_questions) > 1 else "",
            instructions=self.fill_template("instructions", instructions=reader_instructions) if reader_instructions else "",
        )  # fmt: skip
        return [
            Message(SYSTEM_ROLE, "\n\n".join(filter(None, system))),
            *build_history_messages(history),
            Message(USER_ROLE, user_message),
        ]

    def build_correction_messages(
        self, messages: Sequence[Message], draft: str, reasons: Sequence[str]
    ) -> list[Message]:
        """Build the messages for a second draft: the first ones, the first draft and what is wrong with it."""
        correction = self.fill_template(
            "correction", reasons="\n".join(f"- {reason}" for reason in reasons), refusal=REFUSAL
        )
        return [*messages, Message(ASSISTANT_ROLE, draft.strip() or REFUSAL), Message(USER_ROLE, correction)]

    def build_sub_question_messages(self, question: str, history: Sequence[tuple[str, str]] = ()) -> list[Message]:
        return [
            Message(SYSTEM_ROLE, self.fill_template("sub-questions")),
            *build_history_messages(history),
            Message(USER_ROLE, f"The reader's question:\n{question.strip()}"),
        ]

    def build_judge_messages(self, claims: Sequence[str], sources: Sequence[Source]) -> list[Message]:
        claim_list = "\n".join(f"{number}. {' '.join(claim.split())}" for number, claim in enumerate(claims, 1))
        boundary, framed_sources = self._frame(sources, claim_list)
        user_message = (
            f"Each source begins and ends with a line that holds the mark {boundary}.\n\n"
            f"{framed_sources}\n\nThe claims:\n{claim_list}"
        )
        return [Message(SYSTEM_ROLE, self.fill_template("judge")), Message(USER_ROLE, user_message)]

    def fill_template(self, name: str, **values: Any) -> str:
        return Template(self.templates[name]).substitute(values)

    def _frame(self, sources: Sequence[Source], other_text: str) -> tuple[str, str]:
        return frame_sources(sources, other_text, allow_instructions=self.allow_instructing_sources)

    def _format_instructions(self, format: str, schema: ReplySchema) -> str:
        return "" if schema is not None else self.fill_template(format)


def choose_max_tokens(mode: str, requested: int | None = None) -> int:
    return requested or (MAX_SUMMARY_TOKENS if mode == "summary" else MAX_ANSWER_TOKENS)


def build_history_messages(history: Sequence[tuple[str, str]]) -> list[Message]:
    """Build messages of the latest turns of a conversation, oldest first."""
    pairs = [(question.strip(), answer.strip()) for question, answer in history]
    pairs = [pair for pair in pairs if all(pair)][-MAX_HISTORY_TURNS:]
    return [
        Message(role, text if len(text) <= MAX_TURN_CHARACTERS else text[:MAX_TURN_CHARACTERS] + " ...")
        for pair in pairs
        for role, text in zip((USER_ROLE, ASSISTANT_ROLE), pair, strict=True)
    ]


def _is_built_in_schema(schema: ReplySchema) -> TypeGuard[type[BaseModel]]:
    return schema is not None and not isinstance(schema, Mapping)


def _dump_schema(schema: Schema) -> str:
    return json.dumps(to_json_schema(schema), ensure_ascii=False)


def _read_folder(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise SettingsError(f"PROMPTS_DIR={str(folder)!r} cannot be used: it is no folder.")
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.stem: _read_prompt(path) for path in files}


def _read_prompt(path: Path) -> str:
    if path.suffix != ".txt" or path.stem not in BUILT_IN_PROMPTS:
        raise SettingsError(
            f"PROMPTS_DIR holds {path.name!r}, which is no prompt. The prompts are {', '.join(sorted(BUILT_IN_PROMPTS))}, each in"
            " a file NAME.txt."
        )
    try:
        if path.stat().st_size > MAX_PROMPT_FILE_BYTES:
            raise SettingsError(f"PROMPTS_DIR: {path.name} is longer than {MAX_PROMPT_FILE_BYTES:,} bytes.")
        text = path.read_text(encoding="utf-8").strip("\ufeff\n")
    except (OSError, UnicodeDecodeError) as err:
        raise SettingsError(f"PROMPTS_DIR: {path.name} cannot be read as UTF-8 text.") from err
    _check_prompt(
        path.name,
        text,
        known=_placeholders(BUILT_IN_PROMPTS[path.stem]),
        required=REQUIRED_PLACEHOLDERS.get(path.stem, frozenset()),
    )
    return text


def _check_prompt(name: str, text: str, known: frozenset[str], required: frozenset[str]) -> None:
    if not text.strip():
        raise SettingsError(f"PROMPTS_DIR: {name} is empty.")
    if not Template(text).is_valid():
        raise SettingsError(f"PROMPTS_DIR: {name} holds a dollar sign that begins no $name; write it $$.")
    placeholders = _placeholders(text)
    for unknown in sorted(placeholders - known):
        choices = ", ".join(f"${placeholder}" for placeholder in sorted(known)) or "none"
        raise SettingsError(f"PROMPTS_DIR: {name} holds ${unknown}, and nothing is filled in there (known: {choices}).")
    for missing in sorted(required - placeholders):
        raise SettingsError(f"PROMPTS_DIR: {name} must hold ${missing}, or a model would not be told it.")


def _placeholders(text: str) -> frozenset[str]:
    return frozenset(Template(text).get_identifiers())
