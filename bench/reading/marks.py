"""Pages whose sentences were marked by hand, and how many of these a reader's text has whole."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

MARKED_PAGES = Path(__file__).resolve().parents[2] / "tests" / "ingest" / "readers" / "marked_pages"
REAL_PAGES = MARKED_PAGES / "real_pages.json"  # of files that cannot be passed on: digests, no text

_DIGEST_CHARACTERS = 12


@dataclass(frozen=True, slots=True)
class MarkedFile:
    """A PDF and the digests of the sentences that were marked in it."""

    path: Path
    digests: tuple[str, ...]


def digest_sentence(text: str) -> str:
    """Return the digest of a sentence's letters and digits, which spaces, hyphens and quotes do not change."""
    letters = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
    return hashlib.sha256(letters.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARACTERS]


def list_own_pages() -> list[MarkedFile]:
    """Return the PDFs that are stored with their sentences, a line each."""
    return [
        MarkedFile(path, tuple(map(digest_sentence, path.with_suffix(".txt").read_text(encoding="utf-8").splitlines())))
        for path in sorted(MARKED_PAGES.glob("*.pdf"))
    ]


def list_real_pages(docs: Path) -> list[MarkedFile]:
    """Return the marked files that are in a folder with the bytes that were marked."""
    files: dict[str, list[str]] = {}
    for page in json.loads(REAL_PAGES.read_text(encoding="utf-8")):
        path = docs / page["file"]
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == page["sha256"]:
            files.setdefault(page["file"], []).extend(page["sentences"])
    return [MarkedFile(docs / name, tuple(digests)) for name, digests in files.items()]


def count_wrong_sentences(digests: Iterable[str], sentences: Iterable[str]) -> int:
    """Return how many marked sentences are not among a reader's: cut, joined or with other words in them."""
    missing = Counter(digests) - Counter(map(digest_sentence, sentences))
    return missing.total()
