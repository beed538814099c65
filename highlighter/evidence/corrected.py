"""Verdicts of readers as judged passages, for `calibrate`: what was lit, less what was wrong, with what was right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from pathlib import Path

from highlighter.models import Chunk
from highlighter.store.feedback import RIGHT, Said

FILE = "feedback.jsonl"


def passages(said: Iterable[Said], chunk_of: Callable[[Said], Chunk | None]) -> Iterator[dict]:
    """One for each question to each part of a document; none for a part that is there no longer."""

    def asked(one: Said) -> tuple:
        return one.document_id, one.pipeline, one.chunk, one.question

    for (document_id, pipeline, index, question), group in groupby(sorted(said, key=asked), key=asked):
        verdicts = list(group)
        chunk = chunk_of(verdicts[0])
        if chunk is None:
            continue
        spans = {span for one in verdicts for span in one.lit} | {one.span for one in verdicts}
        spans -= {one.span for one in verdicts if one.verdict != RIGHT}
        yield {
            "id": f"{document_id}-{pipeline}-{index}-{verdicts[0].id[:8]}",
            "group": f"{document_id}-{index}",
            "question": question,
            "context": chunk.text,
            "spans": [[start - chunk.start, end - chunk.start] for start, end in sorted(spans)],
        }


def write(folder: Path, rows: Iterable[dict]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    (folder / FILE).write_text("".join(lines), encoding="utf-8")
    return len(lines)
