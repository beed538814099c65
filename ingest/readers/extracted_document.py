"""The result of every reader: a canonical text, and where each part of the text stands in the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from highlighter.models import DocumentTable
from highlighter.store.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class Heading:
    """The span of a heading in the canonical text; level 1 is the highest."""

    start: int
    end: int
    level: int


@dataclass(frozen=True, slots=True)
class HiddenText:
    """Words that a file carries but a person does not see (white, off-page, tiny, deleted ...), on a page where there are pages."""

    text: str
    reason: str
    page: int | None = None


@dataclass(frozen=True, slots=True)
class PageInfo:
    """A page: its printed label (or ""), its size in points as shown, and how many characters were read from it."""

    number: int
    label: str
    width: float
    height: float
    characters: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with an e-mail."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """The canonical text of a file: what a reader sees, so that nothing is found or cited that is not in force.

    A blank line separates paragraphs, headings and whole lists or tables; a line break separates list items and table
    rows; a tab separates the cells of a row. Lines of a paragraph are joined, words de-hyphenated, running heads
    dropped.
    """

    text: str
    source_map: SourceMap
    pages: tuple[PageInfo, ...]
    headings: tuple[Heading, ...] = ()
    hidden_texts: tuple[HiddenText, ...] = ()  # left out of the canonical text
    warnings: tuple[str, ...] = ()  # what was lost or is doubtful, in words for users; makes the document partial
    notes: tuple[str, ...] = ()  # worth knowing, though nothing was lost
    table_headers: tuple[tuple[int, int], ...] = ()  # header rows, repeated on each page of their table
    tables: tuple[DocumentTable, ...] = ()
    figure_captions: tuple[tuple[int, int], ...] = ()  # that the file declares; others are found by their words
    code_spans: tuple[tuple[int, int], ...] = ()  # code, which keeps its indentation and spacing
    attachments: tuple[Attachment, ...] = ()  # which become documents of their own
    unread_pages: tuple[int, ...] = ()  # show something, and have no text or text that means nothing
    recognition: dict[str, Any] | None = None  # facts about recognised text: see readers/ocr/reader.py
    meta: dict[str, str] = field(default_factory=dict)
