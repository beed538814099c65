"""The weights of a reader in one small file: large matrices as int8 with a scale for each row, as they are carried in the end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

MIN_ROWS, SCALE_SUFFIX = 256, "#scale"


def save_packed(state: Mapping[str, torch.Tensor], path: Path) -> None:
    arrays: dict[str, np.ndarray] = {}
    for name, tensor in state.items():
        value = tensor.detach().float().cpu().numpy()
        if value.ndim == 2 and min(value.shape) >= MIN_ROWS and "position" not in name:
            scale = np.abs(value).max(axis=1, keepdims=True).clip(1e-12) / 127
            arrays[name], arrays[name + SCALE_SUFFIX] = np.rint(value / scale).astype(np.int8), scale
        else:
            arrays[name] = value
    np.savez(path, **arrays)


def load_packed(path: Path) -> dict[str, torch.Tensor]:
    with np.load(path) as arrays:
        state = {}
        for name in arrays.files:
            if not name.endswith(SCALE_SUFFIX):
                value = arrays[name].astype(np.float32)
                scale = name + SCALE_SUFFIX
                state[name] = torch.from_numpy(value * arrays[scale] if scale in arrays.files else value)
        return state
