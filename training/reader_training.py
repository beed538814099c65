"""What the training of the claim reader and of the question reader share: rates by depth, frozen layers, one loop."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from highlighter.embedding.vocabulary import Vocabulary
from training.entailment.model import ClaimReader
from training.layer_rates import compute_layer_rate
from training.timed_loop import train_for_minutes

LEARNING_RATE, HEAD_RATIO, LAYER_DECAY = 5e-5, 5, 0.95
TOKENS_PER_BATCH = 6144
FROZEN = tuple(f"body.encoder.layer.{number}." for number in range(4))


@dataclass(frozen=True, slots=True)
class Schedule:
    """How the learning rate rises at the beginning, and for what share of the time it falls at the end."""

    warm_up_steps: int
    final_share: float


def train_reader(
    model: ClaimReader,
    vocabulary: Vocabulary,
    batches: Iterable[Sequence[Any]],
    build_tensors: Callable[[Sequence[Any]], Mapping[str, torch.Tensor]],
    compute_loss: Callable[[torch.Tensor, torch.Tensor, Mapping[str, torch.Tensor]], torch.Tensor],
    schedule: Schedule,
    options: argparse.Namespace,
) -> None:
    """Train a reader as the options `rate`, `work` and `minutes` say."""
    optimizer = torch.optim.AdamW(select_trained_parameters(model, options.rate), weight_decay=0.01, fused=True)

    def compute_batch_loss(batch: Sequence[Any]) -> torch.Tensor:
        tensors = build_tensors(batch)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            embedded = torch.from_numpy(vocabulary.look_up(tensors["ids"].numpy()))
            verdicts, sentences = model(embedded, tensors["owners"])
        return compute_loss(verdicts.float(), sentences.float(), tensors)

    def compute_rate(step: int, done: float) -> float:
        return min((step + 1) / schedule.warm_up_steps, (1 - done) / schedule.final_share, 1)

    train_for_minutes(model, optimizer, batches, compute_batch_loss, compute_rate, options.work, options.minutes)


def select_trained_parameters(model: ClaimReader, rate: float) -> list[dict]:
    """Freeze the lowest layers, and return the parameters that are trained in groups with the highest rate of their depth."""
    layers = len(model.body.encoder.layer)
    groups: dict[float, list] = defaultdict(list)
    for name, parameter in model.named_parameters():
        if name.startswith(("body.embeddings.", *FROZEN)):
            parameter.requires_grad_(False)  # they hold what the languages have in common
            continue
        if not name.startswith("body."):
            groups[rate * HEAD_RATIO].append(parameter)
        else:
            groups[compute_layer_rate(name, layers, rate, LAYER_DECAY)].append(parameter)
    return [{"params": parameters, "top": top} for top, parameters in groups.items()]
