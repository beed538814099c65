"""Tests of the audit's hash chain: concurrent writers, rows of an earlier release, exported heads."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from highlighter.store import answer_records, audit_log
from highlighter.store.answer_records import ANY_DOCUMENT, AnswerPart
from highlighter.store.audit_log import canonical_json, compute_digest
from highlighter.store.audit_verification import verify_audit
from highlighter.store.catalog import Catalog
from highlighter.store.database import export_address, open_database, write_transaction

THREADS, ROWS_PER_THREAD = 8, 5
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from highlighter.store.database import open_database, parse_address
from tests.highlighter.store.test_audit_log import write

engine = open_database(parse_address(sys.argv[1]))
with ThreadPoolExecutor(8) as threads:
    list(threads.map(lambda number: write(engine, f"{sys.argv[2]}-{number}"), range(8)))
"""


def write(engine, name):
    for number in range(ROWS_PER_THREAD):
        with write_transaction(engine) as connection:
            audit_log.record_event(connection, audit_log.INGESTED, f"{name}-{number}", "default", "0" * 64)
        with write_transaction(engine) as connection:
            answer_records.save_answer_record(
                connection, f"{name}-{number}", {}, [], [AnswerPart.create("text", ANY_DOCUMENT, "Words.")]
            )


@pytest.fixture
def engine(catalog_address):
    engine = open_database(catalog_address)
    yield engine
    engine.dispose()


def verify(engine, *exported_head):
    with engine.connect() as connection:
        return verify_audit(connection, *exported_head)


def test_concurrent_processes_and_threads_write_one_chain(engine):
    address = export_address(engine)
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, address, name]) for name in ("left", "right")]
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda number: write(engine, f"here-{number}"), range(THREADS)))
    assert [process.wait(120) for process in processes] == [0, 0]
    report = verify(engine)
    assert (report.rows, report.answers, report.discrepancies) == (
        3 * THREADS * ROWS_PER_THREAD * 2,
        3 * THREADS * ROWS_PER_THREAD,
        (),
    )


def test_rollback_leaves_no_gap_in_chain(engine):
    write(engine, "a")
    with write_transaction(engine) as connection:
        audit_log.record_event(connection, audit_log.INGESTED, "b", "default", "")
        connection.get_transaction().rollback()
    write(engine, "c")
    assert verify(engine).discrepancies == ()


def test_rows_of_earlier_release_are_read_and_covered_by_chain(tmp_path):
    path = tmp_path / "old.sqlite"
    engine = open_database(path)
    with write_transaction(engine) as connection:
        for table in ("answer_parts", "answer_documents", "answers", "audit", "alembic_version"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text(OLD_AUDIT))
        for number in (1, 2):
            connection.execute(text(f"INSERT INTO audit VALUES ({number}, 'then', 'ingested', 'd{number}', 'c', 'x')"))
    engine.dispose()
    engine = open_database(path)
    catalog = Catalog(engine)
    assert [(entry.document_id, entry.answer_id) for entry in catalog.audit_entries()] == [("d1", ""), ("d2", "")]
    write(engine, "new")
    report = verify(engine)
    assert (report.unchained_rows, report.rows, report.discrepancies) == (2, 2 + 2 * ROWS_PER_THREAD, ())
    with write_transaction(engine) as connection:
        connection.execute(text("DROP TRIGGER audit_no_update"))
        connection.execute(text("UPDATE audit SET sha256 = 'y' WHERE seq = 2"))
    assert [(discrepancy.seq, discrepancy.description) for discrepancy in verify(engine).discrepancies] == [
        (3, "the rows before the chain are not those it began with")
    ]
    catalog.close()


OLD_AUDIT = """CREATE TABLE audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, at VARCHAR(32) NOT NULL, what VARCHAR(16) NOT NULL,
    document_id VARCHAR(32) NOT NULL, collection VARCHAR(200) NOT NULL, sha256 VARCHAR(64) NOT NULL)"""


def test_exported_head_is_part_of_later_chain(engine):
    write(engine, "a")
    with engine.connect() as connection:
        head = audit_log.read_head(connection)
    write(engine, "b")
    assert verify(engine, head).discrepancies == ()
    assert verify(engine, head._replace(hash="0" * 64)).discrepancies[0].seq == head.seq
    assert verify(engine, head._replace(at="another time")).discrepancies[0].seq == head.seq
    (missing,) = verify(engine, head._replace(seq=1000)).discrepancies
    assert "the end was cut off" in missing.description


def test_signature_depends_on_key_and_head(engine):
    write(engine, "a")
    with engine.connect() as connection:
        head = audit_log.read_head(connection)
    signature = audit_log.sign_head(head, "a key")
    assert signature == audit_log.sign_head(head, "a key")
    assert signature not in (audit_log.sign_head(head, "another"), audit_log.sign_head(head._replace(seq=1), "a key"))


@pytest.mark.parametrize("value", ["half \ud800 of it", {"b": 1, "a": [1.0, None, "é\0\n"]}, ["中文", "\U0001f600"]])
def test_canonical_json_of_any_value_is_restored(value):
    encoded = canonical_json(value)
    assert answer_records.AnswerPart.create("a", "", value).value == value
    assert encoded.encode()
    assert len(compute_digest(encoded)) == 64
