"""Fitting the bundled calibration on documents that the joint model never saw, and altered ones without evidence."""

from __future__ import annotations

import random
from pathlib import Path

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import build_examples, fit_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.judged_passages import JudgedPassage, read_datasets
from training import altered_passages
from training.cross_lingual.question_lessons import read_question_lessons
from training.example_selection import LOOSE_DATASETS, is_held_out, is_measured
from training.lesson_purposes import WEIGHED
from training.questions.examples import LESSON_FOLDERS, ask_by_lesson, is_read_jointly

# The kinds of passages that users have weigh more than data sets that happen to be large, or are loosely judged.
WEIGHTS = {
    "policyqa": 0.3, "fm2_claims": 0.3, "clapnq_dev": 0.3, "conditionalqa_synth": 0.5, "qamr": 0.6, "jaquad_train": 0.6,
    "squadshifts_new_wiki_mined_neg": 0.5, "jaquad_mined_neg": 0.3, "wice": 3, "selqa": 3, "contractnli": 3, "cuad": 2,
    "drcd": 2, "cmrc": 2, "hotpot": 3, "hotpot.noevidence": 1.5,
}  # fmt: skip
CUT_SHARE, OTHER_SHARE, CIPHER_SHARE = 0.12, 0.2, 0.08  # of the passages that are altered in each way
ALTERED_WEIGHT = 0.5


def fit_bundled_calibration(data: Path, model: Path, embedder: Embedder) -> None:
    """Fit the calibration of an embedder for the joint model in a folder."""
    passages = add_altered_passages(
        [passage for passage in read_datasets(data / "train") if is_held_out(passage) and not is_measured(passage)]
    )
    passages += [
        ask_by_lesson(lesson) for lesson in read_question_lessons(WEIGHED, *LESSON_FOLDERS) if is_read_jointly(lesson)
    ]
    examples = build_examples(passages, embedder, weigh_passage)
    fit_calibration(examples, JointScorer(model)).save(model / "calibrations" / embedder.name)


def weigh_passage(passage: JudgedPassage) -> float:
    """Return the weight of a passage."""
    return WEIGHTS.get(passage.dataset, 1.0) * (ALTERED_WEIGHT if is_altered(passage) else 1.0)


def is_altered(passage: JudgedPassage) -> bool:
    return passage.id.endswith(("/cut", "/other", "/cipher"))


def add_altered_passages(passages: list[JudgedPassage]) -> list[JudgedPassage]:
    rng = random.Random(5)
    altered: list[JudgedPassage | None] = []
    for passage in passages:
        if not any(passage.gold) or passage.dataset in LOOSE_DATASETS:
            continue
        if rng.random() < CUT_SHARE:
            altered.append(altered_passages.remove_evidence(passage))
        if rng.random() < OTHER_SHARE:
            altered.append(altered_passages.exchange_question_detail(passage, passages, rng))
        if passage.question.isascii() and rng.random() < CIPHER_SHARE:
            altered.append(altered_passages.exchange_letters(passage, rng))
    return passages + [passage for passage in altered if passage is not None]
