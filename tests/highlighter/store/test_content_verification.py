"""Tests that altered documents, files and feedback are found by `verify`, and are not served."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import select

from highlighter.__main__ import _build_parser
from highlighter.access import VisibleCollections
from highlighter.app import create_app
from highlighter.cli import verify
from highlighter.diagnostics import repair_data, run_diagnostics
from highlighter.models import Document
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import audit_log, feedback
from highlighter.store.audit_verification import verify_audit
from highlighter.store.database import open_database
from highlighter.store.files import FileStore
from highlighter.store.schema import audit_digests
from ingest.pipeline import ingest_file
from ingest.registration import register_file
from tests.conftest import NOTE
from tests.highlighter.store.test_audit_verification import tamper
from tests.ingest.readers.pdf_drawing import draw, lines

TABLE = "The tide table is kept in the harbour office. It is printed each spring."


class StoredLibrary(NamedTuple):
    data: Path
    note: Document  # a text, so its pages are typeset
    table: Document  # a PDF, so its pages are those of the original


@pytest.fixture(scope="module")
def stored(tmp_path_factory, embedder, process_pool):
    """A library with a text, a PDF, an unreadable file, and feedback. Tests change copies of it."""
    folder = tmp_path_factory.mktemp("stored")
    services = Services(Settings(data_dir=folder / "data"), embedder)
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    draw(folder / "table.pdf", lambda canvas: lines(canvas, 72, 720, TABLE.split(". ")))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 no more")
    note, table, _ = (
        ingest_file(folder / name, services, process_pool).document for name in ("note.txt", "table.pdf", "broken.pdf")
    )
    chunk = services.catalog.chunk(note, 0)
    question = "When does the ferry leave?"
    judgement = feedback.HighlightJudgement((0, 52), feedback.RIGHT, question, [(0, 52)], "well found")
    feedback.save_feedback(services.catalog.engine, note, chunk, judgement)
    services.index.sync()
    services.close()
    return StoredLibrary(folder / "data", note, table)


@pytest.fixture
def library(stored, tmp_path):
    shutil.copytree(stored.data, tmp_path / "data")
    return stored._replace(data=tmp_path / "data")


@pytest.fixture
def services(library, embedder):
    services = Services(Settings(data_dir=library.data), embedder)
    yield services
    services.close()


def verify_library(library):
    engine = open_database(library.data / "catalog.sqlite")
    with engine.connect() as connection:
        report = verify_audit(connection, files=FileStore(library.data / "files"))
    engine.dispose()
    return report


def describe_discrepancies(library):
    return [discrepancy.description for discrepancy in verify_library(library).discrepancies]


def flip_bit(path):
    """Flip one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_untouched_library_is_verified_with_counts(library, services, capsys):
    report = verify_library(library)
    assert report.discrepancies == ()
    assert (report.coverage.documents, report.coverage.originals, report.coverage.feedback) == (3, 3, 1)
    assert report.coverage.made_files == library.note.chunks + library.table.chunks + 1  # and the typeset pages
    assert report.coverage.sentences == library.note.sentences + library.table.sentences
    assert verify.run(services, _build_parser().parse_args(["verify"])) == 0
    output = capsys.readouterr().out
    assert "verified: 3 documents: names, metadata, paths" in output
    assert "verified: 3 originals, 3 PDFs made of documents" in output
    assert "not verified: what can be made again: vectors" in output
    assert output.endswith("All is as it was written.\n")


NOTE_ROW = "document_id = (SELECT id FROM documents WHERE name = 'note.txt')"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (f"UPDATE texts SET text = replace(text, 'seven', 'eight') WHERE {NOTE_ROW}", ["(note.txt), text: changed"]),
        (f"UPDATE texts SET source_map = x'00' WHERE {NOTE_ROW}", ["(note.txt), source map: changed"]),
        (f"UPDATE texts SET facts = '{{}}' WHERE {NOTE_ROW}", ["(note.txt), facts: changed"]),
        (f"UPDATE chunks SET text = replace(text, 'seven', 'eight') WHERE {NOTE_ROW}", ["(note.txt), chunk 0: changed"]),
        (f"UPDATE chunks SET first_page = 2 WHERE {NOTE_ROW}", ["(note.txt), chunk 0: changed"]),
        (f'UPDATE sentences SET "end" = "end" - 1 WHERE {NOTE_ROW} AND idx = 1', ["sentence 1 of chunk 0: changed"]),
        (f"DELETE FROM sentences WHERE {NOTE_ROW} AND idx = 2", ["sentence 2 of chunk 0: missing"]),
        (f"UPDATE sentences SET idx = 77 WHERE {NOTE_ROW} AND idx = 1",
         ["sentence 1 of chunk 0: missing", "sentence 77 of chunk 0: added"]),
        ("UPDATE documents SET name = 'other' WHERE name = 'note.txt'", ["(other), name: changed"]),
        ("UPDATE documents SET labels = '[1]' WHERE name = 'note.txt'", ["(note.txt), page labels: changed"]),
        ("UPDATE documents SET meta = '{\"a\": 1}' WHERE name = 'note.txt'", ["(note.txt), metadata: changed"]),
        ("UPDATE documents SET added = '2020' WHERE name = 'note.txt'", ["(note.txt), properties: changed"]),
        ("UPDATE documents SET pages = 9 WHERE name = 'note.txt'", ["(note.txt), counts: changed"]),
        ("UPDATE documents SET reason = 'Fine.' WHERE name = 'broken.pdf'", ["(broken.pdf), state: changed"]),
        ("UPDATE documents SET path = 'elsewhere' WHERE name = 'note.txt'", ["(note.txt), path shown: changed"]),
        (f"UPDATE versions SET added = '2020' WHERE {NOTE_ROW}", ["(note.txt), paths: changed"]),
        ("UPDATE documents SET collection = 'x' WHERE name = 'note.txt'", ["(note.txt), collection or hash: changed"]),
        ("DELETE FROM documents WHERE name = 'note.txt'", ["missing, and no row says that it was deleted"]),
        ("UPDATE feedback SET verdict = 'wrong'", ["verdict, place or time: changed"]),
        ("UPDATE feedback SET note = 'badly found'", ["question or note: changed"]),
        ("UPDATE feedback SET question = NULL, note = NULL", ["question or note: changed"]),
        ("DELETE FROM feedback", [": missing"]),
        ("UPDATE audit_digests SET digests = '{}' WHERE seq = 1", ["the digests that it covers were changed"]),
        ("UPDATE audit_digests SET salt = NULL WHERE seq = 1", ["the salt of its digests was removed"]),
        ("DELETE FROM audit_digests WHERE seq = 1", ["the digests that it covers are not there"]),
    ],
)  # fmt: skip
def test_edited_row_is_named(library, statement, expected):
    tamper(library.data / "catalog.sqlite", statement)
    found = describe_discrepancies(library)
    assert len(found) == len(expected), found
    assert all(words in description for words, description in zip(expected, found, strict=True)), found


def test_inserted_document_and_feedback_are_named(library):
    tamper(library.data / "catalog.sqlite", *copy_first_row("documents"), *copy_first_row("feedback", "seq = 77, "))
    assert sorted(describe_discrepancies(library)) == [
        "document planted (note.txt), row: not in the chain, so put in by hand",
        "feedback planted: not in the chain, so put in by hand",
    ]


def copy_first_row(table, more=""):
    """Statements that copy the first row of a table under another id."""
    return (
        f"CREATE TABLE planted AS SELECT * FROM {table} LIMIT 1",
        f"UPDATE planted SET {more}id = 'planted'",
        f"INSERT INTO {table} SELECT * FROM planted",
        "DROP TABLE planted",
    )


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (lambda files, library: files.original_path(library.table.sha256), "(table.pdf), original"),
        (
            lambda files, library: files.chunk_pdf_path(library.table.id, library.table.pipeline, 0),
            "(table.pdf), file chunks/0.pdf",
        ),
        (
            lambda files, library: files.typeset_pdf_path(library.note.id, library.note.pipeline),
            "(note.txt), file typeset.pdf",
        ),
    ],
    ids=["original", "chunk PDF", "typeset pages"],
)
def test_altered_and_missing_files_are_named(library, path, part):
    file = path(FileStore(library.data / "files"), library)
    flip_bit(file)
    (description,) = describe_discrepancies(library)
    assert description.endswith(f"{part}: changed")
    file.unlink()
    (description,) = describe_discrepancies(library)
    assert description.endswith(f"{part}: missing")


def test_changes_by_the_service_are_no_discrepancies(library, services, tmp_path):
    """New metadata, another path, undone feedback, a deletion, which removes the salts but not the digests."""
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    assert register_file(
        path, "note.txt", services, meta={"project": "A12"}, known_path="elsewhere/note.txt"
    ).metadata_changed
    assert [entry.what for entry in services.catalog.audit_entries(library.note.id)] == ["ingested", "described"]
    (entry,) = feedback.list_current_feedback(services.catalog.engine)
    feedback.undo_feedback(services.catalog.engine, entry.id, VisibleCollections())
    assert verify_library(library).discrepancies == ()
    services.delete_document(library.note.id)
    report = verify_library(library)
    assert (report.discrepancies, report.coverage.documents, report.coverage.feedback) == ((), 2, 2)
    with services.catalog.engine.connect() as connection:
        salts = select(audit_digests.c.salt).where(audit_digests.c.document_id == library.note.id)
        assert set(connection.scalars(salts)) == {None}


def test_uncovered_contents_are_reported_until_doctor_records_them(library, services, capsys):
    forget_digests(library)
    assert verify.run(services, _build_parser().parse_args(["verify"])) == 0
    output = capsys.readouterr().out
    assert "not verified: 3 documents stored before their contents were recorded" in output
    assert "not verified: 1 verdict given before" in output
    assert output.endswith("What was verified is as it was written.\n")
    report = run_diagnostics(services)
    assert report.problems == []
    assert "3 documents stored before contents were recorded" in report.notes[-2]
    recorded, verdicts = repair_data(services)
    assert "3 of the documents stored by an earlier release" in recorded
    assert "1 of the verdicts" in verdicts
    report = verify_library(library)
    assert (report.discrepancies, report.coverage.documents, report.coverage.uncovered) == ((), 3, [])
    assert repair_data(services) == []
    tamper(library.data / "catalog.sqlite", "UPDATE chunks SET text = 'other'", "UPDATE feedback SET note = 'other'")
    assert len(describe_discrepancies(library)) == 3


def forget_digests(library):
    """Make the library one of a release without digests, with a valid chain."""
    connection = sqlite3.connect(library.data / "catalog.sqlite")
    rows = connection.execute("SELECT * FROM audit WHERE what <> 'feedback' ORDER BY seq")
    names = [column[0] for column in rows.description]
    rows, previous, relinked = [dict(zip(names, row, strict=True)) for row in rows], None, []
    for seq, row in enumerate(rows, 1):
        row |= {"seq": seq, "content": "", "previous": previous or row["previous"]}
        previous = row["hash"] = audit_log.compute_row_hash(row)
        relinked.append(tuple(row.values()))
    connection.close()
    tamper(library.data / "catalog.sqlite", "DELETE FROM audit_digests", "DELETE FROM audit")
    connection = sqlite3.connect(library.data / "catalog.sqlite")
    connection.executemany(f"INSERT INTO audit VALUES ({', '.join('?' * len(names))})", relinked)
    connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'audit'", (len(relinked),))
    connection.commit()
    connection.close()


def test_doctor_names_altered_files_and_repairs_generated_ones(library, services, process_pool, tmp_path):
    pdf = services.files.chunk_pdf_path(library.note.id, library.note.pipeline, 0)
    original = services.files.original_path(library.table.sha256)
    intact = original.read_bytes()
    tamper(library.data / "catalog.sqlite", f"UPDATE chunks SET text = 'other' WHERE {NOTE_ROW}")
    for file in (pdf, original):
        flip_bit(file)
    report = run_diagnostics(services)
    assert (report.originals_altered, report.made_altered, report.contents_altered) == (
        ["table.pdf"], ["note.txt"], ["note.txt"]
    )  # fmt: skip
    assert len(report.problems) == 3
    repair_data(services)
    (problem,) = run_diagnostics(services).problems
    assert problem.startswith("The originals of table.pdf are damaged or were altered")
    (tmp_path / "table.pdf").write_bytes(intact)
    assert ingest_file(tmp_path / "table.pdf", services, process_pool).was_known
    assert run_diagnostics(services).problems == []
    assert original.read_bytes() == intact


def test_altered_file_is_not_served(library, services):
    client = create_app(services).test_client()
    table, note = f"/documents/{library.table.id}", f"/documents/{library.note.id}"
    from_original = [f"{table}/original", f"{table}/pdf", f"{table}/pages/1.webp", f"{table}/pages/1.json"]
    generated = [f"{note}/pdf", f"{note}/pages/1.webp", f"{note}/chunks/0.pdf"]
    for path in from_original + generated:
        with client.get(path) as served:  # this also caches the page images
            assert served.status_code == 200, path
    flip_bit(services.files.original_path(library.table.sha256))
    flip_bit(services.files.typeset_pdf_path(library.note.id, library.note.pipeline))
    flip_bit(services.files.chunk_pdf_path(library.note.id, library.note.pipeline, 0))
    for path in from_original:
        refused = client.get(path)
        assert refused.status_code == 500, path
        assert "The stored original of table.pdf is damaged or was altered" in refused.get_data(as_text=True)
    for path in generated:
        refused = client.get(path)
        assert refused.status_code == 500, path
        assert "python -m highlighter doctor --fix" in refused.get_data(as_text=True)
    problem = client.get(f"/api/v1{table}/rectangles", query_string={"start": 0, "end": 9})
    assert (problem.status_code, problem.mimetype) == (500, "application/problem+json")
    assert problem.json["title"] == "Stored content was changed"
    page = client.get(f"{table}/chunks/0", query_string={"view": "page"})
    assert "is damaged or was altered" in page.get_data(as_text=True)
    assert client.get(f"{table}/chunks/0").status_code == 200  # its text is not altered


def test_altered_text_is_neither_served_nor_found(library, services):
    client = create_app(services).test_client()
    note = f"/documents/{library.note.id}"
    assert library.note.id in found_by_search(services)
    tamper(
        library.data / "catalog.sqlite",
        f"UPDATE chunks SET text = replace(text, 'seven', 'eight') WHERE {NOTE_ROW}",
        f"UPDATE texts SET text = replace(text, 'seven', 'eight') WHERE {NOTE_ROW}",
    )
    for path in (f"{note}/chunks/0", f"/api/v1{note}/text"):
        refused = client.get(path)
        assert refused.status_code == 500, path
        assert "The stored text of note.txt is damaged or was altered" in refused.get_data(as_text=True)
    assert library.note.id not in found_by_search(services)


def found_by_search(services):
    return [hit.document.id for hit in services.search.find("When does the ferry leave the island?").hits]
