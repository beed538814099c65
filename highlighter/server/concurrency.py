"""A limit on the requests that run at once, and deadlines for what clients are still to send."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TypeVar
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestTimeout

from highlighter.locale import N_

Content = TypeVar("Content")


class ReadDeadlines:
    """The reads that worker threads wait in, each with a deadline. The server's main loop ends overdue reads.

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
    def limit_read(self, connection: socket.socket, seconds: float) -> Iterator[None]:
        """Raise RequestTimeout at the end of the `with` block when its read was overdue."""
        self.begin(connection, seconds)
        try:
            yield
        finally:
            if self.end(connection):
                raise RequestTimeout(N_("The rest of the request did not arrive in time. Send it again."))

    def close_overdue(self, max_seconds: float) -> None:
        """End every read that takes longer than its deadline, or than `max_seconds`."""
        now = time.monotonic()
        for connection, (started, seconds) in list(self._reads.items()):
            if now - started > min(seconds, max_seconds):
                self._overdue.add(connection)
                with suppress(OSError):  # the client has closed it meanwhile
                    connection.shutdown(socket.SHUT_RD)  # the thread reads an end of file, and can still answer


# The concurrency limit, which does not count the time that clients take to send and receive.

BODY_READ_SECONDS = 60  # for one read of at most 64 kB: 10 kbit/s is fast enough


class ConcurrencyLimit:
    """A WSGI application that runs another in at most `threads` threads at a time.

    A request that waits for its client, to send more of a body or to take more of a response, gives its slot to another.
    """

    def __init__(self, application: WSGIApplication, threads: int, deadlines: ReadDeadlines):
        self._application, self._deadlines = application, deadlines
        self._slots = threading.BoundedSemaphore(threads)

    def __call__(self, environment: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environment["wsgi.input"] = RequestBody(environment, self._slots, self._deadlines)
        with self._slots:
            response = self._application(environment, start_response)
        is_file = isinstance(response, environment["wsgi.file_wrapper"])
        if is_file:
            return response  # the kernel sends the file, without the application
        return ResponseBody(response, self._slots)


class BodyStream(Protocol):
    """The body of a request as gunicorn offers it."""

    def read(self, size: int | None, /) -> bytes: ...

    def readline(self, size: int | None, /) -> bytes: ...

    def readlines(self, size: int | None, /) -> list[bytes]: ...


class RequestBody:
    """The `wsgi.input` of a request, which is read with a deadline while the request's slot is free for another."""

    def __init__(self, environment: WSGIEnvironment, slots: threading.Semaphore, deadlines: ReadDeadlines):
        self._stream: BodyStream = environment["wsgi.input"]
        self._connection: socket.socket = environment["gunicorn.socket"]
        self._slots, self._deadlines = slots, deadlines

    def read(self, size: int | None = -1) -> bytes:
        return self._read_outside_limit(self._stream.read, size)

    def readline(self, size: int | None = -1) -> bytes:
        return self._read_outside_limit(self._stream.readline, size)

    def readlines(self, size: int | None = -1) -> list[bytes]:
        return self._read_outside_limit(self._stream.readlines, size)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _read_outside_limit(self, read: Callable[[int | None], Content], size: int | None) -> Content:
        self._slots.release()
        try:
            with self._deadlines.limit_read(self._connection, BODY_READ_SECONDS):
                return read(size)
        except ParseException as err:
            raise BadRequest(N_("The body is not encoded as its headers say.")) from err
        except OSError as err:
            raise ClientDisconnected(N_("The body ended before it was complete.")) from err
        finally:
            self._slots.acquire()


class ResponseBody:
    """A response whose parts are made in a slot of the limit, and sent outside it."""

    def __init__(self, parts: Iterable[bytes], slots: threading.Semaphore):
        self._parts, self._iterator, self._slots = parts, iter(parts), slots

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
