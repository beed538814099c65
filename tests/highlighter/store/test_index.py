import subprocess
import sys

import numpy as np

from highlighter.store.chroma import find_newest_generation


def stored(index, number=0):
    """Everything Chroma holds of the sentences (0) or the chunks (1), read back through Chroma."""
    index.close()
    client, *collections = find_newest_generation(index.folder).open()
    rows = collections[number].get(include=["embeddings", "metadatas"])
    client.close()
    return dict(zip(rows["ids"], rows["embeddings"], strict=True)), rows["metadatas"]


def test_the_index_holds_what_the_catalog_holds(services, note):
    assert services.index.sync() == 1
    vectors, metadatas = stored(services.index)
    truth = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    assert len(vectors) == len(truth) == note.sentences
    for _, index, vector in truth:
        assert np.allclose(vectors[f"{note.id}:{note.pipeline}:{index}"], np.frombuffer(vector, np.float32), atol=1e-6)
    assert {m["collection"] for m in metadatas} == {"default"}


def test_a_chunk_s_vector_is_the_normalised_mean_of_its_sentences(services, note):
    services.index.sync()
    vectors, _ = stored(services.index, 1)
    rows = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    mean = np.mean([np.frombuffer(row[2], np.float32) for row in rows], axis=0)
    assert np.allclose(vectors[f"{note.id}:{note.pipeline}:0"], mean / np.linalg.norm(mean), atol=1e-5)


def test_following_again_finds_nothing_to_do(services, note):
    services.index.sync()
    assert services.index.sync() == 0
    assert services.index.read_sync_progress() == (1, 1)


def test_killed_before_its_cursor_moved_it_doubles_nothing(services, note):
    services.index.sync()
    services.index.close()
    (services.index.folder / "1" / "cursor").unlink()
    assert services.index.sync() == 1
    assert len(stored(services.index)[0]) == note.sentences


def test_only_one_process_owns_the_index(services, note):
    assert services.index.acquire_ownership()
    program = (
        "import sys; from pathlib import Path; from highlighter.store.index import VectorIndex; "
        "print(VectorIndex(Path(sys.argv[1]), None, '').acquire_ownership())"
    )
    command = [sys.executable, "-c", program, str(services.index.folder)]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "False"
    services.index.close()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == "True"


def test_what_is_nearest_is_answered_by_sentence_and_by_chunk(services, note):
    asked = services.embedder.encode_question("How much is a ticket?")
    services.index.sync()
    nearest = services.index.find_nearest(asked, 10)
    assert nearest.cursor == services.catalog.last_change()
    for ranking in (nearest.by_sentence, nearest.by_chunk):
        assert [(key.document_id, key.index) for key, _ in ranking] == [(note.id, 0)]
    rows = services.catalog.sentence_vectors(note.id, note.pipeline, services.embedder.name)
    best = max(float(np.frombuffer(row[2], np.float32) @ asked) for row in rows)
    assert abs(nearest.by_sentence[0][1] - best) < 1e-4
    assert services.index.find_nearest(asked, 10, ["nobody"]).by_sentence == []
    assert services.index.find_nearest(asked, 10, []).by_chunk == []


def test_an_index_that_is_not_open_here_answers_nothing_and_stays_shut(services, note):
    asked = services.embedder.encode_question("ticket")
    assert services.index.find_nearest(asked, 10) is None
    services.index.sync()
    services.index.close()
    assert services.index.find_nearest(asked, 10) is None
    assert services.index._opened is None
