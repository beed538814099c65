"""Keys to the service: made, shown once, held against what is kept of them, revoked. Of a secret only its hash is kept.

A key is `hk_ID_SECRET`. Its id is public: it finds the row, stands in lists, and in the audit beside what was done with it.
Its secret is 256 random bits, so a plain SHA-256 is all that guards it: there is nothing to be guessed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Engine, select, update
from sqlalchemy.dialects.sqlite import insert

from highlighter.access import SCOPES, Caller
from highlighter.store.audit import KEY_MADE, KEY_REVOKED, note_key, now
from highlighter.store.database import writing
from highlighter.store.schema import api_keys

PREFIX = "hk"
_SHAPE = re.compile(rf"{PREFIX}_(?P<id>[0-9a-f]{{12}})_(?P<secret>[\w-]{{43}})", re.ASCII)
# Held against where there is no such key, so that this takes as long as where there is one.
_NONE = "0" * 64


@dataclass(frozen=True, slots=True)
class Key:
    """All that is known of a key, save its secret, which nobody knows but whoever holds it."""

    id: str
    name: str
    scopes: frozenset[str]
    collections: frozenset[str] | None  # none: all
    made: str
    expires: str = ""
    revoked: str = ""

    @property
    def state(self) -> str:
        if self.revoked:
            return "revoked"
        return "expired" if self.expires and self.expires <= now() else "good"

    @property
    def caller(self) -> Caller:
        return Caller(self.name, self.scopes, self.collections, self.id)


class Keys:
    """`version` moves on whenever anything was written: until then the keys read last are those there are."""

    def __init__(self, engine: Engine, version: Callable[[], int]):
        self.engine = engine
        self._version = version
        self._read: tuple[int, dict[str, tuple[Key, str]]] = (-1, {})

    def make(
        self, name: str, scopes: Iterable[str], collections: Iterable[str] | None = None, expires: str = ""
    ) -> tuple[Key, str]:
        """The key as it is kept, and what is to be shown, once."""
        secret, id = secrets.token_urlsafe(32), secrets.token_hex(6)
        bound = None if collections is None else frozenset(collections)
        key = Key(id, name, frozenset(scopes), bound, now(), expires)
        if not key.scopes or not key.scopes <= set(SCOPES) or bound == frozenset():
            raise ValueError("A key needs scopes that there are, and collections or all of them.")
        row = {
            "id": id, "digest": _digest(secret), "name": name, "scopes": sorted(key.scopes),
            "collections": None if bound is None else sorted(bound), "made": key.made, "expires": expires,
        }  # fmt: skip
        with writing(self.engine) as connection:
            connection.execute(insert(api_keys), row)
            note_key(connection, KEY_MADE, id)
        return key, f"{PREFIX}_{id}_{secret}"

    def all(self) -> list[Key]:
        """In the order in which they were made, revoked ones too."""
        return [key for key, _ in self._known().values()]

    def any(self) -> bool:
        """Whether there ever was one: revoking the last opens no door."""
        return bool(self._known())

    def revoke(self, id: str) -> bool:
        """From now on it opens nothing; False when there is none, or it was revoked before."""
        this = (api_keys.c.id == id) & (api_keys.c.revoked == "")
        with writing(self.engine) as connection:
            done = connection.execute(update(api_keys).where(this).values(revoked=now())).rowcount == 1
            if done:
                note_key(connection, KEY_REVOKED, id)
        return done

    def is_good(self, id: str) -> bool:
        """Whether whoever came in by it may stay: it was neither revoked since, nor is it over. "" is no key's."""
        key, _ = self._known().get(id, (None, ""))
        return not id or (key is not None and key.state == "good")

    def caller(self, shown: str) -> Caller | None:
        """Who holds this key; None when it is none, or none that is good any more."""
        parts = _SHAPE.fullmatch(shown)
        id, secret = (parts["id"], parts["secret"]) if parts else ("", "")
        key, digest = self._known().get(id, (None, _NONE))
        same = hmac.compare_digest(_digest(secret), digest)
        return key.caller if key is not None and same and key.state == "good" else None

    def _known(self) -> dict[str, tuple[Key, str]]:
        version = self._version()
        if self._read[0] != version:
            query = select(api_keys).order_by(api_keys.c.made, api_keys.c.id)
            with self.engine.connect() as connection:
                rows = connection.execute(query).all()
            self._read = version, {row.id: (_as_key(row), row.digest) for row in rows}
        return self._read[1]


def _as_key(row) -> Key:
    bound = None if row.collections is None else frozenset(row.collections)
    return Key(row.id, row.name, frozenset(row.scopes), bound, row.made, row.expires, row.revoked)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
