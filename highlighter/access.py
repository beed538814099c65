"""Who asks, and what they may see. Every route, search, citation and link asks `visible_collections`, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from highlighter.errors import BadRequest

Step, Result = TypeVar("Step"), TypeVar("Result")

COLLECTION_NAME = r"^[\w][\w .\-]{0,99}$"
DEFAULT_COLLECTION = "default"
# What a key is allowed to do; each by itself, save that `admin` is all of them.
READ, INGEST, ANSWER, ADMIN = SCOPES = ("read", "ingest", "answer", "admin")


@dataclass(frozen=True, slots=True)
class Visible:
    """The collections a caller may see. `names is None` means every one."""

    names: frozenset[str] | None = None

    def __contains__(self, collection: str) -> bool:
        return self.names is None or collection in self.names

    def only(self, *collections: str) -> Visible:
        """These collections, as far as they may be seen."""
        return Visible(frozenset(one for one in collections if one in self))


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks. `collections is None` means every one; `key` is the public id of the key that was shown."""

    name: str
    scopes: frozenset[str]
    collections: frozenset[str] | None
    key: str = ""

    def may(self, scope: str) -> bool:
        return scope in self.scopes or ADMIN in self.scopes


# Whoever sits at the machine: the command line, the Python class, and what the service does by itself.
HOUSE = Caller("", frozenset(SCOPES), None)
NOBODY = Caller("", frozenset(), frozenset())

_caller: ContextVar[Caller] = ContextVar("caller", default=HOUSE)


def current_caller() -> Caller:
    return _caller.get()


def set_caller(caller: Caller) -> None:
    """For the rest of what this thread does, or until another is set: who answers many sets each of them."""
    _caller.set(caller)


@contextmanager
def acting(caller: Caller) -> Iterator[None]:
    """In somebody's name, for as long as it lasts: work that is done in another thread than it was asked for in."""
    before = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(before)


def carried(steps: Generator[Step, None, Any]) -> Generator[Step, None, None]:
    """The same steps, each done for whoever calls now, in whatever thread and however long after they are asked for."""
    return _in(copy_context(), steps)


def _in(context: Context, steps: Generator[Step, None, Any]) -> Generator[Step, None, None]:
    try:
        while True:
            try:
                step = context.run(next, steps)
            except StopIteration:
                return
            yield step
    finally:
        context.run(steps.close)


def for_caller(work: Callable[..., Result]) -> Callable[..., Result]:
    """The same work, done in the name of whoever calls now, by whatever thread takes it up."""
    caller = current_caller()

    def do(*arguments: Any) -> Result:
        with acting(caller):
            return work(*arguments)

    return do


def visible_collections(caller: Caller | None = None) -> Visible:
    """The current caller's, if none is named. Nothing tells what is not visible from what is unknown."""
    return Visible((caller or current_caller()).collections)


def home_collection(caller: Caller | None = None) -> str:
    """Where a caller's files go when they do not say: who is bound to collections has none of the others."""
    visible = visible_collections(caller)
    if DEFAULT_COLLECTION in visible or not visible.names:
        return DEFAULT_COLLECTION
    return min(visible.names)


def checked_collection(name: str) -> str:
    """A name that a collection may have, or a BadRequest that says what it may be."""
    if not re.fullmatch(COLLECTION_NAME, name):
        raise BadRequest(
            f"A collection cannot be called {name!r}: letters, digits, spaces, dots, - and _, at most 100, and a letter, "
            "a digit or _ first."
        )
    return name
