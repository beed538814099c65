"""Any sentence-transformers model, by name or folder, on PyTorch."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np


class TorchEngine:
    def __init__(self, name: str):
        # Nothing may be fetched at run time: a name that is not on this machine fails at once instead of waiting for a
        # model hub (HF_HUB_OFFLINE=0 allows it to whoever wants that).
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        self._model = SentenceTransformer(name, device="cpu", trust_remote_code=False)
        self.max_tokens = int(self._model.max_seq_length or 256)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = self._model.encode(
            list(texts), batch_size=64, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._model.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]]
