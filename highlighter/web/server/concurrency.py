"""Deadlines for what a client is still to send."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestTimeout

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


# How many requests the application works on at once, not counting the time that clients take to send and receive.


BODY_READ_SECONDS = 60  # for one read, which is of 64 kB at most: a line of 10 kbit/s is quick enough


class ConcurrencyLimit:
    """A WSGI application that runs another in at most `threads` threads at a time.

    A request that waits for its client, to send more of a body or to take more of a response, leaves its place to another.
    """

    def __init__(self, application: Callable[..., Any], threads: int, deadlines: ReadDeadlines):
        self._application, self._deadlines = application, deadlines
        self._slots = threading.BoundedSemaphore(threads)

    def __call__(self, environment: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environment["wsgi.input"] = RequestBody(environment, self._slots, self._deadlines)
        with self._slots:
            response = self._application(environment, start_response)
        if isinstance(response, environment["wsgi.file_wrapper"]):
            return response  # the kernel sends it, and the application has no more to do
        return ResponseBody(response, self._slots)


class RequestBody:
    """`wsgi.input`, read while another request has this one's place, and by a deadline."""

    def __init__(self, environment: dict[str, Any], places: threading.Semaphore, deadlines: ReadDeadlines):
        self._input, self._connection = environment["wsgi.input"], environment["gunicorn.socket"]
        self._slots, self._deadlines = places, deadlines

    def read(self, size: int | None = -1) -> bytes:
        return self._read_outside_limit(self._input.read, size)

    def readline(self, size: int | None = -1) -> bytes:
        return self._read_outside_limit(self._input.readline, size)

    def readlines(self, size: int | None = -1) -> list[bytes]:
        return self._read_outside_limit(self._input.readlines, size)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _read_outside_limit(self, read: Callable[[int | None], Any], size: int | None) -> Any:
        self._slots.release()
        try:
            with self._deadlines.within(self._connection, BODY_READ_SECONDS):
                return read(size)
        except ParseException as err:
            raise BadRequest(N_("The body is not encoded as its headers say.")) from err
        except OSError as err:
            raise ClientDisconnected(N_("The body ended before it was complete.")) from err
        finally:
            self._slots.acquire()


class ResponseBody:
    """A response that is made in a place of the limit, part by part, and sent outside it."""

    def __init__(self, parts: Iterable[bytes], places: threading.Semaphore):
        self._parts, self._iterator, self._slots = parts, iter(parts), places

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with self._slots:
            return next(self._iterator)

    def close(self) -> None:
        close = getattr(self._parts, "close", None)
        if close is not None:
            with self._slots:
                close()
