"""From a question and its sources to the messages that a model gets, by the built-in prompts or those of a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from highlighter.generation.prompts import (
    BUILT_IN,
    NEEDED,
    SUMMARY_TOKENS,
    SUMMARY_WORDS,
    TOKENS,
    WORDS,
    version_of,
)
from highlighter.generation.refusals import REFUSAL
from highlighter.generation.sourcing import framed
from highlighter.generation.talking.calls import ASSISTANT, SYSTEM, USER, Message, Shape
from highlighter.generation.talking.schemas import as_schema
from highlighter.models import Source
from highlighter.settings import SettingsError

# Pairs of question and answer that a model is told, and how much of each.
TURNS, OF_A_TURN = 5, 2_000
LARGEST_FILE = 50_000


class Prompts:
    def __init__(self, replaced: Mapping[str, str] | None = None):
        self.texts = {**BUILT_IN, **(replaced or {})}
        self.version = version_of(self.texts)

    @classmethod
    def from_folder(cls, folder: Path | None) -> Prompts:
        return cls(_read(folder) if folder else None)

    def answer(
        self,
        question: str,
        sources: Sequence[Source],
        *,
        mode: str = "grounded",
        format: str = "plain",
        style: str = "inline",
        strict: bool = False,
        sub_questions: Sequence[str] = (),
        history: Sequence[tuple[str, str]] = (),
        instructions: str = "",
        schema: Shape = None,
        words: int | None = None,
    ) -> list[Message]:
        """What is to be answered stands last, where models read best; the system's message holds only our own words."""
        words = words or (SUMMARY_WORDS if mode == "summary" else WORDS)
        system = [
            self.fill("rules", refusal=REFUSAL),
            self.fill(mode, words=words, refusal=REFUSAL),
            self.fill("shape", schema=_dumped(schema)) if _ours(schema) else self._formatted(format, schema),
            self.fill("strict" if strict else style),
        ]
        mark, shown = framed(sources, "\n".join([question, instructions, *sub_questions]))
        parts = "\n".join(f"{number}. {text}" for number, text in enumerate(sub_questions, 1))
        wishes = instructions.strip()
        if schema is not None and not _ours(schema):  # a caller's own words: not for the system's message
            wishes = f"{wishes}\n{self.fill('shape', schema=_dumped(schema))}".strip()
        asked = self.fill(
            "asked", mark=mark, sources=shown, question=question.strip(),
            parts=self.fill("parts", parts=parts) if len(sub_questions) > 1 else "",
            instructions=self.fill("instructions", instructions=wishes) if wishes else "",
        )  # fmt: skip
        return [Message(SYSTEM, "\n\n".join(filter(None, system))), *told(history), Message(USER, asked)]

    def corrected(self, messages: Sequence[Message], draft: str, reasons: Sequence[str]) -> list[Message]:
        """The same once more, with what was wrong about the first draft."""
        said = self.fill("correction", reasons="\n".join(f"- {reason}" for reason in reasons), refusal=REFUSAL)
        return [*messages, Message(ASSISTANT, draft.strip() or REFUSAL), Message(USER, said)]

    def sub_questions(self, question: str, history: Sequence[tuple[str, str]] = ()) -> list[Message]:
        return [
            Message(SYSTEM, self.fill("sub-questions")),
            *told(history),
            Message(USER, f"The reader's question:\n{question.strip()}"),
        ]

    def judge(self, claims: Sequence[str], sources: Sequence[Source]) -> list[Message]:
        listed = "\n".join(f"{number}. {' '.join(claim.split())}" for number, claim in enumerate(claims, 1))
        mark, shown = framed(sources, listed)
        said = (
            f"Each source begins and ends with a line that holds the mark {mark}.\n\n{shown}\n\nThe claims:\n{listed}"
        )
        return [Message(SYSTEM, self.fill("judge")), Message(USER, said)]

    def fill(self, name: str, **values: Any) -> str:
        return Template(self.texts[name]).substitute(values)

    def _formatted(self, format: str, schema: Shape) -> str:
        return "" if schema is not None else self.fill(format)


def most_tokens(mode: str, asked: int | None = None) -> int:
    return asked or (SUMMARY_TOKENS if mode == "summary" else TOKENS)


def told(history: Sequence[tuple[str, str]]) -> list[Message]:
    """What was said before: the latest pairs, oldest first."""
    pairs = [(asked.strip(), answered.strip()) for asked, answered in history]
    pairs = [pair for pair in pairs if all(pair)][-TURNS:]
    return [
        Message(role, text if len(text) <= OF_A_TURN else text[:OF_A_TURN] + " ...")
        for pair in pairs
        for role, text in zip((USER, ASSISTANT), pair, strict=True)
    ]


def _ours(schema: Shape) -> bool:
    return schema is not None and not isinstance(schema, Mapping)


def _dumped(schema: Shape) -> str:
    return json.dumps(as_schema(schema), ensure_ascii=False)


def _read(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        raise SettingsError(f"PROMPTS_DIR={str(folder)!r} cannot be used: it is no folder.")
    files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    return {path.stem: _read_prompt(path) for path in files}


def _read_prompt(path: Path) -> str:
    if path.suffix != ".txt" or path.stem not in BUILT_IN:
        raise SettingsError(
            f"PROMPTS_DIR holds {path.name!r}, which is no prompt. The prompts are {', '.join(sorted(BUILT_IN))}, each in"
            " a file NAME.txt."
        )
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SettingsError(f"PROMPTS_DIR: {path.name} is longer than {LARGEST_FILE:,} bytes.")
        text = path.read_text(encoding="utf-8").strip("\ufeff\n")
    except (OSError, UnicodeDecodeError) as err:
        raise SettingsError(f"PROMPTS_DIR: {path.name} cannot be read as UTF-8 text.") from err
    _check(path.name, text, known=_names(BUILT_IN[path.stem]), needed=NEEDED.get(path.stem, frozenset()))
    return text


def _check(name: str, text: str, known: frozenset[str], needed: frozenset[str]) -> None:
    if not text.strip():
        raise SettingsError(f"PROMPTS_DIR: {name} is empty.")
    if not Template(text).is_valid():
        raise SettingsError(f"PROMPTS_DIR: {name} holds a dollar sign that begins no $name; write it $$.")
    found = _names(text)
    for wrong in sorted(found - known):
        there = ", ".join(f"${one}" for one in sorted(known)) or "none"
        raise SettingsError(f"PROMPTS_DIR: {name} holds ${wrong}, and nothing is filled in there (known: {there}).")
    for missing in sorted(needed - found):
        raise SettingsError(f"PROMPTS_DIR: {name} must hold ${missing}, or a model would not be told it.")


def _names(text: str) -> frozenset[str]:
    return frozenset(Template(text).get_identifiers())
