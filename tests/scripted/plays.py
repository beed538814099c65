"""What the scripted server can be told to do when it is asked: answer, or fail in one of the ways that providers fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.scripted.received import Received

# What is said may depend on what was asked: see authors.py.
Words = str | Callable[[Received], str]


@dataclass(frozen=True)
class Says:
    """An answer. Streamed, it comes in pieces of `piece` characters."""

    words: Words
    piece: int = 5
    finish: str = "stop"
    tokens: tuple[int, int] = (11, 7)  # read, written


@dataclass(frozen=True)
class Fails:
    """An HTTP status with an error in the provider's own shape."""

    status: int
    message: str = "Something is wrong."
    headers: dict[str, str] = field(default_factory=dict)
    parameter: str | None = None


@dataclass(frozen=True)
class Slow:
    """Says nothing until the client has gone, or the server closes. `drips`: a byte of white space now and then."""

    drips: bool = False


@dataclass(frozen=True)
class Cut:
    """Breaks off after some words: without a stream, in the middle of the JSON. `politely`: as if that were the end."""

    words: str = "The ferry leaves"
    politely: bool = False


@dataclass(frozen=True)
class FailsMidway:
    """A stream in which the provider tells of an error after some words."""

    words: str = "The ferry leaves"
    message: str = "Overloaded"


@dataclass(frozen=True)
class Malformed:
    """What should be JSON is not; of a stream, after `words`."""

    words: str = ""


@dataclass(frozen=True)
class Shapeless:
    """JSON, but not what was to be expected."""

    body: str = '{"hello": ["world"]}'


@dataclass(frozen=True)
class Huge:
    """A reply of so many bytes."""

    size: int = 10_000_000


@dataclass(frozen=True)
class Page:
    """A web page, where an answer should be."""

    status: int = 200
    html: str = "<!doctype html><html><body><h1>Sign in</h1></body></html>"


@dataclass(frozen=True)
class Nothing:
    """An answer that says nothing. `bare`: not even JSON."""

    bare: bool = False
    finish: str = "stop"


@dataclass(frozen=True)
class Unless:
    """Refuses a request that holds a parameter, and otherwise does `then`."""

    parameter: str
    then: object
    message: str = "Unsupported parameter: '{}' is not supported with this model."


Play = Says | Fails | Slow | Cut | FailsMidway | Malformed | Shapeless | Huge | Page | Nothing | Unless


def rate_limited(seconds: float | None = None) -> Fails:
    return Fails(429, "Rate limit reached.", {} if seconds is None else {"Retry-After": f"{seconds:g}"})


def structure_refused(then: Play) -> Unless:
    """A model that cannot be held to a schema: both wire formats' names of it are refused."""
    return Unless("response_format", Unless("output_config", then))
