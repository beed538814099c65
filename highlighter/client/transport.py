"""What the client's methods stand on: requests sent, refusals raised, events read as they come."""

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
    """What the service said instead of an answer. `problem` is the whole of it; empty when nobody answered at all."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: int | None = None):
        super().__init__(str(problem.get("detail") or f"The service returned {status} without a reason."))
        self.status, self.problem, self.retry_after = status, problem, retry_after
        self.title = str(problem.get("title") or "The service refused the request")

    @property
    def request_id(self) -> str:
        return str(self.problem.get("request_id", ""))


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened while an answer was made: sub_questions, evidence, token, citation, check, done."""

    name: str
    body: dict[str, Any]


class ApiTransport:
    """The key goes to this address and no other: redirects are not followed."""

    def __init__(self, url: str, key: str, seconds: float):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.url = url.rstrip("/")
        parts = urlsplit(self.url)
        self.host, self.mount_path = f"{parts.scheme}://{parts.netloc}", parts.path
        timeout = httpx2.Timeout(seconds, connect=CONNECT_SECONDS)
        self._http = httpx2.Client(base_url=self.url, headers=headers, timeout=timeout)

    def close(self) -> None:
        self._http.close()

    def send(self, method: str, path: str, **what: Any) -> httpx2.Response:
        """The whole answer, or an ApiError."""
        with self._translate_errors():
            answer = self._http.request(method, f"/api/v1/{path}", **what)
        _raise_for_status(answer)
        return answer

    @contextmanager
    def stream(self, method: str, path: str, **what: Any) -> Iterator[httpx2.Response]:
        """The answer while it comes."""
        with self._translate_errors(), self._http.stream(method, f"/api/v1/{path}", **what) as answer:
            if answer.status_code >= 300:
                answer.read()
            _raise_for_status(answer)
            yield answer

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        try:
            yield
        except httpx2.TimeoutException as err:
            raise ApiError(0, {"detail": f"{self.url} did not answer in time."}) from err
        except httpx2.TransportError as err:
            raise ApiError(0, {"detail": f"{self.url} cannot be reached: {err}."}) from err


def read_steps(answer: httpx2.Response) -> Iterator[Step]:
    """Events as they come; the one that tells of a fault is raised."""
    waiting = b""
    for some in answer.iter_bytes():
        *whole, waiting = (waiting + some).split(EVENT_SEPARATOR)
        for event in whole:
            # Not by splitlines: what is told may hold other signs that end a line.
            fields = dict(line.split(": ", 1) for line in event.decode().split("\n") if ": " in line)
            if "data" not in fields:
                continue
            body = json.loads(fields["data"])
            if fields.get("event") == "error":
                raise ApiError(int(body.get("status", 500)), body)
            yield Step(fields.get("event", ""), body)


def _raise_for_status(answer: httpx2.Response) -> None:
    if answer.status_code < 300:
        return
    try:
        problem = answer.json()
    except ValueError:
        problem = {}
    wait = answer.headers.get("Retry-After", "")
    raise ApiError(
        answer.status_code,
        problem if isinstance(problem, dict) else {},
        int(wait) if wait.isascii() and wait.isdigit() else None,
    )
