"""The doctor finds what does not go together, says what helps, and helps."""

from __future__ import annotations

import argparse
import json
import shutil
from uuid import uuid4

import pytest
from sqlalchemy import delete

from highlighter.cli import doctor
from highlighter.diagnostics import repair_data, run_diagnostics
from highlighter.models import READING, READY
from highlighter.store import index_health
from highlighter.store.chroma import IndexGeneration
from highlighter.store.database import write_transaction
from highlighter.store.schema import vectors
from ingest.pipeline import register_file


@pytest.fixture
def checked_here(monkeypatch, tmp_path):
    """The index is checked in this process, in a copy of it: a process for each check takes a second and a half."""

    def illness(generation, catalog, model):
        copy = tmp_path / "checked" / uuid4().hex / generation.folder.name
        shutil.copytree(generation.folder, copy)
        try:
            index_health._check_generation(IndexGeneration(copy), catalog, model)
        except index_health._UnhealthyIndexError as ill:
            return str(ill)
        return ""

    monkeypatch.setattr("highlighter.store.index.find_index_problem", illness)


@pytest.fixture
def well(services, note, checked_here):
    """Services that keep one document, and everything in order."""
    services.index.sync()
    services.index.close()
    assert run_diagnostics(services).ill == []
    return services


def one(ill, words):
    (sentence,) = ill
    assert words in sentence
    return True


def mended(services):
    repair_data(services)
    services.index.close()
    return run_diagnostics(services).ill == []


def test_all_is_well(well, note):
    found = run_diagnostics(well)
    assert found.census.states == {READY: 1}
    assert (found.census.sentences, found.census.vectors) == (note.sentences, note.sentences)
    assert (found.index.generation, found.index.heard, found.index.owner) == (1, 1, 0)


def test_a_fresh_folder_is_well(services):
    assert run_diagnostics(services).ill == []


def test_what_was_begun_and_never_ended_is_ended(well, tmp_path):
    path = tmp_path / "second.txt"
    path.write_text("The tide turns at noon.", encoding="utf-8")
    document = register_file(path, "second.txt", well).document
    well.catalog.set_progress(document.id, "reading", 0, 1)
    assert one(run_diagnostics(well).ill, "1 document begun and never ended")
    assert well.catalog.document(document.id).state == READING
    assert mended(well)
    assert well.catalog.document(document.id).state == READY


def test_files_without_a_document_go(well, note):
    stray = well.files.original_path("f" * 64)
    stray.parent.mkdir(exist_ok=True)
    stray.write_bytes(b"left over")
    assert one(run_diagnostics(well).ill, "1 file without a document")
    assert mended(well)
    assert not stray.exists()
    assert well.files.original_path(note.sha256).exists()


def test_pdfs_that_are_gone_are_made_again_and_citations_keep_their_place(well, note):
    before = well.catalog.chunks(note)
    shutil.rmtree(well.files.generated_folder(note.id, note.pipeline))
    assert one(run_diagnostics(well).ill, "The generated PDFs of note.txt are missing")
    assert mended(well)
    assert well.files.chunk_pdf_path(note.id, note.pipeline, 0).is_file()
    assert well.catalog.chunks(note) == before


def test_an_original_that_is_gone_cannot_be_mended_and_is_named(well, note):
    well.files.original_path(note.sha256).unlink()
    assert one(run_diagnostics(well).ill, "The originals of note.txt are missing")
    assert not mended(well)
    assert well.catalog.document(note.id).state == READY


def test_sentences_without_vectors_are_embedded(well, note):
    with write_transaction(well.catalog.engine) as connection:
        connection.execute(delete(vectors))
    assert any(f"{note.sentences} sentences without a vector" in sentence for sentence in run_diagnostics(well).ill)
    assert mended(well)
    assert run_diagnostics(well).census.missing_vectors == 0


@pytest.mark.slow
def test_a_bad_index_is_made_again(well, note, monkeypatch):
    monkeypatch.setattr(
        "highlighter.store.index.find_index_problem", index_health.find_index_problem
    )  # in a process of its own, as it may crash
    for path in (well.index.folder / "1").rglob("*.sqlite3"):
        path.write_bytes(b"torn")
    assert one(run_diagnostics(well).ill, "The index is damaged")
    assert mended(well)
    assert run_diagnostics(well).index.generation == 2


def test_changes_that_nobody_told_the_index_are_told(services, note, checked_here):
    assert one(run_diagnostics(services).ill, "does not have 1 change yet")
    assert mended(services)


def test_the_command_says_it_in_words_and_as_json_and_by_its_exit_status(well, note, capsys):
    def run(**options):
        return doctor.run(well, argparse.Namespace(**{"fix": False, "json": False, **options}))

    assert run() == 0
    assert "All is well." in capsys.readouterr().out
    shutil.rmtree(well.files.generated_folder(note.id, note.pipeline))
    assert run(json=True) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["well"], told["made_missing"]) == (False, ["note.txt"])
    assert run(fix=True) == 0
