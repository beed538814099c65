"""The form in which vectors are stored: 32-bit floats, one after another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def decode_vectors(stored: Sequence[bytes]) -> np.ndarray:
    """Return the stored vectors as the rows of one matrix. There must be at least one."""
    return np.frombuffer(b"".join(stored), dtype=np.float32).reshape(len(stored), -1)


def encode_vector(vector: np.ndarray) -> bytes:
    return vector.astype(np.float32).tobytes()
