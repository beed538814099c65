"""From words to vectors. One method, `encode`; the model is loaded on first use, or ahead of it in the background."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.settings import default_cache_folder

log = logging.getLogger(__name__)

# The carried model, as int8 by ONNX Runtime and as its makers left it by sentence-transformers. Their vectors are near
# each other and not the same, so they go by two names.
DEFAULT_MODEL, FULL_PRECISION_MODEL = "all-MiniLM-L6-v2-int8", "all-MiniLM-L6-v2"
COLD, LOADING, WARM, BROKEN = "cold", "loading", "warm", "broken"

# Questions seen lately: a reader steps from chunk to chunk with the same question. 2,048 vectors are 3 MB.
MAX_CACHED_QUESTIONS = 2048


class EmbeddingEngine(Protocol):
    """What runs the model. Vectors are normalised float32 rows."""

    max_tokens: int

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


class Embedder:
    """The seam: a model by name, loaded once. The default comes along; any sentence-transformers name or path will do."""

    def __init__(self, name: str = DEFAULT_MODEL, cache: Path | None = None):
        self.name = name
        self.cache = cache or default_cache_folder()
        self.state = COLD
        self._engine: EmbeddingEngine | None = None
        self.problem = ""
        self._loading = threading.Lock()
        self._loaded = threading.Event()
        self._cached_question = lru_cache(maxsize=MAX_CACHED_QUESTIONS)(self._encode_uncached_question)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Normalised float32 vectors, one row a text. Loads the model when it is not there yet."""
        self.load()
        rows: dict[str, int] = {}  # the same words are read once
        places = [rows.setdefault(_replace_surrogates(text), len(rows)) for text in texts]
        return np.asarray(self._engine.encode(list(rows)), dtype=np.float32)[places]

    def encode_question(self, text: str) -> np.ndarray:
        """The vector of a question; the latest ones are remembered."""
        return self._cached_question(text)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Word pieces of each text, as this model would read it."""
        self.load()
        return self._engine.count_tokens([_replace_surrogates(text) for text in texts])

    @property
    def max_tokens(self) -> int:
        self.load()
        return self._engine.max_tokens

    def load_in_background(self) -> None:
        threading.Thread(target=self._load_quietly, name="load-embedder", daemon=True).start()

    def wait_until_loaded(self, seconds: float) -> bool:
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
                raise Unavailable(self.problem)
            self.state = LOADING
            try:
                self._engine = _create_engine(self.name, self.cache)
                self.state = WARM
            except Exception as err:
                self.state = BROKEN
                self.problem = N_(f"The embedding model {self.name} cannot be loaded:") + f" {err}"
                raise Unavailable(self.problem) from err
            finally:
                self._loaded.set()

    def _load_quietly(self) -> None:
        try:
            self.load()
        except Unavailable as err:
            log.error("%s", err.detail)

    def _encode_uncached_question(self, text: str) -> np.ndarray:
        return self.encode([text])[0]


def _replace_surrogates(text: str) -> str:
    """A lone surrogate is no character to a tokenizer, and must not cost the other sentences their vectors."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _create_engine(name: str, cache: Path) -> EmbeddingEngine:
    # The imports cost up to seconds, hence in here.
    if name == DEFAULT_MODEL:
        from highlighter.embedding.engines import OnnxEngine

        return OnnxEngine(cache)
    from highlighter.embedding.bundled_model import find_bundled_model
    from highlighter.embedding.engines import TorchEngine

    return TorchEngine(str(find_bundled_model()) if name == FULL_PRECISION_MODEL else name)
