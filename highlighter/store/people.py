"""The people who have signed in, and their sessions. Of the cookie of a session only its digest is stored.

Sessions are in the catalog, so that every process knows them, and a sign-out holds everywhere at once.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from highlighter.access import format_audit_id
from highlighter.sign_in.people import Person
from highlighter.store.audit_log import current_timestamp
from highlighter.store.database import write_transaction
from highlighter.store.inserts import insert_missing
from highlighter.store.schema import people, sign_ins


class AttemptUsed(Exception):
    """Raised for an attempt to sign in that has led to a session before."""


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A person who has signed in. `audit_id` stands for them in the audit."""

    id: str
    audit_id: str
    name: str
    created: str
    sessions: int  # that are valid now


class PeopleStore:
    """The store of people and of their sessions."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self._known_names: dict[str, str] = {}  # by id, so that a request writes only what is new

    def begin_session(self, person: Person, attempt: str, id_token: str, hours: int) -> str:
        """Store a new session and return the secret for its cookie. Raises AttemptUsed for an attempt that was used.

        Sessions that have expired are deleted on the way.
        """
        secret, now = secrets.token_urlsafe(32), datetime.now(UTC)
        row = {
            "digest": compute_digest(secret), "person_id": person.id, "groups": sorted(person.groups),
            "attempt": compute_digest(attempt), "id_token": id_token, "created": now.isoformat(timespec="seconds"),
            "expires": (now + timedelta(hours=hours)).isoformat(timespec="seconds"), "ended": "",
        }  # fmt: skip
        try:
            with write_transaction(self.engine) as connection:
                connection.execute(delete(sign_ins).where(sign_ins.c.expires <= current_timestamp()))
                _save_name(connection, person)
                connection.execute(insert(sign_ins), row)
        except IntegrityError as err:
            raise AttemptUsed from err
        return secret

    def find_session(self, secret: str) -> Person | None:
        """Return the person of a presented cookie; None when it is unknown, expired or signed out."""
        digest = compute_digest(secret)
        query = select(sign_ins.c.groups, people.c.id, people.c.name).join(people, people.c.id == sign_ins.c.person_id)
        with self.engine.connect() as connection:
            row = connection.execute(query.where(_is_valid(digest))).first()
        return Person(row.id, row.name, frozenset(row.groups), digest) if row else None

    def is_session_valid(self, digest: str) -> bool:
        """Return whether a session that was accepted earlier is still valid."""
        with self.engine.connect() as connection:
            return connection.scalar(select(sign_ins.c.digest).where(_is_valid(digest))) is not None

    def end_session(self, digest: str) -> str:
        """End a session and return its ID token; "" when it had ended. Its row stays until it would have expired."""
        with write_transaction(self.engine) as connection:
            id_token = connection.scalar(select(sign_ins.c.id_token).where(_is_valid(digest)))
            values = {"ended": current_timestamp(), "id_token": ""}
            connection.execute(update(sign_ins).where(_is_valid(digest)).values(values))
        return id_token or ""

    def end_sessions_of(self, person_id: str) -> int:
        """End all sessions of a person, and return how many there were."""
        is_theirs = (sign_ins.c.person_id == person_id) & _is_unended()
        values = {"ended": current_timestamp(), "id_token": ""}
        with write_transaction(self.engine) as connection:
            return connection.execute(update(sign_ins).where(is_theirs).values(values)).rowcount

    def remember(self, person: Person) -> None:
        """Store the name of a person whom a proxy has signed in, unless it is stored."""
        if self._known_names.get(person.id) != person.name:
            with self.engine.connect() as connection:
                stored = connection.scalar(select(people.c.name).where(people.c.id == person.id))
            if stored != person.name:
                with write_transaction(self.engine) as connection:
                    _save_name(connection, person)
            self._known_names[person.id] = person.name

    def list_people(self) -> list[KnownPerson]:
        """Return everybody who has ever signed in, by name."""
        joined = people.join(sign_ins, (sign_ins.c.person_id == people.c.id) & _is_unended(), isouter=True)
        query = select(people, func.count(sign_ins.c.digest).label("sessions")).select_from(joined)
        query = query.group_by(people.c.id, people.c.name, people.c.created).order_by(people.c.name, people.c.id)
        with self.engine.connect() as connection:
            rows = connection.execute(query).all()
        return [KnownPerson(row.id, format_audit_id(row.id), row.name, row.created, row.sessions) for row in rows]


def compute_digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _is_valid(digest: str) -> ColumnElement[bool]:
    return (sign_ins.c.digest == digest) & _is_unended()


def _is_unended() -> ColumnElement[bool]:
    """Return the condition on sessions that were neither signed out nor have expired."""
    return (sign_ins.c.ended == "") & (sign_ins.c.expires > current_timestamp())


def _save_name(connection: Connection, person: Person) -> None:
    row = {"id": person.id, "name": person.name, "created": current_timestamp()}
    connection.execute(insert_missing(people), row)
    connection.execute(update(people).where(people.c.id == person.id).values(name=person.name))
