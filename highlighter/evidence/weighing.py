"""From a sentence's features to the probability that it is evidence: a small network, fitted and kept as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Features further than this from their mean, in standard deviations, say no more than that they are far.
FAR = 6.0


@dataclass(frozen=True, slots=True)
class Weighing:
    """`names` are the columns it was fitted on, in order: columns that have changed since are refused, not misread."""

    names: tuple[str, ...]
    mean: np.ndarray
    scale: np.ndarray
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]

    def probabilities(self, columns: np.ndarray) -> np.ndarray:
        signal = np.clip((columns - self.mean) / self.scale, -FAR, FAR)
        for matrix, bias in self.layers[:-1]:
            signal = _gelu(signal @ matrix + bias)
        matrix, bias = self.layers[-1]
        return 1.0 / (1.0 + np.exp(-np.clip((signal @ matrix + bias)[:, 0], -30, 30)))

    def save(self, path: Path) -> None:
        arrays = {"names": np.array(self.names), "mean": self.mean, "scale": self.scale}
        for number, (matrix, bias) in enumerate(self.layers):
            arrays |= {f"matrix{number}": matrix, f"bias{number}": bias}
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as out:
            np.savez(out, **arrays)

    @classmethod
    def load(cls, path: Path, names: tuple[str, ...]) -> Weighing:
        with np.load(path, allow_pickle=False) as kept:
            if tuple(kept["names"]) != names:
                raise ValueError(f"{path} was fitted on other features; fit it again (python -m highlighter calibrate)")
            count = sum(key.startswith("matrix") for key in kept)
            layers = tuple((kept[f"matrix{n}"], kept[f"bias{n}"]) for n in range(count))
            return cls(names, kept["mean"], kept["scale"], layers)


def _gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))
