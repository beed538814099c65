"""From a sentence's features to the probability that it is evidence: a small network, fitted and kept as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

# Features further than this from their mean, in standard deviations, say no more than that they are far.
MAX_STANDARD_DEVIATIONS = 6.0


@dataclass(frozen=True, slots=True)
class ProbabilityNetwork:
    """`names` are the columns it was fitted on, in order: columns that have changed since are refused, not misread."""

    names: tuple[str, ...]
    mean: np.ndarray
    scale: np.ndarray
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]

    def probabilities(self, columns: np.ndarray) -> np.ndarray:
        signal = np.clip((columns - self.mean) / self.scale, -MAX_STANDARD_DEVIATIONS, MAX_STANDARD_DEVIATIONS)
        for matrix, bias in self.layers[:-1]:
            signal = _gelu(signal @ matrix + bias)
        matrix, bias = self.layers[-1]
        return 1.0 / (1.0 + np.exp(-np.clip((signal @ matrix + bias)[:, 0], -30, 30)))

    def save(self, path: Path) -> None:
        arrays = {"names": np.array(self.names), "mean": self.mean, "scale": self.scale}
        for number, (matrix, bias) in enumerate(self.layers):
            arrays |= {f"matrix{number}": matrix, f"bias{number}": bias}
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            np.savez(out, **arrays)

    @classmethod
    def load(cls, path: Path, names: tuple[str, ...]) -> ProbabilityNetwork:
        with np.load(path, allow_pickle=False) as kept:
            if tuple(kept["names"]) != names:
                raise ValueError(f"{path} was fitted on other features; fit it again (python -m highlighter calibrate)")
            count = sum(key.startswith("matrix") for key in kept)
            layers = tuple((kept[f"matrix{n}"], kept[f"bias{n}"]) for n in range(count))
            return cls(names, kept["mean"], kept["scale"], layers)


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


# Fits a weighing: columns, which rows are evidence, and how much each counts. Needs PyTorch; never called by the service.


HIDDEN_UNITS, EPOCHS, ROWS_PER_BATCH, LEARNING_RATE, WEIGHT_DECAY = 48, 40, 2048, 3e-3, 1e-3
# Small networks, each from another beginning, whose mean is surer of itself where it may be than any one of them.
ENSEMBLE_SIZE = 4


def fit_network(
    names: Sequence[str], columns: np.ndarray, gold: np.ndarray, weights: np.ndarray, seed: int = 0
) -> ProbabilityNetwork:
    """Least log loss, so that what comes out is a probability."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    chance = torch.Generator().manual_seed(seed)
    mean, scale = columns.mean(0), columns.std(0) + 1e-3
    x = torch.tensor(
        np.clip((columns - mean) / scale, -MAX_STANDARD_DEVIATIONS, MAX_STANDARD_DEVIATIONS), dtype=torch.float32
    )
    y, w = torch.tensor(gold, dtype=torch.float32), torch.tensor(weights / weights.mean(), dtype=torch.float32)
    layers = _initialize_layers(torch, (x.shape[1], HIDDEN_UNITS, HIDDEN_UNITS // 2, 1), chance)
    optimizer = torch.optim.AdamW(
        [part for layer in layers for part in layer], lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY
    )
    steps = EPOCHS * -(-len(x) // ROWS_PER_BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x), generator=chance).split(ROWS_PER_BATCH):
            said = _compute_logits(torch, layers, x[rows])
            each = binary_cross_entropy_with_logits(said, y[rows].expand_as(said), reduction="none")
            optimizer.zero_grad()
            (each * w[rows]).mean(1).sum().backward()
            optimizer.step()
            schedule.step()
    return ProbabilityNetwork(tuple(names), mean.astype(np.float32), scale.astype(np.float32), _merge_ensemble(layers))


def _initialize_layers(torch, sizes: Sequence[int], chance) -> list:
    """Weights and biases of every network, in one array a layer."""
    layers = []
    for width, out in pairwise(sizes):
        reach = width**-0.5
        shapes = (ENSEMBLE_SIZE, width, out), (ENSEMBLE_SIZE, 1, out)
        layers.append(tuple(
            ((torch.rand(shape, generator=chance) * 2 - 1) * reach).requires_grad_() for shape in shapes
        ))  # fmt: skip
    return layers


def _compute_logits(torch, layers, x):
    signal = x.expand(ENSEMBLE_SIZE, *x.shape)
    for number, (matrix, bias) in enumerate(layers):
        if number:
            signal = torch.nn.functional.gelu(signal, approximate="tanh")
        signal = torch.baddbmm(bias, signal, matrix)
    return signal[..., 0]


def _merge_ensemble(layers) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """One wide network that says the mean of them: side by side, each only with itself."""
    (first, first_bias), *between, (last, last_bias) = [[part.detach().numpy() for part in layer] for layer in layers]
    wide = [(np.concatenate(first, axis=1), first_bias.reshape(-1))]
    wide += [(_build_block_diagonal(matrices), bias.reshape(-1)) for matrices, bias in between]
    return (*wide, (last.reshape(-1, 1) / ENSEMBLE_SIZE, last_bias.mean(0).reshape(-1)))


def _build_block_diagonal(matrices: np.ndarray) -> np.ndarray:
    count, width, out = matrices.shape
    whole = np.zeros((count * width, count * out), dtype=matrices.dtype)
    for at, matrix in enumerate(matrices):
        whole[at * width : (at + 1) * width, at * out : (at + 1) * out] = matrix
    return whole
