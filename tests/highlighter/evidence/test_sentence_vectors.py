"""Vectors of sentences: stored ones are not embedded again."""

import numpy as np

from highlighter.evidence.sentence_vectors import SentenceVectors
from highlighter.store.catalog import compute_text_hash

TEXTS = ["Rent is due.", "Pets are welcome.", "Rent is due."]


def test_stored_vectors_are_used_and_others_embedded(services):
    stored = np.eye(1, 384, dtype=np.float32)
    services.catalog.save_vectors([compute_text_hash(TEXTS[0])], stored, services.embedder.name)
    vectors = SentenceVectors(services.catalog, services.embedder).encode(TEXTS)
    np.testing.assert_array_equal(vectors[[0, 2]], np.repeat(stored, 2, axis=0))
    np.testing.assert_allclose(vectors[1], services.embedder.encode([TEXTS[1]])[0], atol=1e-6)


def test_vectors_of_another_model_are_not_used(services):
    services.catalog.save_vectors([compute_text_hash(TEXTS[0])], np.eye(1, 384), "another")
    vectors = SentenceVectors(services.catalog, services.embedder).encode(TEXTS[:1])
    np.testing.assert_allclose(vectors, services.embedder.encode(TEXTS[:1]), atol=1e-6)


def test_no_texts_have_no_vectors(services):
    assert SentenceVectors(services.catalog, services.embedder).encode([]).shape == (0, 384)
