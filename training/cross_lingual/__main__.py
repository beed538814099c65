"""python -m training.cross_lingual: learn how questions are brought near sentences in other languages, from our own lessons.

It writes across_languages.npz beside the encoder, prints the constants of highlighter/evidence/across_languages.py, fitted to texts that
the maps have not learned, and what the maps find in texts that neither has seen. Takes some 7 minutes on one core.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import cast

import numpy as np

from highlighter.embedding.bundled_model import CROSS_LINGUAL_NAME, MULTILINGUAL
from highlighter.embedding.cross_lingual import CrossLingualMap
from highlighter.embedding.embedder import Embedder
from highlighter.embedding.engines import OnnxEngine
from highlighter.text.language import get_base_language
from training.cross_lingual import fitting
from training.cross_lingual.question_lessons import LESSONS_FOLDER, QuestionLesson, read_question_lessons
from training.cross_lingual.weighing import measure, print_constants
from training.entailment.judged_pairs import CONTRADICTED, ENTAILED, JudgedPair, read_lessons
from training.lesson_purposes import LEARNED, MEASURED, WEIGHED


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m training.cross_lingual",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--lessons", type=Path, default=LESSONS_FOLDER)
    parser.add_argument("--out", type=Path, default=MULTILINGUAL.folder / CROSS_LINGUAL_NAME)
    parser.add_argument("--weigh", action="store_true", help="use the map that is there, and fit the constants alone")
    options = parser.parse_args()
    embedder = Embedder(MULTILINGUAL.name)
    if not options.weigh:
        write_map(embedder, read_crossed(LEARNED, options.lessons), options.out)
    print(hashlib.sha256(options.out.read_bytes()).hexdigest(), options.out.name)
    crossing = CrossLingualMap.load(options.out)
    print_constants(embedder, crossing, read_crossed(WEIGHED, options.lessons))
    measure(embedder, crossing, read_crossed(MEASURED, options.lessons))
    return 0


def read_crossed(purpose: str, folder: Path) -> list[QuestionLesson]:
    return [lesson for lesson in read_question_lessons(purpose, folder) if lesson.is_crossed]


def write_map(embedder: Embedder, lessons: Sequence[QuestionLesson], out: Path) -> None:
    """Learn the maps and write them in half precision."""
    answered = [lesson for lesson in lessons if lesson.answered_by]
    token_map, token_weights = fitting.fit_token_map(_encode_tokens(embedder, answered))
    vector_map = _fit_vector_map(embedder, answered)
    arrays = {"vector_map": vector_map, "token_map": token_map, "token_weights": token_weights}
    np.savez(out, **{name: values.astype(np.float16) for name, values in arrays.items()})


def _fit_vector_map(embedder: Embedder, lessons: Sequence[QuestionLesson]) -> np.ndarray:
    """Learn from questions, and from claims across languages, which must be near the sentences that decide them."""
    claims = [
        pair
        for pair in read_lessons()
        if pair.carried_by
        and pair.label in (ENTAILED, CONTRADICTED)
        and get_base_language(pair.language) != get_base_language(pair.claim_language)
    ]
    starts: dict[tuple[str, ...], int] = {}
    sentences: list[str] = []
    languages: list[str] = []
    for source in (*lessons, *claims):
        if source.sentences not in starts:
            starts[source.sentences] = len(sentences)
            sentences += source.sentences
            languages += [get_base_language(source.language)] * len(source.sentences)

    def place(row: int, source: QuestionLesson | JudgedPair) -> fitting.Statement:
        is_question = isinstance(source, QuestionLesson)
        language = source.question_language if is_question else source.claim_language
        indexes = source.answered_by if is_question else source.carried_by or ()
        rows = tuple(starts[source.sentences] + index for index in indexes)
        return fitting.Statement(row, get_base_language(language), rows)

    stated = [lesson.question for lesson in lessons] + [claim.claim for claim in claims]
    statements = [place(row, source) for row, source in enumerate((*lessons, *claims))]
    return fitting.fit_vector_map(
        embedder.encode_questions(stated),
        statements[: len(lessons)],
        statements[len(lessons) :],
        embedder.encode(sentences),
        np.array(languages),
    )


def _encode_tokens(
    embedder: Embedder, lessons: Sequence[QuestionLesson]
) -> list[tuple[np.ndarray, list[np.ndarray], list[int]]]:
    engine = cast("OnnxEngine", embedder.load())

    @cache
    def encode_sentences(sentences: tuple[str, ...]) -> list[np.ndarray]:
        return [row.astype(np.float16) for row in engine.encode_tokens(sentences, engine.passage_prefix)]

    questions = engine.encode_tokens([lesson.question for lesson in lessons], engine.question_prefix)
    return [
        (tokens, encode_sentences(lesson.sentences), sorted(lesson.answered_by))
        for tokens, lesson in zip(questions, lessons, strict=True)
    ]


if __name__ == "__main__":
    sys.exit(main())
