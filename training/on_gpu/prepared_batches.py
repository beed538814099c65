"""Batches of prepared examples: drawn by weight, varied, of similar length, padded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from training.on_gpu.prepared_examples import UNKNOWN, PreparedExamples
from training.on_gpu.weighted_batches import LENGTH_STEP, WeightedBatches

DISTRACTOR_SHARE, ONLY_DECIDING_SHARE, MAX_VARIED_SENTENCES = 0.3, 0.25, 2
Row = tuple[int, list[int], list[int]]  # an example, the texts of its sentences, and their marks


class DrawnBatches(WeightedBatches[Row]):
    """Batches of a reader's examples. With `varies`, sentences of other texts are put in, or the deciding ones are read alone."""

    def __init__(self, prepared: PreparedExamples, max_tokens: int, batch_tokens: int, *, varies: bool, seed: int = 0):
        super().__init__(prepared.draw_weights, prepared.is_measured, batch_tokens, seed)
        self.prepared = prepared
        self.max_tokens = max_tokens
        self.varies = varies
        self.lengths = np.diff(prepared.text_starts)

    def read_rows(self, examples: list[int], rng: np.random.Generator | None = None) -> list[Row]:
        rows = [(e, *self.prepared.get_sentences(e)) if rng is None else self._vary(e, rng) for e in examples]
        return [row for row in rows if self.count_tokens(row) <= self.max_tokens]

    def count_tokens(self, row: Row) -> int:
        example, sentences, _ = row
        return int(self.lengths[self.prepared.statements[example]] + self.lengths[sentences].sum() + len(sentences) + 2)

    def _vary(self, example: int, rng: np.random.Generator) -> Row:
        sentences, marks = self.prepared.get_sentences(example)
        if not self.varies:
            return example, sentences, marks
        if 1 in marks and rng.random() < ONLY_DECIDING_SHARE:
            sentences = [text for text, mark in zip(sentences, marks, strict=True) if mark == 1]
            return example, sentences, [1] * len(sentences)
        if len(sentences) <= MAX_VARIED_SENTENCES and rng.random() < DISTRACTOR_SHARE:
            for _ in range(rng.choice((1, 1, 2))):
                others, _ = self.prepared.get_sentences(int(rng.choice(self.learned)))
                place = int(rng.integers(len(sentences) + 1))
                sentences.insert(place, int(rng.choice(others)))
                marks.insert(place, UNKNOWN if UNKNOWN in marks else 0)
        return example, sentences, marks

    def build(self, rows: Sequence[Row]) -> dict[str, torch.Tensor]:
        """Return a batch as padded tensors; `owners` as the readers know them: -1 the statement, -2 padding."""
        prepared, (begin, padding, end) = self.prepared, self.prepared.special
        width = -(-max(map(self.count_tokens, rows)) // LENGTH_STEP) * LENGTH_STEP
        most = max(len(sentences) for _, sentences, _ in rows)
        ids = np.full((len(rows), width), padding, np.int32)
        owners = np.full((len(rows), width), -2, np.int16)
        marks = np.full((len(rows), most), UNKNOWN, np.float32)
        for i, (example, sentences, known) in enumerate(rows):
            statement = prepared.get_text(prepared.statements[example])
            place = len(statement) + 2
            ids[i, 0], ids[i, 1 : place - 1], ids[i, place - 1] = begin, statement, end
            owners[i, :place] = -1
            for position, text in enumerate(sentences):
                pieces = prepared.get_text(text)
                stop = place + len(pieces) + 1
                ids[i, place : stop - 1], ids[i, stop - 1] = pieces, end
                owners[i, place:stop] = position
                place = stop
            marks[i, : len(known)] = known
        examples = [example for example, _, _ in rows]
        return {
            "ids": torch.from_numpy(ids),
            "owners": torch.from_numpy(owners),
            "carries": torch.from_numpy(marks),
            "gold": torch.from_numpy(marks),
            "labels": torch.from_numpy(prepared.labels[examples].astype(np.int64)),
            "weight": torch.from_numpy(prepared.loss_weights[examples]),
        }
