"""A limit on the requests that run at once, and deadlines for what clients are still to send."""

from __future__ import annotations

import math
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestTimeout

from highlighter.locale import N_
from highlighter.overload import ENVIRON_OVERLOADED

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


@dataclass(frozen=True, slots=True)
class WaitLimits:
    """When a request that waits for a slot is refused, in seconds.

    A queue that empties again is a burst, which is worth waiting for. A queue that stands only makes every request late, those
    that are answered included; then none waits longer than a quarter of what a request takes on average, and the server works on
    those that it can answer in time (after adaptive CoDel: B. Maurer, "Fail at Scale", ACM Queue 2015). Such short waits empty
    the queue now and then, so it counts as standing until for as long no request was refused.
    """

    burst: float = 10.0
    queue_stands_after: float = 10.0


AVERAGED_REQUESTS = 100  # the latest ones weigh most


class RequestSlots:
    """The slots of the requests that run, and the queue of those that wait for one, first come, first served.

    A request that has begun goes before those that have not, and is never refused.
    """

    def __init__(self, count: int, limits: WaitLimits, clock: Callable[[], float] = time.monotonic):
        self._free, self._limits, self._clock = count, limits, clock
        self._waiting: deque[threading.Event] = deque()  # set for the request that a slot is handed over to
        self._had_room_at = clock()
        self._refused_at = -math.inf
        self._average_seconds = 0.0  # that a request holds its slot for
        self._lock = threading.Lock()  # guards all of these

    def enter(self) -> bool:
        """Take a slot for a new request. Return False when it has waited long enough."""
        with self._lock:
            if self._free:
                self._had_room_at = self._clock()
                self._free -= 1
                return True
            turn = threading.Event()
            self._waiting.append(turn)
            wait_seconds = self._limit_wait()
        if turn.wait(wait_seconds):
            return True
        with self._lock:
            if turn.is_set():  # a slot came in this moment
                return True
            self._waiting.remove(turn)
            self._refused_at = self._clock()
            return False

    def reenter(self) -> None:
        """Take a slot for a request that has begun."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Event()
            self._waiting.appendleft(turn)
        turn.wait()

    def leave(self) -> None:
        """Hand the slot over to the first that waits."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def record_duration(self, seconds: float) -> None:
        """Count how long a request ran into the average."""
        with self._lock:
            self._average_seconds += (seconds - self._average_seconds) / AVERAGED_REQUESTS

    @contextmanager
    def hold(self) -> Iterator[None]:
        self.reenter()
        try:
            yield
        finally:
            self.leave()

    def _limit_wait(self) -> float:
        now, long_enough = self._clock(), self._limits.queue_stands_after
        has_standing_queue = now - self._had_room_at >= long_enough or now - self._refused_at < long_enough
        return min(self._average_seconds / 4, self._limits.burst) if has_standing_queue else self._limits.burst


class ConcurrencyLimit:
    """A WSGI application that runs another in at most `threads` threads at a time.

    A request that waits for its client, to send more of a body or to take more of a response, gives its slot to another.
    A request that gets no slot in time is marked as one to refuse, which takes the application no time.
    """

    def __init__(
        self, application: WSGIApplication, threads: int, deadlines: ReadDeadlines, limits: WaitLimits = WaitLimits()
    ):
        self._application, self._deadlines = application, deadlines
        self._slots = RequestSlots(threads, limits)

    def __call__(self, environment: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not self._slots.enter():
            environment[ENVIRON_OVERLOADED] = True
            return self._application(environment, start_response)
        environment["wsgi.input"] = RequestBody(environment, self._slots, self._deadlines)
        began = time.monotonic()
        try:
            response = self._application(environment, start_response)
        finally:
            self._slots.record_duration(time.monotonic() - began)
            self._slots.leave()
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

    def __init__(self, environment: WSGIEnvironment, slots: RequestSlots, deadlines: ReadDeadlines):
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
        self._slots.leave()
        try:
            with self._deadlines.limit_read(self._connection, BODY_READ_SECONDS):
                return read(size)
        except ParseException as err:
            raise BadRequest(N_("The body is not encoded as its headers say.")) from err
        except OSError as err:
            raise ClientDisconnected(N_("The body ended before it was complete.")) from err
        finally:
            self._slots.reenter()


class ResponseBody:
    """A response whose parts are made in a slot of the limit, and sent outside it."""

    def __init__(self, parts: Iterable[bytes], slots: RequestSlots):
        self._parts, self._iterator, self._slots = parts, iter(parts), slots

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with self._slots.hold():
            return next(self._iterator)

    def close(self) -> None:
        close = getattr(self._parts, "close", None)
        if close is not None:
            with self._slots.hold():
                close()
