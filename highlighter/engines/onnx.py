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
from highlighter.engines.carried import MAX_TOKENS, carried_model
from highlighter.engines.export import EXPORT

log = logging.getLogger(__name__)

EXPORT_SECONDS = 300


class OnnxEngine:
    max_tokens = MAX_TOKENS

    def __init__(self, cache: Path):
        from tokenizers import Tokenizer

        tokenizer = carried_model() / "tokenizer.json"
        # Two of them: whether one cuts is a state of its own, and threads ask for both at once.
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._counter = Tokenizer.from_file(str(tokenizer))
        for one in (self._tokenizer, self._counter):
            one.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._counter.no_truncation()
        self._session = _prepared(cache)
        self._threads = ThreadPoolExecutor(_cores(), thread_name_prefix="embed")

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


def session(path: Path):
    """One thread a run: readers come in numbers, and a run is short."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _prepared(cache: Path):
    """The int8 file, written on first use and kept for every library on this machine; again when it cannot be read."""
    path = cache / f"all-MiniLM-L6-v2-int8-{EXPORT}.onnx"
    if path.exists():
        try:
            return session(path)
        except Exception as err:
            log.warning("%s cannot be read (%s) and is made again.", path, str(err).splitlines()[0])
    _export(path)
    return session(path)


def _export(path: Path) -> None:
    log.warning("Preparing the embedding model (once on this machine, some seconds): %s", path)
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "highlighter.engines.export", str(path)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=EXPORT_SECONDS, check=False)
    if told.returncode:
        raise RuntimeError(f"it could not be prepared: {(told.stderr.strip().splitlines() or ['no reason given'])[-1]}")
