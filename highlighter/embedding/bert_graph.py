"""BERT encoders as ONNX graphs, written node by node from their weights, so that no PyTorch is needed."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

HIDDEN_SIZE, HEAD_COUNT = 384, 12
HEAD_SIZE = HIDDEN_SIZE // HEAD_COUNT
LAYER_NORM_EPSILON = 1e-12
OPSET_VERSION, IR_VERSION = 17, 8


class GraphBuilder:
    """Nodes and tensors of an ONNX graph. Each method adds nodes and returns the name of their output."""

    def __init__(self, weights: Mapping[str, np.ndarray]) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, onnx.TensorProto] = {}
        self.weights = weights

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        self.tensors[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def node(self, op_type: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"{op_type}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [output], name=output, **attributes))
        return output

    def dense(self, x: str, layer: str) -> str:
        kernel = self.constant(f"{layer}.weight", np.ascontiguousarray(self.weights[f"{layer}.weight"].T))
        return self.node("Add", self.weight(f"{layer}.bias"), self.node("MatMul", x, kernel))

    def layer_norm(self, x: str, layer: str, output: str = "") -> str:
        scale, bias = self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias")
        return self.node("LayerNormalization", x, scale, bias, output=output, axis=-1, epsilon=LAYER_NORM_EPSILON)


def add_layers(
    graph: GraphBuilder,
    hidden: str,
    layer_count: int,
    merged_shape: str,
    output_names: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Add the encoder's layers. `merged_shape` names the shape of the hidden states, where the heads come together.

    `output_names` names the outputs of layers, by index, that are read by themselves.
    """
    for index in range(layer_count):
        layer = f"encoder.layer.{index}"
        attention = _add_attention(graph, hidden, f"{layer}.attention", merged_shape)
        hidden = graph.layer_norm(graph.node("Add", attention, hidden), f"{layer}.attention.output.LayerNorm")
        output = graph.dense(
            add_gelu(graph, graph.dense(hidden, f"{layer}.intermediate.dense")), f"{layer}.output.dense"
        )
        hidden = graph.layer_norm(
            graph.node("Add", output, hidden), f"{layer}.output.LayerNorm", output_names.get(index, "")
        )
    return hidden


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


def add_gelu(graph: GraphBuilder, x: str) -> str:
    error = graph.node("Erf", graph.node("Div", x, graph.constant("root_of_two", np.float32(2**0.5))))
    shifted = graph.node("Add", error, graph.constant("unit", np.float32(1)))
    return graph.node("Mul", graph.node("Mul", x, shifted), graph.constant("half", np.float32(0.5)))


def add_length(graph: GraphBuilder, name: str) -> str:
    """Add the number of tokens of an input."""
    return graph.node("Gather", graph.node("Shape", name), graph.constant("one", np.int64(1)))


def add_embeddings(graph: GraphBuilder, length: str, look_up_words: Callable[[], str]) -> str:
    """Add the sum of word, token type (always the first) and position embeddings, normalised."""
    positions = graph.node("Range", graph.constant("zero", np.int64(0)), length, "one")
    token_type = graph.constant("token_type", np.zeros((1, 1), np.int64))
    words = look_up_words()
    types = graph.node("Gather", graph.weight("embeddings.token_type_embeddings.weight"), token_type)
    places = graph.node("Gather", graph.weight("embeddings.position_embeddings.weight"), positions)
    return graph.layer_norm(graph.node("Add", graph.node("Add", words, types), places), "embeddings.LayerNorm")


def build_model(
    graph: GraphBuilder, name: str, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    """Return the checked model of a graph."""
    body = helper.make_graph(graph.nodes, name, inputs, outputs, list(graph.tensors.values()))
    model = helper.make_model(body, ir_version=IR_VERSION, opset_imports=[helper.make_opsetid("", OPSET_VERSION)])
    onnx.checker.check_model(model)
    return model


def write_int8(model: onnx.ModelProto, path: Path, exclude: Sequence[str] = ()) -> None:
    """Write a graph with its matrices as int8, except those of the nodes that `exclude` names.

    One scale per output channel: with one per matrix the vectors are five times further from the original's.
    """
    logging.getLogger().setLevel(logging.ERROR)  # the quantiser recommends a step that changes nothing here
    with tempfile.TemporaryDirectory() as scratch:
        full = Path(scratch) / "full.onnx"
        onnx.save(model, full)
        quantize_dynamic(full, path, weight_type=QuantType.QInt8, per_channel=True, nodes_to_exclude=list(exclude))
