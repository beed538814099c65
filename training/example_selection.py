"""The selection of training examples: how often each passage is used, its weight, and its altered versions."""

from __future__ import annotations

import random
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

from highlighter.evidence.joint_model import JointTokenizer
from highlighter.evidence.judged_passages import JudgedPassage
from training import altered_passages
from training.training_examples import TrainingExample, build_example

# Data sets whose labels are loose, or that are large and narrow, weigh less.
WEIGHTS = {
    "policyqa": 0.4,
    "fm2_claims": 0.5,
    "clapnq_dev": 0.5,
    "squadshifts_new_wiki_mined_neg": 0.5,
    "jaquad_mined_neg": 0.4,
    "conditionalqa_synth": 0.7,
    "qamr": 0.7,
    "jaquad_train": 0.7,
    "hotpot.noevidence": 1.0,
}
# Small data sets of the kind that users have are repeated.
REPETITIONS = {
    "contractnli": 4, "selqa": 4, "wice": 5, "cuad": 2, "cmrc": 2, "hotpot": 4, "drcd": 2, "squad2_adversarial": 2,
    "squad2_adversarial.noevidence": 3,
}  # fmt: skip
# Data sets that are not judged closely enough to say that a passage without its gold sentences holds no evidence.
LOOSE_DATASETS = ("policyqa", "fm2_claims", "clapnq_dev", "conditionalqa_synth")
ALTERED_WEIGHT = 0.6
# Shares of the passages that are altered in each way.
CUT_SHARE, OTHER_SHARE, CIPHER_SHARE = 0.14, 0.10, 0.12


def weight_passages(passages: list[JudgedPassage], rng: random.Random) -> list[tuple[JudgedPassage, float]]:
    """Return passages and altered passages with their weights, some of them repeated."""
    weighted = []
    for passage in passages:
        weight = WEIGHTS.get(passage.dataset, 1.0)
        weighted += [(passage, weight)] * REPETITIONS.get(passage.dataset, 1)
        if any(passage.gold) and passage.dataset not in LOOSE_DATASETS:
            if rng.random() < CUT_SHARE and (cut := altered_passages.remove_evidence(passage)):
                weighted.append((cut, ALTERED_WEIGHT * weight))
            if rng.random() < OTHER_SHARE and (
                other := altered_passages.exchange_question_detail(passage, passages, rng)
            ):
                weighted.append((other, ALTERED_WEIGHT * weight))
            if passage.question.isascii() and rng.random() < CIPHER_SHARE:
                weighted.append((altered_passages.exchange_letters(passage, rng), ALTERED_WEIGHT * weight))
    return weighted


def is_held_out(passage: JudgedPassage) -> bool:
    """Return whether a passage is of the one document in twelve that the joint model never sees.

    The calibration is fitted on these.
    """
    return crc32(f"{passage.dataset}/{passage.group}".encode()) % 12 == 0


# Articles of questions written to look answerable from which nothing is learned or fitted: bench/evidence measures on them.
MEASURED_ARTICLES = ("Normans", "Force")


def is_measured(passage: JudgedPassage) -> bool:
    """Return whether a passage is only measured on."""
    return passage.dataset.startswith("squad2_adversarial") and passage.group in MEASURED_ARTICLES


def build_training_examples(passages: list[JudgedPassage], tokenizer: Path) -> list[TrainingExample]:
    passages = [passage for passage in passages if not is_held_out(passage) and not is_measured(passage)]
    pairs = weight_passages(passages, random.Random(0))
    with get_context("spawn").Pool(2, _load_tokenizer, (tokenizer,)) as pool:
        return [example for example in pool.imap(_build_example, pairs, chunksize=200) if example is not None]


def _load_tokenizer(tokenizer: Path) -> None:
    global _tokenizer
    _tokenizer = JointTokenizer(tokenizer)


def _build_example(pair: tuple[JudgedPassage, float]) -> TrainingExample | None:
    return build_example(pair[0], _tokenizer, pair[1])
