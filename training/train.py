"""The training itself: for a number of minutes, the learning rate falling to nothing by the end."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch.nn import functional as F

from training.model import JointModel
from training.sheets import Lesson, batches, tensors

RATE, NEW_RATE, WARM_UP = 1.2e-4, 6e-4, 0.03
PIECES_AT_ONCE = 6144


def losses(out, batch) -> torch.Tensor:
    none, sentences, pieces = out
    gold, weight = batch["gold"], batch["weight"]
    real = gold >= 0
    answered = (gold > 0).any(1)
    # Each sentence against "none": what is lit alone, or beside others.
    margin = sentences - none.unsqueeze(1)
    each = F.binary_cross_entropy_with_logits(margin, gold.clamp(min=0), reduction="none")
    positive, negative = gold > 0, real & (gold <= 0)
    one_by_one = _mean(each, positive) + _mean(each, negative)
    # All of them and "none" against each other: which one is best.
    every = torch.cat([none.unsqueeze(1), sentences.masked_fill(~real, -1e4)], 1).log_softmax(1)
    wanted = torch.cat([(~answered).float().unsqueeze(1), (gold > 0).float()], 1)
    best = -(every * wanted).sum(1) / wanted.sum(1)
    # The pieces of the annotators' own range, where they marked one.
    outside = batch["owners"] < 0
    told = batch["answer"].any(1)
    spread = pieces.float().masked_fill(outside, -1e4)
    inside = spread.masked_fill(~batch["answer"], -1e4)
    words = torch.where(told, spread.logsumexp(1) - inside.logsumexp(1), torch.zeros(()))
    return ((one_by_one + best + 0.5 * words) * weight).sum() / weight.sum()


def _mean(values, where):
    return (values * where).sum(1) / where.sum(1).clamp(min=1)


def train(model: JointModel, lessons: Sequence[Lesson], minutes: float, work: Path, seed: int = 0) -> None:
    """Keeps `model.pt` in the work folder, now and then and at the end."""
    chance = random.Random(seed)
    keep, stop = work / "model.pt", work / "minutes"
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device).train()
    quick = [p for n, p in model.named_parameters() if n.startswith(("kinds", "answer", "head", "none", "peak"))]
    slow = [p for n, p in model.named_parameters() if n.startswith("body")]
    optimizer = torch.optim.AdamW(
        [{"params": slow, "top": RATE}, {"params": quick, "top": NEW_RATE}], weight_decay=0.01, fused=True
    )
    started, step, shown, total = time.time(), 0, 0.0, 0
    epoch = 0
    while True:
        epoch += 1
        for batch in batches(lessons, PIECES_AT_ONCE, chance):
            # The end can be moved while it runs: write other minutes into the file.
            if stop.exists():
                minutes = float(stop.read_text())
            done = (time.time() - started) / 60 / minutes
            if done >= 1:
                torch.save(model.state_dict(), keep)
                return
            for group in optimizer.param_groups:
                group["lr"] = group["top"] * min(done / WARM_UP, (1 - done) / (1 - WARM_UP), 1)
            ready = {name: tensor.to(device) for name, tensor in tensors(batch).items()}
            with torch.autocast(device, dtype=torch.bfloat16):
                none, sentences, pieces = model(ready["ids"], ready["kinds"], ready["owners"])
            loss = losses((none.float(), sentences.float(), pieces), ready)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            step, total = step + 1, total + len(batch)
            shown += (loss.item() - shown) * max(0.02, 1 / step)
            if step % 20 == 0:
                print(f"{done:6.1%} epoch {epoch} step {step} items {total} loss {shown:.4f}", flush=True)
            if step % 250 == 0:
                torch.save(model.state_dict(), keep)
