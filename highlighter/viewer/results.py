"""From the hits of a search to what its page loops over: the best sentence of each, with a few words around it."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.models import Chunk, Document, Hit
from highlighter.viewer.links import cited_span
from highlighter.viewer.pages import page_name
from highlighter.viewer.render import strength

# Characters around the best sentence: enough to see what it is about, little enough to see five results at once.
BEFORE, AFTER = 110, 160
SENTENCE = 600  # of the sentence itself; one that runs on (a table's row, a list) is cut


@dataclass(frozen=True, slots=True)
class Result:
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


def result(hit: Hit) -> Result:
    chunk, best = hit.chunk, hit.sentences[0]
    start, end = best.sentence.start - chunk.start, best.sentence.end - chunk.start
    page = best.sentence.page or chunk.first_page
    return Result(
        hit.document, chunk, hit.score,
        _tail(chunk.text[:start], BEFORE), _head(chunk.text[start:end], SENTENCE), _head(chunk.text[end:], AFTER),
        strength(best.score) if best.highlighted else 0,
        page, page_name(hit.document, page), best_span(hit),
    )  # fmt: skip


def best_span(hit: Hit) -> str:
    """Return the span of a hit's best sentence as a link names it, or "" where the hit does not highlight it."""
    best = hit.sentences[0]
    return cited_span(best.sentence.start, best.sentence.end) if best.highlighted else ""


def _head(text: str, most: int) -> str:
    words = " ".join(text.split())
    if len(words) <= most:
        return words
    cut = words[:most]
    return (cut.rpartition(" ")[0] or cut) + "\u00a0…"


def _tail(text: str, most: int) -> str:
    words = " ".join(text.split())
    if len(words) <= most:
        return words
    cut = words[-most:]
    return "…\u00a0" + (cut.partition(" ")[2] or cut)
