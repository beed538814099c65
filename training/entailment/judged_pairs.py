"""Texts and claims with the judgement whether the text says the claim: published data sets, and lessons of our own."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from highlighter.text.sentences import split_sentences
from training.lesson_purposes import LEARNED, choose_purpose

ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED = "entailed", "neutral", "contradicted", "not_entailed"
LABELS = (ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED)
LESSONS_FOLDER = Path(__file__).parent / "lessons"
LESSONS = "lessons"
WEIGHED_PARTS = (1,)  # one text in twenty: these texts are many more than those of the questions


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A claim with the sentences of a text, and whether they say it."""

    dataset: str
    kind: str
    claim: str
    sentences: tuple[str, ...]
    label: str
    carried_by: tuple[int, ...] | None  # indexes of the sentences that decide; None: not known
    language: str  # of the text
    claim_language: str


def read_dataset(path: Path) -> Iterator[JudgedPair]:
    """Yield the pairs of one published data set."""
    name = path.name.removesuffix(".jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            sentences = tuple(span.text for span in split_sentences(row["premise"])) or (row["premise"],)
            carried_by = (0,) if len(sentences) == 1 and row["label"] in (ENTAILED, CONTRADICTED) else None
            yield JudgedPair(
                name, name, row["hypothesis"], sentences, row["label"], carried_by, row["lang"], row["lang"]
            )


def read_lessons(folder: Path = LESSONS_FOLDER, purpose: str = LEARNED) -> Iterator[JudgedPair]:
    """Yield our own pairs: seventeen scenarios in twenty for training, one for weighing the result, two for measuring."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            scenario = json.loads(line)
            if choose_purpose(scenario["id"], WEIGHED_PARTS) != purpose:
                continue
            for claim, label, kind, carried_by, *claim_language in scenario["claims"]:
                yield JudgedPair(
                    f"{LESSONS}/{path.stem}", kind, claim, tuple(scenario["sentences"]), label, tuple(carried_by),
                    scenario["lang"], *(claim_language or [scenario["lang"]]),
                )  # fmt: skip


def read_quoted_lessons(folder: Path = LESSONS_FOLDER) -> Iterator[JudgedPair]:
    """Yield each sentence of our own texts as a claim, so that the words of a text alone never make a claim false."""
    for pair in {pair.sentences: pair for pair in read_lessons(folder)}.values():
        for index, sentence in enumerate(pair.sentences):
            yield replace(
                pair, kind="quoted", claim=sentence, label=ENTAILED, carried_by=(index,), claim_language=pair.language
            )
