from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from highlighter.access import VisibleCollections
from highlighter.app import create_app
from highlighter.locale import N_, join_messages
from highlighter.locale.user_message import list_messages
from highlighter.models import FAILED, PIPELINE_VERSION, READY, Chunk, Sentence
from highlighter.services import Services
from highlighter.store import chunk_search
from highlighter.store.catalog import DocumentContents, ReadingOutcome, compute_text_hash
from highlighter.store.database import write_transaction
from highlighter.store.dialects.postgresql import connections as postgresql_connections
from highlighter.store.dialects.sqlite import connections
from highlighter.store.documents import compute_document_id
from highlighter.store.source_map import SourceMap, SourceRun
from highlighter.store.storage_errors import is_catalog_unreachable

HASH = "ab" * 32
TEXT = "One fish. Two fish."


def contents(text=TEXT, id="", pipeline=PIPELINE_VERSION):
    chunk = Chunk(id, pipeline, 0, 0, len(text), 1, 1, "1 Fish", text, ((0, 3, 1),))
    middle = text.index(" Two") if " Two" in text else len(text)
    sentences = [(0, Sentence(0, 0, middle, text[:middle], 1))]
    if middle < len(text):
        sentences.append((0, Sentence(1, middle + 1, len(text), text[middle + 1 :], 1)))
    facts = {"pages": [["1", 595, 842, len(text)]], "headings": [], "hidden": [], "warnings": []}
    return DocumentContents(
        text, SourceMap((SourceRun(0, len(text), 1, 0, len(text)),)), facts, (chunk,), tuple(sentences)
    )


@pytest.fixture
def fish(services):
    """A stored document of two sentences with vectors."""
    catalog = services.catalog
    document = catalog.register("default", HASH, "fish.txt", "txt", 19)
    catalog.save_vectors([compute_text_hash("One fish."), compute_text_hash("Two fish.")], np.eye(2, 4), "toy")
    catalog.save_contents(document.id, contents(id=document.id), ReadingOutcome(READY))
    return catalog.document(document.id)


def test_others_write_while_the_terms_of_a_document_are_extracted(services, monkeypatch):
    """Extraction takes most of the time that a long document takes to save."""
    catalog = services.catalog

    def extract_terms(text):
        catalog.register("default", "cd" * 32, "other.txt", "txt", 1)  # waits for a write that has begun
        return ["fish"]

    monkeypatch.setattr(chunk_search, "extract_indexed_terms", extract_terms)
    document = catalog.register("default", HASH, "fish.txt", "txt", 19)
    catalog.save_contents(document.id, contents(id=document.id), ReadingOutcome(READY))
    assert len(catalog.documents()) == 2


def test_write_that_waits_too_long_is_refused_for_a_moment(services, monkeypatch):
    """A document during whose reading that happens is read again, and has not failed."""
    monkeypatch.setattr(f"{connections.__name__}.BUSY_TIMEOUT_MS", 1)
    monkeypatch.setattr(f"{postgresql_connections.__name__}.LOCK_TIMEOUT_MS", 1)
    waiting = Services(services.settings, services.embedder)
    client = create_app(waiting).test_client()
    waiting.catalog.data_version()
    with write_transaction(services.catalog.engine):
        with pytest.raises(OperationalError) as refused:
            waiting.catalog.register("default", HASH, "fish.txt", "txt", 19)
        answer = client.post("/api/v1/documents", data={"file": (BytesIO(b"One fish."), "fish.txt")})
    waiting.close()
    assert is_catalog_unreachable(refused.value)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.json["detail"] == "Other changes take long right now. Try again in a moment."


def test_same_bytes_in_two_collections_are_two_documents(services):
    left = services.catalog.register("left", HASH, "a.txt", "txt", 1)
    right = services.catalog.register("right", HASH, "a.txt", "txt", 1)
    assert left.id != right.id
    assert services.catalog.document(left.id, VisibleCollections(frozenset({"right"}))) is None
    assert [d.id for d in services.catalog.documents(VisibleCollections(frozenset({"right"})))] == [right.id]


def test_registering_again_changes_nothing(services):
    first = services.catalog.register("default", HASH, "a.txt", "txt", 1)
    again = services.catalog.register("default", HASH, "another name.txt", "txt", 1)
    assert replace(again, path=first.path, version=first.version) == first  # only where it was found last
    assert first.id == compute_document_id("default", HASH)


def test_reason_is_a_message_and_stays_one(services, fish):
    for reason in (
        N_("The file could not be processed ({error}). Upload it again.", error="OSError"),
        join_messages([N_("Page {pages}:", pages="3"), N_("its text could not be recognised.")]),
    ):
        services.catalog.set_state(fish.id, FAILED, reason)
        stored = services.catalog.document(fish.id).reason
        assert (stored, list_messages(stored)) == (reason, list_messages(reason))


def test_reason_of_an_earlier_release_is_shown_as_it_is(services, fish):
    sentence = "Page 3: its text could not be recognised."
    with write_transaction(services.catalog.engine) as connection:
        connection.execute(text("UPDATE documents SET reason = :reason"), {"reason": sentence})
    assert services.catalog.document(fish.id).reason == sentence
    services.catalog.set_state(fish.id, FAILED, sentence)
    with services.catalog.engine.begin() as connection:
        assert connection.scalar(text("SELECT reason FROM documents")) == sentence


def test_saved_contents_are_read_back(services, fish):
    assert (fish.state, fish.chunks, fish.sentences, fish.pages) == (READY, 1, 2, 1)
    assert services.catalog.text(fish) == TEXT
    assert services.catalog.source_map(fish).page_at(3) == 1
    chunk = services.catalog.chunk(fish, 0)
    assert (chunk.text, chunk.section, chunk.headings) == (TEXT, "1 Fish", ((0, 3, 1),))
    sentences, vectors = services.catalog.sentences(chunk, "toy")
    assert [sentence.text for sentence in sentences] == ["One fish.", "Two fish."]
    assert np.array_equal(vectors, np.eye(2, 4))


def test_saving_contents_again_duplicates_nothing(services, fish):
    services.catalog.save_contents(fish.id, contents(id=fish.id), ReadingOutcome(READY))
    assert services.catalog.document(fish.id) == fish
    assert len(services.catalog.sentences(services.catalog.chunk(fish, 0), "toy")[0]) == 2


def test_failed_save_leaves_old_contents(services, fish):
    new = contents("Other words.", fish.id)
    broken = DocumentContents(new.text, new.source_map, new.facts, new.chunks * 2, new.sentences)
    with pytest.raises(Exception, match=r"(?i)unique"):
        services.catalog.save_contents(fish.id, broken, ReadingOutcome(READY))
    assert services.catalog.text(fish) == TEXT


def test_vectors_of_another_model_are_not_returned(services, fish):
    sentences, vectors = services.catalog.sentences(services.catalog.chunk(fish, 0), "another model")
    assert len(sentences) == 2
    assert vectors is None


def test_embedded_text_is_known_in_every_document(services, fish):
    hashes = [compute_text_hash("One fish."), compute_text_hash("Red fish.")]
    assert services.catalog.find_hashes_without_vector(hashes, "toy") == {compute_text_hash("Red fish.")}


def test_text_with_lone_surrogate_has_hash():
    assert len(compute_text_hash("\ud800 lone")) == 16


def test_offset_leads_to_its_chunk(services, fish):
    assert services.catalog.chunk_at(fish, 12).index == 0
    assert services.catalog.chunk_at(fish, 500) is None
