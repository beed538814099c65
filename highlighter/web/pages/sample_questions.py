"""Questions to try on the sample documents, which are recognised by their hash under any name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice, zip_longest
from pathlib import Path

from highlighter.resources import SAMPLE_FOLDER


def list_sample_questions(sha256: str) -> tuple[str, ...]:
    """Return the questions for a document; none for one that is no sample."""
    return _load_questions_by_sha256().get(sha256, ())


def suggest_questions(hashes: Iterable[str], max_questions: int) -> list[str]:
    """Return a question for each sample document, then a second for each, and so on, so that the questions differ."""
    questions_by_document = (list_sample_questions(sha256) for sha256 in hashes)
    alternating = chain.from_iterable(zip_longest(*filter(None, questions_by_document)))
    return list(islice(filter(None, alternating), max_questions))


def list_sample_files() -> list[Path]:
    """Return the sample files; none in an installation without them."""
    return sorted(path for path in SAMPLE_FOLDER.glob("*") if path.suffix in (".pdf", ".docx", ".txt"))


@lru_cache(maxsize=1)
def _load_questions_by_sha256() -> dict[str, tuple[str, ...]]:
    listing = SAMPLE_FOLDER / "making" / "questions.json"
    if not listing.is_file():
        return {}
    questions_by_sha256 = {}
    for entry in json.loads(listing.read_text(encoding="utf-8")):
        path = SAMPLE_FOLDER / entry["file"]
        if path.is_file():
            questions = tuple(item["question"] for item in entry["questions"])
            questions_by_sha256[hashlib.sha256(path.read_bytes()).hexdigest()] = questions
    return questions_by_sha256
