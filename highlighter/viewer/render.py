"""From a chunk and its evidence to what a template loops over: blocks of lines of cells of parts, lit or not.

Highlighting is done here, by offsets; escaping is done by the template, after. No markup is made or read in this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from highlighter.models import Chunk, Evidence, Scored

# How strongly a lit sentence is lit, told by dots, line and shade: strong from the first score on, middling from the
# second.
STRONG, MIDDLING = 0.85, 0.65
STRONG_LIT = 3


@dataclass(frozen=True, slots=True)
class Mark:
    """One lit sentence. It may show up in several parts, when it runs over lines or cells."""

    number: int  # 1 for the first lit sentence of the chunk
    sentence: int
    score: float
    similarity: float
    strength: int  # 1, 2, 3
    current: bool = False  # the one that is shown among others, by a link
    opens: bool = False  # where the page opens when none is current


@dataclass(frozen=True, slots=True)
class Hit:
    """One find of a search within the document. It may stand within a lit sentence, or hold some."""

    number: int  # among all finds in the document, from 1
    current: bool = False  # the one that was stepped to


Lit = tuple[int, int, Mark]  # what is lit: start, end, and how
Found = tuple[int, int, Hit]


@dataclass(frozen=True, slots=True)
class Part:
    text: str
    mark: Mark | None = None
    first: bool = False  # of its mark
    last: bool = False
    page: int = 0  # set where the text comes to a new page
    hit: Hit | None = None
    hit_first: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    kind: str  # "heading", "text", "list", "table"
    lines: tuple[tuple[tuple[Part, ...], ...], ...]  # lines of cells of parts
    level: int = 0


def marks(evidence: Evidence, cited: tuple[int, int] = (0, 0)) -> list[Lit]:
    """(start, end, mark) of the lit sentences, in reading order; the first of those `cited` is the current one."""
    lit = [scored for scored in evidence.sentences if scored.highlighted]
    shown = next((at for at, one in enumerate(lit) if _meets(one, cited)), -1)
    return [
        (s.sentence.start, s.sentence.end,
         Mark(at + 1, s.sentence.index, s.score, s.similarity, strength(s.score), at == shown, at == 0 and shown < 0))
        for at, s in enumerate(lit)
    ]  # fmt: skip


def lighting(evidence: Evidence, cited: tuple[int, int]) -> Evidence:
    """With the sentences of a span lit besides: an answer may cite what is no evidence by itself."""
    sentences = (replace(one, highlighted=one.highlighted or _meets(one, cited)) for one in evidence.sentences)
    return replace(evidence, sentences=tuple(sentences))


def _meets(scored: Scored, span: tuple[int, int]) -> bool:
    return scored.sentence.start < span[1] and span[0] < scored.sentence.end


def segments(
    chunk: Chunk,
    evidence: Evidence,
    quoted: Sequence[Lit] | None = None,
    hits: Sequence[Found] = (),
) -> tuple[Block, ...]:
    """With `quoted`, a span that a link leads to is lit instead of the evidence. Hits are shown beside either."""
    lit = marks(evidence) if quoted is None else quoted
    turns = _page_turns(chunk, evidence)
    headings = {(start, end): level for start, end, level in chunk.headings}
    blocks = _split(chunk.text, "\n\n", chunk.start)
    return tuple(_block(chunk, start, end, lit, hits, turns, headings) for start, end in blocks)


def _block(chunk: Chunk, start: int, end: int, lit, hits, turns, headings) -> Block:
    text = chunk.text[start - chunk.start : end - chunk.start]
    lines = tuple(
        tuple(tuple(_parts(chunk, a, b, lit, hits, turns)) for a, b in _split(line, "\t", line_start, keep_empty=True))
        for line_start, line_end in _split(text, "\n", start)
        for line in [chunk.text[line_start - chunk.start : line_end - chunk.start]]
    )
    if (start, end) in headings:  # a title that runs in with its clause is set with the clause
        return Block("heading", lines, headings[start, end])
    kind = "table" if "\t" in text else "list" if len(lines) > 1 else "text"
    return Block(kind, lines)


def _split(text: str, border: str, offset: int, keep_empty: bool = False) -> Iterator[tuple[int, int]]:
    """(start, end) of the pieces between borders, in the document's offsets."""
    at = 0
    for piece in text.split(border):
        if piece.strip() or keep_empty:
            yield offset + at, offset + at + len(piece)
        at += len(piece) + len(border)


def _parts(chunk: Chunk, start: int, end: int, lit, hits, turns) -> Iterator[Part]:
    borders = {start, end}
    for a, b, _ in (*lit, *hits):
        borders.update(place for place in (a, b) if start < place < end)
    borders.update(place for place in turns if start < place < end)
    places = sorted(borders)
    for a, b in pairwise(places):
        text = chunk.text[a - chunk.start : b - chunk.start]
        lit_from, lit_to, mark = _holding(lit, a, b)
        hit_from, _, hit = _holding(hits, a, b)
        yield Part(text, mark, a == lit_from, b == lit_to, turns.get(a, 0), hit, a == hit_from)


def _holding(spans: Sequence[tuple], start: int, end: int) -> tuple:
    return next((span for span in spans if span[0] <= start and end <= span[1]), (None, None, None))


def _page_turns(chunk: Chunk, evidence: Evidence) -> dict[int, int]:
    """Where a sentence begins on another page than the one before it."""
    turns, page = {}, chunk.first_page
    for scored in evidence.sentences:
        if scored.sentence.page not in (0, page):
            page = turns[scored.sentence.start] = scored.sentence.page
    return turns


def strength(score: float) -> int:
    return 3 if score >= STRONG else 2 if score >= MIDDLING else 1
