"""Fits the carried calibration on documents that the joint model never saw, with made ones that hold no evidence."""

from __future__ import annotations

import random
from pathlib import Path

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.calibration import build_examples, fit_calibration
from highlighter.evidence.joint_model import JointScorer
from highlighter.evidence.judged_passages import JudgedPassage, read_datasets
from training import altered
from training.lessons import LOOSE, kept_back

# The kinds of passages that users have count for more than the sets that happen to be large, or are loosely judged.
COUNTS = {
    "policyqa": 0.3, "fm2_claims": 0.3, "clapnq_dev": 0.3, "conditionalqa_synth": 0.5, "qamr": 0.6, "jaquad_train": 0.6,
    "squadshifts_new_wiki_mined_neg": 0.5, "jaquad_mined_neg": 0.3, "wice": 3, "selqa": 3, "contractnli": 3, "cuad": 2,
    "drcd": 2, "cmrc": 2, "hotpot": 3, "hotpot.noevidence": 1.5,
}  # fmt: skip
CUT, OTHER, CIPHER, MADE = 0.12, 0.2, 0.08, 0.5


def weigh(data: Path, model: Path) -> None:
    judged = with_altered([one for one in read_datasets(data / "train") if kept_back(one)])
    shown = build_examples(judged, Embedder(), count)
    fit_calibration(shown, JointScorer(model)).save(model)


def count(one: JudgedPassage) -> float:
    return COUNTS.get(one.dataset, 1.0) * (MADE if is_made(one) else 1.0)


def is_made(one: JudgedPassage) -> bool:
    return one.id.endswith(("/cut", "/other", "/cipher"))


def with_altered(judged: list[JudgedPassage]) -> list[JudgedPassage]:
    chance, made = random.Random(5), []
    for one in judged:
        if not any(one.gold) or one.dataset in LOOSE:
            continue
        if chance.random() < CUT:
            made.append(altered.without_evidence(one))
        if chance.random() < OTHER:
            made.append(altered.asking_of_another(one, judged, chance))
        if one.question.isascii() and chance.random() < CIPHER:
            made.append(altered.in_no_language(one, chance))
    return judged + [one for one in made if one is not None]
