"""The loop that every training runs: for some minutes, which can be changed while it runs, with weights saved now and then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

STEPS_PER_REPORT, STEPS_PER_SAVE = 20, 100


def train_for_minutes(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Iterable[Sequence[Any]],
    compute_loss: Callable[[Sequence[Any]], torch.Tensor],
    compute_rate: Callable[[int, float], float],
    work: Path,
    minutes: float,
) -> None:
    """Train a model on batches that never end, and save `model.pt` in the work folder now and then and at the end.

    `compute_rate` returns the share of each group's learning rate, `top`, at a step and a share of the time. Another number of minutes
    may be written into the file `minutes` of the work folder.
    """
    checkpoint, minutes_file = work / "model.pt", work / "minutes"
    model.train()
    start, seen, mean_loss = time.time(), 0, 0.0
    for step, batch in enumerate(batches):
        if minutes_file.exists():
            minutes = float(minutes_file.read_text())
        done = (time.time() - start) / 60 / minutes
        if done >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = group["top"] * compute_rate(step, done)
        loss = compute_loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        steps, seen = step + 1, seen + len(batch)
        mean_loss += (loss.item() - mean_loss) * max(0.02, 1 / steps)
        if steps % STEPS_PER_REPORT == 0:
            print(f"{done:6.1%} step {steps} examples {seen} loss {mean_loss:.4f}", flush=True)
        if steps % STEPS_PER_SAVE == 0:
            _save(model, checkpoint)
    _save(model, checkpoint)


def _save(model: nn.Module, checkpoint: Path) -> None:
    """Replace the saved weights at once, so that a stop in between leaves the old ones or the new ones."""
    draft = checkpoint.with_suffix(".new")
    torch.save(model.state_dict(), draft)
    draft.replace(checkpoint)
