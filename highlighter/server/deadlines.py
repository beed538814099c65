"""Deadlines for what a client is still to send."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from werkzeug.exceptions import RequestTimeout

from highlighter.locale import N_


class ReadDeadlines:
    """The reads that worker threads wait in. The server's main loop ends those whose time is over.

    A deadline is for a whole read and not for a pause in it: a client that sends a byte now and then gains no time by that.
    """

    def __init__(self) -> None:
        self._reads: dict[socket.socket, tuple[float, float]] = {}
        self._overdue: set[socket.socket] = set()

    def begin(self, connection: socket.socket, seconds: float) -> None:
        self._reads[connection] = (time.monotonic(), seconds)

    def end(self, connection: socket.socket) -> bool:
        """Return whether the read was overdue."""
        self._reads.pop(connection, None)
        overdue = connection in self._overdue
        self._overdue.discard(connection)
        return overdue

    @contextmanager
    def within(self, connection: socket.socket, seconds: float) -> Iterator[None]:
        self.begin(connection, seconds)
        try:
            yield
        finally:
            if self.end(connection):
                raise RequestTimeout(N_("The rest of the request did not arrive in time. Send it again."))

    def close_overdue(self, at_most: float) -> None:
        """End every read that takes longer than its deadline, or than `at_most` seconds."""
        now = time.monotonic()
        for connection, (began, seconds) in list(self._reads.items()):
            if now - began > min(seconds, at_most):
                self._overdue.add(connection)
                with suppress(OSError):  # the client has closed it meanwhile
                    connection.shutdown(socket.SHUT_RD)  # the thread reads an end of file, and can still answer
