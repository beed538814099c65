"""The HTTP transport of the client: requests, errors and event streams."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2

from highlighter.errors import HighlighterError

EVENT_SEPARATOR = b"\n\n"
CONNECT_SECONDS = 10


class ApiError(HighlighterError):
    """An error response of the service, or a failure to reach the service.

    `problem` holds the problem details of the response; without a response, only a `detail`.
    """

    def __init__(self, status: int, problem: dict[str, Any], retry_after: int | None = None):
        super().__init__(str(problem.get("detail") or f"The service returned {status} without a reason."))
        self.status, self.problem, self.retry_after = status, problem, retry_after
        self.title = str(problem.get("title") or "The service refused the request")

    @property
    def request_id(self) -> str:
        return str(self.problem.get("request_id", ""))


@dataclass(frozen=True, slots=True)
class Step:
    """An event of an answer that is being written: sub_questions, evidence, token, citation, check or done."""

    name: str
    body: dict[str, Any]


class ApiTransport:
    """Sends requests to one service. Redirects are not followed, so that the key goes to no other address."""

    def __init__(self, url: str, key: str, seconds: float):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        self.host, self.mount_path = f"{parts.scheme}://{parts.netloc}", parts.path
        timeout = httpx2.Timeout(seconds, connect=CONNECT_SECONDS)
        self._http = httpx2.Client(base_url=self.url, headers=headers, timeout=timeout)

    def close(self) -> None:
        self._http.close()

    def send(self, method: str, path: str, **options: Any) -> httpx2.Response:
        """Send a request, and return the response; raise ApiError for an error."""
        with self._translate_errors():
            response = self._http.request(method, f"/api/v1/{path}", **options)
        _raise_for_status(response)
        return response

    @contextmanager
    def stream(self, method: str, path: str, **options: Any) -> Iterator[httpx2.Response]:
        """Send a request, and yield the response before its body has been read; raise ApiError for an error."""
        with self._translate_errors(), self._http.stream(method, f"/api/v1/{path}", **options) as response:
            if response.status_code >= 300:
                response.read()
            _raise_for_status(response)
            yield response

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Raise errors of the HTTP library as ApiError."""
        try:
            yield
        except httpx2.TimeoutException as err:
            raise ApiError(0, {"detail": f"{self.url} did not answer in time."}) from err
        except httpx2.TransportError as err:
            raise ApiError(0, {"detail": f"{self.url} cannot be reached: {err}."}) from err


def read_steps(response: httpx2.Response) -> Iterator[Step]:
    """Yield the events of a stream as they arrive; raise ApiError for an error event."""
    incomplete_event = b""
    for content in response.iter_bytes():
        *events, incomplete_event = (incomplete_event + content).split(EVENT_SEPARATOR)
        for event in events:
            # splitlines would also split at line separators within the data.
            fields = dict(line.split(": ", 1) for line in event.decode().split("\n") if ": " in line)
            if "data" not in fields:
                continue
            body = json.loads(fields["data"])
            if fields.get("event") == "error":
                raise ApiError(int(body.get("status", 500)), body)
            yield Step(fields.get("event", ""), body)


def _raise_for_status(response: httpx2.Response) -> None:
    if response.status_code < 300:
        return
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    retry_after = response.headers.get("Retry-After", "")
    raise ApiError(
        response.status_code,
        problem if isinstance(problem, dict) else {},
        int(retry_after) if retry_after.isascii() and retry_after.isdigit() else None,
    )
