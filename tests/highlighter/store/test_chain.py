"""Every row of the audit is a link of one chain, whoever writes, and whatever an earlier release left."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from highlighter.store import answers, audit, chain
from highlighter.store.answers import ALL, Part
from highlighter.store.catalog import Catalog
from highlighter.store.chain import canonical, digest
from highlighter.store.database import open_database, writing
from highlighter.store.proof import prove

THREADS, EACH = 8, 5
WRITER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from highlighter.store.database import open_database
from tests.highlighter.store.test_chain import write

engine = open_database(Path(sys.argv[1]))
with ThreadPoolExecutor(8) as threads:
    list(threads.map(lambda at: write(engine, f"{sys.argv[2]}-{at}"), range(8)))
"""


def write(engine, name):
    for number in range(EACH):
        with writing(engine) as connection:
            audit.note(connection, audit.INGESTED, f"{name}-{number}", "default", "0" * 64)
        with writing(engine) as connection:
            answers.keep(connection, f"{name}-{number}", {}, [], [Part.of("text", ALL, "Words.")])


@pytest.fixture
def engine(tmp_path):
    made = open_database(tmp_path / "catalog.sqlite")
    yield made
    made.dispose()


def proof(engine, *against):
    with engine.connect() as connection:
        return prove(connection, *against)


def test_two_processes_and_many_threads_write_one_chain(engine, tmp_path):
    path = str(tmp_path / "catalog.sqlite")
    others = [subprocess.Popen([sys.executable, "-c", WRITER, path, name]) for name in ("left", "right")]
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda at: write(engine, f"here-{at}"), range(THREADS)))
    assert [other.wait(120) for other in others] == [0, 0]
    found = proof(engine)
    assert (found.rows, found.answers, found.broken) == (3 * THREADS * EACH * 2, 3 * THREADS * EACH, ())


def test_what_was_rolled_back_is_no_gap(engine):
    write(engine, "a")
    with writing(engine) as connection:
        audit.note(connection, audit.INGESTED, "b", "default", "")
        connection.get_transaction().rollback()
    write(engine, "c")
    assert proof(engine).broken == ()


def test_rows_of_an_earlier_release_are_read_and_fixed_by_the_chain_that_follows_them(tmp_path):
    path = tmp_path / "old.sqlite"
    engine = open_database(path)
    with writing(engine) as connection:
        for table in ("answer_parts", "answer_documents", "answers", "audit"):
            connection.execute(text(f"DROP TABLE {table}"))
        connection.execute(text(OLD_AUDIT))
        for number in (1, 2):
            connection.execute(text(f"INSERT INTO audit VALUES ({number}, 'then', 'ingested', 'd{number}', 'c', 'x')"))
    engine.dispose()
    engine = open_database(path)
    catalog = Catalog(engine)
    assert [(note.document_id, note.answer_id) for note in catalog.notes()] == [("d1", ""), ("d2", "")]
    write(engine, "new")
    found = proof(engine)
    assert (found.before_the_chain, found.rows, found.broken) == (2, 2 + 2 * EACH, ())
    with writing(engine) as connection:
        connection.execute(text("DROP TRIGGER audit_no_update"))
        connection.execute(text("UPDATE audit SET sha256 = 'y' WHERE seq = 2"))
    assert [(one.seq, one.why) for one in proof(engine).broken] == [
        (3, "the rows before the chain are not those it began with")
    ]
    catalog.close()


OLD_AUDIT = """CREATE TABLE audit (seq INTEGER PRIMARY KEY AUTOINCREMENT, at VARCHAR(32) NOT NULL, what VARCHAR(16) NOT NULL,
    document_id VARCHAR(32) NOT NULL, collection VARCHAR(200) NOT NULL, sha256 VARCHAR(64) NOT NULL)"""


def test_a_head_that_was_exported_is_a_part_of_what_comes_after(engine):
    write(engine, "a")
    with engine.connect() as connection:
        head = chain.head(connection)
    write(engine, "b")
    assert proof(engine, head).broken == ()
    assert proof(engine, head._replace(hash="0" * 64)).broken[0].seq == head.seq
    assert proof(engine, head._replace(at="another time")).broken[0].seq == head.seq
    (missing,) = proof(engine, head._replace(seq=1000)).broken
    assert "the end was cut off" in missing.why


def test_a_signature_needs_the_key(engine):
    write(engine, "a")
    with engine.connect() as connection:
        head = chain.head(connection)
    signed = chain.signature(head, "a key")
    assert signed == chain.signature(head, "a key")
    assert signed not in (chain.signature(head, "another"), chain.signature(head._replace(seq=1), "a key"))


@pytest.mark.parametrize("value", ["half \ud800 of it", {"b": 1, "a": [1.0, None, "é\0\n"]}, ["中文", "\U0001f600"]])
def test_any_value_is_written_in_one_way_and_read_back(value):
    written = canonical(value)
    assert answers.Part.of("a", "", value).said == value
    assert written.encode()
    assert len(digest(written)) == 64
