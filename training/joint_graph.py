"""python -m training.joint_graph EXPORTED OUT: write the joint model's graph as the service runs it.

PyTorch exports the operations of training: an attention mask that masks nothing, three projections that each quantise the
same input, and sums that ONNX Runtime fuses with their normalisation, which is slow. This graph has the same int8 weights
and one operation of ONNX Runtime for each attention and each matrix: a run takes three quarters of the time.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from highlighter.embedding.bert_graph import (
    HEAD_COUNT,
    HIDDEN_SIZE,
    IR_VERSION,
    OPSET_VERSION,
    GraphBuilder,
    add_length,
)

FUSED = "com.microsoft"  # the domain of ONNX Runtime's own operations
_LAYER = "encoder.layer."
OUTSIDE_LOGIT = np.float32(-30)  # of tokens outside a sentence, as in training


@dataclass(frozen=True, slots=True)
class Int8Matrix:
    """A matrix with one scale for each column, and the bias that is added to the product."""

    values: np.ndarray
    scales: np.ndarray
    bias: np.ndarray

    def to_float(self) -> np.ndarray:
        return np.asarray(self.values * self.scales, np.float32)


class ExportedWeights:
    """The weights in a graph that PyTorch exported and ONNX Runtime quantised, by the names of training."""

    def __init__(self, exported: onnx.ModelProto) -> None:
        self.tensors = {_shorten(t.name): numpy_helper.to_array(t) for t in exported.graph.initializer}
        self._producers = {output: node for node in exported.graph.node for output in node.output}
        # A matrix is known by the bias that is added to its product: transposed, it was given a number for a name.
        self._matrix_names = {
            _shorten(node.input[0]).removesuffix(".bias"): self._find_matrix(node.input[1])
            for node in exported.graph.node
            if node.op_type == "Add" and node.input[0].endswith(".bias") and node.input[1] in self._producers
        } | {"none": "none.weight"}
        self.layer_count = 1 + max(int(name.split(".")[2]) for name in self.tensors if name.startswith(_LAYER))

    def _find_matrix(self, product: str) -> str:
        node = self._producers[product]
        while node.op_type != "MatMulInteger":
            node = self._producers[node.input[0]]
        return _shorten(node.input[1]).removesuffix("_quantized")

    def get_matrix(self, layer: str) -> Int8Matrix:
        name = self._matrix_names[layer]
        if self.tensors[f"{name}_zero_point"].any():
            raise ValueError(f"The matrix of {layer} has zero points, which the graph leaves out")
        return Int8Matrix(
            self.tensors[f"{name}_quantized"], self.tensors[f"{name}_scale"], self.tensors[f"{layer}.bias"]
        )

    def join_matrices(self, layers: Sequence[str]) -> Int8Matrix:
        """Return the matrices of layers side by side."""
        matrices = [self.get_matrix(layer) for layer in layers]
        return Int8Matrix(
            np.concatenate([matrix.values for matrix in matrices], axis=1),
            np.concatenate([matrix.scales for matrix in matrices]),
            np.concatenate([matrix.bias for matrix in matrices]),
        )

    def read_table(self, name: str) -> np.ndarray:
        """Return a small embedding table as float32."""
        integers = self.tensors[f"{name}_quantized"].astype(np.float32)
        return np.asarray((integers - self.tensors[f"{name}_zero_point"]) * self.tensors[f"{name}_scale"], np.float32)


def _shorten(name: str) -> str:
    return name.removeprefix("model.").removeprefix("body.")


class JointGraphBuilder(GraphBuilder):
    """Nodes and tensors of the joint model's graph."""

    def __init__(self, exported: ExportedWeights) -> None:
        super().__init__(exported.tensors)
        self.exported = exported

    def multiply_int8(self, x: str, matrix: Int8Matrix, name: str) -> str:
        """Add the product with an int8 matrix and its bias; the input is quantised with one scale."""
        kernel, scales, bias = (
            self.constant(f"{name}.{part}", getattr(matrix, part)) for part in ("values", "scales", "bias")
        )
        return self.node("DynamicQuantizeMatMul", x, kernel, scales, "", bias, domain=FUSED)

    def dense(self, x: str, layer: str) -> str:
        return self.multiply_int8(x, self.exported.get_matrix(layer), layer)

    def multiply_float(self, x: str, layer: str) -> str:
        """Add the product with a small matrix and its bias in full precision."""
        matrix = self.exported.get_matrix(layer)
        kernel = self.constant(f"{layer}.kernel", matrix.to_float())
        return self.node("Add", self.node("MatMul", x, kernel), self.constant(f"{layer}.bias", matrix.bias))

    def split(self, x: str, sizes: str) -> list[str]:
        """Add the parts of the last axis; `sizes` names their sizes, three of them."""
        parts = [f"{x}.{number}" for number in range(3)]
        self.nodes.append(helper.make_node("Split", [x, sizes], parts, name=f"{x}.split", axis=-1))
        return parts

    def gelu(self, x: str) -> str:
        return self.node("Gelu", x, domain=FUSED)

    def look_up(self, name: str, ids: str) -> str:
        """Add the rows of an int8 table."""
        rows = self.node("Gather", self.weight(f"{name}_quantized"), ids)
        return self.node("DequantizeLinear", rows, self.weight(f"{name}_scale"), self.weight(f"{name}_zero_point"))


def build_graph(exported: ExportedWeights) -> onnx.ModelProto:
    """Return the joint model's graph.

    In: the ids and kinds of tokens, and the tokens of each sentence as rows of a matrix. Out: the logit of "none", and one
    of each sentence.
    """
    graph = JointGraphBuilder(exported)
    hidden = _add_embeddings(graph)
    for index in range(exported.layer_count):
        hidden = _add_layer(graph, hidden, f"{_LAYER}{index}")
    _add_pooling(graph, hidden)
    tensor = helper.make_tensor_value_info
    body = helper.make_graph(
        graph.nodes,
        "joint model",
        [
            tensor("ids", TensorProto.INT64, [1, "tokens"]),
            tensor("kinds", TensorProto.INT64, [1, "tokens"]),
            tensor("member", TensorProto.FLOAT, [1, "sentences", "tokens"]),
        ],
        [tensor("none", TensorProto.FLOAT, [1]), tensor("sentences", TensorProto.FLOAT, [1, "sentences"])],
        list(graph.tensors.values()),
    )
    versions = [helper.make_opsetid("", OPSET_VERSION), helper.make_opsetid(FUSED, 1)]
    return helper.make_model(body, ir_version=IR_VERSION, opset_imports=versions)


def _add_embeddings(graph: JointGraphBuilder) -> str:
    length = add_length(graph, "ids")
    positions = graph.node("Range", graph.constant("zero", np.int64(0)), length, "one")
    places = graph.look_up("embeddings.position_embeddings.weight", positions)
    token_type = graph.exported.read_table("embeddings.token_type_embeddings.weight")[0]  # always the first
    words = graph.node(
        "Add", graph.look_up("embeddings.word_embeddings.weight", "ids"), graph.look_up("kinds.weight", "kinds")
    )
    beside_words = graph.node("Add", places, graph.constant("token_type", token_type))
    return graph.layer_norm(graph.node("Add", words, beside_words), "embeddings.LayerNorm")


def _add_layer(graph: JointGraphBuilder, hidden: str, layer: str) -> str:
    projections = graph.exported.join_matrices([f"{layer}.attention.self.{name}" for name in ("query", "key", "value")])
    projected = graph.multiply_int8(hidden, projections, f"{layer}.attention.self")
    parts = graph.split(projected, graph.constant("thirds", np.full(3, HIDDEN_SIZE)))
    attention = graph.node("MultiHeadAttention", *parts, domain=FUSED, num_heads=HEAD_COUNT)
    attention = graph.dense(attention, f"{layer}.attention.output.dense")
    hidden = graph.layer_norm(graph.node("Add", attention, hidden), f"{layer}.attention.output.LayerNorm")
    widened = graph.gelu(graph.dense(hidden, f"{layer}.intermediate.dense"))
    output = graph.dense(widened, f"{layer}.output.dense")
    return graph.layer_norm(graph.node("Add", output, hidden), f"{layer}.output.LayerNorm")


def _add_pooling(graph: JointGraphBuilder, hidden: str) -> None:
    """Add what `JointModel.pool` computes."""
    middle, last = graph.constant("middle", np.array([1])), graph.constant("last", np.array([2]))
    sizes = graph.node("ReduceSum", "member", last, keepdims=1)
    means = graph.node("Div", graph.node("MatMul", "member", hidden), sizes)
    first = graph.node("Gather", hidden, "zero", axis=1)
    graph.node("Squeeze", graph.multiply_float(first, "none"), middle, output="none")
    spread = graph.node("Expand", graph.node("Unsqueeze", first, middle), graph.node("Shape", means))
    pooled = graph.gelu(graph.multiply_float(graph.node("Concat", means, spread, axis=2), "head.0"))
    pooled = graph.node("Squeeze", graph.multiply_float(pooled, "head.2"), last)
    tokens = graph.node("Transpose", graph.multiply_float(hidden, "answer"), perm=[0, 2, 1])
    is_member = graph.node("Cast", "member", to=TensorProto.BOOL)
    tokens = graph.node("Where", is_member, tokens, graph.constant("outside", OUTSIDE_LOGIT))
    peaks = graph.node("ReduceLogSumExp", tokens, axes=[2], keepdims=0)
    graph.node("Add", pooled, graph.node("Mul", graph.weight("peak"), peaks), output="sentences")


def write_graph(exported: Path, out: Path) -> None:
    """Write the graph with the weights of an exported int8 graph."""
    out.write_bytes(build_graph(ExportedWeights(onnx.load(exported))).SerializeToString())


def read_graph(path: Path) -> dict[str, np.ndarray]:
    """Return the weights of a graph that the service runs, by the names of training, rounded as the graph has them."""
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    state: dict[str, np.ndarray] = {
        "body.embeddings.token_type_embeddings.weight": np.stack([tensors["token_type"]] * 2)
    }
    for name, value in tensors.items():
        layer, _, kind = name.rpartition(".")
        if kind == "values":
            matrix = Int8Matrix(value, tensors[f"{layer}.scales"], tensors[f"{layer}.bias"])
            names = [layer]
            if layer.endswith("attention.self"):
                names = [f"{layer}.{part}" for part in ("query", "key", "value")]
            for part, kernel, bias in zip(
                names, np.split(matrix.to_float(), len(names), 1), np.split(matrix.bias, len(names)), strict=True
            ):
                state[f"body.{part}.weight"], state[f"body.{part}.bias"] = kernel.T, bias
        elif kind == "kernel":
            state[f"{layer}.weight"], state[f"{layer}.bias"] = value.T, tensors[f"{layer}.bias"]
        elif name.endswith("_quantized"):
            table = name.removesuffix("_quantized")
            integers = value.astype(np.float32) - tensors[f"{table}_zero_point"]
            state["body." * table.startswith("embeddings") + table] = integers * tensors[f"{table}_scale"]
        elif ".LayerNorm." in name:
            state[f"body.{name}"] = value
    state["peak"] = tensors["peak"]
    return {name: np.ascontiguousarray(value) for name, value in state.items()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m training.joint_graph", description=__doc__)
    parser.add_argument("exported", type=Path, help="the int8 graph that PyTorch exported")
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    write_graph(options.exported, options.out)
    print(hashlib.sha256(options.out.read_bytes()).hexdigest())
    return 0


if __name__ == "__main__":
    sys.exit(main())
