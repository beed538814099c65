"""Batches without end: examples drawn by weight, in pools of similar length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from training.example_batches import batch_by_length

POOL_SIZE, LENGTH_STEP = 8192, 16
Row = TypeVar("Row")


class WeightedBatches(IterableDataset[Any], Generic[Row]):
    """What is measured is never drawn. A subclass says what a row of an example is, how long, and how rows become tensors."""

    def __init__(self, draw_weights: np.ndarray, is_measured: np.ndarray, batch_tokens: int, seed: int):
        self.batch_tokens = batch_tokens
        self.seed = seed
        self.learned = np.flatnonzero(~is_measured)
        self.measured = np.flatnonzero(is_measured)
        weights = draw_weights[self.learned].astype(np.float64)
        self.shares = np.cumsum(weights / weights.sum())

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            drawn = self.learned[np.searchsorted(self.shares, rng.random(POOL_SIZE)).clip(max=len(self.learned) - 1)]
            batches = batch_by_length(self.read_rows(drawn.tolist(), rng), self.count_tokens, self.batch_tokens)
            for index in rng.permutation(len(batches)):
                yield self.build(batches[index])

    def read_measured(self) -> Iterator[tuple[list[Row], dict[str, torch.Tensor]]]:
        for batch in batch_by_length(self.read_rows(self.measured.tolist()), self.count_tokens, self.batch_tokens):
            yield batch, self.build(batch)

    def read_rows(self, examples: list[int], rng: np.random.Generator | None = None) -> list[Row]:
        """Return the rows of examples: their numbers, unless a subclass says otherwise. With `rng` they may be varied."""
        return examples  # type: ignore[return-value]

    def count_tokens(self, row: Row) -> int:
        raise NotImplementedError

    def build(self, rows: Sequence[Row]) -> dict[str, torch.Tensor]:
        raise NotImplementedError
