"""Questions of our own about texts of our own, most of them in another language than the text.

A line of a file holds a text, as `id`, `lang` and `sentences`, and its `questions`: the language, the question, and the indexes of
the sentences that answer it, none where it only looks as if one did.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from highlighter.text.language import get_base_language
from training.lesson_purposes import choose_purpose

LESSONS_FOLDER = Path(__file__).parent / "lessons"
WEIGHED_PARTS = (1, 11)  # one text in ten


@dataclass(frozen=True, slots=True)
class QuestionLesson:
    """A question with the sentences of a text, and which of them answer it."""

    text_id: str
    language: str  # of the text
    question_language: str
    question: str
    sentences: tuple[str, ...]
    answered_by: frozenset[int]

    @property
    def is_crossed(self) -> bool:
        return get_base_language(self.language) != get_base_language(self.question_language)


def read_question_lessons(purpose: str, *folders: Path) -> Iterator[QuestionLesson]:
    """Yield the questions about the texts that serve a purpose; without a folder, of those across languages."""
    for path in (path for folder in folders or (LESSONS_FOLDER,) for path in sorted(folder.glob("*.jsonl"))):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = json.loads(line)
            if choose_purpose(text["id"], WEIGHED_PARTS) != purpose:
                continue
            for language, question, answered_by in text["questions"]:
                yield QuestionLesson(
                    text["id"], text["lang"], language, question, tuple(text["sentences"]), frozenset(answered_by)
                )
