"""Which items are shown, how often, how much each counts, and the altered ones beside them."""

from __future__ import annotations

import random
from multiprocessing import get_context
from pathlib import Path
from zlib import crc32

from highlighter.evidence.joint_model import JointTokenizer
from highlighter.evidence.judged_passages import JudgedPassage
from training import altered
from training.sheets import Lesson, lesson

# Sets whose labels are loose, or that are large and narrow, count for less.
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
# Small sets of the kind that users have are shown more often.
TIMES = {"contractnli": 4, "selqa": 4, "wice": 5, "cuad": 2, "cmrc": 2, "hotpot": 4, "drcd": 2}
# Sets whose sentences are not judged closely enough to say that a passage without its evidence holds none.
LOOSE = ("policyqa", "fm2_claims", "clapnq_dev", "conditionalqa_synth")
MADE = 0.6
CUT, OTHER, CIPHER = 0.14, 0.10, 0.12


def weighted(items: list[JudgedPassage], made: random.Random) -> list[tuple[JudgedPassage, float]]:
    out = []
    for item in items:
        weight = WEIGHTS.get(item.dataset, 1.0)
        out += [(item, weight)] * TIMES.get(item.dataset, 1)
        if any(item.gold) and item.dataset not in LOOSE:
            if made.random() < CUT and (cut := altered.without_evidence(item)):
                out.append((cut, MADE * weight))
            if made.random() < OTHER and (other := altered.asking_of_another(item, items, made)):
                out.append((other, MADE * weight))
            if item.question.isascii() and made.random() < CIPHER:
                out.append((altered.in_no_language(item, made), MADE * weight))
    return out


def kept_back(item: JudgedPassage) -> bool:
    """One document in twelve is never shown to the joint model: what weighs its word against the rest is fitted there."""
    return crc32(f"{item.dataset}/{item.group}".encode()) % 12 == 0


def lessons_of(items: list[JudgedPassage], tokenizer: Path) -> list[Lesson]:
    items = [item for item in items if not kept_back(item)]
    pairs = weighted(items, random.Random(0))
    with get_context("spawn").Pool(2, _start, (tokenizer,)) as pool:
        return [one for one in pool.imap(_lesson, pairs, chunksize=200) if one is not None]


def _start(tokenizer: Path) -> None:
    global _reader
    _reader = JointTokenizer(tokenizer)


def _lesson(pair: tuple[JudgedPassage, float]) -> Lesson | None:
    return lesson(pair[0], _reader, pair[1])
