"""What a child process runs to find other programs. It imports nothing else, as the child would."""

from __future__ import annotations

import os


def set_path(path: str) -> None:
    """Set the search path of the process that runs this."""
    os.environ["PATH"] = path
