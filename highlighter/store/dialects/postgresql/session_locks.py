"""Locks in PostgreSQL, for the processes of any number of machines that share a catalog."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text


class SessionLocks:
    """Advisory locks, each held by a connection of its own.

    The server releases a lock with its connection: at once when the process is killed, and within a minute when its machine
    vanishes (see connections.py). No clocks are compared, and nothing must be renewed, as a lease in a row would have to be.
    """

    def __init__(self, get_engine: Callable[[], Engine]):
        self._get_engine = get_engine

    @contextmanager
    def lock(self, kind: str, id: str) -> Iterator[None]:
        with self._open_session() as session:
            session.execute(text("SET lock_timeout = 0"))  # a document may take long
            session.execute(text("SELECT pg_advisory_lock(:number)"), {"number": _compute_number(kind, id)})
            yield

    @contextmanager
    def try_lock(self, kind: str, id: str) -> Iterator[bool]:
        with self._open_session() as session:
            query = text("SELECT pg_try_advisory_lock(:number)")
            yield bool(session.scalar(query, {"number": _compute_number(kind, id)}))

    @contextmanager
    def _open_session(self) -> Iterator[Connection]:
        """Open a connection that is closed, and not used again, at the end of the context: so its lock is released."""
        with self._get_engine().connect().execution_options(isolation_level="AUTOCOMMIT") as session:
            session.detach()
            yield session


def _compute_number(kind: str, id: str) -> int:
    """Return the number of a lock: 64 bits of a hash, so that two locks practically never share one."""
    return int.from_bytes(hashlib.sha256(f"highlighter {kind}{id}".encode()).digest()[:8], signed=True)
