"""Tests that PostgreSQL refuses changes of append-only tables, and that changes without its triggers are found."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from highlighter.store import answer_records, audit_log
from highlighter.store.answer_records import NO_DOCUMENT, AnswerPart
from highlighter.store.audit_verification import verify_audit
from highlighter.store.database import open_database, write_transaction


@pytest.fixture
def answered(engine):
    """A catalog whose audit holds an ingested document, an answer and a new version."""
    with write_transaction(engine) as connection:
        audit_log.record_event(connection, audit_log.INGESTED, "d", "default", "0" * 64)
        parts = [AnswerPart.create("question", NO_DOCUMENT, "Who?"), AnswerPart.create("text", NO_DOCUMENT, "Nobody.")]
        answer_records.save_answer_record(connection, "first", {}, [], parts)
        audit_log.record_event(connection, audit_log.NEW_VERSION, "d", "default", "0" * 64)
    return engine


def find_discrepancies(engine):
    with engine.connect() as connection:
        return [(found.seq, found.description) for found in verify_audit(connection).discrepancies]


REFUSED = (
    "DELETE FROM audit", "UPDATE audit SET hash = ''", "TRUNCATE audit CASCADE", "TRUNCATE answer_parts",
    "DELETE FROM answers", "UPDATE answers SET facts = '{}'", "DELETE FROM answer_parts", "UPDATE answer_parts SET words = 'x'",
    "UPDATE answer_parts SET words = NULL", "UPDATE answer_parts SET words = NULL, salt = NULL, digest = ''",
    "UPDATE answer_parts SET words = NULL, salt = NULL, name = 'other'",
    "INSERT INTO audit SELECT * FROM audit ON CONFLICT (seq) DO UPDATE SET hash = ''",
)  # fmt: skip


@pytest.mark.parametrize("statement", REFUSED)
def test_database_refuses_changes(answered, statement):
    with pytest.raises(IntegrityError, match="append-only"), write_transaction(answered) as connection:
        connection.execute(text(statement))


def test_database_allows_redaction(answered):
    with write_transaction(answered) as connection:
        connection.execute(text("UPDATE answer_parts SET words = NULL, salt = NULL WHERE name = 'text'"))


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("UPDATE audit SET sha256 = 'x' WHERE seq = 1", (1, "it is not what its hash was made of: it was changed")),
        ("DELETE FROM audit WHERE seq = 3", (3, "3 rows were written and the last is 2: the end was cut off")),
        ("UPDATE answers SET facts = '[]'", (2, "answer first is not the one that was kept")),
    ],
)
def test_change_without_triggers_is_found(answered, catalog_address, statement, expected):
    assert find_discrepancies(answered) == []
    with write_transaction(answered) as connection:
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # as an administrator can
        connection.execute(text(statement))
    assert (expected[0], True) in [
        (seq, description.startswith(expected[1])) for seq, description in find_discrepancies(answered)
    ]


def test_dropped_trigger_is_created_again_at_next_start(answered, catalog_address):
    with write_transaction(answered) as connection:
        connection.execute(text("DROP TRIGGER audit_no_change ON audit"))
    open_database(catalog_address).dispose()
    with pytest.raises(IntegrityError, match="append-only"), write_transaction(answered) as connection:
        connection.execute(text("DELETE FROM audit"))
