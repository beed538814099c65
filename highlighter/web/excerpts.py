"""How pages are named: by their printed labels where there are any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from highlighter.evidence.strength import grade_score
from highlighter.models import Chunk, Document, SearchHit
from highlighter.urls import format_best_span
from highlighter.web.highlighted_text import HighlightSpan


def format_page_range(document: Document, first: int, last: int = 0) -> str:
    """ "4", "4–5", or "iv" where the printed labels differ."""
    last = last or first
    names = [str(first), str(last)]
    if document.labels and len(document.labels) >= last:
        names = [document.labels[first - 1], document.labels[last - 1]]
    return names[0] if first == last else f"{names[0]}–{names[1]}"


# What a link to a highlight shows where it is pasted: a title, and the sentence it leads to.


MAX_PREVIEW_CHARACTERS = 300  # characters; more is cut off wherever links are shown


def make_preview_text(chunk: Chunk, highlights: Sequence[HighlightSpan]) -> str:
    """The sentence that a link is for, or the surest of those lit; how the part begins, where none is."""
    chosen = max(highlights, key=lambda one: (one[2].current, one[2].score), default=None)
    start, end = (chosen[0], chosen[1]) if chosen else (chunk.start, chunk.end)
    words = " ".join(chunk.text[start - chunk.start : end - chunk.start].split())
    return (
        words if len(words) <= MAX_PREVIEW_CHARACTERS else words[: MAX_PREVIEW_CHARACTERS - 2].rpartition(" ")[0] + " …"
    )


# From the hits of a search to what its page loops over: the best sentence of each, with a few words around it.


# Characters around the best sentence: enough to see what it is about, little enough to see five results at once.
MAX_CHARACTERS_BEFORE, MAX_CHARACTERS_AFTER = 110, 160
MAX_SENTENCE_CHARACTERS = 600  # of the sentence itself; one that runs on (a table's row, a list) is cut


@dataclass(frozen=True, slots=True)
class SearchResult:
    document: Document
    chunk: Chunk
    score: float
    before: str
    sentence: str
    after: str
    strength: int  # 1, 2, 3: how strongly it is lit; 0: near, and below the threshold
    page: int  # where the sentence begins
    page_name: str
    cited: str  # the sentence's span for a link, where it is lit: the page weighs it more finely, and may light another


def present_search_hit(hit: SearchHit) -> SearchResult:
    chunk, best = hit.chunk, hit.sentences[0]
    start, end = best.sentence.start - chunk.start, best.sentence.end - chunk.start
    page = best.sentence.page or chunk.first_page
    return SearchResult(
        hit.document, chunk, hit.score,
        _truncate_start(chunk.text[:start], MAX_CHARACTERS_BEFORE), _truncate_end(chunk.text[start:end], MAX_SENTENCE_CHARACTERS), _truncate_end(chunk.text[end:], MAX_CHARACTERS_AFTER),
        grade_score(best.score) if best.highlighted else 0,
        page, format_page_range(hit.document, page), format_best_span(hit),
    )  # fmt: skip


def _truncate_end(text: str, max_characters: int) -> str:
    words = " ".join(text.split())
    if len(words) <= max_characters:
        return words
    cut = words[:max_characters]
    return (cut.rpartition(" ")[0] or cut) + "\u00a0…"


def _truncate_start(text: str, max_characters: int) -> str:
    words = " ".join(text.split())
    if len(words) <= max_characters:
        return words
    cut = words[-max_characters:]
    return "…\u00a0" + (cut.partition(" ")[2] or cut)
