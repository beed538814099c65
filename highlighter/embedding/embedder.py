"""The embedder: it turns texts into vectors, and loads its model on first use or ahead of it in the background."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from highlighter.embedding.bundled_model import BUNDLED_MODELS, MINILM, MULTILINGUAL, find_original_model
from highlighter.embedding.cross_lingual import CrossLingualMap
from highlighter.errors import Unavailable
from highlighter.locale import N_, join_messages

if TYPE_CHECKING:
    from highlighter.embedding.engines import OnnxEngine

log = logging.getLogger(__name__)

DEFAULT_MODEL = MULTILINGUAL.name
# MiniLM in two precisions: int8 by ONNX Runtime, and float32 by sentence-transformers. Their vectors are close to each
# other but not equal, so an index of the one must not be searched with the other: each has its own name.
ENGLISH_MODEL, FULL_PRECISION_MODEL = MINILM.name, "all-MiniLM-L6-v2"
COLD, LOADING, WARM, BROKEN = "cold", "loading", "warm", "broken"

# A reader steps from chunk to chunk with the same question. 2,048 vectors are 3 MB.
MAX_CACHED_QUESTIONS = 2048


class EmbeddingEngine(Protocol):
    """A library that runs a model. Vectors are normalised float32 rows."""

    max_tokens: int
    question_prefix: str
    passage_prefix: str

    def encode(self, texts: Sequence[str]) -> np.ndarray: ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]: ...


class Embedder:
    """An embedding model by its name, loaded once: a carried one, or any sentence-transformers name or path.

    Some models are trained with a prefix that says whether a text is a question or a passage; statements, such as
    sentences, claims and quotes, count as passages.
    """

    def __init__(self, name: str = DEFAULT_MODEL) -> None:
        self.name = name
        self.bundled = BUNDLED_MODELS.get(name)
        self.state = COLD
        self._engine: EmbeddingEngine | None = None
        self.problem = ""
        self._loading = threading.Lock()
        self._loaded = threading.Event()
        self._cached_question = lru_cache(maxsize=MAX_CACHED_QUESTIONS)(self._encode_uncached_question)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return normalised float32 vectors of passages, one row a text. Load the model if necessary."""
        return self._encode(texts, self.load().passage_prefix)

    def encode_questions(self, texts: Sequence[str]) -> np.ndarray:
        """Return normalised float32 vectors of questions, one row a text. Load the model if necessary."""
        return self._encode(texts, self.load().question_prefix)

    def _encode(self, texts: Sequence[str], prefix: str) -> np.ndarray:
        rows: dict[str, int] = {}  # equal texts are encoded once
        row_of_each = [rows.setdefault(prefix + _replace_surrogates(text), len(rows)) for text in texts]
        return np.asarray(self.load().encode(list(rows)), dtype=np.float32)[row_of_each]

    def encode_question(self, text: str) -> np.ndarray:
        """Return the vector of a question, from the cache if the question was asked lately."""
        return self._cached_question(text)

    def map_across_languages(self, question_vector: np.ndarray) -> np.ndarray:
        """Return the vector with which a question is compared with passages in other languages: its own for most models."""
        return question_vector if self._cross_lingual is None else self._cross_lingual.map_vector(question_vector)

    def compare_tokens(self, question: str, texts: Sequence[str]) -> np.ndarray:
        """Return how well the tokens of each passage in another language match those of a question.

        Only the carried multilingual model can: its tokens are near their translations.
        """
        engine = cast("OnnxEngine", self.load())
        (question_tokens,) = engine.encode_tokens([_replace_surrogates(question)], engine.question_prefix)
        passages = engine.encode_tokens([_replace_surrogates(text) for text in texts], engine.passage_prefix)
        return cast("CrossLingualMap", self._cross_lingual).compare_tokens(question_tokens, passages)

    @cached_property
    def _cross_lingual(self) -> CrossLingualMap | None:
        if self.bundled is None or not self.bundled.cross_lingual_name:
            return None
        return CrossLingualMap.load(self.bundled.folder / self.bundled.cross_lingual_name)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return the number of this model's tokens in each text."""
        return self.load().count_tokens([_replace_surrogates(text) for text in texts])

    @property
    def max_tokens(self) -> int:
        return self.load().max_tokens

    def load_in_background(self) -> None:
        threading.Thread(target=self._load_quietly, name="load-embedder", daemon=True).start()

    def wait_until_loaded(self, seconds: float) -> bool:
        """Return whether the model is loaded, after waiting up to `seconds` for it."""
        if self.state in (COLD, LOADING):
            if self.state == COLD:
                self.load_in_background()
            self._loaded.wait(seconds)
        return self.state == WARM

    def load(self) -> EmbeddingEngine:
        """Return the engine with the model loaded. A model that failed to load is not tried again."""
        with self._loading:
            if self._engine is not None:
                return self._engine
            if self.state == BROKEN:
                raise Unavailable(self.problem)
            self.state = LOADING
            try:
                self._engine = _create_engine(self.name)
                self.state = WARM
                return self._engine
            except Exception as err:
                self.state = BROKEN
                self.problem = join_messages(
                    [N_("The embedding model {name} cannot be loaded:", name=self.name), str(err)]
                )
                raise Unavailable(self.problem) from err
            finally:
                self._loaded.set()

    def _load_quietly(self) -> None:
        try:
            self.load()
        except Unavailable as err:
            log.error("%s", err.detail)

    def _encode_uncached_question(self, text: str) -> np.ndarray:
        return np.asarray(self.encode_questions([text])[0])


def _replace_surrogates(text: str) -> str:
    """Replace lone surrogates: a tokenizer refuses them, and the other sentences of the batch would get no vectors."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _create_engine(name: str) -> EmbeddingEngine:
    from highlighter.embedding.engines import OnnxEngine, TorchEngine  # the libraries take up to seconds

    if name in BUNDLED_MODELS:
        return OnnxEngine(BUNDLED_MODELS[name])
    if os.path.isabs(name) and not os.path.isdir(name):  # reported at once: importing PyTorch takes seconds
        raise FileNotFoundError("there is no such folder")
    return TorchEngine(str(find_original_model()) if name == FULL_PRECISION_MODEL else name)
