import subprocess
import sys

import numpy as np
import pytest

from highlighter import embedder as module
from highlighter.embedder import BROKEN, SentenceTransformerEmbedder
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
    broken = SentenceTransformerEmbedder("/no/such/model")
    assert not broken.wait(60)
    assert broken.state == BROKEN
    with pytest.raises(Unavailable, match="/no/such/model cannot be loaded"):
        broken.encode(["words"])


def test_weights_that_are_not_the_official_ones_are_refused(monkeypatch):
    monkeypatch.setattr(module, "DEFAULT_MODEL_SHA256", "0" * 64)
    with pytest.raises(Unavailable, match="not the official ones"):
        SentenceTransformerEmbedder().load()


def test_starting_costs_no_heavy_import():
    """The first page must not wait for torch, Chroma or NLTK; nor must --help."""
    program = (
        "import sys, highlighter.app, ingest.__main__; "
        "print([name for name in ('torch', 'chromadb', 'nltk', 'sentence_transformers', 'pypdf') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
