"""The learning rates of an encoder's layers."""

from __future__ import annotations


def compute_layer_rate(name: str, layers: int, rate: float, decay: float) -> float:
    """Return the rate of a parameter of the encoder: lower than that of the layer above it, and lowest below all layers."""
    depth = int(name.split(".")[3]) if name.startswith("body.encoder.layer.") else -1
    rate_of_depth: float = rate * decay ** (layers - 1 - depth)
    return rate_of_depth
