"""Questions to try on the sample documents, which are recognised by their hash under any name."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice, zip_longest
from pathlib import Path

from highlighter.locale import ENGLISH, current_language
from highlighter.resources import SAMPLE_FOLDER
from highlighter.text.language import detect_language, get_base_language


def list_sample_questions(sha256: str) -> tuple[str, ...]:
    """Return the questions for a document; none for one that is no sample."""
    return _load_questions_by_sha256().get(sha256, ())


def is_sample(sha256: str) -> bool:
    """Return whether a document is one of the samples, also one without questions."""
    return sha256 in _list_sample_hashes()


def suggest_questions(hashes: Iterable[str], max_questions: int) -> list[str]:
    """Return a question for each sample document, then a second for each, and so on, so that the questions differ.

    Where any is in the language of the page, no others are returned.
    """
    questions_by_document = list(filter(None, map(list_sample_questions, hashes)))
    in_language = [questions for questions in questions_by_document if is_in_language_of_page(questions[0])]
    alternating = chain.from_iterable(zip_longest(*(in_language or questions_by_document)))
    return list(islice(filter(None, alternating), max_questions))


def list_sample_files() -> list[Path]:
    """Return the sample files; none in an installation without them."""
    return sorted(path for path in SAMPLE_FOLDER.glob("*") if path.suffix in (".pdf", ".docx", ".txt"))


def is_in_language_of_page(text: str) -> bool:
    """Return whether a text is in the language of the page; both Chinese scripts count as one language."""
    return get_base_language(detect_language(text) or ENGLISH) == get_base_language(current_language())


@lru_cache(maxsize=1)
def _list_sample_hashes() -> frozenset[str]:
    return frozenset(hashlib.sha256(path.read_bytes()).hexdigest() for path in list_sample_files())


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
