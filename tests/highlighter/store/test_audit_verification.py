"""Tests that verification finds every change, deletion, insertion and move of rows, and names the row."""

import sqlite3

import pytest

from highlighter.store import answer_records, audit_log
from highlighter.store.answer_records import ANY_DOCUMENT, NO_DOCUMENT, AnswerPart
from highlighter.store.audit_verification import verify_audit
from highlighter.store.database import open_database, write_transaction
from highlighter.store.schema import metadata

GUARDED_TABLES = ("audit", "answers", "answer_documents", "answer_parts")
DOCUMENT = "d" * 32


@pytest.fixture
def path(tmp_path):
    """A catalog whose audit holds: 1 ingested, 2 answered (from the document), 3 answered (a refusal), 4 a new version."""
    path = tmp_path / "catalog.sqlite"
    engine = open_database(path)
    with write_transaction(engine) as connection:
        audit_log.record_event(connection, audit_log.INGESTED, DOCUMENT, "default", "0" * 64)
        for id, given in (("first", [DOCUMENT]), ("second", [])):
            parts = [
                AnswerPart.create("question", NO_DOCUMENT, "Who?"),
                AnswerPart.create("text", ANY_DOCUMENT, "Nobody."),
            ]
            parts += [AnswerPart.create("source 0", id, "It was nobody.") for id in given]
            add_document(connection)
            answer_records.save_answer_record(connection, id, {"refused": not given}, given, parts)
        audit_log.record_event(connection, audit_log.NEW_VERSION, DOCUMENT, "default", "0" * 64)
    engine.dispose()
    return path


def add_document(connection):
    connection.exec_driver_sql(
        "INSERT OR IGNORE INTO documents (id, collection, sha256, name, kind, size, state, reason, pipeline, pages, chunks,"
        f" sentences, labels, meta, added) VALUES ('{DOCUMENT}', 'default', '{'0' * 64}', 'a', 'txt', 1, 'ready', '', 1, 1,"
        " 1, 1, '[]', '{}', '')"
    )


def tamper(path, *statements):
    """Change the database without its triggers, as anyone who can write the file could."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        assert connection.execute(statement).rowcount != 0, statement
    connection.close()


def find_discrepancies(path, exported_head=None):
    engine = open_database(path)
    with engine.connect() as connection:
        report = verify_audit(connection, exported_head)
    engine.dispose()
    return [(discrepancy.seq, discrepancy.description) for discrepancy in report.discrepancies]


def test_untouched_audit_has_no_discrepancies(path):
    assert find_discrepancies(path) == []


@pytest.mark.parametrize(
    ("table", "column"), [(table, column.name) for table in GUARDED_TABLES for column in metadata.tables[table].columns]
)
def test_changed_value_in_any_column_is_found(path, table, column):
    """The changed rows are those of the first answer."""
    condition = {"audit": "seq = 2", "answers": "id = 'first'"}.get(table, "answer_id = 'first'")
    if table == "answer_parts":
        condition += " AND name = 'text'"
    new_value = {"seq": "seq + 70", "there": "1 - there"}.get(column, f"substr({column}, 2) || '~'")
    tamper(path, f"UPDATE {table} SET {column} = {new_value} WHERE {condition}")
    assert find_discrepancies(path)[0][0] == (72 if (table, column) == ("answers", "seq") else 2)


@pytest.mark.parametrize("offset", range(0, 60, 7))
def test_flipped_bit_in_file_is_found(path, offset):
    """The bit is in a text as it is stored, or in a digest."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (hash,) = connection.execute("SELECT hash FROM audit WHERE seq = 2").fetchone()
    connection.close()
    data = bytearray(path.read_bytes())
    data[data.rindex(hash.encode()) + offset] ^= 1
    path.write_bytes(data)
    assert find_discrepancies(path)[0][0] == 2


@pytest.mark.parametrize("seq", [1, 2, 3])
def test_deleted_row_is_reported_at_next_row(path, seq):
    tamper(path, f"DELETE FROM audit WHERE seq = {seq}")
    expected = "the rows before the chain" if seq == 1 else "1 rows before it are missing"
    assert (seq + 1, expected) in [
        (number, description[: len(expected)]) for number, description in find_discrepancies(path)
    ]


def test_deleted_row_is_found_after_renumbering(path):
    tamper(path, "DELETE FROM audit WHERE seq = 3", "UPDATE audit SET seq = 3 WHERE seq = 4")
    assert 3 in [seq for seq, _ in find_discrepancies(path)]


def test_swapped_rows_are_found(path):
    tamper(
        path, "UPDATE audit SET seq = 99 WHERE seq = 3", "UPDATE audit SET seq = 3 WHERE seq = 2",
        "UPDATE audit SET seq = 2 WHERE seq = 99",
    )  # fmt: skip
    assert {2, 3} <= {seq for seq, _ in find_discrepancies(path)}


def test_truncated_chain_is_found(path):
    tamper(path, "DELETE FROM audit WHERE seq = 4")
    assert find_discrepancies(path) == [(4, "4 rows were written and the last is 3: the end was cut off")]


def test_carefully_truncated_chain_is_found_by_exported_head(path):
    engine = open_database(path)
    with engine.connect() as connection:
        head = audit_log.read_head(connection)
    engine.dispose()
    tamper(path, "DELETE FROM audit WHERE seq = 4", "UPDATE sqlite_sequence SET seq = 3 WHERE name = 'audit'")
    assert find_discrepancies(path) == []
    assert find_discrepancies(path, head) == [(4, "the head that was exported is not there: the end was cut off")]


def test_text_removed_without_deletion_is_found(path):
    tamper(path, "UPDATE answer_parts SET words = NULL, salt = NULL WHERE answer_id = 'first' AND name = 'text'")
    ((seq, description),) = find_discrepancies(path)
    assert (seq, "no document of it was deleted" in description) == (2, True)


def test_inserted_and_deleted_answers_are_found(path):
    tamper(path, "INSERT INTO answers VALUES ('third', 77, '{}')", "DELETE FROM answers WHERE id = 'second'")
    assert find_discrepancies(path) == [(3, "answer second is not there"), (77, "answer third is not in the chain")]


def test_inserted_row_is_found(path):
    tamper(path, "INSERT INTO audit VALUES (5, 'now', 'ingested', 'x', 'default', '', '', '', '', '', '')")
    assert find_discrepancies(path)[0] == (5, "it is not in the chain")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM answers", "UPDATE answers SET facts = '{}'", "DELETE FROM answer_parts", "DELETE FROM answer_documents",
        "UPDATE answer_documents SET there = 0", "UPDATE answer_parts SET words = 'other'", "UPDATE answer_parts SET words = NULL",
        "UPDATE answer_parts SET words = NULL, salt = NULL, digest = ''", "UPDATE audit SET hash = ''", "DELETE FROM audit",
        "INSERT OR REPLACE INTO answers VALUES ('first', 2, '{}')",
        "INSERT OR REPLACE INTO answer_parts VALUES ('first', 'text', '*', '', '', '')",
        "INSERT OR REPLACE INTO audit VALUES (2, '', '', '', '', '', '', '', '', '', '')",
    ],
)  # fmt: skip
def test_triggers_allow_redaction_only(path, statement):
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.execute("UPDATE answer_parts SET words = NULL, salt = NULL")
    connection.close()
