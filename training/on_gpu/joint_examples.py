"""Examples of the joint model as arrays in one file, and batches of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from training.on_gpu.stored_arrays import StoredArrays
from training.on_gpu.weighted_batches import LENGTH_STEP, WeightedBatches

ANSWER_BIT = 8  # beside the kind of a token


@dataclass(frozen=True, slots=True)
class JointExamples(StoredArrays):
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


class JointBatches(WeightedBatches[int]):
    """Batches of the joint model's examples, without end."""

    def __init__(self, examples: JointExamples, batch_tokens: int, seed: int = 0):
        super().__init__(examples.draw_weights, examples.is_measured, batch_tokens, seed)
        self.examples = examples
        self.lengths = np.diff(examples.starts)

    def count_tokens(self, row: int) -> int:
        return int(self.lengths[row])

    def build(self, rows: Sequence[int]) -> dict[str, torch.Tensor]:
        e = self.examples
        width = -(-max(map(self.count_tokens, rows)) // LENGTH_STEP) * LENGTH_STEP
        most = max(int(e.gold_starts[i + 1] - e.gold_starts[i]) for i in rows)
        ids = np.zeros((len(rows), width), np.int32)
        kinds = np.zeros((len(rows), width), np.uint8)
        owners = np.full((len(rows), width), -2, np.int16)
        gold = np.full((len(rows), most), -1, np.float32)
        for row, i in enumerate(rows):
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
            "weight": torch.from_numpy(e.weights[list(rows)]),
        }
