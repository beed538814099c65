"""Passages that people have judged: question, sentences, which of them are evidence. To fit on, and to measure by."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from highlighter.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class Judged:
    set: str
    id: str
    group: str
    question: str
    sentences: tuple[str, ...]
    gold: tuple[bool, ...]
    # (sentence, start, end) of the annotators' own ranges, where the set has them.
    answers: tuple[tuple[int, int, int], ...]


def read_sets(folder: Path, names: set[str] | None = None) -> Iterator[Judged]:
    """The sets of a folder: `.jsonl` or `.jsonl.gz`, a line {"question", "context", "spans": [[start, end], ..]} each."""
    for path in sorted((*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl"))):
        if names is None or _name(path) in names:
            yield from read_set(path)


def read_set(path: Path) -> Iterator[Judged]:
    split = {}
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                context = row["context"]
                if context not in split:
                    split[context] = split_sentences(context)
                yield _judged(_name(path), row, split[context])
            except (ValueError, KeyError, TypeError) as err:
                raise ValueError(f"{path.name}, line {number}: needs question, context and spans ({err!r})") from err


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def _judged(name: str, row: dict, sentences) -> Judged:
    gold = tuple(any(overlaps(s.start_char, s.end_char, a, b) for a, b in row["spans"]) for s in sentences)
    answers = []
    for start, end in row.get("answer_spans") or ():
        for at, s in enumerate(sentences):
            if start < s.end_char and s.start_char < end:
                answers.append((at, max(start - s.start_char, 0), min(end, s.end_char) - s.start_char))
    texts = tuple(s.text for s in sentences)
    named = str(row.get("id", "")), str(row.get("group", row["context"][:40]))
    return Judged(name, *named, row["question"], texts, gold, tuple(answers))


def overlaps(start: int, end: int, gold_start: int, gold_end: int) -> bool:
    """A sentence is gold when it overlaps a gold span by more than half of the shorter of the two."""
    shared = min(end, gold_end) - max(start, gold_start)
    return shared * 2 > min(end - start, gold_end - gold_start)
