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

from highlighter.access import SCOPES, Principal
from highlighter.store.audit_log import KEY_CREATED, KEY_REVOKED, current_timestamp, record_key_event
from highlighter.store.database import write_transaction
from highlighter.store.schema import api_keys

KEY_PREFIX = "hk"
_KEY_PATTERN = re.compile(rf"{KEY_PREFIX}_(?P<id>[0-9a-f]{{12}})_(?P<secret>[\w-]{{43}})", re.ASCII)
# Held against where there is no such key, so that this takes as long as where there is one.
_DUMMY_DIGEST = "0" * 64


@dataclass(frozen=True, slots=True)
class ApiKey:
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
        return "expired" if self.expires and self.expires <= current_timestamp() else "good"

    @property
    def principal(self) -> Principal:
        return Principal(self.name, self.scopes, self.collections, self.id)


class ApiKeyStore:
    """`version` moves on whenever anything was written: until then the keys read last are those there are."""

    def __init__(self, engine: Engine, version: Callable[[], int]):
        self.engine = engine
        self._read_data_version = version
        self._cached_keys: tuple[int, dict[str, tuple[ApiKey, str]]] = (-1, {})

    def create_key(
        self, name: str, scopes: Iterable[str], collections: Iterable[str] | None = None, expires: str = ""
    ) -> tuple[ApiKey, str]:
        """The key as it is kept, and what is to be shown, once."""
        secret, id = secrets.token_urlsafe(32), secrets.token_hex(6)
        bound = None if collections is None else frozenset(collections)
        key = ApiKey(id, name, frozenset(scopes), bound, current_timestamp(), expires)
        if not key.scopes or not key.scopes <= set(SCOPES) or bound == frozenset():
            raise ValueError("A key needs scopes that there are, and collections or all of them.")
        row = {
            "id": id, "digest": _hash_secret(secret), "name": name, "scopes": sorted(key.scopes),
            "collections": None if bound is None else sorted(bound), "made": key.made, "expires": expires,
        }  # fmt: skip
        with write_transaction(self.engine) as connection:
            connection.execute(insert(api_keys), row)
            record_key_event(connection, KEY_CREATED, id)
        return key, f"{KEY_PREFIX}_{id}_{secret}"

    def list_keys(self) -> list[ApiKey]:
        """In the order in which they were made, revoked ones too."""
        return [key for key, _ in self._read_keys().values()]

    def has_keys(self) -> bool:
        """Whether there ever was one: revoking the last opens no door."""
        return bool(self._read_keys())

    def revoke_key(self, id: str) -> bool:
        """From now on it opens nothing; False when there is none, or it was revoked before."""
        this = (api_keys.c.id == id) & (api_keys.c.revoked == "")
        with write_transaction(self.engine) as connection:
            done = connection.execute(update(api_keys).where(this).values(revoked=current_timestamp())).rowcount == 1
            if done:
                record_key_event(connection, KEY_REVOKED, id)
        return done

    def is_valid(self, id: str) -> bool:
        """Whether whoever came in by it may stay: it was neither revoked since, nor is it over. "" is no key's."""
        key, _ = self._read_keys().get(id, (None, ""))
        return not id or (key is not None and key.state == "good")

    def find_principal(self, presented_key: str) -> Principal | None:
        """Who holds this key; None when it is none, or none that is good any more."""
        parts = _KEY_PATTERN.fullmatch(presented_key)
        id, secret = (parts["id"], parts["secret"]) if parts else ("", "")
        key, digest = self._read_keys().get(id, (None, _DUMMY_DIGEST))
        same = hmac.compare_digest(_hash_secret(secret), digest)
        return key.principal if key is not None and same and key.state == "good" else None

    def _read_keys(self) -> dict[str, tuple[ApiKey, str]]:
        version = self._read_data_version()
        if self._cached_keys[0] != version:
            query = select(api_keys).order_by(api_keys.c.made, api_keys.c.id)
            with self.engine.connect() as connection:
                rows = connection.execute(query).all()
            self._cached_keys = version, {row.id: (_key_from_row(row), row.digest) for row in rows}
        return self._cached_keys[1]


def _key_from_row(row) -> ApiKey:
    bound = None if row.collections is None else frozenset(row.collections)
    return ApiKey(row.id, row.name, frozenset(row.scopes), bound, row.made, row.expires, row.revoked)


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
