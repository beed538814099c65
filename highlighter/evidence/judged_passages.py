"""Passages that people have judged: question, sentences, which of them are evidence. To fit on, and to measure by."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from highlighter.models import Chunk
from highlighter.store.feedback import RIGHT, FeedbackEntry
from highlighter.text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    dataset: str
    id: str
    group: str
    question: str
    sentences: tuple[str, ...]
    gold: tuple[bool, ...]
    # (sentence, start, end) of the annotators' own ranges, where the set has them.
    answers: tuple[tuple[int, int, int], ...]


def read_datasets(folder: Path, names: set[str] | None = None) -> Iterator[JudgedPassage]:
    """The sets of a folder: `.jsonl` or `.jsonl.gz`, a line {"question", "context", "spans": [[start, end], ..]} each."""
    for path in sorted((*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl"))):
        if names is None or _dataset_name(path) in names:
            yield from read_dataset(path)


def read_dataset(path: Path) -> Iterator[JudgedPassage]:
    split = {}
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                context = row["context"]
                if context not in split:
                    split[context] = split_sentences(context)
                yield _parse_passage(_dataset_name(path), row, split[context])
            except (ValueError, KeyError, TypeError) as err:
                raise ValueError(f"{path.name}, line {number}: needs question, context and spans ({err!r})") from err


def _dataset_name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def _parse_passage(name: str, row: dict, sentences) -> JudgedPassage:
    gold = tuple(any(is_gold_overlap(s.start_char, s.end_char, a, b) for a, b in row["spans"]) for s in sentences)
    answers = []
    for start, end in row.get("answer_spans") or ():
        for at, s in enumerate(sentences):
            if start < s.end_char and s.start_char < end:
                answers.append((at, max(start - s.start_char, 0), min(end, s.end_char) - s.start_char))
    texts = tuple(s.text for s in sentences)
    named = str(row.get("id", "")), str(row.get("group", row["context"][:40]))
    return JudgedPassage(name, *named, row["question"], texts, gold, tuple(answers))


def is_gold_overlap(start: int, end: int, gold_start: int, gold_end: int) -> bool:
    """A sentence is gold when it overlaps a gold span by more than half of the shorter of the two."""
    shared = min(end, gold_end) - max(start, gold_start)
    return shared * 2 > min(end - start, gold_end - gold_start)


# Verdicts of readers as judged passages, for `calibrate`: what was lit, less what was wrong, with what was right.


FEEDBACK_FILE_NAME = "feedback.jsonl"


def build_judged_passages(
    feedback: Iterable[FeedbackEntry], chunk_of: Callable[[FeedbackEntry], Chunk | None]
) -> Iterator[dict]:
    """One for each question to each part of a document; none for a part that is there no longer."""

    def asked(one: FeedbackEntry) -> tuple:
        return one.document_id, one.pipeline, one.chunk, one.question

    for (document_id, pipeline, index, question), group in groupby(sorted(feedback, key=asked), key=asked):
        verdicts = list(group)
        chunk = chunk_of(verdicts[0])
        if chunk is None:
            continue
        spans = {span for one in verdicts for span in one.highlighted} | {one.span for one in verdicts}
        spans -= {one.span for one in verdicts if one.verdict != RIGHT}
        yield {
            "id": f"{document_id}-{pipeline}-{index}-{verdicts[0].id[:8]}",
            "group": f"{document_id}-{index}",
            "question": question,
            "context": chunk.text,
            "spans": [[start - chunk.start, end - chunk.start] for start, end in sorted(spans)],
        }


def write_judged_passages(folder: Path, rows: Iterable[dict]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / FEEDBACK_FILE_NAME).write_text("".join(lines), encoding="utf-8")
    return len(lines)
