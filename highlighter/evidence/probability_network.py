"""A small network that turns a sentence's features into the probability that it is evidence, stored as plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import torch

# Features are clipped at this distance from their mean: beyond it they say no more than that they are far away.
MAX_STANDARD_DEVIATIONS = 6.0


@dataclass(frozen=True, slots=True)
class ProbabilityNetwork:
    """A fitted network. `names` are its columns in order: columns that have changed since are refused, not misread."""

    names: tuple[str, ...]
    mean: np.ndarray
    scale: np.ndarray
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    joint_model: str = ""  # the SHA-256 of the joint model whose columns it was fitted to, if any

    def probabilities(self, columns: np.ndarray) -> np.ndarray:
        """Return the probability of each row."""
        signal = np.clip((columns - self.mean) / self.scale, -MAX_STANDARD_DEVIATIONS, MAX_STANDARD_DEVIATIONS)
        for matrix, bias in self.layers[:-1]:
            signal = _gelu(signal @ matrix + bias)
        matrix, bias = self.layers[-1]
        probabilities: np.ndarray = 1.0 / (1.0 + np.exp(-np.clip((signal @ matrix + bias)[:, 0], -30, 30)))
        return probabilities

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """Return what is stored, by name."""
        arrays = {"names": np.array(self.names), "mean": self.mean, "scale": self.scale}
        for number, (matrix, bias) in enumerate(self.layers):
            arrays |= {f"matrix{number}": matrix, f"bias{number}": bias}
        return arrays

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            np.savez(out, **self.arrays, joint_model=np.array(self.joint_model))  # type: ignore[arg-type]  # the stub takes every keyword for allow_pickle, too

    @classmethod
    def load(cls, path: Path, names: tuple[str, ...]) -> ProbabilityNetwork:
        """Return the network stored in a file. Raises ValueError when it was fitted on other columns."""
        with np.load(path, allow_pickle=False) as stored:
            if tuple(stored["names"]) != names:
                raise ValueError(f"{path} was fitted on other features; fit it again (python -m highlighter calibrate)")
            count = sum(key.startswith("matrix") for key in stored)
            layers = tuple((stored[f"matrix{n}"], stored[f"bias{n}"]) for n in range(count))
            joint_model = str(stored["joint_model"]) if "joint_model" in stored else ""  # of earlier releases
            return cls(names, stored["mean"], stored["scale"], layers, joint_model)


def _gelu(x: np.ndarray) -> np.ndarray:
    activation: np.ndarray = 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))
    return activation


# Fitting a network needs PyTorch; the service never does it.

HIDDEN_UNITS, EPOCHS, ROWS_PER_BATCH, LEARNING_RATE, WEIGHT_DECAY = 48, 40, 2048, 3e-3, 1e-3
# Small networks with different initial weights: their mean is better calibrated than each of them.
ENSEMBLE_SIZE = 4


def fit_network(
    names: Sequence[str], columns: np.ndarray, gold: np.ndarray, weights: np.ndarray, seed: int = 0
) -> ProbabilityNetwork:
    """Return a network fitted for the least log loss, so that its output is a probability.

    `gold` says which rows are evidence, and `weights` how much each row counts.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the arrays are so small that several would wait for each other most of the time
    try:
        return _fit(tuple(names), columns, gold, weights, torch.Generator().manual_seed(seed))
    finally:
        torch.set_num_threads(threads)


def _fit(
    names: tuple[str, ...], columns: np.ndarray, gold: np.ndarray, weights: np.ndarray, generator: torch.Generator
) -> ProbabilityNetwork:
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits

    mean, scale = columns.mean(0), columns.std(0) + 1e-3
    x = torch.tensor(
        np.clip((columns - mean) / scale, -MAX_STANDARD_DEVIATIONS, MAX_STANDARD_DEVIATIONS), dtype=torch.float32
    )
    y, w = torch.tensor(gold, dtype=torch.float32), torch.tensor(weights / weights.mean(), dtype=torch.float32)
    layers = _initialize_layers((x.shape[1], HIDDEN_UNITS, HIDDEN_UNITS // 2, 1), generator)
    optimizer = torch.optim.AdamW(
        [parameter for layer in layers for parameter in layer], lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY
    )
    steps = EPOCHS * -(-len(x) // ROWS_PER_BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=steps)
    for _ in range(EPOCHS):
        shuffled = torch.randperm(len(x), generator=generator)
        for rows in shuffled.split(ROWS_PER_BATCH):  # type: ignore[no-untyped-call]  # PyTorch has no types for it
            logits = _compute_logits(layers, x[rows])
            losses = binary_cross_entropy_with_logits(logits, y[rows].expand_as(logits), reduction="none")
            optimizer.zero_grad()
            loss = (losses * w[rows]).mean(1).sum()
            loss.backward()  # type: ignore[no-untyped-call]  # PyTorch has no types for it
            optimizer.step()
            schedule.step()
    return ProbabilityNetwork(names, mean.astype(np.float32), scale.astype(np.float32), _merge_ensemble(layers))


def _initialize_layers(sizes: Sequence[int], generator: torch.Generator) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return random weights and biases, those of all networks of the ensemble in one array per layer."""
    import torch

    layers = []
    for width, output_width in pairwise(sizes):
        bound = width**-0.5
        matrix, bias = (
            ((torch.rand(shape, generator=generator) * 2 - 1) * bound).requires_grad_()
            for shape in ((ENSEMBLE_SIZE, width, output_width), (ENSEMBLE_SIZE, 1, output_width))
        )
        layers.append((matrix, bias))
    return layers


def _compute_logits(layers: Sequence[tuple[torch.Tensor, torch.Tensor]], x: torch.Tensor) -> torch.Tensor:
    import torch

    signal = x.expand(ENSEMBLE_SIZE, *x.shape)
    for number, (matrix, bias) in enumerate(layers):
        if number:
            signal = torch.nn.functional.gelu(signal, approximate="tanh")
        signal = torch.baddbmm(bias, signal, matrix)
    return signal[..., 0]


def _merge_ensemble(
    layers: Sequence[tuple[torch.Tensor, torch.Tensor]],
) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Return the layers of one wide network that computes the ensemble's mean: its networks side by side."""
    arrays = [(matrix.detach().numpy(), bias.detach().numpy()) for matrix, bias in layers]
    (first, first_bias), *between, (last, last_bias) = arrays
    merged = [(np.concatenate(first, axis=1), first_bias.reshape(-1))]
    merged += [(_build_block_diagonal(matrices), bias.reshape(-1)) for matrices, bias in between]
    return (*merged, (last.reshape(-1, 1) / ENSEMBLE_SIZE, last_bias.mean(0).reshape(-1)))


def _build_block_diagonal(matrices: np.ndarray) -> np.ndarray:
    count, width, height = matrices.shape
    diagonal = np.zeros((count * width, count * height), dtype=matrices.dtype)
    for index, matrix in enumerate(matrices):
        diagonal[index * width : (index + 1) * width, index * height : (index + 1) * height] = matrix
    return diagonal
