import subprocess
import sys

import numpy as np
import pytest

from highlighter.embedding.embedder import BROKEN, Embedder
from highlighter.errors import Unavailable


def test_vectors_are_normalised_and_close_for_similar_meaning(embedder):
    boat, ship, cheese = embedder.encode(
        ["The boat sails at dawn.", "The ship leaves in the morning.", "Cheese is made of milk."]
    )
    assert np.allclose(np.linalg.norm([boat, ship, cheese], axis=1), 1.0, atol=1e-5)
    assert boat @ ship > boat @ cheese + 0.2


def test_empty_list_of_texts_has_no_vectors(embedder):
    assert len(embedder.encode([])) == 0


def test_every_text_has_a_finite_vector(embedder):
    vectors = embedder.encode(["\ud800 lone", "", "\x00", "ok " * 5000])
    assert np.isfinite(vectors).all()
    assert embedder.count_tokens(["\udfff"])[0] > 0


def test_missing_model_is_reported_and_never_blocks():
    broken = Embedder("/no/such/model")
    assert not broken.wait_until_loaded(60)
    assert broken.state == BROKEN
    with pytest.raises(Unavailable, match="/no/such/model cannot be loaded"):
        broken.encode(["words"])


def test_missing_model_folder_is_reported_without_pytorch(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(Unavailable, match="/no/such/model cannot be loaded: there is no such folder"):
        Embedder("/no/such/model").load()


def test_vector_does_not_depend_on_other_texts(embedder):
    texts = ["Short.", "A much longer sentence about the notice that a tenant gives to end the lease early.", "42"]
    assert np.array_equal(embedder.encode(texts)[1], embedder.encode([texts[1]])[0])


def test_start_imports_no_heavy_package():
    """Neither the first page nor --help may wait for torch, Chroma or NLTK."""
    program = (
        "import sys, highlighter.app, highlighter.__main__, ingest.__main__; "
        "print([name for name in ('torch', 'chromadb', 'nltk', 'sentence_transformers', 'pypdf', 'onnxruntime', "
        "'mcp', 'langchain_core', 'llama_index') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_equal_texts_are_encoded_once(embedder, monkeypatch):
    encoded = []
    encode = embedder._engine.encode
    monkeypatch.setattr(embedder._engine, "encode", lambda texts: encoded.extend(texts) or encode(texts))
    vectors = embedder.encode(["twice", "once", "twice"])
    assert encoded == ["passage: twice", "passage: once"]
    assert np.array_equal(vectors[0], vectors[2])
