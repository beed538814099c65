"""What operating systems differ in: where a library can be kept, and whether a process runs."""

from __future__ import annotations

import os
import platform
from importlib.util import find_spec

from highlighter.errors import HighlighterError
from highlighter.locale import N_

# Only Linux ends child processes with their parent, and refuses them memory and the network. Elsewhere a thread of each child
# looks after its parent, and what reads files is stopped by its processor time and by the clock alone.
IS_LINUX = platform.system() == "Linux"


class UnsupportedSystem(HighlighterError):
    """The error for a library on a system without locks on files and limits on processes (POSIX), which is Windows."""

    title = N_("This system cannot keep a library")

    def __init__(self) -> None:
        super().__init__(
            "Highlighter keeps documents on Linux and macOS. On Windows, run it in WSL or a container, or set HIGHLIGHTER_URL "
            "to a service elsewhere: then the commands and highlighter.client work here."
        )


def require_posix() -> None:
    """Raise UnsupportedSystem where documents cannot be kept."""
    if find_spec("fcntl") is None:
        raise UnsupportedSystem


def is_process_running(process_id: int) -> bool:
    """Return whether there is a process with this id, whoever started it."""
    if process_id <= 0:
        return False
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # it belongs to another user
        return True
    return True
