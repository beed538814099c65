import subprocess
import sys

import numpy as np

from highlighter.store.chroma import find_newest_generation


def read_collection(index, number=0):
    """Return the vectors and metadata that Chroma holds of sentences (0) or chunks (1)."""
    index.close()
    client, *collections = find_newest_generation(index.folder).open()
    rows = collections[number].get(include=["embeddings", "metadatas"])
    client.close()
    return dict(zip(rows["ids"], rows["embeddings"], strict=True)), rows["metadatas"]


def test_index_holds_vectors_of_catalog(services, note):
    assert services.index.sync() == 1
    vectors, metadatas = read_collection(services.index)
    expected = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    assert len(vectors) == len(expected) == note.sentences
    for _, index, vector in expected:
        assert np.allclose(vectors[f"{note.id}:{note.pipeline}:{index}"], np.frombuffer(vector, np.float32), atol=1e-6)
    assert {metadata["collection"] for metadata in metadatas} == {"default"}


def test_chunk_vector_is_normalised_mean_of_sentences(services, note):
    services.index.sync()
    vectors, _ = read_collection(services.index, 1)
    rows = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    mean = np.mean([np.frombuffer(row[2], np.float32) for row in rows], axis=0)
    assert np.allclose(vectors[f"{note.id}:{note.pipeline}:0"], mean / np.linalg.norm(mean), atol=1e-5)


def test_second_sync_applies_no_changes(services, note):
    services.index.sync()
    assert services.index.sync() == 0
    assert services.index.read_sync_progress() == (1, 1)


def test_repeated_change_duplicates_no_rows(services, note):
    services.index.sync()
    services.index.close()
    (services.index.folder / "1" / "cursor").unlink()
    assert services.index.sync() == 1
    assert len(read_collection(services.index)[0]) == note.sentences


def test_one_process_owns_index(services, note):
    assert services.index.acquire_ownership()
    program = (
        "import sys; from pathlib import Path; from highlighter.store.index import VectorIndex; "
        "print(VectorIndex(Path(sys.argv[1]), None, '').acquire_ownership())"
    )
    command = [sys.executable, "-c", program, str(services.index.folder)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "False"
    services.index.close()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "True"


def test_nearest_chunks_are_ranked_by_sentence_and_by_chunk(services, note):
    question_vector = services.embedder.encode_question("How much is a ticket?")
    services.index.sync()
    nearest = services.index.find_nearest(question_vector, 10)
    assert nearest.cursor == services.catalog.last_change()
    for ranking in (nearest.by_sentence, nearest.by_chunk):
        assert [(key.document_id, key.index) for key, _ in ranking] == [(note.id, 0)]
    rows = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    best = max(float(np.frombuffer(row[2], np.float32) @ question_vector) for row in rows)
    assert abs(nearest.by_sentence[0][1] - best) < 1e-4
    assert services.index.find_nearest(question_vector, 10, ["nobody"]).by_sentence == []
    assert services.index.find_nearest(question_vector, 10, []).by_chunk == []


def test_closed_index_returns_nothing_and_stays_closed(services, note):
    question_vector = services.embedder.encode_question("ticket")
    assert services.index.find_nearest(question_vector, 10) is None
    services.index.sync()
    services.index.close()
    assert services.index.find_nearest(question_vector, 10) is None
    assert services.index._opened is None
