"""Weighing what is known of a sentence in another language, and measuring what is found."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from highlighter.embedding.cross_lingual import CrossLingualMap
from highlighter.embedding.embedder import Embedder
from highlighter.embedding.engines import OnnxEngine
from highlighter.evidence.across_languages import add_neighbours, compute_leads, score_across_languages
from highlighter.evidence.question_reader import QuestionReader
from highlighter.text.language import get_base_language
from training.cross_lingual.question_lessons import QuestionLesson
from training.questions.weighing import fit_logistic

MAX_RANK = 3
OTHER_SHARE = 0.2  # of the questions; with more, fewer right sentences are highlighted


def print_constants(embedder: Embedder, crossing: CrossLingualMap, lessons: Sequence[QuestionLesson]) -> None:
    """Print the weights for sentences by themselves, and for those whose words are compared.

    Some questions are asked of another text, too, which has no answer to them.
    """
    others = random.Random(0).sample(_ask_others(lessons), round(OTHER_SHARE * len(lessons)))
    quick, with_words, with_reader, gold = [], [], [], []
    for lesson, similarities, words, margins in _compare(embedder, crossing, [*lessons, *others]):
        values = add_neighbours(similarities)
        ones = np.ones(len(values))
        quick.append(np.column_stack([values, compute_leads(values), ones]))
        known = [values, compute_leads(values), words, compute_leads(words)]
        with_words.append(np.column_stack([*known, ones]))
        with_reader.append(np.column_stack([*known, ones, margins]))
        gold += [index in lesson.answered_by for index in range(len(values))]
    for name, tables in (("by themselves", quick), ("with words", with_words), ("with the reader", with_reader)):
        solution = fit_logistic(np.concatenate(tables), np.array(gold))
        print(f"weights {name}:", ", ".join(f"{value:.2f}" for value in solution))


def _ask_others(lessons: Sequence[QuestionLesson]) -> list[QuestionLesson]:
    """Return each question with a text that is about something else, in a language other than its own."""
    rng = random.Random(0)
    others = []
    for lesson in lessons:
        other = rng.choice(lessons)
        if other.text_id != lesson.text_id:
            others.append(
                replace(
                    other, question_language=lesson.question_language, question=lesson.question, answered_by=frozenset()
                )
            )
    return [other for other in others if other.is_crossed]


def measure(embedder: Embedder, crossing: CrossLingualMap, lessons: Sequence[QuestionLesson]) -> None:
    """Print what the maps find: the right sentence of a text, and the right text among those in other languages."""
    texts = {lesson.text_id: lesson for lesson in lessons}
    vectors = {text_id: embedder.encode(lesson.sentences) for text_id, lesson in texts.items()}
    answered = [lesson for lesson in lessons if lesson.answered_by]
    for name, use in (("as they are", lambda rows: rows), ("mapped", crossing.map_vector)):
        questions = use(embedder.encode_questions([lesson.question for lesson in answered]))
        first, ranks = [], []
        for lesson, question in zip(answered, questions, strict=True):
            nearest = {
                text_id: float((rows @ question).max())
                for text_id, rows in vectors.items()
                if get_base_language(texts[text_id].language) != get_base_language(lesson.question_language)
            }
            ranks.append(sum(value > nearest[lesson.text_id] for value in nearest.values()) + 1)
            first.append(int((vectors[lesson.text_id] @ question).argmax()) in lesson.answered_by)
        print(
            f"{len(answered)} questions, vectors {name}: P@1 {np.mean(first):.3f}; right text among {len(texts)}: "
            f"MRR {np.mean(1 / np.array(ranks)):.3f}, first {MAX_RANK} {np.mean(np.array(ranks) <= MAX_RANK):.3f}"
        )
    unrelated = [
        (score_across_languages(lesson.sentences, similarities, words.__getitem__, margins) >= 0.5).any()
        for lesson, similarities, words, margins in _compare(embedder, crossing, _ask_others(lessons))
    ]
    first, found, shown, wanted, highlighted_without_answer = [], 0, 0, 0, []
    for lesson, similarities, words, margins in _compare(embedder, crossing, lessons):
        scores = score_across_languages(lesson.sentences, similarities, words.__getitem__, margins)
        highlighted = {int(row) for row in np.flatnonzero(scores >= 0.5)}
        if lesson.answered_by:
            first.append(int(scores.argmax()) in lesson.answered_by)
            found += len(highlighted & lesson.answered_by)
            shown += len(highlighted)
            wanted += len(lesson.answered_by)
        else:
            highlighted_without_answer.append(bool(highlighted))
    print(
        f"with words and the reader: P@1 {np.mean(first):.3f}, F1 at 0.5 {2 * found / (shown + wanted):.3f} (precision "
        f"{found / shown:.3f}, recall {found / wanted:.3f}); of {len(highlighted_without_answer)} without an answer {np.mean(highlighted_without_answer):.3f} highlighted, "
        f"of {len(unrelated)} other texts {np.mean(unrelated):.3f}"
    )


def _compare(
    embedder: Embedder, crossing: CrossLingualMap, lessons: Sequence[QuestionLesson]
) -> Iterator[tuple[QuestionLesson, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield each question with the similarity of every sentence and of its words, and what the question reader says."""
    reader = QuestionReader()
    engine = cast("OnnxEngine", embedder.load())
    vectors: dict[str, np.ndarray] = {}
    tokens: dict[str, list[np.ndarray]] = {}
    for lesson in lessons:
        if lesson.text_id not in vectors:
            vectors[lesson.text_id] = embedder.encode(lesson.sentences)
            tokens[lesson.text_id] = engine.encode_tokens(lesson.sentences, engine.passage_prefix)
        question = crossing.map_vector(embedder.encode_question(lesson.question))
        (question_tokens,) = engine.encode_tokens([lesson.question], engine.question_prefix)
        similarities = vectors[lesson.text_id] @ question
        margins = reader.read(lesson.question, lesson.sentences, similarities)
        if margins is None:
            raise SystemExit("The question reader cannot be loaded.")
        yield lesson, similarities, crossing.compare_tokens(question_tokens, tokens[lesson.text_id]), margins
