"""python -m training.questions.weighing DATA: fit how the reader's margins are weighed with what is known without it.

It prints the constants of highlighter/evidence/question_reader.py, fitted to passages of DATA/evidence and questions of our own that
the reader has not learned.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import load_calibration
from highlighter.evidence.judged_passages import read_datasets
from highlighter.evidence.question_reader import READER_FILE, UNREAD, QuestionReader, compute_logits
from highlighter.evidence.scorer import EvidenceScorer
from training.cross_lingual.question_lessons import read_question_lessons
from training.example_selection import is_held_out, is_measured
from training.lesson_purposes import WEIGHED
from training.questions.examples import LESSON_FOLDERS, ask_by_lesson, is_read_jointly

STEPS, RIDGE = 60, 1e-3
MAX_PASSAGES = 800


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m training.questions.weighing", description=__doc__)
    parser.add_argument("data", type=Path, help="a folder with evidence/")
    parser.add_argument("--reader", type=Path, default=READER_FILE)
    options = parser.parse_args()
    embedder, reader = Embedder(), QuestionReader(options.reader)
    x, y = build_prior_table(options.data, embedder, reader)
    print("MARGIN_WEIGHT, PRIOR_WEIGHT, OFFSET =", ", ".join(f"{value:.2f}" for value in fit_logistic(x, y)))
    return 0


def build_prior_table(data: Path, embedder: Embedder, reader: QuestionReader) -> tuple[np.ndarray, np.ndarray]:
    """Return the margin, the logit of the probability without a model and a 1 for each sentence, and whether it answers."""
    scorer = EvidenceScorer(load_calibration(embedder.name, Path("none")), None)
    held_out = [
        passage
        for passage in read_datasets(data / "evidence" / "train")
        if is_held_out(passage) and not is_measured(passage)
    ]
    lessons = [
        one
        for one in read_question_lessons(WEIGHED, *LESSON_FOLDERS)
        if not one.is_crossed and not is_read_jointly(one)
    ]
    tables, gold = [], []
    for passage in random.Random(0).sample(held_out, MAX_PASSAGES) + [ask_by_lesson(lesson) for lesson in lessons]:
        similarities = embedder.encode(passage.sentences) @ embedder.encode_question(passage.question)
        prior = scorer.probabilities(passage.question, passage.sentences, similarities, quick=True)
        margins = reader.read(passage.question, passage.sentences, prior)
        if margins is None:
            raise SystemExit("The question reader cannot be loaded.")
        read = margins > UNREAD
        tables.append(np.column_stack([margins, compute_logits(prior), np.ones(len(margins))])[read])
        gold.append(np.array(passage.gold)[read])
    return np.concatenate(tables), np.concatenate(gold)


def fit_logistic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the coefficients of a logistic regression, by Newton's method."""
    solution = np.zeros(x.shape[1])
    for _ in range(STEPS):
        probability = 1 / (1 + np.exp(-np.clip(x @ solution, -30, 30)))
        hessian = (x * (probability * (1 - probability))[:, None]).T @ x + RIDGE * np.eye(len(solution))
        solution -= np.linalg.solve(hessian, x.T @ (probability - y) + RIDGE * solution)
    return solution


if __name__ == "__main__":
    sys.exit(main())
