"""Tests of python -m highlighter doctor: it finds inconsistent data, names it and repairs it."""

from __future__ import annotations

import argparse
import io
import json
import shutil
from contextlib import closing

import pytest
from sqlalchemy import delete

from highlighter.cli import doctor
from highlighter.diagnostics import repair_data, run_diagnostics
from highlighter.embedding.embedder import ENGLISH_MODEL, Embedder
from highlighter.models import READING, READY
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import audit_log
from highlighter.store.database import write_transaction
from highlighter.store.digests import DETAILS, record_document_digests
from highlighter.store.schema import vectors
from ingest.pipeline import ingest_file
from ingest.registration import register_file
from tests.conftest import NOTE


@pytest.fixture
def healthy_services(services, note):
    """Services with one document and consistent data."""
    services.index.sync()
    services.index.close()
    assert run_diagnostics(services).problems == []
    return services


def is_only_problem(problems, text):
    (problem,) = problems
    assert text in problem
    return True


def is_repaired(services):
    repair_data(services)
    services.index.close()
    return run_diagnostics(services).problems == []


def test_consistent_data_has_no_problem(healthy_services, note):
    report = run_diagnostics(healthy_services)
    assert report.census.states == {READY: 1}
    assert (report.census.sentences, report.census.vectors) == (note.sentences, note.sentences)
    assert (report.index.generation, report.index.heard, report.index.owner) == (1, 1, 0)


def test_empty_data_folder_has_no_problem(services):
    assert run_diagnostics(services).problems == []


def test_unfinished_document_is_finished(healthy_services, tmp_path):
    path = tmp_path / "second.txt"
    path.write_text("The tide turns at noon.", encoding="utf-8")
    document = register_file(path, "second.txt", healthy_services).document
    healthy_services.catalog.set_progress(document.id, "reading", 0, 1)
    assert is_only_problem(run_diagnostics(healthy_services).problems, "1 document begun and never ended")
    assert healthy_services.catalog.document(document.id).state == READING
    assert is_repaired(healthy_services)
    assert healthy_services.catalog.document(document.id).state == READY


def test_files_of_another_catalog_are_kept_as_long_as_they_have_an_owner(healthy_services):
    healthy_services.files.set_owner("another")
    stray, _ = healthy_services.files.save_original(io.BytesIO(b"of a document in another catalog"))
    assert is_only_problem(run_diagnostics(healthy_services).problems, "1 file of documents in another catalog, kept")
    repair_data(healthy_services)
    assert healthy_services.files.has_original(stray)
    assert "delete files/owner in DATA_DIR" in run_diagnostics(healthy_services).problems[0]
    (healthy_services.files.root / "owner").unlink()
    assert is_repaired(healthy_services)
    assert not healthy_services.files.has_original(stray)


def test_files_without_document_are_removed(healthy_services, note):
    stray = healthy_services.files.original_path("f" * 64)
    stray.parent.mkdir(exist_ok=True)
    stray.write_bytes(b"left over")
    assert is_only_problem(run_diagnostics(healthy_services).problems, "1 file without a document")
    assert is_repaired(healthy_services)
    assert not stray.exists()
    assert healthy_services.files.original_path(note.sha256).exists()


def test_missing_pdfs_are_generated_again_and_chunks_stay(healthy_services, note):
    before = healthy_services.catalog.chunks(note)
    shutil.rmtree(healthy_services.files.generated_folder(note.id, note.pipeline))
    assert is_only_problem(run_diagnostics(healthy_services).problems, "The generated PDFs of note.txt are missing")
    assert is_repaired(healthy_services)
    assert healthy_services.files.chunk_pdf_path(note.id, note.pipeline, 0).is_file()
    assert healthy_services.catalog.chunks(note) == before


def test_missing_original_is_named_and_cannot_be_repaired(healthy_services, note):
    healthy_services.files.original_path(note.sha256).unlink()
    assert is_only_problem(run_diagnostics(healthy_services).problems, "The originals of note.txt are missing")
    assert not is_repaired(healthy_services)
    assert healthy_services.catalog.document(note.id).state == READY


def test_metadata_without_json_is_removed(healthy_services, note):
    with write_transaction(healthy_services.catalog.engine) as connection:
        connection.exec_driver_sql("""UPDATE documents SET meta = '{"year": 2024, "x": NaN}'""")
        record_document_digests(connection, audit_log.DESCRIBED, note.id, (DETAILS,))  # as earlier releases did
    assert is_only_problem(run_diagnostics(healthy_services).problems, "1 document with NaN or Infinity")
    assert is_repaired(healthy_services)
    assert healthy_services.catalog.document(note.id).meta == {"year": 2024}


def test_missing_vectors_are_computed(healthy_services, note):
    with write_transaction(healthy_services.catalog.engine) as connection:
        connection.execute(delete(vectors))
    assert any(
        f"{note.sentences} sentences without a vector" in sentence
        for sentence in run_diagnostics(healthy_services).problems
    )
    assert is_repaired(healthy_services)
    assert run_diagnostics(healthy_services).census.missing_vectors == 0


def test_library_of_another_model_is_found_by_words_and_embedded_again(tmp_path, embedder, process_pool):
    """Vectors of two models cannot be compared: libraries made before the default model changed hold another's."""
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    settings = Settings(data_dir=tmp_path / "data")
    with closing(Services(settings, Embedder(ENGLISH_MODEL))) as services:
        before = ingest_file(path, services, process_pool).document
    with closing(Services(settings, embedder)) as services:
        found = services.search.find("ferry tickets on board")
        assert [hit.document.id for hit in found.hits] == [before.id]
        assert "embedded with a model other than" in found.degraded
        assert "embedded with a model other than" in services.search.find("Wie viel kostet eine Fahrkarte?").degraded
        assert any("without a vector by" in sentence for sentence in run_diagnostics(services).problems)
        repair_data(services)
        services.index.close()
        assert run_diagnostics(services).problems == []
        (after,) = services.catalog.documents(states=(READY,))
        assert (after.id, after.sha256) == (before.id, before.sha256)
        found = services.search.find("Wie viel kostet eine Fahrkarte?")
        assert ([hit.document.id for hit in found.hits], found.degraded) == ([before.id], "")


@pytest.mark.slow
def test_damaged_index_is_rebuilt(healthy_services, note, index_checked_in_child):
    """The check may crash, so it runs in a child process here."""
    for path in (healthy_services.index.folder / "1").rglob("*.sqlite3"):
        path.write_bytes(b"torn")
    assert is_only_problem(run_diagnostics(healthy_services).problems, "The index is damaged")
    assert is_repaired(healthy_services)
    assert healthy_services.index.describe().generation == 2


def test_pending_changes_are_indexed(services, note):
    assert is_only_problem(run_diagnostics(services).problems, "does not have 1 change yet")
    assert is_repaired(services)


def test_command_reports_problems_as_text_json_and_exit_status(healthy_services, note, capsys):
    def run(**options):
        return doctor.run(healthy_services, argparse.Namespace(**{"fix": False, "json": False, **options}))

    assert run() == 0
    assert "All is well." in capsys.readouterr().out
    shutil.rmtree(healthy_services.files.generated_folder(note.id, note.pipeline))
    assert run(json=True) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["well"], report["made_missing"]) == (False, ["note.txt"])
    assert run(fix=True) == 0
