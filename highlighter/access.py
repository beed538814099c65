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

COLLECTION_NAME_PATTERN = r"^[\w][\w .\-]{0,99}$"
DEFAULT_COLLECTION = "default"
# What a key is allowed to do; each by itself, save that `admin` is all of them.
READ, INGEST, ANSWER, ADMIN = SCOPES = ("read", "ingest", "answer", "admin")


@dataclass(frozen=True, slots=True)
class VisibleCollections:
    """The collections a caller may see. `names is None` means every one."""

    names: frozenset[str] | None = None

    def __contains__(self, collection: str) -> bool:
        return self.names is None or collection in self.names

    def restrict_to(self, *collections: str) -> VisibleCollections:
        """These collections, as far as they may be seen."""
        return VisibleCollections(frozenset(one for one in collections if one in self))


@dataclass(frozen=True, slots=True)
class Principal:
    """Whoever asks. `collections is None` means every one; `key` is the public id of the key that was shown."""

    name: str
    scopes: frozenset[str]
    collections: frozenset[str] | None
    key: str = ""

    def has_scope(self, scope: str) -> bool:
        return scope in self.scopes or ADMIN in self.scopes


# Whoever sits at the machine: the command line, the Python class, and what the service does by itself.
LOCAL_OPERATOR = Principal("", frozenset(SCOPES), None)
ANONYMOUS = Principal("", frozenset(), frozenset())

_principal: ContextVar[Principal] = ContextVar("caller", default=LOCAL_OPERATOR)


def get_current_principal() -> Principal:
    return _principal.get()


def set_current_principal(principal: Principal) -> None:
    """For the rest of what this thread does, or until another is set: who answers many sets each of them."""
    _principal.set(principal)


@contextmanager
def acting_as(principal: Principal) -> Iterator[None]:
    """In somebody's name, for as long as it lasts: work that is done in another thread than it was asked for in."""
    before = _principal.set(principal)
    try:
        yield
    finally:
        _principal.reset(before)


def bind_context(steps: Generator[Step, None, Any]) -> Generator[Step, None, None]:
    """The same steps, each done for whoever calls now, in whatever thread and however long after they are asked for."""
    return _run_in_context(copy_context(), steps)


def _run_in_context(context: Context, steps: Generator[Step, None, Any]) -> Generator[Step, None, None]:
    try:
        while True:
            try:
                step = context.run(next, steps)
            except StopIteration:
                return
            yield step
    finally:
        context.run(steps.close)


def bind_principal(work: Callable[..., Result]) -> Callable[..., Result]:
    """The same work, done in the name of whoever calls now, by whatever thread takes it up."""
    caller = get_current_principal()

    def do(*arguments: Any) -> Result:
        with acting_as(caller):
            return work(*arguments)

    return do


def get_visible_collections(principal: Principal | None = None) -> VisibleCollections:
    """The current caller's, if none is named. Nothing tells what is not visible from what is unknown."""
    return VisibleCollections((principal or get_current_principal()).collections)


def get_default_collection(principal: Principal | None = None) -> str:
    """Where a caller's files go when they do not say: who is bound to collections has none of the others."""
    visible = get_visible_collections(principal)
    if DEFAULT_COLLECTION in visible or not visible.names:
        return DEFAULT_COLLECTION
    return min(visible.names)


def validate_collection_name(name: str) -> str:
    """A name that a collection may have, or a BadRequest that says what it may be."""
    if not re.fullmatch(COLLECTION_NAME_PATTERN, name):
        raise BadRequest(
            f"{name!r} is not a valid collection name. Use at most 100 letters, digits, spaces, "
            "dots, - and _, starting with a letter, a digit or _."
        )
    return name
