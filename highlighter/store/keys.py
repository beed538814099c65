"""API keys: create, list, verify and revoke them. Of a secret only its hash is stored.

A key is `hk_ID_SECRET`. Its id is public: it identifies the row, in lists and in the audit. Its secret is 256 random bits,
so a plain SHA-256 is enough: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Engine, Row, insert, select, update

from highlighter.access import SCOPES, Principal
from highlighter.store.audit_log import KEY_CREATED, KEY_REVOKED, current_timestamp, record_key_event
from highlighter.store.database import write_transaction
from highlighter.store.schema import api_keys

KEY_PREFIX = "hk"
_KEY_PATTERN = re.compile(rf"{KEY_PREFIX}_(?P<id>[0-9a-f]{{12}})_(?P<secret>[\w-]{{43}})", re.ASCII)
# Compared with when no key has the id, so that the time taken does not reveal which ids exist.
_DUMMY_DIGEST = "0" * 64


@dataclass(frozen=True, slots=True)
class ApiKey:
    """An API key without its secret, which only its holder knows."""

    id: str
    name: str
    scopes: frozenset[str]
    collections: frozenset[str] | None  # None: all
    created: str
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
    """The store of API keys. Keys are cached until `version` changes, which happens with every write to the database."""

    def __init__(self, engine: Engine, version: Callable[[], int]):
        self.engine = engine
        self._read_data_version = version
        self._cached_keys: tuple[int, dict[str, tuple[ApiKey, str]]] = (-1, {})

    def create_key(
        self, name: str, scopes: Iterable[str], collections: Iterable[str] | None = None, expires: str = ""
    ) -> tuple[ApiKey, str]:
        """Create a key. Return it together with its text, which is shown once and not stored."""
        secret, id = secrets.token_urlsafe(32), secrets.token_hex(6)
        allowed_collections = None if collections is None else frozenset(collections)
        key = ApiKey(id, name, frozenset(scopes), allowed_collections, current_timestamp(), expires)
        if not key.scopes or not key.scopes <= set(SCOPES) or allowed_collections == frozenset():
            raise ValueError("A key needs scopes that there are, and collections or all of them.")
        row = {
            "id": id, "digest": _hash_secret(secret), "name": name, "scopes": sorted(key.scopes),
            "collections": None if allowed_collections is None else sorted(allowed_collections), "created": key.created, "expires": expires,
        }  # fmt: skip
        with write_transaction(self.engine) as connection:
            connection.execute(insert(api_keys), row)
            record_key_event(connection, KEY_CREATED, id)
        return key, f"{KEY_PREFIX}_{id}_{secret}"

    def list_keys(self) -> list[ApiKey]:
        """Return all keys in the order of creation, revoked ones included."""
        return [key for key, _ in self._read_keys().values()]

    def has_keys(self) -> bool:
        """Return whether any key was ever created. Revoking the last key does not open the service."""
        return bool(self._read_keys())

    def revoke_key(self, id: str) -> bool:
        """Revoke a key. Return False when there is no such key, or it is revoked already."""
        is_valid_key = (api_keys.c.id == id) & (api_keys.c.revoked == "")
        with write_transaction(self.engine) as connection:
            revoked = (
                connection.execute(update(api_keys).where(is_valid_key).values(revoked=current_timestamp())).rowcount
                == 1
            )
            if revoked:
                record_key_event(connection, KEY_REVOKED, id)
        return revoked

    def is_valid(self, id: str) -> bool:
        """Return whether a key that was accepted earlier is still valid. An empty id stands for no key, and is valid."""
        key, _ = self._read_keys().get(id, (None, ""))
        return not id or (key is not None and key.state == "good")

    def find_principal(self, presented_key: str) -> Principal | None:
        """Return the principal of a presented key; None when the key is unknown, revoked or expired."""
        parts = _KEY_PATTERN.fullmatch(presented_key)
        id, secret = (parts["id"], parts["secret"]) if parts else ("", "")
        key, digest = self._read_keys().get(id, (None, _DUMMY_DIGEST))
        matches = hmac.compare_digest(_hash_secret(secret), digest)
        return key.principal if key is not None and matches and key.state == "good" else None

    def _read_keys(self) -> dict[str, tuple[ApiKey, str]]:
        version = self._read_data_version()
        if self._cached_keys[0] != version:
            query = select(api_keys).order_by(api_keys.c.created, api_keys.c.id)
            with self.engine.connect() as connection:
                rows = connection.execute(query).all()
            self._cached_keys = version, {row.id: (_key_from_row(row), row.digest) for row in rows}
        return self._cached_keys[1]


def _key_from_row(row: Row[Any]) -> ApiKey:
    allowed_collections = None if row.collections is None else frozenset(row.collections)
    return ApiKey(row.id, row.name, frozenset(row.scopes), allowed_collections, row.created, row.expires, row.revoked)


def _hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
