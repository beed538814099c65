"""The tables of new catalogs, created by the statements that Alembic executed for the first one of a process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event, inspect


class RecordedSchemas:
    """Runs the revisions on the first empty database of each kind, and on every other that has tables already.

    Other empty databases get the same statements: Alembic takes a third of a second for each, and tests create thousands.
    """

    def __init__(self, run_revisions: Callable[[Connection], None]) -> None:
        self._run_revisions = run_revisions
        self._statements: dict[str, list[tuple[str, Any]]] = {}

    def create(self, connection: Connection) -> None:
        kind = connection.dialect.name
        if inspect(connection).get_table_names():
            self._run_revisions(connection)
        elif kind not in self._statements:
            with record_statements(connection) as statements:
                self._run_revisions(connection)
            self._statements[kind] = statements
        else:
            for statement, parameters in self._statements[kind]:
                connection.exec_driver_sql(statement, parameters)


@contextmanager
def record_statements(connection: Connection) -> Iterator[list[tuple[str, Any]]]:
    """Collect the statements of a connection that change something, with their parameters."""
    statements: list[tuple[str, Any]] = []

    def record(_connection, _cursor, statement, parameters, *_):
        if statement.split(maxsplit=1)[0].upper() not in ("SELECT", "PRAGMA"):
            statements.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        event.remove(connection, "before_cursor_execute", record)
