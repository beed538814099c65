"""Read plain text (and Markdown, as text) into the canonical form. The pages are typeset later."""

from __future__ import annotations

from pathlib import Path

from highlighter.errors import UnreadableFile
from highlighter.locale import N_
from highlighter.models import EMPTY, TOO_LARGE
from highlighter.store.source_map import SourceMap
from ingest.readers.extracted_document import ExtractedDocument, Heading
from ingest.readers.txt_blocks import split_blocks
from ingest.readers.txt_encoding import decode_text

# About 3,500 pages. A longer file is a log or a dump, not a document, and would keep a worker busy for minutes.
MAX_CHARACTERS = 10_000_000
_MAX_BYTES_PER_CHARACTER = 4


def read(path: Path, max_characters: int = MAX_CHARACTERS) -> ExtractedDocument:
    """Read a text file into its canonical text."""
    size = path.stat().st_size
    if size == 0:
        raise UnreadableFile(EMPTY, "The file is empty.")
    if size > max_characters * _MAX_BYTES_PER_CHARACTER:
        raise _too_large_error(max_characters)
    text, encoding, warnings = decode_text(path.read_bytes())
    if len(text) > max_characters:
        raise _too_large_error(max_characters)
    if not text.strip():
        raise UnreadableFile(EMPTY, "The file contains only blanks.")
    texts: list[str] = []
    headings: list[Heading] = []
    code_spans: list[tuple[int, int]] = []
    offset = 0
    for block in split_blocks(text):
        texts.append(block.text)
        if block.level:
            headings.append(Heading(offset, offset + len(block.text), block.level))
        elif block.is_code:
            code_spans.append((offset, offset + len(block.text)))
        offset += len(block.text) + 2
    meta = {"encoding": encoding}
    return ExtractedDocument(
        "\n\n".join(texts), SourceMap(), (), tuple(headings), warnings=warnings, code_spans=tuple(code_spans), meta=meta
    )


def _too_large_error(limit: int) -> UnreadableFile:
    return UnreadableFile(
        TOO_LARGE, N_("The text is longer than {limit:,} characters. Split it into smaller files.", limit=limit)
    )
