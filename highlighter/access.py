"""The current principal, its scopes, and the collections that it may see.

Every route, search, citation and link asks `get_visible_collections`, so access is decided in one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from highlighter.errors import BadRequest
from highlighter.locale import N_

Step = TypeVar("Step")
Result = TypeVar("Result")

MAX_COLLECTION_CHARACTERS = 100
COLLECTION_NAME_PATTERN = rf"^[\w][\w .\-]{{0,{MAX_COLLECTION_CHARACTERS - 1}}}$"
DEFAULT_COLLECTION = "default"
# What a key is allowed to do. Scopes do not include each other, except that `admin` includes all.
READ, INGEST, ANSWER, ADMIN = SCOPES = ("read", "ingest", "answer", "admin")


@dataclass(frozen=True, slots=True)
class VisibleCollections:
    """The collections a caller may see. `names is None` means every one."""

    names: frozenset[str] | None = None

    def __contains__(self, collection: str) -> bool:
        return self.names is None or collection in self.names

    def restrict_to(self, *collections: str) -> VisibleCollections:
        """Return those of the given collections that are visible."""
        return VisibleCollections(frozenset(name for name in collections if name in self))


@dataclass(frozen=True, slots=True)
class Principal:
    """The identity that a request acts for.

    `collections is None` means every collection. `key` is the public id of the API key that was presented, `person` the id
    of who has signed in, and `session` the digest of the session: of that person, or of a browser without either.
    """

    name: str
    scopes: frozenset[str]
    collections: frozenset[str] | None
    key: str = ""
    session: str = ""
    person: str = ""

    @property
    def history_owner(self) -> str:
        """Return the owner of the history of answers: the key, the person, or else the browser session; "" for none."""
        if self.key or self.person:
            return f"key {self.key}" if self.key else f"person {self.person}"
        return f"session {self.session}" if self.session else ""

    @property
    def audit_id(self) -> str:
        """Return what the audit records of who acted: the id of the key or of the person; "" for neither."""
        return self.key or (format_audit_id(self.person) if self.person else "")

    @property
    def note_owner(self) -> str:
        """Return the owner of notes: as of the history, and one for all programs of this machine that have neither."""
        return self.history_owner or "local"

    def has_scope(self, scope: str) -> bool:
        return scope in self.scopes or ADMIN in self.scopes


_PERSON_PREFIX = "p-"


def format_audit_id(person_id: str) -> str:
    """Return the id of a person as the audit has it, which holds no names: never the id of a key."""
    return f"{_PERSON_PREFIX}{person_id[:14]}"


def is_audit_id_of_person(audit_id: str) -> bool:
    return audit_id.startswith(_PERSON_PREFIX)


# The principal of the command line, of the Python class, and of what the service does by itself.
LOCAL_OPERATOR = Principal("", frozenset(SCOPES), None)
ANONYMOUS = Principal("", frozenset(), frozenset())

_principal: ContextVar[Principal] = ContextVar("caller", default=LOCAL_OPERATOR)


def get_current_principal() -> Principal:
    return _principal.get()


def set_current_principal(principal: Principal) -> None:
    """Set the principal of this thread until another is set. A thread that answers several requests sets it for each."""
    _principal.set(principal)


@contextmanager
def acting_as(principal: Principal) -> Iterator[None]:
    """Act as a principal inside the `with` block, as in a thread other than the one that took the request."""
    token = _principal.set(principal)
    try:
        yield
    finally:
        _principal.reset(token)


def bind_context(steps: Generator[Step, None, Any]) -> Generator[Step, None, None]:
    """Return a generator that runs each step in the context of this call, in whichever thread it is advanced."""
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
    """Return a function that does the work as the current principal, in whichever thread it is called."""
    principal = get_current_principal()

    def work_as_principal(*arguments: Any) -> Result:
        with acting_as(principal):
            return work(*arguments)

    return work_as_principal


def get_visible_collections(principal: Principal | None = None) -> VisibleCollections:
    """Return the collections that a principal may see, by default the current one.

    What is not visible is answered exactly as what does not exist.
    """
    return VisibleCollections((principal or get_current_principal()).collections)


def get_default_collection(principal: Principal | None = None) -> str:
    """Return the collection for files uploaded without one; never a collection that the principal may not see."""
    visible = get_visible_collections(principal)
    if DEFAULT_COLLECTION in visible or not visible.names:
        return DEFAULT_COLLECTION
    return min(visible.names)


def validate_collection_name(name: str) -> str:
    """Return the name if a collection may have it; raise BadRequest otherwise."""
    if not re.fullmatch(COLLECTION_NAME_PATTERN, name):
        raise BadRequest(
            N_(
                "{name!r} is not a valid collection name. Use at most 100 letters, digits, spaces, dots, - and "
                "_, starting with a letter, a digit or _.",
                name=name,
            )
        )
    return name
