"""Tests of the vector index, in a folder and on a Chroma server."""

import subprocess
import sys

import numpy as np
import pytest
from sqlalchemy import update

from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.chroma import CHROMA_FILE_NAME, create_next_generation, find_newest_generation
from highlighter.store.chroma_server import ChromaServer, ServerAccess
from highlighter.store.database import write_transaction
from highlighter.store.schema import index_generations
from highlighter.store.server_generations import open_collections
from highlighter.store.server_index import ServerIndex


@pytest.fixture(params=["folder", "server"])
def index(request, services):
    if request.param == "server":
        services.index = open_server_index(services, request.getfixturevalue("chroma_server"))
    return services.index


def open_server_index(services, chroma_server, **options):
    server = ChromaServer(ServerAccess(chroma_server.url))
    return ServerIndex(server, services.catalog, services.embedder.name, **options)


def read_collection(index, number=0):
    """Return the vectors and metadata that Chroma holds of sentences (0) or chunks (1)."""
    index.close()
    if isinstance(index, ServerIndex):
        with index.server.connect() as client:
            catalog_id, generation = read_catalog_id(index.catalog.engine), index.describe().generation
            rows = open_collections(client, catalog_id, generation, False)[number].get(
                include=["embeddings", "metadatas"]
            )
    else:
        client, *collections = find_newest_generation(index.folder).open()
        rows = collections[number].get(include=["embeddings", "metadatas"])
        client.close()
    return dict(zip(rows["ids"], rows["embeddings"], strict=True)), rows["metadatas"]


def reset_cursor(index):
    if isinstance(index, ServerIndex):
        with write_transaction(index.catalog.engine) as connection:
            connection.execute(update(index_generations).values(cursor=0))
    else:
        (index.folder / "1" / "cursor").unlink()


def acquire_elsewhere(index):
    """Return whether another process can become the owner of the index."""
    if isinstance(index, ServerIndex):
        other = ServerIndex(index.server, index.catalog, index.model)
        is_acquired = other.acquire_ownership()
        other.lease.release()
        return is_acquired
    program = (
        "import sys; from pathlib import Path; from highlighter.store.folder_index import FolderIndex; "
        "print(FolderIndex(Path(sys.argv[1]), None, '').acquire_ownership())"
    )
    command = [sys.executable, "-c", program, str(index.folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "True"


def test_index_holds_vectors_of_catalog(services, note, index):
    assert index.sync() == 1
    vectors, metadatas = read_collection(index)
    expected = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    assert len(vectors) == len(expected) == note.sentences
    for chunk, number, vector in expected:
        assert np.allclose(
            vectors[f"{note.id}:{note.pipeline}:{chunk}:{number}"], np.frombuffer(vector, np.float32), atol=1e-6
        )
    assert {metadata["collection"] for metadata in metadatas} == {"default"}


def test_chunk_vector_is_normalised_mean_of_sentences(services, note, index):
    index.sync()
    vectors, _ = read_collection(index, 1)
    rows = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    mean = np.mean([np.frombuffer(row[2], np.float32) for row in rows], axis=0)
    assert np.allclose(vectors[f"{note.id}:{note.pipeline}:0"], mean / np.linalg.norm(mean), atol=1e-5)


def test_second_sync_applies_no_changes(note, index):
    index.sync()
    assert index.sync() == 0
    assert index.read_sync_progress() == (1, 1)
    state = index.describe()
    assert (state.generation, state.heard, state.changes, state.found, state.whole) == (1, 1, 1, "", True)


def test_repeated_change_duplicates_no_rows(note, index):
    index.sync()
    index.close()
    reset_cursor(index)
    assert index.sync() == 1
    assert len(read_collection(index)[0]) == note.sentences


def test_deleted_document_leaves_index(services, note, index):
    index.sync()
    services.delete_document(note.id)
    assert index.sync() == 1
    assert [len(read_collection(index, number)[0]) for number in (0, 1)] == [0, 0]


def test_one_process_owns_index(note, index):
    assert index.acquire_ownership()
    assert not acquire_elsewhere(index)
    index.close()
    assert acquire_elsewhere(index)


def test_nearest_chunks_are_ranked_by_sentence_and_by_chunk(services, note, index):
    question_vector = services.embedder.encode_question("How much is a ticket?")
    index.sync()
    nearest = index.find_nearest(question_vector, 10)
    assert nearest.cursor == services.catalog.last_change()
    for ranking in (nearest.by_sentence, nearest.by_chunk):
        assert [(key.document_id, key.index) for key, _ in ranking] == [(note.id, 0)]
    rows = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    best = max(float(np.frombuffer(row[2], np.float32) @ question_vector) for row in rows)
    assert abs(nearest.by_sentence[0][1] - best) < 1e-4
    assert index.find_nearest(question_vector, 10, ["nobody"]).by_sentence == []
    assert index.find_nearest(question_vector, 10, []).by_chunk == []


def test_index_is_searched_only_once_complete(services, note, index):
    question_vector = services.embedder.encode_question("ticket")
    assert index.find_nearest(question_vector, 10) is None
    index.sync()
    assert index.find_nearest(question_vector, 10) is not None


def test_closed_folder_returns_nothing_and_stays_closed(services, note):
    services.index.sync()
    services.index.close()
    assert services.index.find_nearest(services.embedder.encode_question("ticket"), 10) is None
    assert services.index._opened is None


def test_generation_that_could_not_be_opened_opens_once_it_can(tmp_path):
    generation = create_next_generation(None, tmp_path, "a model", "")
    obstacle = generation.folder / CHROMA_FILE_NAME
    obstacle.mkdir()
    for _ in range(2):
        with pytest.raises(Exception, match="unable to open database file"):
            generation.open()
    obstacle.rmdir()
    client, sentences, _ = generation.open()
    assert sentences.count() == 0
    client.close()
