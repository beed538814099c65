"""Whether whoever asked is still on the line, while there is nothing to send that would tell."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from typing import Any

SHOWN_AS = ("gunicorn.socket", "werkzeug.socket")  # servers that show theirs


def hung_up(environment: Mapping[str, Any]) -> Callable[[], bool]:
    """Asked as often as one likes. Of a connection that its server does not show nobody can tell."""
    line = next((environment[name] for name in SHOWN_AS if name in environment), None)

    def gone() -> bool:
        try:
            return line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    return gone if line is not None else lambda: False
