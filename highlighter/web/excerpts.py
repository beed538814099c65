"""Short texts from documents: page ranges, link previews and search results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from highlighter.evidence.strength import grade_score
from highlighter.models import Chunk, Document, SearchHit
from highlighter.urls import format_best_span
from highlighter.web.highlighted_text import HighlightSpan


def format_page_range(document: Document, first: int, last: int = 0) -> str:
    """Return "4", "4–5", or "iv" where the printed page labels differ from the page numbers."""
    last = last or first
    names = [str(first), str(last)]
    if document.labels and len(document.labels) >= last:
        names = [document.labels[first - 1], document.labels[last - 1]]
    return names[0] if first == last else f"{names[0]}–{names[1]}"


MAX_PREVIEW_CHARACTERS = 300  # applications that show a preview of a link cut off more


def make_preview_text(chunk: Chunk, highlights: Sequence[HighlightSpan]) -> str:
    """Return the current highlight, or that with the highest score, or the beginning of the chunk without highlights."""
    best = max(highlights, key=lambda span: (span[2].is_current, span[2].score), default=None)
    start, end = (best[0], best[1]) if best else (chunk.start, chunk.end)
    words = " ".join(chunk.text[start - chunk.start : end - chunk.start].split())
    if len(words) <= MAX_PREVIEW_CHARACTERS:
        return words
    return words[: MAX_PREVIEW_CHARACTERS - 2].rpartition(" ")[0] + " …"


# Around the best sentence: enough to show its subject, and little enough to fit five results on a screen.
MAX_CHARACTERS_BEFORE, MAX_CHARACTERS_AFTER = 110, 160
_ROW_END, _CELL_ENDS, _LAST_CELL_ENDS = "\x1e", re.compile(r"\t+"), re.compile(r"\t*\x1e")
MAX_SENTENCE_CHARACTERS = 600  # a table's row or a list can be longer


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A search hit as the search page shows it: its best sentence, and some words around the sentence."""

    document: Document
    chunk: Chunk
    score: float
    before: str
    sentence: str
    after: str
    strength: int  # see highlighter/evidence/strength.py; 0 for a sentence below the threshold
    page: int  # where the sentence begins
    page_name: str
    # The span of a highlighted sentence, for the link: the chunk's page scores more finely and may highlight another one.
    cited: str


def present_search_hit(hit: SearchHit) -> SearchResult:
    """Return what the search page shows of a hit."""
    chunk, best = hit.chunk, hit.sentences[0]
    start, end = best.sentence.start - chunk.start, best.sentence.end - chunk.start
    page = best.sentence.page or chunk.first_page
    text = _mark_rows(chunk.text)
    return SearchResult(
        hit.document,
        chunk,
        hit.score,
        before=_truncate_start(text[:start], MAX_CHARACTERS_BEFORE),
        sentence=_truncate_end(text[start:end], MAX_SENTENCE_CHARACTERS),
        after=_truncate_end(text[end:], MAX_CHARACTERS_AFTER),
        strength=grade_score(best.score) if best.highlighted else 0,
        page=page,
        page_name=format_page_range(hit.document, page),
        cited=format_best_span(hit),
    )


def _mark_rows(text: str) -> str:
    """Return a text in which the line breaks between rows of tables are other characters."""
    lines = text.split("\n")
    marks = [_ROW_END if "\t" in a and "\t" in b else "\n" for a, b in pairwise(lines)]
    return "".join(map("".join, zip(lines, [*marks, ""], strict=True)))


def _join_words(text: str) -> str:
    """Return the words of a text, with "|" between the cells of a table and "·" between its rows."""
    text = _CELL_ENDS.sub(" | ", _LAST_CELL_ENDS.sub(" · ", text))
    return " ".join(text.split())


def _truncate_end(text: str, max_characters: int) -> str:
    words = _join_words(text)
    if len(words) <= max_characters:
        return words
    cut = words[:max_characters]
    return (cut.rpartition(" ")[0] or cut) + "\u00a0…"


def _truncate_start(text: str, max_characters: int) -> str:
    words = _join_words(text)
    if len(words) <= max_characters:
        return words
    cut = words[-max_characters:]
    return "…\u00a0" + (cut.partition(" ")[2] or cut)
