"""Training examples as arrays, in batches of similar length, with what the model must learn from each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from highlighter.evidence.features import compute_bm25
from highlighter.evidence.joint_model import JointInput, JointTokenizer, choose_sentences
from highlighter.evidence.judged_passages import JudgedPassage
from training.example_batches import batch_by_length, pad

if TYPE_CHECKING:
    import torch

MAX_PASSAGE_TOKENS = 384  # in one input


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """The input of a judged passage with what the model must learn from it."""

    joint_input: JointInput
    gold: np.ndarray  # of the chosen sentences
    answer: np.ndarray  # whether each token is inside the annotators' own range
    weight: float


def build_example(
    passage: JudgedPassage, tokenizer: JointTokenizer, weight: float, max_tokens: int = MAX_PASSAGE_TOKENS
) -> TrainingExample | None:
    """Return the training example of a passage, or None when its evidence does not fit."""
    if not passage.sentences:
        return None
    question, sentence_tokens = tokenizer.tokenize_passage(passage.question, passage.sentences)
    chosen = choose_sentences(
        compute_bm25(passage.question, passage.sentences),
        [len(tokens.ids) for tokens in sentence_tokens],
        max_tokens - len(question.ids),
    )
    joint_input = tokenizer.build_input(question, sentence_tokens, chosen)
    gold = np.array([passage.gold[index] for index in chosen], dtype=np.float32)
    if any(passage.gold) and not gold.any():
        return None
    return TrainingExample(joint_input, gold, _mark_answer(passage, joint_input, tokenizer), weight)


def _mark_answer(passage: JudgedPassage, joint_input: JointInput, tokenizer: JointTokenizer) -> np.ndarray:
    is_answer = np.zeros(len(joint_input.ids), dtype=bool)
    for index, start, end in passage.answers:
        if index not in joint_input.sentence_indexes:
            continue
        position = joint_input.sentence_indexes.index(index)
        token_indexes = np.flatnonzero(joint_input.sentence_positions == position)[:-1]  # without its [SEP]
        token_starts = tokenizer.find_token_starts(passage.sentences[index])[: len(token_indexes)]
        is_answer[token_indexes[[start <= token_start < end for token_start in token_starts]]] = True
    return is_answer


def build_batches(
    examples: Sequence[TrainingExample], max_tokens: int, rng: random.Random
) -> Iterator[list[TrainingExample]]:
    """Yield the batches of one epoch: shuffled, then sorted by length within large pools, so that little is padding."""
    order = list(range(len(examples)))
    rng.shuffle(order)
    batches = []
    for start in range(0, len(order), 2048):
        pool = [examples[index] for index in order[start : start + 2048]]
        batches += batch_by_length(pool, lambda example: len(example.joint_input.ids), max_tokens)
    rng.shuffle(batches)
    yield from batches


def build_tensors(batch: Sequence[TrainingExample]) -> dict[str, torch.Tensor]:
    """Return a batch as padded tensors."""
    import torch  # takes two seconds, and examples are built and batched without it

    max_tokens = max(len(example.joint_input.ids) for example in batch)
    max_sentences = max(len(example.gold) for example in batch)
    return {
        "ids": pad([example.joint_input.ids for example in batch], max_tokens, 0, torch.long),
        "kinds": pad([example.joint_input.kinds for example in batch], max_tokens, 0, torch.long),
        "owners": pad([example.joint_input.sentence_positions for example in batch], max_tokens, -2, torch.long),
        "gold": pad([example.gold for example in batch], max_sentences, -1.0, torch.float),
        "answer": pad([example.answer for example in batch], max_tokens, False, torch.bool),
        "weight": torch.tensor([example.weight for example in batch]),
    }
