"""Every row of the audit is a link of one chain, whoever writes, and whatever an earlier release left."""

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
from highlighter.store.database import open_database, write_transaction

THREADS, EACH = 8, 5
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from highlighter.store.database import open_database
from tests.highlighter.store.test_audit_log import write

engine = open_database(Path(sys.argv[1]))
with ThreadPoolExecutor(8) as threads:
    list(threads.map(lambda at: write(engine, f"{sys.argv[2]}-{at}"), range(8)))
"""


def write(engine, name):
    for number in range(EACH):
        with write_transaction(engine) as connection:
            audit_log.record_event(connection, audit_log.INGESTED, f"{name}-{number}", "default", "0" * 64)
        with write_transaction(engine) as connection:
            answer_records.save_answer_record(
                connection, f"{name}-{number}", {}, [], [AnswerPart.create("text", ANY_DOCUMENT, "Words.")]
            )


@pytest.fixture
def engine(tmp_path):
    made = open_database(tmp_path / "catalog.sqlite")
    yield made
    made.dispose()


def proof(engine, *against):
    with engine.connect() as connection:
        return verify_audit(connection, *against)


def test_two_processes_and_many_threads_write_one_chain(engine, tmp_path):
    path = str(tmp_path / "catalog.sqlite")
    others = [subprocess.Popen([sys.executable, "-c", WRITER, path, name]) for name in ("left", "right")]
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda at: write(engine, f"here-{at}"), range(THREADS)))
    assert [other.wait(120) for other in others] == [0, 0]
    found = proof(engine)
    assert (found.rows, found.answers, found.discrepancies) == (3 * THREADS * EACH * 2, 3 * THREADS * EACH, ())


def test_what_was_rolled_back_is_no_gap(engine):
    write(engine, "a")
    with write_transaction(engine) as connection:
        audit_log.record_event(connection, audit_log.INGESTED, "b", "default", "")
        connection.get_transaction().rollback()
    write(engine, "c")
    assert proof(engine).discrepancies == ()


def test_rows_of_an_earlier_release_are_read_and_fixed_by_the_chain_that_follows_them(tmp_path):
    path = tmp_path / "old.sqlite"
    engine = open_database(path)
    with write_transaction(engine) as connection:
        for table in ("answer_parts", "answer_documents", "answers", "audit"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text(OLD_AUDIT))
        for number in (1, 2):
            connection.execute(text(f"INSERT INTO audit VALUES ({number}, 'then', 'ingested', 'd{number}', 'c', 'x')"))
    engine.dispose()
    engine = open_database(path)
    catalog = Catalog(engine)
    assert [(note.document_id, note.answer_id) for note in catalog.audit_entries()] == [("d1", ""), ("d2", "")]
    write(engine, "new")
    found = proof(engine)
    assert (found.unchained_rows, found.rows, found.discrepancies) == (2, 2 + 2 * EACH, ())
    with write_transaction(engine) as connection:
        connection.execute(text("DROP TRIGGER audit_no_update"))
        connection.execute(text("UPDATE audit SET sha256 = 'y' WHERE seq = 2"))
    assert [(one.seq, one.description) for one in proof(engine).discrepancies] == [
        (3, "the rows before the chain are not those it began with")
    ]
    catalog.close()


OLD_AUDIT = """CREATE TABLE audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, at VARCHAR(32) NOT NULL, what VARCHAR(16) NOT NULL,
    document_id VARCHAR(32) NOT NULL, collection VARCHAR(200) NOT NULL, sha256 VARCHAR(64) NOT NULL)"""


def test_a_head_that_was_exported_is_a_part_of_what_comes_after(engine):
    write(engine, "a")
    with engine.connect() as connection:
        head = audit_log.read_head(connection)
    write(engine, "b")
    assert proof(engine, head).discrepancies == ()
    assert proof(engine, head._replace(hash="0" * 64)).discrepancies[0].seq == head.seq
    assert proof(engine, head._replace(at="another time")).discrepancies[0].seq == head.seq
    (missing,) = proof(engine, head._replace(seq=1000)).discrepancies
    assert "the end was cut off" in missing.description


def test_a_signature_needs_the_key(engine):
    write(engine, "a")
    with engine.connect() as connection:
        head = audit_log.read_head(connection)
    signed = audit_log.sign_head(head, "a key")
    assert signed == audit_log.sign_head(head, "a key")
    assert signed not in (audit_log.sign_head(head, "another"), audit_log.sign_head(head._replace(seq=1), "a key"))


@pytest.mark.parametrize("value", ["half \ud800 of it", {"b": 1, "a": [1.0, None, "é\0\n"]}, ["中文", "\U0001f600"]])
def test_any_value_is_written_in_one_way_and_read_back(value):
    written = canonical_json(value)
    assert answer_records.AnswerPart.create("a", "", value).value == value
    assert written.encode()
    assert len(compute_digest(written)) == 64
