"""Highlighter shows the sentence that carries a citation, in its place.

>>> from highlighter import Highlighter
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highlighter.facade import Highlighter

__all__ = ["Highlighter", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str):
    # On first use only: a process that reads a file imports this package too, and needs neither SQL nor settings.
    if name == "Highlighter":
        from highlighter.facade import Highlighter

        return Highlighter
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
