import hashlib
import io
import shutil

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from highlighter.models import EMPTY, NO_TEXT, PIPELINE_VERSION, READY
from highlighter.store.storage_errors import CatalogUnreachable
from ingest import batch
from ingest.pipeline import ingest_file
from ingest.preparation import SourceFile, prepare_document
from ingest.registration import register_file
from tests.conftest import NOTE, SAMPLES

CONTRACT = SAMPLES / "Harbour Works Contract.pdf"


def test_whole_text_is_ingested(services, note):
    assert note.state == READY
    assert note.pages == 1
    text = services.catalog.text(note)
    assert "".join(text.split()) == "".join(NOTE.split())
    for chunk in services.catalog.chunks(note):
        assert text[chunk.start : chunk.end] == chunk.text
        sentences, vectors = services.catalog.sentences(chunk, services.embedder.name)
        assert len(vectors) == len(sentences)
        for sentence in sentences:
            assert text[sentence.start : sentence.end] == sentence.text


def test_original_has_the_bytes_of_the_file(services, note):
    assert services.files.original_path(note.sha256).read_text(encoding="utf-8") == NOTE


def test_the_same_bytes_again_are_known(services, process_pool, note, note_path):
    again = ingest_file(note_path, services, process_pool)
    assert again.was_known
    assert again.document == note
    assert services.catalog.last_change() == 1


def test_the_same_bytes_in_another_collection_are_another_document(services, process_pool, note, note_path):
    other = ingest_file(note_path, services, process_pool, collection="other")
    assert not other.was_known
    assert other.document.id != note.id
    assert other.document.sentences == note.sentences


def test_known_sentence_is_not_embedded_again(services, process_pool, note, note_path, monkeypatch):
    def fail(self, texts):
        raise AssertionError(f"embedded again: {texts}")

    monkeypatch.setattr(type(services.embedder), "encode", fail)
    assert ingest_file(note_path, services, process_pool, collection="other").document.state == READY


def test_empty_file_is_reported(services, process_pool, tmp_path):
    path = tmp_path / "empty.txt"
    path.touch()
    document = ingest_file(path, services, process_pool).document
    assert (document.state, document.reason) == (EMPTY, "The file is empty.")


def test_scan_is_reported(services, process_pool):
    document = ingest_file(SAMPLES / "Scanned letter 14 March.pdf", services, process_pool).document
    assert document.state == NO_TEXT
    assert "scan without selectable text" in document.reason


@pytest.mark.parametrize(
    "sample", sorted(path.name for path in SAMPLES.glob("*.*") if path.suffix in (".pdf", ".docx", ".txt"))
)
def test_every_readable_sample_has_the_sentences_that_answer_its_questions(
    services, process_pool, sample, sample_questions
):
    """Offsets, pages and chunk PDFs are checked, because every citation rests on them."""
    document = ingest_file(SAMPLES / sample, services, process_pool).document
    if sample not in sample_questions:
        assert document.state == NO_TEXT
        return
    assert (document.state, document.reason) == (READY, "")
    found = set()
    for chunk in services.catalog.chunks(document):
        sentences, _ = services.catalog.sentences(chunk, services.embedder.name)
        found.update(sentence.text for sentence in sentences)
        assert 1 <= chunk.first_page <= chunk.last_page <= document.pages
        assert services.files.chunk_pdf_path(document.id, document.pipeline, chunk.index).read_bytes()[:5] == b"%PDF-"
    assert [q["answer"] for q in sample_questions[sample] if q["answer"] not in found] == []


def test_deleted_words_are_told_and_are_in_no_sentence(services, process_pool, tmp_path):
    path = tmp_path / "lease.html"
    path.write_text("<p>The rent is <del>300</del> <ins>400</ins> euros.</p><p><s>Dogs are allowed.</s></p>")
    document = ingest_file(path, services, process_pool).document
    assert (document.state, document.reason) == (READY, "Left out (deleted): “300” “Dogs are allowed.”")
    assert services.catalog.text(document) == "The rent is 400 euros."
    assert services.catalog.facts(document)["hidden"] == [
        ["300", "deleted", None],
        ["Dogs are allowed.", "deleted", None],
    ]
    assert services.quote_locator.locate("Dogs are allowed.").tier == "none"


@pytest.mark.parametrize("is_back", [True, False])
def test_files_wait_for_a_lost_database(services, note_path, monkeypatch, is_back):
    register, attempts = services.catalog.register_upload, []

    def lose_database(*arguments, **options):
        attempts.append(arguments)
        if is_back and len(attempts) > 1:
            return register(*arguments, **options)
        raise OperationalError("", None, psycopg.OperationalError())

    monkeypatch.setattr(batch, "MAX_CATALOG_WAIT_SECONDS", 60 if is_back else 0.2)
    monkeypatch.setattr(batch, "_CATALOG_POLL_SECONDS", 0.1)
    monkeypatch.setattr(services.catalog, "register_upload", lose_database)
    outcomes = batch.ingest_files([note_path], services, "default", {}, 1, lambda: lambda *_: None, lambda *_: None)
    (outcome,) = outcomes.values()
    assert outcome.document.state == READY if is_back else isinstance(outcome, CatalogUnreachable)


def test_bad_file_leaves_nothing_half_done(services, process_pool, tmp_path):
    path = tmp_path / "torn.pdf"
    path.write_bytes(CONTRACT.read_bytes()[:3000])
    document = ingest_file(path, services, process_pool).document
    assert document.state not in ("ready", "partial", "reading")
    assert document.reason.endswith(".")
    assert not services.files.generated_folder(document.id, document.pipeline).exists()
    assert list(services.files.scratch.iterdir()) == []


def test_file_is_read_again_over_what_a_killed_reading_process_left(process_pool, tmp_path):
    file = SourceFile(SAMPLES / "Harbour Works Contract.pdf", "pdf", "contract.pdf")
    first, second = (process_pool.run(prepare_document, file, "d" * 32, PIPELINE_VERSION, tmp_path) for _ in range(2))
    assert first.chunks == second.chunks
    assert len(list(tmp_path.glob("chunks/*.pdf"))) == len(first.chunks)


def test_file_may_be_deleted_once_it_is_queued(services, tmp_path):
    path = tmp_path / "gone.txt"
    shutil.copy(SAMPLES / "Laboratory Safety Note.txt", path)
    document = services.ingest_queue.enqueue_file(path, "gone.txt")
    path.unlink()
    services.ingest_queue._executor.shutdown(wait=True)
    assert services.catalog.document(document.id).state == READY


class OnceReadable(io.RawIOBase):
    """A stream that cannot be read again, and counts the bytes that are read."""

    def __init__(self, content):
        self.source, self.bytes_read = io.BytesIO(content), 0

    def read(self, size=-1):
        block = self.source.read(size)
        self.bytes_read += len(block)
        return block

    def seekable(self):
        return False

    def seek(self, *_):
        raise io.UnsupportedOperation


def test_upload_is_read_once_and_its_copy_becomes_the_original(services, monkeypatch):
    staged_files = []
    save = services.files.save_staged_original

    def save_and_note(staged):
        staged_files.append((staged.path.parent, staged.path.stat().st_ino))
        save(staged)

    monkeypatch.setattr(services.files, "save_staged_original", save_and_note)
    upload = OnceReadable(NOTE.encode())
    document = services.ingest_queue.enqueue_upload(upload, "folder\\note.txt")
    services.ingest_queue._executor.shutdown(wait=True)
    original = services.files.original_path(hashlib.sha256(NOTE.encode()).hexdigest())
    assert staged_files == [(services.files.scratch, original.stat().st_ino)]
    assert (upload.bytes_read, original.read_bytes()) == (len(NOTE.encode()), NOTE.encode())
    assert (document.path, document.size) == ("folder/note.txt", len(NOTE.encode()))
    assert services.catalog.document(document.id).state == READY


def test_upload_of_known_bytes_is_not_saved_again(services, note, monkeypatch):
    monkeypatch.setattr(services.files, "save_staged_original", None)  # not called
    assert services.ingest_queue.enqueue_upload(io.BytesIO(NOTE.encode()), note.name).sha256 == note.sha256
    services.ingest_queue._executor.shutdown(wait=True)
    assert list(services.files.scratch.iterdir()) == []


def test_upload_repairs_a_damaged_original(services, note):
    services.files.original_path(note.sha256).write_bytes(b"altered")
    services.ingest_queue.enqueue_upload(io.BytesIO(NOTE.encode()), note.name)
    services.ingest_queue._executor.shutdown(wait=True)
    assert services.files.original_path(note.sha256).read_bytes() == NOTE.encode()


def test_file_that_changes_while_it_is_registered_is_registered_as_it_was_copied(services, tmp_path, monkeypatch):
    path = tmp_path / "note.txt"
    path.write_text("The ferry leaves at seven.")
    digest = hashlib.file_digest

    def digest_then_change(file, name):
        result = digest(file, name)
        path.write_text("The ferry leaves at eight.")
        return result

    monkeypatch.setattr(hashlib, "file_digest", digest_then_change)
    document = register_file(path, path.name, services).document
    monkeypatch.undo()
    assert services.files.original_path(document.sha256).read_text() == "The ferry leaves at eight."
    assert services.files.compute_sha256(services.files.original_path(document.sha256)) == document.sha256
