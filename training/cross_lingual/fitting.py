"""Fitting of the maps: of a question's vector, and of its tokens, against what the encoder says of the sentences."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional as F

from highlighter.embedding.bundled_model import VECTOR_SIZE

# How far apart similarities are spread before sentences compete, and what holds a map near "leave it as it is".
VECTOR_SCALE, VECTOR_RIDGE, TOKEN_SCALE, TOKEN_RIDGE = 30.0, 0.01, 40.0, 0.003
LEARNING_RATE, VECTOR_STEPS, TOKEN_STEPS = 1e-3, 600, 800
VECTOR_BATCH, TOKEN_BATCH, OTHER_SENTENCES = 256, 16, 8
# How much of a vector stays as it is: passages full of names are found by that, everyday sentences by what is learned.
UNCHANGED_SHARE = 0.35
CLAIM_SHARE = 0.3  # of the statements that the map of vectors learns; the rest are questions
WEIGHT_SCALE = 5.0  # the weights of tokens are learned so much faster


@dataclass(frozen=True, slots=True)
class Statement:
    """A question or a claim as rows: of its own vector, and of the sentences that it must be near."""

    row: int
    language: str
    answered_by: tuple[int, ...]


def fit_vector_map(
    vectors: np.ndarray,
    questions: Sequence[Statement],
    claims: Sequence[Statement],
    sentences: np.ndarray,
    languages: np.ndarray,
    seed: int = 0,
) -> np.ndarray:
    """Return the matrix that brings the vectors of statements nearest to their sentences, among those in other languages."""
    rng = random.Random(seed)
    matrix = torch.eye(VECTOR_SIZE).requires_grad_(True)
    stated, offered = torch.tensor(vectors), torch.tensor(sentences)

    def compute_loss() -> torch.Tensor:
        drawn = [rng.choice(claims if rng.random() < CLAIM_SHARE else questions) for _ in range(VECTOR_BATCH)]
        right = torch.zeros(len(drawn), len(offered), dtype=torch.bool)
        for place, statement in enumerate(drawn):
            right[place, list(statement.answered_by)] = True
        own = torch.from_numpy(np.array([languages == statement.language for statement in drawn]))
        mapped = F.normalize(stated[[statement.row for statement in drawn]] @ matrix, dim=1)
        return _compute_ranking_loss(VECTOR_SCALE * mapped @ offered.T, right, own & ~right)

    _fit([matrix], compute_loss, VECTOR_STEPS, VECTOR_RIDGE)
    learned = matrix.detach().numpy()
    length = np.linalg.norm(vectors @ learned, axis=1).mean()
    unchanged = np.eye(VECTOR_SIZE, dtype=np.float32)
    return UNCHANGED_SHARE * unchanged + (1 - UNCHANGED_SHARE) * learned / length


def fit_token_map(
    questions: Sequence[tuple[np.ndarray, Sequence[np.ndarray], Sequence[int]]], seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix of tokens and the direction that says how much each counts.

    A question is the tokens of itself and of each sentence of its text, with the indexes of those that answer it.
    """
    rng = random.Random(seed)
    matrix, direction = torch.eye(VECTOR_SIZE).requires_grad_(True), torch.zeros(VECTOR_SIZE).requires_grad_(True)

    def compute_question_loss() -> torch.Tensor:
        tokens, sentences, answered_by = rng.choice(questions)
        others = [rng.choice(rng.choice(questions)[1]) for _ in range(OTHER_SENTENCES)]
        offered, is_token = _pad([*sentences, *others])
        question = torch.from_numpy(tokens.astype(np.float32))
        nearest = torch.einsum("qd,swd->sqw", F.normalize(question @ matrix, dim=1), offered)
        weights = torch.exp(WEIGHT_SCALE * (question @ direction))
        scores = (nearest.masked_fill(~is_token[:, None], -1).amax(2) * weights).sum(1) / weights.sum()
        right = torch.zeros(1, len(offered), dtype=torch.bool)
        right[0, list(answered_by)] = True
        return _compute_ranking_loss(TOKEN_SCALE * scores[None], right, torch.zeros_like(right))

    _fit(
        [matrix, direction],
        lambda: torch.stack([compute_question_loss() for _ in range(TOKEN_BATCH)]).mean(),
        TOKEN_STEPS,
        TOKEN_RIDGE,
    )
    return matrix.detach().numpy(), WEIGHT_SCALE * direction.detach().numpy()


def _compute_ranking_loss(scores: torch.Tensor, right: torch.Tensor, left_out: torch.Tensor) -> torch.Tensor:
    logs = scores.masked_fill(left_out, -1e4).log_softmax(1)
    return -torch.logsumexp(logs.masked_fill(~right, -1e4), 1).mean()


def _fit(
    parameters: Sequence[torch.Tensor], compute_loss: Callable[[], torch.Tensor], steps: int, ridge: float
) -> None:
    """Take some steps with a falling rate. The first parameter is a matrix, which is held near the identity."""
    optimizer = torch.optim.Adam(parameters, lr=LEARNING_RATE)
    mean = 0.0
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = LEARNING_RATE * (1 - step / steps)
        loss = compute_loss()
        (loss + ridge * ((parameters[0] - torch.eye(VECTOR_SIZE)) ** 2).sum()).backward()
        optimizer.step()
        optimizer.zero_grad()
        mean += (loss.item() - mean) * max(0.03, 1 / (step + 1))
        if step % 50 == 49:
            print(f"step {step + 1} of {steps}, loss {mean:.3f}", flush=True)


def _pad(rows: Sequence[np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows of tokens as one tensor, and which of its places hold a token."""
    width = max(map(len, rows))
    padded, is_token = torch.zeros(len(rows), width, VECTOR_SIZE), torch.zeros(len(rows), width, dtype=torch.bool)
    for place, tokens in enumerate(rows):
        padded[place, : len(tokens)] = torch.from_numpy(tokens.astype(np.float32))
        is_token[place, : len(tokens)] = True
    return padded, is_token
