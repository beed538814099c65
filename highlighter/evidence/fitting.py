"""Fits a weighing: columns, which rows are evidence, and how much each counts. Needs PyTorch; never called by the service."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from highlighter.evidence.weighing import FAR, Weighing

HIDDEN, EPOCHS, ROWS_AT_ONCE, RATE, DECAY = 48, 40, 2048, 3e-3, 1e-3


def fit(names: Sequence[str], columns: np.ndarray, gold: np.ndarray, counts: np.ndarray, seed: int = 0) -> Weighing:
    """Least log loss, so that what comes out is a probability."""
    import torch
    from torch import nn

    torch.manual_seed(seed)
    mean, scale = columns.mean(0), columns.std(0) + 1e-3
    x = torch.tensor(np.clip((columns - mean) / scale, -FAR, FAR), dtype=torch.float32)
    y, w = torch.tensor(gold, dtype=torch.float32), torch.tensor(counts / counts.mean(), dtype=torch.float32)
    gelu = nn.GELU(approximate="tanh")
    net = nn.Sequential(
        nn.Linear(x.shape[1], HIDDEN), gelu, nn.Linear(HIDDEN, HIDDEN // 2), gelu, nn.Linear(HIDDEN // 2, 1)
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(x) // ROWS_AT_ONCE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x)).split(ROWS_AT_ONCE):
            each = nn.functional.binary_cross_entropy_with_logits(net(x[rows])[:, 0], y[rows], reduction="none")
            optimizer.zero_grad()
            (each * w[rows]).mean().backward()
            optimizer.step()
            schedule.step()
    layers = tuple((part.weight.detach().numpy().T.copy(), part.bias.detach().numpy().copy()) for part in net[::2])
    return Weighing(tuple(names), mean.astype(np.float32), scale.astype(np.float32), layers)
