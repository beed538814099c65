"""Examples of the joint model as arrays in one file, and batches of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from training.example_batches import batch_by_length

POOL_SIZE, LENGTH_STEP = 8192, 16
ANSWER_BIT = 8  # beside the kind of a token


@dataclass(frozen=True, slots=True)
class JointExamples:
    """Example i has the tokens `ids[starts[i]:starts[i + 1]]`, and the sentences `gold[gold_starts[i]:gold_starts[i + 1]]`."""

    ids: np.ndarray
    kinds: np.ndarray  # with ANSWER_BIT inside the annotators' own range
    owners: np.ndarray
    starts: np.ndarray
    gold: np.ndarray
    gold_starts: np.ndarray
    weights: np.ndarray
    draw_weights: np.ndarray
    is_measured: np.ndarray

    @classmethod
    def build(cls, examples: Iterable[tuple]) -> JointExamples:
        """Return examples as arrays; each comes with how often it is drawn, and whether it is only measured."""
        rows = [(e.joint_input, e.gold, e.answer, e.weight, draws, measured) for e, draws, measured in examples]
        inputs, gold, answers, weights, draws, measured = zip(*rows, strict=True)
        kinds = [
            i.kinds.astype(np.uint8) | (a * ANSWER_BIT).astype(np.uint8) for i, a in zip(inputs, answers, strict=True)
        ]
        return cls(
            ids=np.concatenate([i.ids for i in inputs]).astype(np.uint16),
            kinds=np.concatenate(kinds),
            owners=np.concatenate([i.sentence_positions for i in inputs]).astype(np.int16),
            starts=np.cumsum([0, *(len(i.ids) for i in inputs)]),
            gold=np.concatenate(gold).astype(np.int8),
            gold_starts=np.cumsum([0, *(len(g) for g in gold)]),
            weights=np.array(weights, np.float32),
            draw_weights=np.array(draws, np.float32),
            is_measured=np.array(measured, bool),
        )

    def save(self, path: Path) -> None:
        np.savez(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, path: Path) -> JointExamples:
        with np.load(path) as arrays:
            return cls(**{field.name: arrays[field.name] for field in fields(cls)})


class JointBatches(IterableDataset):
    """Batches without end, drawn by weight."""

    def __init__(self, examples: JointExamples, batch_tokens: int, seed: int = 0):
        self.examples = examples
        self.batch_tokens = batch_tokens
        self.seed = seed
        self.lengths = np.diff(examples.starts)
        self.learned = np.flatnonzero(~examples.is_measured)
        weights = examples.draw_weights[self.learned].astype(np.float64)
        self.shares = np.cumsum(weights / weights.sum())

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:
            drawn = self.learned[np.searchsorted(self.shares, rng.random(POOL_SIZE)).clip(max=len(self.learned) - 1)]
            batches = batch_by_length(drawn.tolist(), self._count_tokens, self.batch_tokens)
            for index in rng.permutation(len(batches)):
                yield self.build(batches[index])

    def read_measured(self) -> Iterator[tuple[list[int], dict[str, torch.Tensor]]]:
        measured = np.flatnonzero(self.examples.is_measured).tolist()
        for batch in batch_by_length(measured, self._count_tokens, self.batch_tokens):
            yield batch, self.build(batch)

    def _count_tokens(self, example: int) -> int:
        return int(self.lengths[example])

    def build(self, chosen: Sequence[int]) -> dict[str, torch.Tensor]:
        e = self.examples
        width = -(-max(map(self._count_tokens, chosen)) // LENGTH_STEP) * LENGTH_STEP
        most = max(int(e.gold_starts[i + 1] - e.gold_starts[i]) for i in chosen)
        ids = np.zeros((len(chosen), width), np.int32)
        kinds = np.zeros((len(chosen), width), np.uint8)
        owners = np.full((len(chosen), width), -2, np.int16)
        gold = np.full((len(chosen), most), -1, np.float32)
        for row, i in enumerate(chosen):
            place = slice(e.starts[i], e.starts[i + 1])
            count = place.stop - place.start
            ids[row, :count], kinds[row, :count], owners[row, :count] = e.ids[place], e.kinds[place], e.owners[place]
            of_sentences = e.gold[e.gold_starts[i] : e.gold_starts[i + 1]]
            gold[row, : len(of_sentences)] = of_sentences
        return {
            "ids": torch.from_numpy(ids),
            "kinds": torch.from_numpy((kinds & (ANSWER_BIT - 1)).astype(np.int32)),
            "owners": torch.from_numpy(owners.astype(np.int32)),
            "answer": torch.from_numpy((kinds & ANSWER_BIT) > 0),
            "gold": torch.from_numpy(gold),
            "labels": torch.zeros(len(chosen)),
            "weight": torch.from_numpy(e.weights[list(chosen)]),
        }
