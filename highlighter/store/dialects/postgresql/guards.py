"""Triggers make PostgreSQL refuse changes and deletions of rows in append-only tables, and count the rows of the audit."""

from __future__ import annotations

from sqlalchemy import Connection, text

from highlighter.store.dialects.append_only import (
    FIXED_TABLE_KEYS,
    REDACTABLE_COLUMNS,
    REDACTABLE_TABLE_KEYS,
    REFUSAL,
)

# The columns that a redaction makes null are the arguments of the trigger; without any, every change is refused.
_FUNCTIONS = (
    f"""CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' AND TG_NARGS > 0
            AND to_jsonb(new) - TG_ARGV = to_jsonb(old) - TG_ARGV
            AND NOT EXISTS (SELECT FROM unnest(TG_ARGV) AS name WHERE to_jsonb(new) ->> name IS NOT NULL)
        THEN
            RETURN new;
        END IF;
        RAISE EXCEPTION '{REFUSAL}' USING ERRCODE = 'restrict_violation';
    END $$""",
    """CREATE OR REPLACE FUNCTION count_audit_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE catalog_counters SET value = new.seq WHERE name = 'audit rows';
        RETURN NULL;
    END $$""",
)
COUNTING_TRIGGER = "audit_count"


def create_guards(connection: Connection) -> None:
    """Create the functions and triggers again, so that those of an earlier release are replaced."""
    for function in _FUNCTIONS:
        connection.exec_driver_sql(function)
    for name, definition in _list_triggers().items():
        connection.exec_driver_sql(f"CREATE OR REPLACE TRIGGER {name} {definition}")


def has_guards(connection: Connection) -> bool:
    """Return whether no trigger is missing or switched off."""
    query = text("SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(:table) AND tgenabled = 'O'")
    tables = FIXED_TABLE_KEYS | REDACTABLE_TABLE_KEYS
    present = {name for table in tables for name in connection.scalars(query, {"table": table})}
    return _list_triggers().keys() <= present


def _list_triggers() -> dict[str, str]:
    """Return the definitions of the triggers by name."""
    triggers = {COUNTING_TRIGGER: "AFTER INSERT ON audit FOR EACH ROW EXECUTE FUNCTION count_audit_row()"}
    for table in FIXED_TABLE_KEYS | REDACTABLE_TABLE_KEYS:
        arguments = ", ".join(f"'{name}'" for name in REDACTABLE_COLUMNS.get(table, ()))
        change = f"BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW"
        triggers[f"{table}_no_change"] = f"{change} EXECUTE FUNCTION refuse_change({arguments})"
        truncation = f"BEFORE TRUNCATE ON {table} FOR EACH STATEMENT"
        triggers[f"{table}_no_truncation"] = f"{truncation} EXECUTE FUNCTION refuse_change()"
    return triggers
