"""Questions to try on the samples that come with the project: known by their bytes, whatever they are called."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice, zip_longest
from pathlib import Path

from highlighter.resources import SAMPLE_FOLDER


def list_sample_questions(sha256: str) -> tuple[str, ...]:
    return _load_questions_by_sha256().get(sha256, ())


def suggest_questions(hashes: Iterable[str], max_questions: int) -> list[str]:
    """A question to each of those that are samples, then a second to each, and so on: as unlike as can be."""
    every = (list_sample_questions(sha256) for sha256 in hashes)
    in_turn = chain.from_iterable(zip_longest(*filter(None, every)))
    return list(islice(filter(None, in_turn), max_questions))


def list_sample_files() -> list[Path]:
    """The files; none where they did not come along."""
    return sorted(path for path in SAMPLE_FOLDER.glob("*") if path.suffix in (".pdf", ".docx", ".txt"))


@lru_cache(maxsize=1)
def _load_questions_by_sha256() -> dict[str, tuple[str, ...]]:
    listing = SAMPLE_FOLDER / "making" / "questions.json"
    if not listing.is_file():
        return {}
    found = {}
    for entry in json.loads(listing.read_text(encoding="utf-8")):
        path = SAMPLE_FOLDER / entry["file"]
        if path.is_file():
            questions = tuple(item["question"] for item in entry["questions"])
            found[hashlib.sha256(path.read_bytes()).hexdigest()] = questions
    return found
