"""Training examples of the question reader: judged passages, and our own claims as statements that ask for their evidence."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from highlighter.evidence.features import compute_bm25
from highlighter.evidence.joint_model import choose_sentences
from highlighter.evidence.judged_passages import JudgedPassage
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


@dataclass(frozen=True, slots=True)
class Example:
    """The tokens of a question and sentences, and which of these are evidence."""

    ids: np.ndarray
    owners: np.ndarray  # the position of each token's sentence; -1: the question
    gold: np.ndarray
    weight: float


def select_passages(
    passages: Sequence[JudgedPassage], claims: Sequence[JudgedPair], rng: random.Random
) -> list[tuple[JudgedPassage, float]]:
    """Return what is drawn in one epoch, with weights: passages, altered ones, and claims with their sentences."""
    read = [passage for passage in passages if not is_held_out(passage) and not is_measured(passage)]
    weighted = [(passage, weight) for passage, weight in weight_passages(read, rng) if "/cipher" not in passage.id]
    for claim in claims:
        repetitions = CROSSED_REPETITIONS if claim.language != claim.claim_language else CLAIM_REPETITIONS
        weighted += [(passage, 1.0) for _ in range(repetitions) if (passage := ask_by_claim(claim, claims, rng))]
    return weighted


def ask_by_claim(claim: JudgedPair, others: Sequence[JudgedPair], rng: random.Random) -> JudgedPassage | None:
    """Return a claim as a question for the sentences that decide it, among sentences of other texts of their language."""
    if claim.carried_by is None or claim.label not in (ENTAILED, CONTRADICTED, NEUTRAL):
        return None
    sentences = [(text, index in claim.carried_by) for index, text in enumerate(claim.sentences)]
    for other in rng.sample(others, min(40, len(others))):
        if other.language == claim.language and other.sentences != claim.sentences:
            added = [(text, False) for text in other.sentences][:MAX_OTHER_SENTENCES]
            sentences = sentences + added if rng.random() < 0.5 else added + sentences
            break
    texts, gold = zip(*sentences, strict=True)
    return JudgedPassage(claim.dataset, claim.kind, claim.dataset, claim.claim, texts, gold, ())


def build_example(passage: JudgedPassage, weight: float, tokenizer: Tokenizer) -> Example | None:
    """Return the example of a passage, or None when its evidence does not fit."""
    if not passage.sentences:
        return None
    question, *sentences = (
        encoding.ids
        for encoding in tokenizer.encode_batch([passage.question, *passage.sentences], add_special_tokens=False)
    )
    question = question[:MAX_QUESTION_TOKENS]
    sentences = [sentence[:MAX_SENTENCE_TOKENS] for sentence in sentences]
    prior = compute_bm25(passage.question, passage.sentences)
    chosen = choose_sentences(prior, [len(tokens) for tokens in sentences], MAX_TOKENS - len(question) - 2)
    gold = np.array([passage.gold[index] for index in chosen], np.float32)
    if any(passage.gold) and not gold.any():
        return None
    ids, owners = [BEGIN, *question, END], [-1] * (len(question) + 2)
    for position, index in enumerate(chosen):
        ids += [*sentences[index], END]
        owners += [position] * (len(sentences[index]) + 1)
    return Example(np.array(ids), np.array(owners), gold, weight)


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
