"""What every reader returns: one canonical text and where each part of it stands in the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from highlighter.store.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading's span in the canonical text; level 1 is the highest."""

    start: int
    end: int
    level: int


@dataclass(frozen=True, slots=True)
class HiddenSpan:
    """A span that the file carries but a person does not see (white, off-page, tiny, deleted ...)."""

    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One page: its printed label (or ""), its size in points as shown, and how many characters were read from it."""

    number: int
    label: str
    width: float
    height: float
    characters: int


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """The canonical text of a file.

    Paragraphs, headings and whole lists or tables are parted by a blank line; list items and table rows by a line break;
    the cells of a row by a tab. Lines of a paragraph are joined, words de-hyphenated, running heads dropped.
    """

    text: str
    source_map: SourceMap
    pages: tuple[PageInfo, ...]
    headings: tuple[Heading, ...] = ()
    hidden_spans: tuple[HiddenSpan, ...] = ()
    warnings: tuple[str, ...] = ()  # what was lost or doubtful, in words for people: makes the document `partial`
    notes: tuple[str, ...] = ()  # what is worth knowing though nothing was lost
    table_headers: tuple[tuple[int, int], ...] = ()  # rows that stand again at the top of each page of their table
    code_spans: tuple[tuple[int, int], ...] = ()  # lines that keep their indents and gaps
    meta: dict[str, str] = field(default_factory=dict)
