"""From a chunk and its evidence to what a template loops over: blocks of lines of cells of parts, lit or not.

Highlighting is done here, by offsets; escaping is done by the template, after. No markup is made or read in this file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from highlighter.evidence.strength import grade_score
from highlighter.models import Chunk, Evidence, ScoredSentence


@dataclass(frozen=True, slots=True)
class HighlightMark:
    """One lit sentence. It may show up in several parts, when it runs over lines or cells."""

    number: int  # 1 for the first lit sentence of the chunk
    sentence_index: int
    score: float
    similarity: float
    strength: int  # 1, 2, 3
    current: bool = False  # the one that is shown among others, by a link
    opens: bool = False  # where the page opens when none is current


@dataclass(frozen=True, slots=True)
class FindMark:
    """One find of a search within the document. It may stand within a lit sentence, or hold some."""

    number: int  # among all finds in the document, from 1
    current: bool = False  # the one that was stepped to


HighlightSpan = tuple[int, int, HighlightMark]  # what is lit: start, end, and how
FindSpan = tuple[int, int, FindMark]


@dataclass(frozen=True, slots=True)
class TextSegment:
    text: str
    mark: HighlightMark | None = None
    first: bool = False  # of its mark
    last: bool = False
    page: int = 0  # set where the text comes to a new page
    hit: FindMark | None = None
    hit_first: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    kind: str  # "heading", "text", "list", "table"
    lines: tuple[tuple[tuple[TextSegment, ...], ...], ...]  # lines of cells of parts
    level: int = 0


def build_highlight_spans(evidence: Evidence, cited: tuple[int, int] = (0, 0)) -> list[HighlightSpan]:
    """(start, end, mark) of the lit sentences, in reading order; the first of those `cited` is the current one."""
    lit = [scored for scored in evidence.sentences if scored.highlighted]
    shown = next((at for at, one in enumerate(lit) if _is_overlapping(one, cited)), -1)
    return [
        (s.sentence.start, s.sentence.end,
         HighlightMark(at + 1, s.sentence.index, s.score, s.similarity, grade_score(s.score), at == shown, at == 0 and shown < 0))
        for at, s in enumerate(lit)
    ]  # fmt: skip


def highlight_cited_sentences(evidence: Evidence, cited: tuple[int, int]) -> Evidence:
    """With the sentences of a span lit besides: an answer may cite what is no evidence by itself."""
    sentences = (replace(one, highlighted=one.highlighted or _is_overlapping(one, cited)) for one in evidence.sentences)
    return replace(evidence, sentences=tuple(sentences))


def _is_overlapping(scored: ScoredSentence, span: tuple[int, int]) -> bool:
    return scored.sentence.start < span[1] and span[0] < scored.sentence.end


def build_text_blocks(
    chunk: Chunk,
    evidence: Evidence,
    quoted_spans: Sequence[HighlightSpan] | None = None,
    finds: Sequence[FindSpan] = (),
) -> tuple[TextBlock, ...]:
    """With `quoted`, a span that a link leads to is lit instead of the evidence. Hits are shown beside either."""
    lit = build_highlight_spans(evidence) if quoted_spans is None else quoted_spans
    turns = _find_page_turns(chunk, evidence)
    headings = {(start, end): level for start, end, level in chunk.headings}
    blocks = _split_spans(chunk.text, "\n\n", chunk.start)
    return tuple(_build_text_block(chunk, start, end, lit, finds, turns, headings) for start, end in blocks)


def _build_text_block(chunk: Chunk, start: int, end: int, lit, hits, turns, headings) -> TextBlock:
    text = chunk.text[start - chunk.start : end - chunk.start]
    lines = tuple(
        tuple(
            tuple(_cut_segments(chunk, a, b, lit, hits, turns))
            for a, b in _split_spans(line, "\t", line_start, keep_empty=True)
        )
        for line_start, line_end in _split_spans(text, "\n", start)
        for line in [chunk.text[line_start - chunk.start : line_end - chunk.start]]
    )
    if (start, end) in headings:  # a title that runs in with its clause is set with the clause
        return TextBlock("heading", lines, headings[start, end])
    kind = "table" if "\t" in text else "list" if len(lines) > 1 else "text"
    return TextBlock(kind, lines)


def _split_spans(text: str, separator: str, offset: int, keep_empty: bool = False) -> Iterator[tuple[int, int]]:
    """(start, end) of the pieces between borders, in the document's offsets."""
    at = 0
    for piece in text.split(separator):
        if piece.strip() or keep_empty:
            yield offset + at, offset + at + len(piece)
        at += len(piece) + len(separator)


def _cut_segments(chunk: Chunk, start: int, end: int, lit, hits, turns) -> Iterator[TextSegment]:
    borders = {start, end}
    for a, b, _ in (*lit, *hits):
        borders.update(place for place in (a, b) if start < place < end)
    borders.update(place for place in turns if start < place < end)
    places = sorted(borders)
    for a, b in pairwise(places):
        text = chunk.text[a - chunk.start : b - chunk.start]
        lit_from, lit_to, mark = _find_enclosing_span(lit, a, b)
        hit_from, _, hit = _find_enclosing_span(hits, a, b)
        yield TextSegment(text, mark, a == lit_from, b == lit_to, turns.get(a, 0), hit, a == hit_from)


def _find_enclosing_span(spans: Sequence[tuple], start: int, end: int) -> tuple:
    return next((span for span in spans if span[0] <= start and end <= span[1]), (None, None, None))


def _find_page_turns(chunk: Chunk, evidence: Evidence) -> dict[int, int]:
    """Where a sentence begins on another page than the one before it."""
    turns, page = {}, chunk.first_page
    for scored in evidence.sentences:
        if scored.sentence.page not in (0, page):
            page = turns[scored.sentence.start] = scored.sentence.page
    return turns
