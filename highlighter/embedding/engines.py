"""The two engines that turn texts into vectors: ONNX Runtime for the carried models, sentence-transformers for others.

A carried int8 graph has a few times the speed of PyTorch, takes a third of its memory, and loads in a blink.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from highlighter.cpu_budget import charge_cpu
from highlighter.embedding.bundled_model import TOKENS_OUTPUT, VECTOR_OUTPUT, VECTOR_SIZE, BundledModel
from highlighter.embedding.vocabulary import open_vocabulary

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

SENTENCE_TRANSFORMERS_MISSING = (
    "it needs PyTorch and sentence-transformers, which are not installed "
    "(pip install '.[sentence-transformers]' in the folder of Highlighter)"
)


class OnnxEngine:
    """A carried model as int8, by ONNX Runtime."""

    def __init__(self, model: BundledModel) -> None:
        folder = model.verify()
        self._vocabulary = open_vocabulary(model)
        self._max_tokens = model.max_tokens
        self.max_tokens = model.max_tokens - self._count_prefix_tokens(model)
        self.question_prefix, self.passage_prefix = model.question_prefix, model.passage_prefix
        self._session = open_session(folder / model.graph_name)
        self._threads = ThreadPoolExecutor(_count_cores(), thread_name_prefix="embed")

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Return one vector a text.

        Each run holds one text: int8 scales are computed over the whole input, so in a batch the vector of a text would
        depend on the other texts.
        """
        token_ids = [self._truncate(encoding.ids) for encoding in self._vocabulary.tokenizer.encode_batch(texts)]
        if len(token_ids) == 1:
            return self._run(VECTOR_OUTPUT, token_ids[0])
        vectors = [np.zeros((0, VECTOR_SIZE), np.float32)]
        vectors += self._run_all(VECTOR_OUTPUT, token_ids)
        return np.concatenate(vectors)

    def encode_tokens(self, texts: Sequence[str], prefix: str) -> list[np.ndarray]:
        """Return one normalised row for each token of each text, without the prefix and what begins and ends every text."""
        encodings = self._vocabulary.tokenizer.encode_batch([prefix + text for text in texts])
        first = 1 + len(self._vocabulary.tokenizer.encode(prefix, add_special_tokens=False).ids)
        rows = (
            values[0, first:-1] for values in self._run_all(TOKENS_OUTPUT, [self._truncate(e.ids) for e in encodings])
        )
        return [tokens / np.linalg.norm(tokens, axis=1, keepdims=True) for tokens in rows]

    def _run_all(self, output: str, token_ids: Sequence[Sequence[int]]) -> Iterator[np.ndarray]:
        """Yield the output for each text, computed side by side and charged to the request that asks."""
        # Closing the iterator early cancels the texts that no thread has begun.
        timed = self._threads.map(partial(self._run_timed, output), token_ids, chunksize=1)
        with closing(timed) as results:  # type: ignore[type-var]  # a generator, which the stubs call an iterator
            for values, seconds in results:
                charge_cpu(seconds)
                yield values

    def _truncate(self, token_ids: list[int]) -> list[int]:
        """Return the ids without those that the model cannot read; the last one, which ends every text, stays."""
        limit = self._max_tokens
        return token_ids if len(token_ids) <= limit else [*token_ids[: limit - 1], token_ids[-1]]

    def _count_prefix_tokens(self, model: BundledModel) -> int:
        encode = self._vocabulary.tokenizer.encode
        prefixes = (model.question_prefix, model.passage_prefix)
        return max(len(encode(prefix, add_special_tokens=False).ids) for prefix in prefixes)

    def _run_timed(self, output: str, token_ids: Sequence[int]) -> tuple[np.ndarray, float]:
        """Return an output and the CPU seconds that it took."""
        began = time.thread_time()
        return self._run(output, token_ids), time.thread_time() - began

    def _run(self, output: str, token_ids: Sequence[int]) -> np.ndarray:
        ids = np.array([token_ids], dtype=np.int64)
        table = self._vocabulary.table
        (values,) = self._session.run([output], {"embedded": table.look_up(ids)} if table else {"ids": ids})
        return np.asarray(values)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(encoding.ids) for encoding in self._vocabulary.tokenizer.encode_batch(texts)]


class ReaderSession:
    """A graph that reads a whole passage in one run of tens of milliseconds, by two threads where there are two cores."""

    def __init__(self, path: Path):
        self._threads = min(2, _count_cores())
        self._session = open_session(path, self._threads)

    def run(self, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        """Return the graph's outputs, and charge the request with what all threads used."""
        began = time.thread_time()
        outputs = [np.asarray(output) for output in self._session.run(None, inputs)]
        # The threads share the work evenly, and only this one can be timed.
        charge_cpu((time.thread_time() - began) * (self._threads - 1))
        return outputs


def open_session(path: Path, threads: int = 1) -> InferenceSession:
    """Open an ONNX graph, with one thread a run unless a run is long: many requests run at once."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A thread that waits for its share would otherwise keep a core busy.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    # On processors without VNNI the usual kernel cuts off large sums of int8 products, so that a text gets other vectors and
    # verdicts than on those with it. This one computes the same everywhere.
    options.add_session_config_entry("session.x64quantprecision", "1")
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# A request may be cancelled between two batches; within a batch, texts are sorted by length.
TEXTS_PER_BATCH = 1_024


class TorchEngine:
    """Any sentence-transformers model, by name or folder, on PyTorch."""

    def __init__(self, name: str) -> None:
        # Nothing is downloaded at run time: a model that is not on this machine fails at once instead of waiting for a
        # model hub. HF_HUB_OFFLINE=0 allows downloads.
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as err:
            if err.name not in ("sentence_transformers", "torch"):
                raise
            raise RuntimeError(SENTENCE_TRANSFORMERS_MISSING) from err
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # of transformers
        self._model = SentenceTransformer(name, device="cpu", trust_remote_code=False)
        self.max_tokens = int(self._model.max_seq_length or 256)
        # Models that were trained with them name their prefixes.
        prompts = self._model.prompts
        self.question_prefix = prompts.get("query") or ""
        self.passage_prefix = prompts.get("passage") or prompts.get("document") or ""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        vectors = []
        for first in range(0, max(len(texts), 1), TEXTS_PER_BATCH):
            clock, process, thread = time.perf_counter(), time.process_time(), time.thread_time()
            batch = self._model.encode(
                list(texts[first : first + TEXTS_PER_BATCH]), batch_size=64, normalize_embeddings=True,
                convert_to_numpy=True, show_progress_bar=False,
            )  # fmt: skip
            vectors.append(np.asarray(batch, dtype=np.float32))
            # PyTorch does not report the CPU time of its own threads. It is at most what the process used, and at most
            # the elapsed time for each core: other requests use the process too, and other programs the machine.
            used = min(time.perf_counter() - clock, time.process_time() - process)
            charge_cpu(max(used - (time.thread_time() - thread), 0.0))
        return np.concatenate(vectors)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._model.tokenizer(list(texts), truncation=False, verbose=False)["input_ids"]]
