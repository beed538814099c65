"""Items as arrays, in batches of like length, with what is to be learned of each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from highlighter.evidence.features import compute_bm25
from highlighter.evidence.joint_model import JointInput, JointTokenizer, choose_sentences
from highlighter.evidence.judged_passages import JudgedPassage

ROOM = 384  # pieces of passage in one input


@dataclass(frozen=True, slots=True)
class Lesson:
    sheet: JointInput
    gold: np.ndarray  # of the chosen sentences
    answer: np.ndarray  # pieces inside the annotators' own range
    weight: float


def lesson(item: JudgedPassage, reader: JointTokenizer, weight: float, room: int = ROOM) -> Lesson | None:
    if not item.sentences:
        return None
    question, told = reader.tokenize_passage(item.question, item.sentences)
    chosen = choose_sentences(
        compute_bm25(item.question, item.sentences), [len(one.ids) for one in told], room - len(question.ids)
    )
    sheet = reader.build_input(question, told, chosen)
    gold = np.array([item.gold[at] for at in chosen], dtype=np.float32)
    if any(item.gold) and not gold.any():
        return None
    return Lesson(sheet, gold, _answer(item, sheet, told, reader), weight)


def _answer(item: JudgedPassage, sheet: JointInput, told, reader: JointTokenizer) -> np.ndarray:
    inside = np.zeros(len(sheet.ids), dtype=bool)
    for at, start, end in item.answers:
        if at not in sheet.sentence_indexes:
            continue
        own = np.flatnonzero(sheet.sentence_positions == sheet.sentence_indexes.index(at))[
            :-1
        ]  # its [SEP] is not of the answer
        starts = reader.find_token_starts(item.sentences[at])[: len(own)]
        inside[own[[start <= place < end for place in starts]]] = True
    return inside


def batches(lessons: Sequence[Lesson], pieces: int, chance: random.Random) -> Iterator[list[Lesson]]:
    """One epoch: shuffled, then sorted by length within large pools, so that little is padding."""
    order = list(range(len(lessons)))
    chance.shuffle(order)
    ready = []
    for pool_at in range(0, len(order), 2048):
        pool = sorted(order[pool_at : pool_at + 2048], key=lambda at: len(lessons[at].sheet.ids))
        batch: list[Lesson] = []
        for at in pool:
            one = lessons[at]
            if batch and (len(batch) + 1) * len(one.sheet.ids) > pieces:
                ready.append(batch)
                batch = []
            batch.append(one)
        ready.append(batch)
    chance.shuffle(ready)
    yield from ready


def tensors(batch: Sequence[Lesson]) -> dict[str, torch.Tensor]:
    longest = max(len(one.sheet.ids) for one in batch)
    most = max(len(one.gold) for one in batch)

    def padded(arrays, width, fill, kind):
        out = torch.full((len(batch), width), fill, dtype=kind)
        for row, array in enumerate(arrays):
            out[row, : len(array)] = torch.from_numpy(np.asarray(array))
        return out

    return {
        "ids": padded([one.sheet.ids for one in batch], longest, 0, torch.long),
        "kinds": padded([one.sheet.kinds for one in batch], longest, 0, torch.long),
        "owners": padded([one.sheet.sentence_positions for one in batch], longest, -2, torch.long),
        "gold": padded([one.gold for one in batch], most, -1.0, torch.float),
        "answer": padded([one.answer for one in batch], longest, False, torch.bool),
        "weight": torch.tensor([one.weight for one in batch]),
    }
