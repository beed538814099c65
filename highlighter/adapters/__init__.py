"""Adapters for other frameworks. Each module needs an optional package, and only `highlighter.cli.mcp` imports one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def require_package(package: str, module: str = "") -> Iterator[None]:
    """Raise ImportError with what to install, where an import in the `with` block fails because the package is missing."""
    try:
        yield
    except ModuleNotFoundError as err:
        if (err.name or "").partition(".")[0] != (module or package.replace("-", "_")):
            raise
        raise ImportError(
            f"{package} is required: pip install -r requirements-adapters.txt (or {package} alone)."
        ) from err
