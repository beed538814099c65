"""Triggers make SQLite refuse changes and deletions of rows in append-only tables."""

from __future__ import annotations

from sqlalchemy import Connection, text

from highlighter.store.dialects.append_only import (
    FIXED_TABLE_KEYS,
    REDACTABLE_COLUMNS,
    REDACTABLE_TABLE_KEYS,
    REFUSAL,
)
from highlighter.store.schema import metadata

_ABORT = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"


def create_guards(connection: Connection) -> None:
    """Create the triggers that are missing, so that tables of an earlier release are guarded, too."""
    for name, definition in _list_triggers().items():
        connection.exec_driver_sql(f"CREATE TRIGGER IF NOT EXISTS {name} {definition}")


def has_guards(connection: Connection) -> bool:
    """Return whether no trigger is missing."""
    present = connection.scalars(text("SELECT name FROM sqlite_schema WHERE type = 'trigger'"))
    return _list_triggers().keys() <= set(present)


def _list_triggers() -> dict[str, str]:
    """Return the definitions of the triggers by name."""
    triggers = {}
    for table, keys in (FIXED_TABLE_KEYS | REDACTABLE_TABLE_KEYS).items():
        triggers[f"{table}_no_update"] = f"BEFORE UPDATE ON {table} {_when_not_redaction(table)} {_ABORT}"
        triggers[f"{table}_no_delete"] = f"BEFORE DELETE ON {table} {_ABORT}"
        # INSERT OR REPLACE deletes without running the trigger against deletion.
        same_key = " AND ".join(f"{key} = new.{key}" for key in keys)
        when_exists = f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same_key})"
        triggers[f"{table}_no_replace"] = f"BEFORE INSERT ON {table} {when_exists} {_ABORT}"
    return triggers


def _when_not_redaction(table: str) -> str:
    """Return the condition under which an update is refused; empty for tables where every update is."""
    redactable = REDACTABLE_COLUMNS.get(table)
    if redactable is None:
        return ""
    fixed = [column.name for column in metadata.tables[table].columns if column.name not in redactable]
    faults = [
        *(f"new.{name} IS NOT NULL" for name in redactable),
        *(f'new."{name}" IS NOT old."{name}"' for name in fixed),
    ]
    return f"WHEN {' OR '.join(faults)}"
