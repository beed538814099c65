"""Highlighter in other people's frameworks. Each module needs a package of its own, and is imported by nobody else here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def require_package(package: str, module: str = "") -> Iterator[None]:
    """Around the imports of an optional package: where it is missing, one sentence says what to install."""
    try:
        yield
    except ModuleNotFoundError as err:
        if (err.name or "").partition(".")[0] != (module or package.replace("-", "_")):
            raise
        raise ImportError(
            f"{package} is required: pip install -r requirements-adapters.txt (or {package} alone)."
        ) from err
