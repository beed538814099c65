"""Sources as a model is shown them: each between two lines that no source can write."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from highlighter.answering.llm.messages import (
    ASSISTANT_ROLE,
    SYSTEM_ROLE,
    USER_ROLE,
    Message,
    ReplySchema,
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
from highlighter.answering.refusals import REFUSAL
from highlighter.models import Source
from highlighter.settings import SettingsError

# Characters of all sources together: about 25,000 tokens, which every model of today takes.
MAX_PROMPT_SOURCE_CHARACTERS = 100_000
# What is not seen but read: control characters, and the tag characters in which orders can be hidden.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\ufeff\U000e0000-\U000e007f]")
_BRACKETS = str.maketrans("[]", "()")  # they would end a label early


def frame_sources(
    sources: Sequence[Source], other_text: str = "", max_characters: int = MAX_PROMPT_SOURCE_CHARACTERS
) -> tuple[str, str]:
    """The mark of this request, and its sources between lines that hold it. `beside`: what else will be said.

    Whoever wrote a source cannot know the mark: it is made of all sources and the question, and stands in none of them.
    The same request has the same mark.
    """
    labels = [clean_label(source) for source in sources]
    if len({label.casefold() for label in labels}) < len(labels) or not all(labels):
        raise ValueError("Each source needs a label of its own.")
    texts = [_truncate_text(source, max_characters // max(len(sources), 1)) for source in sources]
    mark = _make_boundary([*labels, *texts, other_text])
    blocks = (
        f"===== SOURCE {mark} =====\nLabel: [{label}]\n{text}\n===== END {mark} ====="
        for label, text in zip(labels, texts, strict=True)
    )
    return mark, "\n\n".join(blocks)


def clean_label(source: Source) -> str:
    """On one line, and without brackets of its own."""
    return " ".join(_INVISIBLE.sub("", source.label).translate(_BRACKETS).split())


def find_truncated_labels(sources: Sequence[Source], max_characters: int = MAX_PROMPT_SOURCE_CHARACTERS) -> list[str]:
    """The labels of those that are too long to be shown whole."""
    share = max_characters // max(len(sources), 1)
    return [source.label for source in sources if len(source.text) > share]


def _truncate_text(source: Source, max_characters: int) -> str:
    text = _INVISIBLE.sub("", source.text[:max_characters].replace("\r\n", "\n").replace("\r", "\n"))
    return text if len(source.text) <= max_characters else f"{text.rstrip()} ..."


def _make_boundary(texts: Sequence[str]) -> str:
    every = "\0".join(texts)
    mark = hashlib.sha256(every.encode(errors="surrogatepass")).hexdigest()[:12]
    while mark in every:
        mark = hashlib.sha256(mark.encode()).hexdigest()[:12]
    return mark


# From a question and its sources to the messages that a model gets, by the built-in prompts or those of a folder.


# Pairs of question and answer that a model is told, and how much of each.
MAX_PROMPT_TURNS, MAX_TURN_CHARACTERS = 5, 2_000
MAX_PROMPT_FILE_BYTES = 50_000


class PromptBuilder:
    def __init__(self, replacements: Mapping[str, str] | None = None):
        self.templates = {**BUILT_IN_PROMPTS, **(replacements or {})}
        self.version = compute_prompt_version(self.templates)

    @classmethod
    def from_folder(cls, folder: Path | None) -> PromptBuilder:
        return cls(_read_folder(folder) if folder else None)

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
        """What is to be answered stands last, where models read best; the system's message holds only our own words."""
        max_words = max_words or (MAX_SUMMARY_WORDS if mode == "summary" else MAX_ANSWER_WORDS)
        system = [
            self.fill_template("rules", refusal=REFUSAL),
            self.fill_template(mode, words=max_words, refusal=REFUSAL),
            self.fill_template("shape", schema=_dump_schema(schema))
            if _is_built_in_schema(schema)
            else self._format_instructions(format, schema),
            self.fill_template("strict" if require_grounding else style),
        ]
        mark, shown = frame_sources(sources, "\n".join([question, instructions, *sub_questions]))
        parts = "\n".join(f"{number}. {text}" for number, text in enumerate(sub_questions, 1))
        wishes = instructions.strip()
        if schema is not None and not _is_built_in_schema(schema):  # a caller's own words: not for the system's message
            wishes = f"{wishes}\n{self.fill_template('shape', schema=_dump_schema(schema))}".strip()
        asked = self.fill_template(
            "asked", mark=mark, sources=shown, question=question.strip(),
            parts=self.fill_template("parts", parts=parts) if len(sub_questions) > 1 else "",
            instructions=self.fill_template("instructions", instructions=wishes) if wishes else "",
        )  # fmt: skip
        return [
            Message(SYSTEM_ROLE, "\n\n".join(filter(None, system))),
            *build_history_messages(history),
            Message(USER_ROLE, asked),
        ]

    def build_correction_messages(
        self, messages: Sequence[Message], draft: str, reasons: Sequence[str]
    ) -> list[Message]:
        """The same once more, with what was wrong about the first draft."""
        said = self.fill_template("correction", reasons="\n".join(f"- {reason}" for reason in reasons), refusal=REFUSAL)
        return [*messages, Message(ASSISTANT_ROLE, draft.strip() or REFUSAL), Message(USER_ROLE, said)]

    def build_sub_question_messages(self, question: str, history: Sequence[tuple[str, str]] = ()) -> list[Message]:
        return [
            Message(SYSTEM_ROLE, self.fill_template("sub-questions")),
            *build_history_messages(history),
            Message(USER_ROLE, f"The reader's question:\n{question.strip()}"),
        ]

    def build_judge_messages(self, claims: Sequence[str], sources: Sequence[Source]) -> list[Message]:
        listed = "\n".join(f"{number}. {' '.join(claim.split())}" for number, claim in enumerate(claims, 1))
        mark, shown = frame_sources(sources, listed)
        said = (
            f"Each source begins and ends with a line that holds the mark {mark}.\n\n{shown}\n\nThe claims:\n{listed}"
        )
        return [Message(SYSTEM_ROLE, self.fill_template("judge")), Message(USER_ROLE, said)]

    def fill_template(self, name: str, **values: Any) -> str:
        return Template(self.templates[name]).substitute(values)

    def _format_instructions(self, format: str, schema: ReplySchema) -> str:
        return "" if schema is not None else self.fill_template(format)


def choose_max_tokens(mode: str, requested: int | None = None) -> int:
    return requested or (MAX_SUMMARY_TOKENS if mode == "summary" else MAX_ANSWER_TOKENS)


def build_history_messages(history: Sequence[tuple[str, str]]) -> list[Message]:
    """What was said before: the latest pairs, oldest first."""
    pairs = [(asked.strip(), answered.strip()) for asked, answered in history]
    pairs = [pair for pair in pairs if all(pair)][-MAX_PROMPT_TURNS:]
    return [
        Message(role, text if len(text) <= MAX_TURN_CHARACTERS else text[:MAX_TURN_CHARACTERS] + " ...")
        for pair in pairs
        for role, text in zip((USER_ROLE, ASSISTANT_ROLE), pair, strict=True)
    ]


def _is_built_in_schema(schema: ReplySchema) -> bool:
    return schema is not None and not isinstance(schema, Mapping)


def _dump_schema(schema: ReplySchema) -> str:
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
    found = _placeholders(text)
    for wrong in sorted(found - known):
        there = ", ".join(f"${one}" for one in sorted(known)) or "none"
        raise SettingsError(f"PROMPTS_DIR: {name} holds ${wrong}, and nothing is filled in there (known: {there}).")
    for missing in sorted(required - found):
        raise SettingsError(f"PROMPTS_DIR: {name} must hold ${missing}, or a model would not be told it.")


def _placeholders(text: str) -> frozenset[str]:
    return frozenset(Template(text).get_identifiers())
