"""How many requests the application works on at once, not counting the time that clients take to send and receive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gunicorn.http.errors import ParseException
from werkzeug.exceptions import BadRequest, ClientDisconnected

from highlighter.locale import N_
from highlighter.server.deadlines import ReadDeadlines

BODY_READ_SECONDS = 60  # for one read, which is of 64 kB at most: a line of 10 kbit/s is quick enough


class ConcurrencyLimit:
    """A WSGI application that runs another in at most `threads` threads at a time.

    A request that waits for its client, to send more of a body or to take more of a response, leaves its place to another.
    """

    def __init__(self, application: Callable[..., Any], threads: int, deadlines: ReadDeadlines):
        self._application, self._deadlines = application, deadlines
        self._places = threading.BoundedSemaphore(threads)

    def __call__(self, environment: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        environment["wsgi.input"] = RequestBody(environment, self._places, self._deadlines)
        with self._places:
            response = self._application(environment, start_response)
        if isinstance(response, environment["wsgi.file_wrapper"]):
            return response  # the kernel sends it, and the application has no more to do
        return ResponseBody(response, self._places)


class RequestBody:
    """`wsgi.input`, read while another request has this one's place, and by a deadline."""

    def __init__(self, environment: dict[str, Any], places: threading.Semaphore, deadlines: ReadDeadlines):
        self._input, self._connection = environment["wsgi.input"], environment["gunicorn.socket"]
        self._places, self._deadlines = places, deadlines

    def read(self, size: int | None = -1) -> bytes:
        return self._while_away(self._input.read, size)

    def readline(self, size: int | None = -1) -> bytes:
        return self._while_away(self._input.readline, size)

    def readlines(self, size: int | None = -1) -> list[bytes]:
        return self._while_away(self._input.readlines, size)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.readline, b"")

    def _while_away(self, read: Callable[[int | None], Any], size: int | None) -> Any:
        self._places.release()
        try:
            with self._deadlines.within(self._connection, BODY_READ_SECONDS):
                return read(size)
        except ParseException as err:
            raise BadRequest(N_("The body is not encoded as its headers say.")) from err
        except OSError as err:
            raise ClientDisconnected(N_("The body ended before it was complete.")) from err
        finally:
            self._places.acquire()


class ResponseBody:
    """A response that is made in a place of the limit, part by part, and sent outside it."""

    def __init__(self, parts: Iterable[bytes], places: threading.Semaphore):
        self._parts, self._iterator, self._places = parts, iter(parts), places

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with self._places:
            return next(self._iterator)

    def close(self) -> None:
        close = getattr(self._parts, "close", None)
        if close is not None:
            with self._places:
                close()
