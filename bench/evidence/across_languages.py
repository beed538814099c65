"""Questions in one language and passages in another: pairs of the data sets that are translations of each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import numpy as np

from bench.evidence.methods import Method
from bench.evidence.metrics import Figures, compute_figures
from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import compute_similarities
from highlighter.evidence.judged_passages import JudgedPassage, read_dataset

TRANSLATED = "xquad_*.jsonl.gz"
MAX_RANK = 10


@dataclass(frozen=True, slots=True)
class CrossedFigures:
    """The figures of questions in one language about passages in another."""

    questions: str
    passages: str
    count: int
    by_method: tuple[Figures, ...]  # of the right sentence in its passage
    mrr: float  # of the right passage among all of them, by its nearest sentence


def measure_across_languages(folder: Path, embedder: Embedder, methods: Sequence[Method]) -> Iterator[CrossedFigures]:
    """Yield the figures of each pair of languages."""
    by_language = {
        path.name.removesuffix(".jsonl.gz").split("_")[1]: {
            passage.id.split("-", 2)[2]: passage for passage in read_dataset(path) if any(passage.gold)
        }
        for path in sorted(folder.glob(TRANSLATED))
    }
    for (asked_in, questions), (told_in, passages) in permutations(by_language.items(), 2):
        shared = sorted(questions.keys() & passages.keys())
        crossed = [replace(passages[key], question=questions[key].question) for key in shared]
        similarities = compute_similarities(crossed, embedder)
        gold = [np.array(passage.gold) for passage in crossed]
        by_method = tuple(
            compute_figures(
                [
                    method(passage.question, passage.sentences, similar)
                    for passage, similar in zip(crossed, similarities, strict=True)
                ],
                gold,
            )
            for method in methods
        )
        mrr = _compute_passage_mrr(crossed, embedder)
        yield CrossedFigures(asked_in, told_in, len(crossed), by_method, mrr)


def _compute_passage_mrr(crossed: Sequence[JudgedPassage], embedder: Embedder) -> float:
    """Return the mean reciprocal rank of the right passage, 0 beyond the tenth."""
    passages = sorted({passage.sentences for passage in crossed})
    vectors = [embedder.encode(sentences) for sentences in passages]
    questions = embedder.map_across_languages(embedder.encode_questions([passage.question for passage in crossed]))
    reciprocal = []
    for passage, question in zip(crossed, questions, strict=True):
        nearest = np.array([(rows @ question).max() for rows in vectors])
        rank = 1 + int((nearest > nearest[passages.index(passage.sentences)]).sum())
        reciprocal.append(1 / rank if rank <= MAX_RANK else 0.0)
    return float(np.mean(reciprocal))
