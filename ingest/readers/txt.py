"""Reads plain text (and Markdown, as text) into the canonical form. It has no pages yet: those are typeset later."""

from __future__ import annotations

from pathlib import Path

from highlighter.errors import Unreadable
from highlighter.models import EMPTY, TOO_LARGE
from highlighter.store.source_map import SourceMap
from ingest.readers.reading import Heading, Reading
from ingest.readers.txt_blocks import blocks
from ingest.readers.txt_decode import decode

# About 3,500 pages. What is longer is a log or a dump, not a document, and would keep a worker busy for minutes.
MAX_CHARACTERS = 10_000_000
_MOST_BYTES_A_CHARACTER = 4


def read(path: Path, max_characters: int = MAX_CHARACTERS) -> Reading:
    size = path.stat().st_size
    if size == 0:
        raise Unreadable(EMPTY, "The file is empty.")
    if size > max_characters * _MOST_BYTES_A_CHARACTER:
        raise _too_large(max_characters)
    text, encoding, warnings = decode(path.read_bytes())
    if len(text) > max_characters:
        raise _too_large(max_characters)
    if not text.strip():
        raise Unreadable(EMPTY, "The file holds nothing but blanks.")
    parts, headings, code, at = [], [], [], 0
    for block in blocks(text):
        parts.append(block.text)
        if block.level:
            headings.append(Heading(at, at + len(block.text), block.level))
        elif block.code:
            code.append((at, at + len(block.text)))
        at += len(block.text) + 2
    made = "\n\n".join(parts)
    meta = {"encoding": encoding}
    return Reading(made, SourceMap(), (), tuple(headings), warnings=warnings, code=tuple(code), meta=meta)


def _too_large(limit: int) -> Unreadable:
    return Unreadable(TOO_LARGE, f"The text is longer than {limit:,} characters. Split it into smaller files.")
