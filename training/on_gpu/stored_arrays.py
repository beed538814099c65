"""Arrays that are stored together in one file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np


@dataclass(frozen=True, slots=True)
class StoredArrays:
    """The base of examples whose fields are arrays."""

    def save(self, path: Path) -> None:
        np.savez(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Self:
        with np.load(path) as arrays:
            return cls(**{field.name: arrays[field.name] for field in fields(cls)})
