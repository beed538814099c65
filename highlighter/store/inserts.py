"""The insertion of rows that may be there already, in the words that SQLite and PostgreSQL share."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, Insert, Table, insert
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.base import SyntaxExtension
from sqlalchemy.sql.compiler import SQLCompiler


class _SkipExistingRows(SyntaxExtension, ClauseElement):
    """The clause of an INSERT that leaves rows as they are whose key exists."""

    _traverse_internals: list[Any] = []  # noqa: RUF012  # a part of SQLAlchemy's interface; it makes statements cacheable
    inherit_cache = True

    def apply_to_insert(self, insert_stmt: Any) -> None:
        insert_stmt.apply_syntax_extension_point(self.append_replacing_same_type, "post_values")


@compiles(_SkipExistingRows)
def _compile_clause(_clause: _SkipExistingRows, _compiler: SQLCompiler, **_options: Any) -> str:
    return "ON CONFLICT DO NOTHING"


def insert_missing(table: Table) -> Insert:
    """Return an INSERT that skips the rows whose key exists."""
    return insert(table).ext(_SkipExistingRows())
