"""The training loop: for a number of minutes, with a learning rate that falls to zero at the end."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path

import torch

from training.model import JointModel
from training.sentence_loss import compute_joint_loss
from training.timed_loop import train_for_minutes
from training.training_examples import TrainingExample, build_batches, build_tensors

BODY_LEARNING_RATE, HEAD_LEARNING_RATE, WARM_UP_SHARE = 1.2e-4, 6e-4, 0.03
TOKENS_PER_BATCH = 6144


def train(model: JointModel, examples: Sequence[TrainingExample], minutes: float, work: Path, seed: int = 0) -> None:
    """Train a model. `model.pt` in the work folder is saved now and then and at the end."""
    rng = random.Random(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device)
    head_parameters = [
        p for n, p in model.named_parameters() if n.startswith(("kinds", "answer", "head", "none", "peak"))
    ]
    body_parameters = [p for n, p in model.named_parameters() if n.startswith("body")]
    optimizer = torch.optim.AdamW(
        [
            {"params": body_parameters, "top": BODY_LEARNING_RATE},
            {"params": head_parameters, "top": HEAD_LEARNING_RATE},
        ],
        weight_decay=0.01,
        fused=True,
    )

    def compute_batch_loss(batch: Sequence[TrainingExample]) -> torch.Tensor:
        tensors = {name: tensor.to(device) for name, tensor in build_tensors(batch).items()}
        with torch.autocast(device, dtype=torch.bfloat16):
            none, sentences, pieces = model(tensors["ids"], tensors["kinds"], tensors["owners"])
        return compute_joint_loss((none.float(), sentences.float(), pieces), tensors)

    def compute_rate(step: int, done: float) -> float:
        return min(done / WARM_UP_SHARE, (1 - done) / (1 - WARM_UP_SHARE), 1)

    epochs = (build_batches(examples, TOKENS_PER_BATCH, rng) for _ in count())
    train_for_minutes(model, optimizer, chain.from_iterable(epochs), compute_batch_loss, compute_rate, work, minutes)
