"""A digest of the rows of a table that is the same in every database and in every order."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select

from highlighter.locale.user_message import encode_message

_ROWS_PER_FETCH = 100
_DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class TableDigest:
    """The number of rows, and the sum of their hashes: databases order texts differently."""

    rows: int
    sum: int


def digest_table(connection: Connection, query: Select[Any]) -> TableDigest:
    """Return the digest of the rows of a query."""
    rows = total = 0
    for row in connection.execute(query.execution_options(yield_per=_ROWS_PER_FETCH)):
        rows, total = rows + 1, total + _hash_row(row)
    return TableDigest(rows, total % (1 << 8 * _DIGEST_BYTES))


def _hash_row(row: Any) -> int:
    values = [encode_message(value) if isinstance(value, str) else value for value in row]
    digest = hashlib.blake2b(repr(values).encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES)
    return int.from_bytes(digest.digest())
