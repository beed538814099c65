"""Training examples of the question reader: judged passages, and our own claims as statements that ask for their evidence."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from highlighter.evidence.features import compute_bm25
from highlighter.evidence.joint_model import choose_sentences
from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.evidence.question_reader import JOINT_LANGUAGES
from highlighter.text.language import get_base_language
from training.cross_lingual.question_lessons import LESSONS_FOLDER as CROSSED_LESSONS_FOLDER
from training.cross_lingual.question_lessons import QuestionLesson
from training.entailment.examples import BEGIN, END, PADDING
from training.entailment.judged_pairs import CONTRADICTED, ENTAILED, NEUTRAL, JudgedPair
from training.example_batches import batch_by_length, pad
from training.example_selection import is_held_out, is_measured, weight_passages

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

MAX_TOKENS, MAX_QUESTION_TOKENS, MAX_SENTENCE_TOKENS = 256, 64, 96
# How often claims of our own lessons are drawn: across languages there is nothing else to learn from.
CROSSED_REPETITIONS, CLAIM_REPETITIONS, MAX_OTHER_SENTENCES = 6, 1, 6
# Questions of our own are drawn so often, those across languages twice as often.
LESSON_REPETITIONS = 4
LESSON_FOLDERS = (Path(__file__).parent / "lessons", CROSSED_LESSONS_FOLDER)


@dataclass(frozen=True, slots=True)
class Example:
    """The tokens of a question and sentences, and which of these are evidence."""

    ids: np.ndarray
    owners: np.ndarray  # the position of each token's sentence; -1: the question
    gold: np.ndarray
    weight: float


def select_passages(
    passages: Sequence[JudgedPassage],
    claims: Sequence[JudgedPair],
    rng: random.Random,
    lessons: Sequence[QuestionLesson] = (),
) -> list[tuple[JudgedPassage, float]]:
    """Return what is drawn in one epoch, with weights: passages, altered ones, and our own claims and questions."""
    read = [passage for passage in passages if not is_held_out(passage) and not is_measured(passage)]
    weighted = [(passage, weight) for passage, weight in weight_passages(read, rng) if "/cipher" not in passage.id]
    for claim in claims:
        repetitions = CROSSED_REPETITIONS if claim.language != claim.claim_language else CLAIM_REPETITIONS
        weighted += [(passage, 1.0) for _ in range(repetitions) if (passage := ask_by_claim(claim, claims, rng))]
    return weighted + weigh_lessons(lessons, rng)


def weigh_lessons(lessons: Sequence[QuestionLesson], rng: random.Random) -> list[tuple[JudgedPassage, float]]:
    """Return our own questions with their weights, repeated: with their text alone, and with sentences of another."""
    weighted = []
    for lesson in lessons:
        for repetition in range(LESSON_REPETITIONS * (2 if lesson.is_crossed else 1)):
            passage = ask_by_lesson(lesson)
            weighted.append((add_sentences(passage, lesson.language, lessons, rng) if repetition % 2 else passage, 1.0))
    return weighted


def ask_by_claim(claim: JudgedPair, others: Sequence[JudgedPair], rng: random.Random) -> JudgedPassage | None:
    """Return a claim as a question for the sentences that decide it, among sentences of other texts of their language."""
    if claim.carried_by is None or claim.label not in (ENTAILED, CONTRADICTED, NEUTRAL):
        return None
    gold = tuple(index in claim.carried_by for index in range(len(claim.sentences)))
    passage = JudgedPassage(claim.dataset, claim.kind, claim.dataset, claim.claim, claim.sentences, gold, ())
    return add_sentences(passage, claim.language, others, rng)


def is_read_jointly(lesson: QuestionLesson) -> bool:
    """Return whether the joint model has learned the language of a question and its text."""
    return not lesson.is_crossed and get_base_language(lesson.language) in JOINT_LANGUAGES


def ask_by_lesson(lesson: QuestionLesson) -> JudgedPassage:
    """Return a question of our own with its text."""
    gold = tuple(index in lesson.answered_by for index in range(len(lesson.sentences)))
    return JudgedPassage("lessons", lesson.text_id, lesson.text_id, lesson.question, lesson.sentences, gold, ())


def add_sentences(
    passage: JudgedPassage, language: str, others: Sequence[JudgedPair] | Sequence[QuestionLesson], rng: random.Random
) -> JudgedPassage:
    """Return a passage with sentences of another text of its language before or after it, where one is soon found."""
    for other in rng.sample(others, min(40, len(others))):
        if other.language == language and other.sentences != passage.sentences:
            added = other.sentences[:MAX_OTHER_SENTENCES]
            none = (False,) * len(added)
            if rng.random() < 0.5:
                return replace(passage, sentences=passage.sentences + added, gold=passage.gold + none)
            return replace(passage, sentences=added + passage.sentences, gold=none + passage.gold)
    return passage


def shorten_passage(
    passage: JudgedPassage, tokenizer: Tokenizer, max_tokens: int
) -> tuple[JudgedPassage, list[list[int]]] | None:
    """Return as much of a passage as is read, and the tokens of its question and sentences; None when no evidence fits."""
    if not passage.sentences:
        return None
    question, *sentences = (
        encoding.ids
        for encoding in tokenizer.encode_batch([passage.question, *passage.sentences], add_special_tokens=False)
    )
    question = question[:MAX_QUESTION_TOKENS]
    sentences = [sentence[:MAX_SENTENCE_TOKENS] for sentence in sentences]
    prior = compute_bm25(passage.question, passage.sentences)
    chosen = choose_sentences(prior, [len(tokens) for tokens in sentences], max_tokens - len(question) - 2)
    gold = tuple(passage.gold[index] for index in chosen)
    if any(passage.gold) and not any(gold):
        return None
    texts = tuple(passage.sentences[index] for index in chosen)
    return replace(passage, sentences=texts, gold=gold), [question, *(sentences[index] for index in chosen)]


def build_example(passage: JudgedPassage, weight: float, tokenizer: Tokenizer) -> Example | None:
    """Return the example of a passage, or None when its evidence does not fit."""
    shortened = shorten_passage(passage, tokenizer, MAX_TOKENS)
    if shortened is None:
        return None
    passage, (question, *sentences) = shortened
    ids, owners = [BEGIN, *question, END], [-1] * (len(question) + 2)
    for position, tokens in enumerate(sentences):
        ids += [*tokens, END]
        owners += [position] * (len(tokens) + 1)
    return Example(np.array(ids), np.array(owners), np.array(passage.gold, np.float32), weight)


def draw_batches(
    passages: Sequence[tuple[JudgedPassage, float]], tokenizer: Tokenizer, tokens: int, rng: random.Random
) -> Iterator[list[Example]]:
    """Yield batches of about so many tokens, without end: in pools of similar length, so that little is padding."""
    while True:
        order = rng.sample(passages, len(passages))
        for start in range(0, len(order), 1024):
            built = (build_example(passage, weight, tokenizer) for passage, weight in order[start : start + 1024])
            pool = (example for example in built if example)
            batches = batch_by_length(pool, lambda example: len(example.ids), tokens)
            rng.shuffle(batches)
            yield from batches


def build_tensors(batch: Sequence[Example]) -> Mapping[str, torch.Tensor]:
    """Return a batch as padded tensors. The gold of sentences that are not there is -1."""
    import torch

    width, most = max(len(example.ids) for example in batch), max(len(example.gold) for example in batch)
    return {
        "ids": pad([example.ids for example in batch], width, PADDING, torch.long),
        "owners": pad([example.owners for example in batch], width, -2, torch.long),
        "gold": pad([example.gold for example in batch], most, -1.0, torch.float),
        "weight": torch.tensor([example.weight for example in batch]),
    }
