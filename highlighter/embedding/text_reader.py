"""A graph of the multilingual encoder that reads a statement or a question together with the sentences of a text."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from highlighter.embedding.bundled_model import MULTILINGUAL
from highlighter.embedding.vocabulary import Vocabulary, open_vocabulary

if TYPE_CHECKING:
    from highlighter.embedding.engines import ReaderSession

MAX_STATEMENT_TOKENS, MAX_SENTENCE_TOKENS, MAX_TOKENS = 96, 96, 320
BEGIN, END = 0, 2  # ids of the pieces <s> and </s>


class TextReader:
    """The graph and the encoder's vocabulary, loaded on first use."""

    def __init__(self, path: Path):
        self.path = path
        self._lock = threading.Lock()
        self._loaded: tuple[Vocabulary, ReaderSession] | None = None

    def tokenize(self, statement: str, sentences: Sequence[str]) -> tuple[list[int], list[list[int]]]:
        """Return the ids of the pieces of a statement and of each sentence, as many as are read."""
        vocabulary, _ = self.load()
        first, *others = (
            encoding.ids
            for encoding in vocabulary.tokenizer.encode_batch([statement, *sentences], add_special_tokens=False)
        )
        return first[:MAX_STATEMENT_TOKENS], [ids[:MAX_SENTENCE_TOKENS] for ids in others]

    def run(self, statement_ids: list[int], sentences: Sequence[list[int]]) -> tuple[np.ndarray, np.ndarray]:
        """Return the graph's logits of the statement (entailed, neutral, contradicted) and of each sentence."""
        vocabulary, session = self.load()
        ids = [BEGIN, *statement_ids, END]
        owners = [-1] * len(ids)
        for position, tokens in enumerate(sentences):
            ids += [*tokens, END]
            owners += [position] * (len(tokens) + 1)
        owner = np.array(owners)
        verdict, of_sentences = session.run(
            {
                "embedded": vocabulary.look_up(np.array([ids])),
                "roles": (owner >= 0).astype(np.int64)[None],
                "member": (owner[None, :] == np.arange(max(owners) + 1)[:, None]).astype(np.float32)[None],
                "claim": (owner == -1).astype(np.float32)[None, None],
            },
        )
        return verdict[0], of_sentences[0]

    def load(self) -> tuple[Vocabulary, ReaderSession]:
        """Return the vocabulary and the session, opened by the first that asks."""
        with self._lock:
            if self._loaded is None:
                from highlighter.embedding.engines import ReaderSession

                self._loaded = open_vocabulary(MULTILINGUAL), ReaderSession(self.path)
            return self._loaded
