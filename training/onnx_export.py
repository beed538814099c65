"""Export of the joint model as int8 ONNX."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import torch
from torch import nn

from training.model import JointModel


class _ExportedModel(nn.Module):
    """The joint model with the tokens of each sentence given as a matrix, by which ONNX can pool."""

    def __init__(self, model: JointModel):
        super().__init__()
        self.model = model

    def forward(self, ids, kinds, member):
        embedded = self.model.body.embeddings.word_embeddings(ids) + self.model.kinds(kinds)
        hidden = self.model.body(inputs_embeds=embedded, attention_mask=torch.ones_like(ids)).last_hidden_state
        none, sentences, _ = self.model.pool(hidden, member)
        return none, sentences


def export(weights: Path, layers: int, out: Path) -> None:
    """Write the trained weights as the graph that the service runs."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    from training.joint_graph import write_graph

    state = torch.load(weights, map_location="cpu", weights_only=True)
    model = JointModel(len(state["body.embeddings.word_embeddings.weight"]), layers)
    model.load_state_dict(state)
    model.body.set_attn_implementation("eager")
    model.eval()
    ids, kinds = torch.tensor([[101, 7592, 102, 7592, 102]]), torch.tensor([[0, 0, 0, 3, 3]])
    member = torch.tensor([[[0.0, 0.0, 0.0, 1.0, 1.0]]])
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        full_precision, int8 = Path(folder) / "whole.onnx", Path(folder) / "int8.onnx"
        torch.onnx.export(
            _ExportedModel(model),
            (ids, kinds, member),
            full_precision,
            input_names=["ids", "kinds", "member"],
            output_names=["none", "sentences"],
            dynamic_axes={
                "ids": {1: "pieces"},
                "kinds": {1: "pieces"},
                "member": {1: "sentences", 2: "pieces"},
                "sentences": {1: "sentences"},
            },
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(full_precision, int8, weight_type=QuantType.QInt8, per_channel=True)
        write_graph(int8, out)
