"""Any sentence-transformers model, by name or folder, on PyTorch."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

import numpy as np

from highlighter.cpu_budget import charge_cpu

# Texts that are sorted by length, and read, before it is asked whether the request may go on.
TEXTS_AT_ONCE = 1_024


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
        vectors = []
        for first in range(0, max(len(texts), 1), TEXTS_AT_ONCE):
            began, used, own = time.perf_counter(), time.process_time(), time.thread_time()
            made = self._model.encode(
                list(texts[first : first + TEXTS_AT_ONCE]), batch_size=64, normalize_embeddings=True,
                convert_to_numpy=True, show_progress_bar=False,
            )  # fmt: skip
            vectors.append(np.asarray(made, dtype=np.float32))
            # PyTorch's own threads tell nobody what they use. It is no more than the process used, nor, for each
            # processor, than the clock says: other requests use the process, too, and other programs the machine.
            taken = min(time.perf_counter() - began, time.process_time() - used)
            charge_cpu(max(taken - (time.thread_time() - own), 0.0))
        return np.concatenate(vectors)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._model.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]]
