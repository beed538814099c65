"""python -m training.entailment.export WEIGHTS...: write the claim reader as int8 ONNX, of several runs their mean."""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from highlighter.embedding.bert_graph import (
    HIDDEN_SIZE,
    GraphBuilder,
    add_embeddings,
    add_gelu,
    add_layers,
    add_length,
    build_model,
    write_int8,
)
from highlighter.grounding.entailment import MODEL_FILE

_LAYER = "encoder.layer."


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m training.entailment.export", description=__doc__)
    parser.add_argument("weights", type=Path, nargs="+", help="model.pt of one run or of several")
    parser.add_argument("--out", type=Path, default=MODEL_FILE)
    options = parser.parse_args()
    export(options.weights, options.out)
    print(hashlib.sha256(options.out.read_bytes()).hexdigest())
    return 0


def export(weights: Sequence[Path], path: Path) -> None:
    """Write the graph of the trained weights."""
    states = [torch.load(file, map_location="cpu", weights_only=True) for file in weights]
    state = {name: sum(state[name] for state in states) / len(states) for name in states[0]}
    write_int8(build_graph({name.removeprefix("body."): tensor.numpy() for name, tensor in state.items()}), path)


def read_exported(path: Path) -> dict[str, torch.Tensor]:
    """Return the weights of an exported graph as the model's state, rounded as the graph has them."""
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(path).graph.initializer}
    state = {}
    for name, value in tensors.items():
        plain = name.removesuffix("_quantized")
        if plain != name:
            offset = tensors[f"{plain}_zero_point"].astype(np.float32)
            value = (value.astype(np.float32) - offset) * tensors[f"{plain}_scale"]
        if plain.endswith(".kernel") or (plain.endswith(".weight") and value.ndim == 2 and "embeddings" not in plain):
            value = value if plain == "roles.weight" else value.T  # a graph multiplies from the other side
        if plain.partition(".")[0] in ("encoder", "embeddings", "roles", "verdict", "carries") and "." in plain:
            is_body = plain.startswith(("encoder.", "embeddings."))
            new_name = plain.replace(".kernel", ".weight")
            if not new_name.endswith(("_scale", "_zero_point")):
                state["body." * is_body + new_name] = torch.tensor(np.ascontiguousarray(value))
    return state


def build_graph(weights: dict[str, np.ndarray]) -> onnx.ModelProto:
    """Return the claim reader in full precision.

    In: the embedded tokens, the role of each (1: of a sentence), the tokens of each sentence as rows of a matrix, and
    those of the claim as another. Out: the verdict's three logits, and one of each sentence to decide it.
    """
    layer_count = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith(_LAYER))
    graph = GraphBuilder(weights)
    roles = graph.node("Gather", graph.weight("roles.weight"), "roles")
    embedded = graph.node("Add", "embedded", roles)
    hidden = add_embeddings(graph, add_length(graph, "embedded"), lambda: embedded)
    hidden = add_layers(graph, hidden, layer_count, graph.constant("merged", np.array([1, -1, HIDDEN_SIZE])))
    first = graph.node("Gather", hidden, graph.constant("first", np.int64(0)), axis=1)
    claim = graph.node(
        "ReduceSum", graph.node("MatMul", "claim", hidden), graph.constant("middle", np.array([1])), keepdims=0
    )
    mean_claim = graph.node(
        "Div", claim, graph.node("ReduceSum", "claim", graph.constant("last", np.array([2])), keepdims=0)
    )
    _add_head(graph, "verdict", graph.node("Concat", first, mean_claim, axis=1), "verdict")
    sizes = graph.node("ReduceSum", "member", "last", keepdims=1)
    means = graph.node("Div", graph.node("MatMul", "member", hidden), sizes)
    shape = graph.node("Shape", means)
    spread = graph.node("Expand", graph.node("Unsqueeze", first, "middle"), shape)
    carries = _add_head(graph, "carries", graph.node("Concat", means, spread, axis=2), "")
    graph.node("Squeeze", carries, "last", output="carries")
    tensor = helper.make_tensor_value_info
    return build_model(
        graph,
        "claim reader",
        [
            tensor("embedded", TensorProto.FLOAT, [1, "tokens", HIDDEN_SIZE]),
            tensor("roles", TensorProto.INT64, [1, "tokens"]),
            tensor("member", TensorProto.FLOAT, [1, "sentences", "tokens"]),
            tensor("claim", TensorProto.FLOAT, [1, 1, "tokens"]),
        ],
        [tensor("verdict", TensorProto.FLOAT, [1, 3]), tensor("carries", TensorProto.FLOAT, [1, "sentences"])],
    )


def _add_head(graph: GraphBuilder, name: str, x: str, output: str) -> str:
    hidden = add_gelu(graph, graph.dense(x, f"{name}.0"))
    kernel = graph.constant(f"{name}.2.kernel", np.ascontiguousarray(graph.weights[f"{name}.2.weight"].T))
    return graph.node("Add", graph.node("MatMul", hidden, kernel), graph.weight(f"{name}.2.bias"), output=output)


if __name__ == "__main__":
    sys.exit(main())
