import numpy as np

from highlighter.models import FAILED
from highlighter.search.vector_search import ExactScan


def list_changes(services):
    return {id: seq for seq, id, _ in services.catalog.changes_after(0)}


def test_nearest_chunks_have_largest_cosines(library):
    scan, question_vector = (
        ExactScan(library.catalog, library.embedder.name),
        library.embedder.encode_question("Who pays for delay?"),
    )
    nearest = scan.find_nearest(question_vector, 5, list_changes(library))
    means = {}
    for document in library.catalog.documents():
        rows = library.catalog.sentence_vectors(document.id, document.pipeline, library.embedder.name)
        for number in {row[0] for row in rows}:
            mean = np.mean([np.frombuffer(row[2], np.float32) for row in rows if row[0] == number], axis=0)
            means[document.id, number] = float(mean @ question_vector / np.linalg.norm(mean))
    best = sorted(means, key=means.__getitem__, reverse=True)[:5]
    assert [(key.document_id, key.index) for key, _ in nearest] == best
    assert np.allclose([similarity for _, similarity in nearest], [means[key] for key in best], atol=1e-5)


def test_only_changed_documents_are_read_again(services, write, monkeypatch):
    write("a.txt", "The ferry leaves at seven.")
    scan, question_vector = (
        ExactScan(services.catalog, services.embedder.name),
        services.embedder.encode_question("ferry"),
    )
    assert len(scan.find_nearest(question_vector, 9, list_changes(services))) == 1
    second = write("b.txt", "Dogs need a lead.")
    read = []
    original = services.catalog.sentence_vectors
    monkeypatch.setattr(services.catalog, "sentence_vectors", lambda *key: read.append(key[0]) or original(*key))
    assert len(scan.find_nearest(question_vector, 9, list_changes(services))) == 2
    assert read == [second.id]


def test_unreadable_document_has_no_vectors(services, write):
    document = write("a.txt", "The ferry leaves at seven.")
    services.catalog.set_state(document.id, FAILED, "It was lost.")
    scan = ExactScan(services.catalog, services.embedder.name)
    assert scan.find_nearest(services.embedder.encode_question("ferry"), 9, list_changes(services)) == []


def test_filter_limits_documents(services, write):
    write("a.txt", "The ferry leaves at seven.")
    second = write("b.txt", "Dogs need a lead.")
    scan = ExactScan(services.catalog, services.embedder.name)
    found = scan.find_nearest(
        services.embedder.encode_question("ferry"), 9, list_changes(services), frozenset({second.id, "nobody"})
    )
    assert [key.document_id for key, _ in found] == [second.id]
