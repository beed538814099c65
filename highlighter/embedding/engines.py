"""The carried model by ONNX Runtime, int8: a few times the speed of PyTorch, a third of its memory, ready in a blink."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np

from highlighter.cpu_budget import charge_cpu
from highlighter.embedding.bundled_model import EXPORT_VERSION, MAX_TOKENS, find_bundled_model

log = logging.getLogger(__name__)

EXPORT_TIMEOUT_SECONDS = 300


class OnnxEngine:
    max_tokens = MAX_TOKENS

    def __init__(self, cache: Path):
        from tokenizers import Tokenizer

        tokenizer = find_bundled_model() / "tokenizer.json"
        # Two of them: whether one cuts is a state of its own, and threads ask for both at once.
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._counter = Tokenizer.from_file(str(tokenizer))
        for one in (self._tokenizer, self._counter):
            one.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._counter.no_truncation()
        self._session = _open_or_export(cache)
        self._threads = ThreadPoolExecutor(_count_cores(), thread_name_prefix="embed")

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """One text a run, a run a core: int8 scales are of the whole input, so a batch would colour its texts' vectors."""
        pieces = [encoding.ids for encoding in self._tokenizer.encode_batch(texts)]
        if len(pieces) == 1:
            return self._vector(pieces[0])
        vectors = [np.zeros((0, 384), np.float32)]
        # Closed early, it takes back what no thread has begun.
        with closing(self._threads.map(self._timed_vector, pieces, chunksize=1)) as made:
            for vector, seconds in made:
                charge_cpu(seconds)
                vectors.append(vector)
        return np.concatenate(vectors)

    def _timed_vector(self, ids: Sequence[int]) -> tuple[np.ndarray, float]:
        """A vector, and the processor time that it took."""
        began = time.thread_time()
        return self._vector(ids), time.thread_time() - began

    def _vector(self, ids: Sequence[int]) -> np.ndarray:
        return self._session.run(None, {"ids": np.array([ids], dtype=np.int64)})[0]

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(encoding.ids) for encoding in self._counter.encode_batch(texts)]


def open_session(path: Path):
    """One thread a run: readers come in numbers, and a run is short."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _open_or_export(cache: Path):
    """The int8 file, written on first use and kept for every library on this machine; again when it cannot be read."""
    path = cache / f"all-MiniLM-L6-v2-int8-{EXPORT_VERSION}.onnx"
    if path.exists():
        try:
            return open_session(path)
        except Exception as err:
            log.warning("%s cannot be read (%s) and is made again.", path, str(err).splitlines()[0])
    _run_export(path)
    return open_session(path)


def _run_export(path: Path) -> None:
    log.warning("Preparing the embedding model (once on this machine, some seconds): %s", path)
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "highlighter.embedding.bundled_model", str(path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=EXPORT_TIMEOUT_SECONDS, check=False)
    if told.returncode:
        raise RuntimeError(f"it could not be prepared: {(told.stderr.strip().splitlines() or ['no reason given'])[-1]}")


# Any sentence-transformers model, by name or folder, on PyTorch.


# Texts that are sorted by length, and read, before it is asked whether the request may go on.
TEXTS_PER_BATCH = 1_024


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
        for first in range(0, max(len(texts), 1), TEXTS_PER_BATCH):
            began, used, own = time.perf_counter(), time.process_time(), time.thread_time()
            made = self._model.encode(
                list(texts[first : first + TEXTS_PER_BATCH]), batch_size=64, normalize_embeddings=True,
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
