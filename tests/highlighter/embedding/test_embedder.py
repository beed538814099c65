import subprocess
import sys

import numpy as np
import pytest

from highlighter.embedding import bundled_model
from highlighter.embedding.bundled_model import EXPORT_VERSION
from highlighter.embedding.embedder import BROKEN, DEFAULT_MODEL, FULL_PRECISION_MODEL, Embedder
from highlighter.errors import Unavailable


def test_vectors_are_normalised_and_near_in_meaning(embedder):
    a, b, c = embedder.encode(["The boat sails at dawn.", "The ship leaves in the morning.", "Cheese is made of milk."])
    assert np.allclose(np.linalg.norm([a, b, c], axis=1), 1.0, atol=1e-5)
    assert a @ b > a @ c + 0.2


def test_no_texts_are_no_vectors(embedder):
    assert len(embedder.encode([])) == 0


def test_any_text_has_a_vector(embedder):
    vectors = embedder.encode(["\ud800 lone", "", "\x00", "ok " * 5000])
    assert np.isfinite(vectors).all()
    assert embedder.count_tokens(["\udfff"])[0] > 0


def test_a_model_that_is_not_there_says_so_and_never_blocks():
    broken = Embedder("/no/such/model")
    assert not broken.wait_until_loaded(60)
    assert broken.state == BROKEN
    with pytest.raises(Unavailable, match="/no/such/model cannot be loaded"):
        broken.encode(["words"])


def test_weights_that_are_not_the_official_ones_are_refused(monkeypatch):
    monkeypatch.setattr(bundled_model, "WEIGHTS_SHA256", "0" * 64)
    for name in (DEFAULT_MODEL, FULL_PRECISION_MODEL):
        with pytest.raises(Unavailable, match="not the official ones"):
            Embedder(name).load()


def test_a_vector_is_the_same_alone_and_among_others(embedder):
    texts = ["Short.", "A much longer sentence about the notice that a tenant gives to end the lease early.", "42"]
    assert np.array_equal(embedder.encode(texts)[1], embedder.encode([texts[1]])[0])


def test_the_small_model_stays_near_the_whole_one(embedder):
    texts = [
        "The boat sails at dawn.",
        "The ship leaves in the morning.",
        "Who pays for delay?",
        "合同在三十日內終止。",
    ]
    assert (embedder.encode(texts) * Embedder(FULL_PRECISION_MODEL).encode(texts)).sum(axis=1).min() > 0.96


@pytest.mark.slow
def test_damaged_prepared_model_is_prepared_again_and_then_kept(embedder, tmp_path):
    (usual,) = embedder.cache.glob(f"*-{EXPORT_VERSION}.onnx")
    prepared = tmp_path / usual.name
    prepared.write_bytes(usual.read_bytes()[:1000])
    again = Embedder(cache=tmp_path).encode(["words"])
    assert np.array_equal(again, embedder.encode(["words"]))
    assert list(tmp_path.iterdir()) == [prepared]
    written = prepared.stat().st_mtime_ns
    assert np.array_equal(Embedder(cache=tmp_path).encode(["words"]), again)
    assert prepared.stat().st_mtime_ns == written


def test_starting_costs_no_heavy_import():
    """The first page must not wait for torch, Chroma or NLTK; nor must --help."""
    program = (
        "import sys, highlighter.app, highlighter.__main__, ingest.__main__; "
        "print([name for name in ('torch', 'chromadb', 'nltk', 'sentence_transformers', 'pypdf', 'onnxruntime', "
        "'mcp', 'langchain_core', 'llama_index') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_same_words_are_read_once(embedder, monkeypatch):
    read = []
    encode = embedder._engine.encode
    monkeypatch.setattr(embedder._engine, "encode", lambda texts: read.extend(texts) or encode(texts))
    vectors = embedder.encode(["twice", "once", "twice"])
    assert read == ["twice", "once"]
    assert np.array_equal(vectors[0], vectors[2])
