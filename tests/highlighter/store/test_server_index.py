"""Tests of what only an index on a Chroma server has: many readers, a lease, and a server that may be out of reach."""

import json
import logging
import time

import httpx
import numpy as np
import pytest
from sqlalchemy import update

from highlighter.app import create_app
from highlighter.diagnostics import repair_data, run_diagnostics
from highlighter.search.hybrid_search import NO_INDEX_NOTE
from highlighter.secret import Secret
from highlighter.service_state import is_ready, list_parts
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.store import chroma_server as chroma_server_module
from highlighter.store import server_index
from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.chroma_server import ChromaServer, ServerAccess
from highlighter.store.database import write_transaction
from highlighter.store.index_health import MAX_PROBES, CheckLimits
from highlighter.store.leases import LEASE_SECONDS, Lease
from highlighter.store.schema import leases
from highlighter.store.server_generations import LeaseLost, create_next_generation, open_collections
from highlighter.store.server_index import ServerIndex
from highlighter.store.storage_errors import IndexUnavailable
from tests.conftest import POSTGRESQL
from tests.highlighter.store.test_index import open_server_index, read_collection

QUESTION = "How much is a ticket?"
API_KEY = "a-key-that-no-log-may-hold"


@pytest.fixture
def index(services, chroma_server, monkeypatch):
    monkeypatch.setattr(chroma_server_module, "PAUSE_SECONDS", 0.0)
    services.index = open_server_index(services, chroma_server)
    yield services.index
    chroma_server.ensure_running()


@pytest.fixture
def reader(services, chroma_server):
    """The index as another process has it, which does not write it."""
    reader = open_server_index(services, chroma_server)
    yield reader
    reader.close()


@pytest.fixture
def synced(index, note):
    index.sync()
    return index


def collections_of(index):
    with index.server.connect() as client:
        return open_collections(client, read_catalog_id(index.catalog.engine), index.describe().generation, False)


def count_collections(index):
    prefix = collections_of(index)[0].name.partition("-")[2].partition("-")[0]
    with index.server.connect() as client:
        return sum(prefix in collection.name for collection in client.list_collections())


def describe_index(services):
    (part,) = (part for part in list_parts(services) if part.name == "index")
    assert is_ready([part])
    return part.detail


def test_every_process_searches_and_one_writes(services, synced, reader):
    vector = services.embedder.encode_question(QUESTION)
    assert reader.find_nearest(vector, 5) == synced.find_nearest(vector, 5)
    assert reader.sync() == 0
    assert reader.usable_collections() is None
    assert reader.find_owner_process() == synced.find_owner_process() != 0


def test_settings_choose_the_server(tmp_path, chroma_server, embedder):
    services = Services(
        Settings(data_dir=tmp_path, chroma_url=chroma_server.url, chroma_api_key=Secret(API_KEY)), embedder
    )
    assert isinstance(services.index, ServerIndex)
    assert services.index.sync() == 0
    assert API_KEY not in repr(services.settings) + repr(services.index.server.access)
    services.close()


def test_lease_is_taken_over_from_a_process_that_died(services):
    dead, other = (Lease(services.catalog.engine, "index", 2.0) for _ in range(2))
    assert dead.acquire()
    assert not other.acquire()
    dead._renewal_stop.set()  # as when its process is killed
    end = time.monotonic() + 10
    while not other.acquire():
        assert time.monotonic() < end
        time.sleep(0.02)
    assert not dead.is_held
    assert not dead.acquire()
    other.release()
    assert dead.acquire()
    dead.release()


def test_lease_from_before_the_clock_was_set_back_has_ended(services):
    dead, other = (Lease(services.catalog.engine, "index") for _ in range(2))
    assert dead.acquire()
    dead._renewal_stop.set()
    for later, is_held in ((20.0, True), (3600.0, False)):
        with write_transaction(services.catalog.engine) as connection:
            connection.execute(update(leases).values(expires=leases.c.expires + later))
        assert (other.find_process() > 0) is is_held
        assert other.acquire() is not is_held
    other.release()


@pytest.mark.parametrize("database_kind", [POSTGRESQL])  # SQLite is used on one machine
def test_machine_whose_clock_is_ahead_takes_over_no_lease(services, monkeypatch):
    lease, other = (Lease(services.catalog.engine, "index") for _ in range(2))
    assert lease.acquire()
    an_hour_ahead = time.time() + 3600
    monkeypatch.setattr(time, "time", lambda: an_hour_ahead)
    assert not other.acquire()
    lease.release()


@pytest.mark.cluster
def test_lease_is_renewed_as_long_as_its_process_lives(services):
    lease, other = (Lease(services.catalog.engine, "index", 3.0) for _ in range(2))
    assert lease.acquire()
    first, end = lease._held_until, time.monotonic() + 30
    while lease._held_until == first:
        assert time.monotonic() < end
        time.sleep(0.02)
    assert not other.acquire()
    lease.release()
    assert other.acquire()
    other.release()


def test_process_that_lost_its_lease_writes_nothing(services, synced, note):
    synced.lease._stop_renewal()
    with pytest.raises(LeaseLost):  # it believes that it has the lease still
        make_taken_over(synced).write_cursor(99)
    with pytest.raises(LeaseLost):
        create_next_generation(services.catalog.engine, synced.lease, synced.model, "a check that took long")
    assert synced.describe().heard == 1
    synced.lease._held_until = 0.0
    services.delete_document(note.id)
    assert synced.sync() == 0
    assert len(collections_of(synced)[0].get(include=[])["ids"]) == note.sentences


def make_taken_over(index):
    """Give the lease to another holder, and return the generation as its former owner has it."""
    with write_transaction(index.catalog.engine) as connection:
        connection.execute(update(leases).values(holder="another", expires=time.time() + LEASE_SECONDS))
    return index._opened.generation


DAMAGES = {
    "short of a sentence": lambda sentences, chunks: sentences.delete(ids=sentences.get(include=[])["ids"][:1]),
    "short of a chunk": lambda sentences, chunks: chunks.delete(ids=chunks.get(include=[])["ids"][:1]),
    "with a row too many": lambda sentences, chunks: sentences.upsert(
        ids=[sentences.get(include=[])["ids"][0] + "99"], embeddings=np.ones((1, 384))
    ),
    "with other vectors": lambda sentences, chunks: sentences.upsert(
        ids=(ids := sentences.get(include=[])["ids"]),
        embeddings=np.random.default_rng(1).normal(size=(len(ids), 384)),
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_index_is_rebuilt_as_next_generation(synced, note, damage):
    assert synced.find_problem() == ""
    DAMAGES[damage](*collections_of(synced))
    assert synced.find_problem() != ""
    synced.close()
    assert synced.sync() == 1
    state = synced.describe()
    assert (state.generation, state.whole, bool(state.found)) == (2, True, True)
    assert synced.find_problem() == ""
    assert len(read_collection(synced)[0]) == note.sentences
    assert count_collections(synced) == 2


def test_index_of_another_model_is_not_searched_and_made_again(services, synced, reader):
    vector = services.embedder.encode_question(QUESTION)
    reader.model = "another"
    assert reader.find_nearest(vector, 5) is None
    synced.close()
    synced.model = "another"
    synced.sync()
    assert "another model" in synced.describe().found


@pytest.mark.cluster
def test_index_that_the_server_lost_is_made_again(services, synced, chroma_server, note):
    chroma_server.stop()
    chroma_server.delete_data()
    chroma_server.start()
    assert synced.find_nearest(services.embedder.encode_question(QUESTION), 5) is None
    assert synced.sync() == 1
    assert synced.describe().generation == 2
    assert synced.find_nearest(services.embedder.encode_question(QUESTION), 5).by_chunk


def record_bodies(monkeypatch):
    """Return a list to which the body of each request to the server is added from now on."""
    bodies, request = [], httpx.Client.request

    def record(self, method, url, **options):
        if options.get("content"):
            bodies.append(json.loads(options["content"]))
        return request(self, method, url, **options)

    monkeypatch.setattr(httpx.Client, "request", record)
    return bodies


def test_requests_stay_within_the_quotas(services, index, note, monkeypatch):
    monkeypatch.setattr(server_index, "ROWS_PER_REQUEST", 2)
    monkeypatch.setattr(server_index, "CHECK_LIMITS", CheckLimits(2, 2, 2))
    index.max_rows_per_upsert = 2
    bodies = record_bodies(monkeypatch)
    index.sync()
    assert note.sentences > 4
    assert collections_of(index)[0].count() == note.sentences
    assert index.find_problem() == ""
    services.delete_document(note.id)
    index.sync()
    assert collections_of(index)[0].count() == 0
    written = [len(body["ids"]) for body in bodies if body.get("ids") and "include" not in body]
    questions = [len(body["query_embeddings"]) for body in bodies if "query_embeddings" in body]
    results = [body[name] for body in bodies for name in ("limit", "n_results") if body.get(name)]
    assert (max(written), max(questions), max(results)) == (2, 2, 2)
    assert all(body.get("limit") or len(body["ids"]) <= MAX_PROBES for body in bodies if "offset" in body)


@pytest.mark.cluster
def test_search_goes_on_without_the_server(services, synced, note, chroma_server, caplog):
    client = create_app(services).test_client()

    def search():
        return client.post("/api/v1/search", json={"question": QUESTION}).json

    expected = search()
    assert (expected["degraded"], len(expected["hits"])) == (None, 1)
    chroma_server.stop()
    assert search() == expected  # by the catalog's own vectors
    assert "Chroma server does not answer" in describe_index(services)
    synced.max_scanned_sentences = 1
    assert search() == {**expected, "degraded": NO_INDEX_NOTE}
    assert "The search index is not available" in client.get("/search", query_string={"q": QUESTION}).text
    note_search = services.search.find("Wie teuer ist die Überfahrt?")
    assert (note_search.hits, note_search.degraded) == ((), NO_INDEX_NOTE)
    with pytest.raises(IndexUnavailable):
        synced.sync()
    synced.sync_if_available()
    assert API_KEY not in caplog.text
    chroma_server.start()
    assert search() == expected
    assert synced.sync() == 0
    assert describe_index(services) == ""


@pytest.mark.cluster
def test_changed_documents_are_found_before_they_are_indexed(services, synced, chroma_server, process_pool, tmp_path):
    from ingest.pipeline import ingest_file

    path = tmp_path / "other.txt"
    path.write_text("A bicycle costs two pounds on the ferry.", encoding="utf-8")
    ingest_file(path, services, process_pool)
    names = [hit.document.name for hit in services.search.find("What does it cost to bring a bike?").hits]
    assert "other.txt" in names


def test_refused_key_is_no_crash_and_is_not_logged(services, note, caplog):
    index = ServerIndex(
        ChromaServer(ServerAccess("http://127.0.0.1:1", Secret(API_KEY))), services.catalog, services.embedder.name
    )
    with caplog.at_level(logging.DEBUG), pytest.raises(IndexUnavailable):
        index.sync()
    assert API_KEY not in caplog.text
    index.lease.release()


def test_doctor_compares_the_index_on_the_server(services, synced, chroma_server):
    assert run_diagnostics(services).problems == []
    DAMAGES["short of a sentence"](*collections_of(synced))
    assert "The index is damaged: of 6 sentence vectors 1 are missing" in run_diagnostics(services).problems[0]
    chroma_server.stop()
    assert "The Chroma server does not answer" in run_diagnostics(services).problems[0]
    repair_data(services)
    chroma_server.start()
    repair_data(services)
    assert run_diagnostics(services).problems == []
