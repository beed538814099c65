"""Plays: how the scripted provider responds to a request, by an answer or by one of the failures of real providers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.scripted.received_request import ReceivedRequest

# A function may write the text from the request: see fake_answers.py.
Words = str | Callable[[ReceivedRequest], str]


@dataclass(frozen=True)
class Says:
    """An answer; a stream sends it in pieces of `piece` characters."""

    words: Words
    piece: int = 5
    finish: str = "stop"
    tokens: tuple[int, int] = (11, 7)  # input, output


@dataclass(frozen=True)
class Fails:
    """An HTTP status with an error in the format of the provider."""

    status: int
    message: str = "Something is wrong."
    headers: dict[str, str] = field(default_factory=dict)
    parameter: str | None = None


@dataclass(frozen=True)
class Slow:
    """Silence until the client disconnects or the server closes. `drips`: white space is sent now and then."""

    drips: bool = False


@dataclass(frozen=True)
class Cut:
    """A reply that breaks off after some words, or within the JSON. `politely`: the connection ends without an error."""

    words: str = "The ferry leaves"
    politely: bool = False


@dataclass(frozen=True)
class FailsMidway:
    """A stream with an error event after some words."""

    words: str = "The ferry leaves"
    message: str = "Overloaded"


@dataclass(frozen=True)
class Malformed:
    """Invalid JSON; in a stream, after `words`."""

    words: str = ""


@dataclass(frozen=True)
class Shapeless:
    """Valid JSON of an unexpected shape."""

    body: str = '{"hello": ["world"]}'


@dataclass(frozen=True)
class Huge:
    """A reply of `size` bytes."""

    size: int = 10_000_000


@dataclass(frozen=True)
class Page:
    """A web page instead of an answer."""

    status: int = 200
    html: str = "<!doctype html><html><body><h1>Sign in</h1></body></html>"


@dataclass(frozen=True)
class Nothing:
    """An answer without text. `bare`: without JSON, too."""

    bare: bool = False
    finish: str = "stop"


@dataclass(frozen=True)
class Unless:
    """A refusal of requests with a parameter; other requests get `then`."""

    parameter: str
    then: object
    message: str = "Unsupported parameter: '{}' is not supported with this model."


Play = Says | Fails | Slow | Cut | FailsMidway | Malformed | Shapeless | Huge | Page | Nothing | Unless


def rate_limited(seconds: float | None = None) -> Fails:
    return Fails(429, "Rate limit reached.", {} if seconds is None else {"Retry-After": f"{seconds:g}"})


def structure_refused(then: Play) -> Unless:
    """Return the play of a model that refuses schemas, in both wire formats."""
    return Unless("response_format", Unless("output_config", then))
