"""Passages that people have judged: a question, sentences, and which of them are evidence. For fitting and tests."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from highlighter.models import Chunk
from highlighter.store.feedback import RIGHT, FeedbackEntry
from highlighter.text.sentences import SplitSentence, split_sentences

JudgedPassageRow = dict[str, Any]  # one line of a data set


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    """A passage with a question and the judgement of each sentence."""

    dataset: str
    id: str
    group: str
    question: str
    sentences: tuple[str, ...]
    gold: tuple[bool, ...]
    # (sentence, start, end) of the annotators' own ranges, where the data set has them.
    answers: tuple[tuple[int, int, int], ...]


def read_datasets(folder: Path, names: set[str] | None = None) -> Iterator[JudgedPassage]:
    """Yield the judged passages of the data sets in a folder.

    A data set is a `.jsonl` or `.jsonl.gz` file; each line is {"question", "context", "spans": [[start, end], ..]}.
    """
    for path in sorted((*folder.glob("*.jsonl.gz"), *folder.glob("*.jsonl"))):
        if names is None or _dataset_name(path) in names:
            yield from read_dataset(path)


def read_dataset(path: Path) -> Iterator[JudgedPassage]:
    """Yield the judged passages of one data set. Raises ValueError with the number of a line that cannot be read."""
    sentences_of_context: dict[str, list[SplitSentence]] = {}  # many rows share a context
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                context = row["context"]
                if context not in sentences_of_context:
                    sentences_of_context[context] = split_sentences(context)
                yield _parse_passage(_dataset_name(path), row, sentences_of_context[context])
            except (ValueError, KeyError, TypeError) as err:
                raise ValueError(f"{path.name}, line {number}: needs question, context and spans ({err!r})") from err


def _dataset_name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def _parse_passage(dataset: str, row: dict[str, Any], sentences: Sequence[SplitSentence]) -> JudgedPassage:
    gold = tuple(any(is_gold_overlap(s.start_char, s.end_char, a, b) for a, b in row["spans"]) for s in sentences)
    answers = []
    for start, end in row.get("answer_spans") or ():
        for index, s in enumerate(sentences):
            if start < s.end_char and s.start_char < end:
                answers.append((index, max(start - s.start_char, 0), min(end, s.end_char) - s.start_char))
    return JudgedPassage(
        dataset=dataset,
        id=str(row.get("id", "")),
        group=str(row.get("group", row["context"][:40])),
        question=row["question"],
        sentences=tuple(s.text for s in sentences),
        gold=gold,
        answers=tuple(answers),
    )


def is_gold_overlap(start: int, end: int, gold_start: int, gold_end: int) -> bool:
    """Return whether a sentence overlaps a gold span by more than half of the shorter of the two."""
    shared = min(end, gold_end) - max(start, gold_start)
    return shared * 2 > min(end - start, gold_end - gold_start)


# Readers' feedback as judged passages, for `calibrate`: the highlighted sentences, without those marked wrong and with
# those marked right.

FEEDBACK_FILE_NAME = "feedback.jsonl"


def build_judged_passages(
    feedback: Iterable[FeedbackEntry], chunk_of: Callable[[FeedbackEntry], Chunk | None]
) -> Iterator[JudgedPassageRow]:
    """Yield one row for each question to each chunk, and none for a chunk that no longer exists."""

    def chunk_and_question(entry: FeedbackEntry) -> tuple[str, int, int, str]:
        return entry.document_id, entry.pipeline, entry.chunk, entry.question

    entries = sorted(feedback, key=chunk_and_question)
    for (document_id, pipeline, index, question), group in groupby(entries, key=chunk_and_question):
        verdicts = list(group)
        chunk = chunk_of(verdicts[0])
        if chunk is None:
            continue
        spans = {span for entry in verdicts for span in entry.highlighted} | {entry.span for entry in verdicts}
        spans -= {entry.span for entry in verdicts if entry.verdict != RIGHT}
        yield {
            "id": f"{document_id}-{pipeline}-{index}-{verdicts[0].id[:8]}",
            "group": f"{document_id}-{index}",
            "question": question,
            "context": chunk.text,
            "spans": [[start - chunk.start, end - chunk.start] for start, end in sorted(spans)],
        }


def write_judged_passages(folder: Path, rows: Iterable[JudgedPassageRow]) -> int:
    """Write judged passages as a data set into a folder and return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / FEEDBACK_FILE_NAME).write_text("".join(lines), encoding="utf-8")
    return len(lines)
