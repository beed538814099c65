"""Read Markdown as the page that it describes: CommonMark with tables and strikethrough, and HTML within it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from markdown_it import MarkdownIt

from ingest.readers.extracted_document import ExtractedDocument
from ingest.readers.html import read_html_blocks
from ingest.readers.text_blocks import build_document, read_limited_bytes
from ingest.readers.txt_encoding import decode_text

_MAX_NESTING = 60  # of lists and quotations; what is deeper is not read, and each level takes Python frames
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)


def read(path: Path) -> ExtractedDocument:
    """Read a Markdown file into its canonical text."""
    text, encoding, warnings = decode_text(read_limited_bytes(path))
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    blocks = read_html_blocks(parser.render(_fence_front_matter(text)))
    return replace(build_document(blocks), warnings=warnings, meta={"encoding": encoding})


def _fence_front_matter(text: str) -> str:
    """Return the text with the metadata at its beginning as code, which would else be read as a heading."""
    front_matter = _FRONT_MATTER.match(text)
    return f"~~~~~\n{front_matter[1]}\n~~~~~\n\n{text[front_matter.end() :]}" if front_matter else text
