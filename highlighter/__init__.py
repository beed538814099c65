"""Highlighter shows the sentence that supports a citation, highlighted on its page.

>>> from highlighter import Highlighter
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from highlighter.version import __version__

if TYPE_CHECKING:
    from highlighter.facade import Highlighter

__all__ = ["Highlighter", "__version__"]


def __getattr__(name: str) -> type[Highlighter]:
    # Only on first use: a child process that reads a file imports this package too, and needs neither SQL nor settings.
    if name == "Highlighter":
        from highlighter.facade import Highlighter

        return Highlighter
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
