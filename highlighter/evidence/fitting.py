"""Fits a weighing: columns, which rows are evidence, and how much each counts. Needs PyTorch; never called by the service."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from highlighter.evidence.weighing import FAR, Weighing

HIDDEN, EPOCHS, ROWS_AT_ONCE, RATE, DECAY = 48, 40, 2048, 3e-3, 1e-3
# Small networks, each from another beginning, whose mean is surer of itself where it may be than any one of them.
NETWORKS = 4


def fit(names: Sequence[str], columns: np.ndarray, gold: np.ndarray, counts: np.ndarray, seed: int = 0) -> Weighing:
    """Least log loss, so that what comes out is a probability."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    chance = torch.Generator().manual_seed(seed)
    mean, scale = columns.mean(0), columns.std(0) + 1e-3
    x = torch.tensor(np.clip((columns - mean) / scale, -FAR, FAR), dtype=torch.float32)
    y, w = torch.tensor(gold, dtype=torch.float32), torch.tensor(counts / counts.mean(), dtype=torch.float32)
    layers = _begun(torch, (x.shape[1], HIDDEN, HIDDEN // 2, 1), chance)
    optimizer = torch.optim.AdamW([part for layer in layers for part in layer], lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(x) // ROWS_AT_ONCE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x), generator=chance).split(ROWS_AT_ONCE):
            said = _logits(torch, layers, x[rows])
            each = binary_cross_entropy_with_logits(said, y[rows].expand_as(said), reduction="none")
            optimizer.zero_grad()
            (each * w[rows]).mean(1).sum().backward()
            optimizer.step()
            schedule.step()
    return Weighing(tuple(names), mean.astype(np.float32), scale.astype(np.float32), _as_one(layers))


def _begun(torch, sizes: Sequence[int], chance) -> list:
    """Weights and biases of every network, in one array a layer."""
    layers = []
    for width, out in pairwise(sizes):
        reach = width**-0.5
        shapes = (NETWORKS, width, out), (NETWORKS, 1, out)
        layers.append(tuple(
            ((torch.rand(shape, generator=chance) * 2 - 1) * reach).requires_grad_() for shape in shapes
        ))  # fmt: skip
    return layers


def _logits(torch, layers, x):
    signal = x.expand(NETWORKS, *x.shape)
    for number, (matrix, bias) in enumerate(layers):
        if number:
            signal = torch.nn.functional.gelu(signal, approximate="tanh")
        signal = torch.baddbmm(bias, signal, matrix)
    return signal[..., 0]


def _as_one(layers) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """One wide network that says the mean of them: side by side, each only with itself."""
    (first, first_bias), *between, (last, last_bias) = [[part.detach().numpy() for part in layer] for layer in layers]
    wide = [(np.concatenate(first, axis=1), first_bias.reshape(-1))]
    wide += [(_side_by_side(matrices), bias.reshape(-1)) for matrices, bias in between]
    return (*wide, (last.reshape(-1, 1) / NETWORKS, last_bias.mean(0).reshape(-1)))


def _side_by_side(matrices: np.ndarray) -> np.ndarray:
    count, width, out = matrices.shape
    whole = np.zeros((count * width, count * out), dtype=matrices.dtype)
    for at, matrix in enumerate(matrices):
        whole[at * width : (at + 1) * width, at * out : (at + 1) * out] = matrix
    return whole
