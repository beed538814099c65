"""Python looks for this file at its start: whatever another environment runs then reaches no further than this machine."""

from __future__ import annotations

import socket
import sys

connect = socket.socket.connect


def only_here(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
        print("Reached out to", address, file=sys.stderr, flush=True)
        raise OSError(f"A test reached out to {address}")
    return connect(self, address)


socket.socket.connect = only_here
