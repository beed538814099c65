"""Batches of examples of similar length, so that little is padding, and their arrays as padded tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import torch

T = TypeVar("T")


def batch_by_length(examples: Iterable[T], count_tokens: Callable[[T], int], max_tokens: int) -> list[list[T]]:
    """Return batches of at most so many tokens, padding included, from the shortest examples to the longest."""
    batches: list[list[T]] = [[]]
    for example in sorted(examples, key=count_tokens):
        if batches[-1] and (len(batches[-1]) + 1) * count_tokens(example) > max_tokens:
            batches.append([])
        batches[-1].append(example)
    return batches


def pad(arrays: Sequence[Sequence | np.ndarray], width: int, fill: float, kind: torch.dtype) -> torch.Tensor:
    """Return the arrays as the rows of a tensor that is so wide."""
    import torch  # takes two seconds, and examples are built and batched without it

    tensor = torch.full((len(arrays), width), fill, dtype=kind)
    for row, array in enumerate(arrays):
        tensor[row, : len(array)] = torch.from_numpy(np.asarray(array))
    return tensor
