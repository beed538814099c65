"""Examples of a reader as arrays in one file: each text is stored once, as the pieces that it has, and examples name texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from training.on_gpu.stored_arrays import StoredArrays

UNKNOWN = -1  # whether a sentence decides


@dataclass(frozen=True, slots=True)
class TextExample:
    """A claim or a question with sentences, whose texts are not yet split into pieces."""

    statement: str
    sentences: Sequence[str]
    marks: Sequence[int]  # of each sentence: 1 where it decides or answers, 0 where not, or UNKNOWN
    label: int  # of a claim
    draw_weight: float  # how often it is drawn
    loss_weight: float
    is_measured: bool


@dataclass(frozen=True, slots=True)
class PreparedExamples(StoredArrays):
    """All examples of a training, and the 4-bit vectors of the pieces in them.

    Example i has the statement `statements[i]` and the sentences `sentences[starts[i]:starts[i + 1]]`, all of them numbers of texts. Text
    t is `pieces[text_starts[t]:text_starts[t + 1]]`, numbers of rows of the vectors.
    """

    pieces: np.ndarray
    text_starts: np.ndarray
    statements: np.ndarray
    starts: np.ndarray
    sentences: np.ndarray
    marks: np.ndarray
    labels: np.ndarray
    draw_weights: np.ndarray
    loss_weights: np.ndarray
    is_measured: np.ndarray
    packed: np.ndarray
    scales: np.ndarray
    special: np.ndarray  # the rows of the pieces that begin, pad and end

    def get_text(self, number: int) -> np.ndarray:
        return self.pieces[self.text_starts[number] : self.text_starts[number + 1]]

    def get_sentences(self, example: int) -> tuple[list[int], list[int]]:
        """Return the texts of an example's sentences, and their marks."""
        place = slice(self.starts[example], self.starts[example + 1])
        return self.sentences[place].tolist(), self.marks[place].tolist()


def prepare(
    examples: Iterable[TextExample], tokenizer, table, *, max_statement: int, max_sentence: int, special: Sequence[int]
) -> PreparedExamples:
    """Split the texts of examples into pieces. `special` are the pieces that begin, pad and end."""
    numbers: dict[tuple[str, int], int] = {}

    def number_of(text: str, limit: int) -> int:
        return numbers.setdefault((text, limit), len(numbers))

    rows = [
        (
            number_of(e.statement, max_statement),
            [number_of(sentence, max_sentence) for sentence in e.sentences],
            e.marks, e.label, e.draw_weight, e.loss_weight, e.is_measured,
        )
        for e in examples
    ]  # fmt: skip
    texts = list(numbers)
    encoded: list[np.ndarray] = []
    for start in range(0, len(texts), 4096):
        part = texts[start : start + 4096]
        encodings = tokenizer.encode_batch([text for text, _ in part], add_special_tokens=False)
        encoded += [np.array(e.ids[:limit], np.int32) for e, (_, limit) in zip(encodings, part, strict=True)]
    ids, pieces = np.unique(np.concatenate([np.array(special, np.int32), *encoded]), return_inverse=True)
    statements, sentences, marks, labels, draw_weights, loss_weights, is_measured = zip(*rows, strict=True)
    return PreparedExamples(
        pieces=pieces[len(special) :].astype(np.uint16 if len(ids) < 2**16 else np.int32),
        text_starts=_count_up(map(len, encoded)),
        statements=np.array(statements, np.int32),
        starts=_count_up(map(len, sentences)),
        sentences=np.fromiter((s for row in sentences for s in row), np.int32),
        marks=np.fromiter((m for row in marks for m in row), np.int8),
        labels=np.array(labels, np.int8),
        draw_weights=np.array(draw_weights, np.float32),
        loss_weights=np.array(loss_weights, np.float32),
        is_measured=np.array(is_measured, bool),
        packed=np.asarray(table.packed[ids]),
        scales=np.asarray(table.scales[ids]),
        special=pieces[: len(special)].astype(np.int32),
    )


def _count_up(lengths: Iterable[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(np.fromiter(lengths, np.int64))])
