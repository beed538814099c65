"""The vocabulary of a carried model: its tokenizer, and the vectors of its pieces where they lie beside the graph.

Those are 4-bit weights in files that processes map and none copies. The encoder and the models that read several texts at
once share one vocabulary; their graphs take the pieces' vectors as input.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from highlighter.embedding.bundled_model import TOKENIZER_NAME, BundledModel

if TYPE_CHECKING:
    from tokenizers import Tokenizer

BLOCK_SIZE = 32  # weights that share one scale


@dataclass(frozen=True, slots=True)
class EmbeddingTable:
    """Rows of 4-bit weights: two weights a byte, one scale for each 32 weights."""

    packed: np.ndarray  # uint8, (pieces, width / 2)
    scales: np.ndarray  # float16, (pieces, width / 32)

    @classmethod
    def open(cls, folder: Path, packed_name: str, scales_name: str) -> EmbeddingTable:
        return cls(np.load(folder / packed_name, mmap_mode="r"), np.load(folder / scales_name, mmap_mode="r"))

    def look_up(self, ids: np.ndarray) -> np.ndarray:
        """Return the vectors of pieces as float32, in the shape of `ids` with one axis more."""
        blocks = self.packed[ids].reshape(*ids.shape, -1, BLOCK_SIZE // 2)
        # Byte j of a block holds weight j in its low half and weight j + 16 in its high half; 8 stands for zero.
        weights = np.concatenate([blocks & 15, blocks >> 4], axis=-1).astype(np.float32) - 8
        vectors = weights * self.scales[ids][..., None].astype(np.float32)
        return np.asarray(vectors.reshape(*ids.shape, -1))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A tokenizer that neither pads nor truncates, and the vectors of its pieces; None: they are in the graph."""

    tokenizer: Tokenizer
    table: EmbeddingTable | None

    def look_up(self, ids: np.ndarray) -> np.ndarray:
        """Return the vectors of pieces as float32, in the shape of `ids` with one axis more."""
        if self.table is None:
            raise ValueError("The vectors of these pieces are in the graph")
        return self.table.look_up(ids)


@cache
def open_vocabulary(model: BundledModel) -> Vocabulary:
    """Return the vocabulary of a carried model, opened once: a large one takes 110 MB."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(model.folder / TOKENIZER_NAME))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Vocabulary(tokenizer, EmbeddingTable.open(model.folder, *model.table_names) if model.table_names else None)
