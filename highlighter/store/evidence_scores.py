"""What an answer found in its passages is stored with it, so that a click on a citation computes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from sqlalchemy import Engine, select

from highlighter.models import Chunk
from highlighter.store.database import write_transaction
from highlighter.store.inserts import insert_missing
from highlighter.store.schema import evidence_scores


@dataclass(frozen=True, slots=True)
class PassageScores:
    """The similarity and the score of each sentence of a chunk, in order, for a question."""

    chunk: Chunk
    question: str
    method: str
    similarities: np.ndarray
    scores: np.ndarray


class EvidenceScoreStore:
    """The store of scores. A row holds the digest of its question, no text, and is deleted with its document."""

    def __init__(self, engine: Engine):
        self.engine = engine

    def find_scores(self, chunk: Chunk, question: str, method: str, scorer: str) -> PassageScores | None:
        """Return what this scorer found earlier in a chunk, or None."""
        is_row = (
            evidence_scores.c[name] == value for name, value in _build_key(chunk, question, method, scorer).items()
        )
        with self.engine.connect() as connection:
            stored = connection.execute(select(evidence_scores.c.scores).where(*is_row)).scalar()
        if stored is None:
            return None
        similarities, scores = np.frombuffer(stored, dtype="<f8").reshape(2, -1)
        return PassageScores(chunk, question, method, similarities, scores)

    def save_scores(self, found: Iterable[PassageScores], scorer: str) -> None:
        """Save what this scorer found. What is stored already stays."""
        rows = [
            {
                **_build_key(passage.chunk, passage.question, passage.method, scorer),
                "scores": np.array([passage.similarities, passage.scores], dtype="<f8").tobytes(),
            }
            for passage in found
        ]
        if rows:
            with write_transaction(self.engine) as connection:
                connection.execute(insert_missing(evidence_scores), rows)


def _build_key(chunk: Chunk, question: str, method: str, scorer: str) -> dict[str, object]:
    digest = sha256(question.encode("utf-8", "surrogatepass")).digest()[:16]
    return {
        "document_id": chunk.document_id, "pipeline": chunk.pipeline, "chunk": chunk.index, "question": digest,
        "method": method, "scorer": scorer,
    }  # fmt: skip
