"""The text of a chunk with its highlights, for a template: blocks of lines of cells of segments.

Text is cut here, by offsets, and escaped later, by the template. This module neither reads nor writes markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import TypeVar

from highlighter.evidence.strength import STRONG, grade_score
from highlighter.models import Chunk, DocumentTable, Evidence, ScoredSentence
from highlighter.store.word_confidences import WordConfidences
from highlighter.text.document_tables import DocumentTables
from highlighter.web.shown_figures import ShownFigure
from highlighter.web.table_text import ShownRow, build_plain_rows, build_table_rows


@dataclass(frozen=True, slots=True)
class HighlightMark:
    """A highlighted sentence. A sentence that runs over lines or cells has several segments."""

    number: int  # from 1, among the highlighted sentences of the chunk
    sentence_index: int
    score: float
    similarity: float
    strength: int  # see highlighter/evidence/strength.py
    is_current: bool = False  # the one that the link leads to
    is_opening: bool = False  # where the page opens when none is current
    language: str = ""  # where it differs from that of the chunk


@dataclass(frozen=True, slots=True)
class FindMark:
    """A match of a search within the document. A find may lie within a highlighted sentence, or enclose some."""

    number: int  # among all finds in the document, from 1
    is_current: bool = False  # the one that the reader stepped to


@dataclass(frozen=True, slots=True)
class InstructionMark:
    """A sentence that instructs a language model, and so is no evidence."""

    number: int  # among those of the chunk, from 1


@dataclass(frozen=True, slots=True)
class DoubtfulMark:
    """A recognised word that may be misread."""

    number: int  # from 1, among those of the chunk
    percent: int  # the confidence of its recognition


HighlightSpan = tuple[int, int, HighlightMark]  # (start, end, mark)
FindSpan = tuple[int, int, FindMark]
InstructionSpan = tuple[int, int, InstructionMark]
DoubtfulSpan = tuple[int, int, DoubtfulMark]
Mark = TypeVar("Mark", HighlightMark, FindMark, InstructionMark, DoubtfulMark)


@dataclass(frozen=True, slots=True)
class TextSegment:
    """A run of text within one line or cell, with at most one highlight, one find, one instruction and one doubt."""

    text: str
    mark: HighlightMark | None = None
    starts_mark: bool = False  # the first segment of the mark
    ends_mark: bool = False
    page: int = 0  # the number of the page that begins here, if any
    find: FindMark | None = None
    starts_find: bool = False
    instruction: InstructionMark | None = None
    starts_instruction: bool = False
    ends_instruction: bool = False
    doubtful: DoubtfulMark | None = None
    start: int = 0  # in the document's text


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A heading, paragraph, list or table."""

    kind: str  # "heading", "text", "list", "table", "caption", "figure"
    lines: tuple[tuple[tuple[TextSegment, ...], ...], ...]  # lines of cells of segments
    level: int = 0
    rows: tuple[ShownRow[TextSegment], ...] = ()  # of a table: its lines as rows and columns
    caption: int = -1  # of a table: where the caption begins in the document's text; of a caption: where it begins
    repeated_caption: str = ""  # of a table that the chunk cuts off from its caption
    figure: ShownFigure | None = None  # of the caption of a figure


@dataclass(frozen=True, slots=True)
class _MarkedChunk:
    """A chunk with everything that its text is cut at."""

    chunk: Chunk
    highlights: Sequence[HighlightSpan]
    finds: Sequence[FindSpan]
    instructions: Sequence[InstructionSpan]
    doubtful: Sequence[DoubtfulSpan]
    page_turns: dict[int, int]  # the number of the page that begins at an offset
    heading_levels: dict[tuple[int, int], int]  # by the span of the heading
    tables: DocumentTables
    figures: Mapping[tuple[int, int], ShownFigure]  # by the span of the caption

    def get_text(self, start: int, end: int) -> str:
        return self.chunk.text[start - self.chunk.start : end - self.chunk.start]


def build_highlight_spans(evidence: Evidence, cited: Sequence[tuple[int, int]] = ()) -> list[HighlightSpan]:
    """Return the highlighted sentences in reading order; the first that overlaps a cited span is the current one."""
    highlighted = [scored for scored in evidence.sentences if scored.highlighted]
    current = next((index for index, scored in enumerate(highlighted) if _is_overlapping(scored, cited)), -1)
    return [
        (
            scored.sentence.start,
            scored.sentence.end,
            HighlightMark(
                number=index + 1,
                sentence_index=scored.sentence.index,
                score=scored.score,
                similarity=scored.similarity,
                strength=grade_score(scored.score),
                is_current=index == current,
                is_opening=index == 0 and current < 0,
            ),
        )
        for index, scored in enumerate(highlighted)
    ]


def build_instruction_spans(evidence: Evidence) -> list[InstructionSpan]:
    """Return the sentences that instruct a language model, in reading order."""
    sentences = [scored.sentence for scored in evidence.sentences if scored.instructs_software]
    return [(sentence.start, sentence.end, InstructionMark(number)) for number, sentence in enumerate(sentences, 1)]


def build_doubtful_spans(chunk: Chunk, confidences: WordConfidences) -> list[DoubtfulSpan]:
    """Return the recognised words of a chunk that may be misread, in reading order."""
    doubtful = confidences.doubtful_spans(chunk.start, chunk.end)
    return [(span.start, span.end, DoubtfulMark(number, span.percent)) for number, span in enumerate(doubtful, 1)]


def build_target_highlights(chunk: Chunk, spans: Sequence[tuple[int, int]]) -> tuple[HighlightSpan, ...]:
    """Return the parts of quoted spans that lie in a chunk as its only highlights; the first one is current."""
    in_chunk = [(max(start, chunk.start), min(end, chunk.end)) for start, end in spans]
    return tuple(
        (start, end, HighlightMark(number, -1, score=0.0, similarity=0.0, strength=STRONG, is_current=number == 1))
        for number, (start, end) in enumerate((span for span in in_chunk if span[0] < span[1]), 1)
    )


def highlight_cited_sentences(evidence: Evidence, cited: Sequence[tuple[int, int]]) -> Evidence:
    """Return evidence with the sentences of cited spans highlighted, too: an answer may cite less likely sentences."""
    sentences = (
        replace(scored, highlighted=scored.highlighted or _is_overlapping(scored, cited))
        for scored in evidence.sentences
    )
    return replace(evidence, sentences=tuple(sentences))


def _is_overlapping(scored: ScoredSentence, spans: Sequence[tuple[int, int]]) -> bool:
    return any(scored.sentence.start < end and start < scored.sentence.end for start, end in spans)


def build_text_blocks(
    chunk: Chunk,
    evidence: Evidence,
    highlights: Sequence[HighlightSpan] | None = None,
    finds: Sequence[FindSpan] = (),
    doubtful: Sequence[DoubtfulSpan] = (),
    tables: DocumentTables = DocumentTables(),
    figures: Mapping[tuple[int, int], ShownFigure] = MappingProxyType({}),
) -> tuple[TextBlock, ...]:
    """Return the blocks of a chunk, with some highlights, by default those of the evidence, finds and doubtful words.

    `figures` are those of the chunk, by the spans of their captions.
    """
    marked = _MarkedChunk(
        chunk,
        build_highlight_spans(evidence) if highlights is None else highlights,
        finds,
        build_instruction_spans(evidence),
        doubtful,
        _find_page_turns(chunk, evidence),
        {(start, end): level for start, end, level in chunk.headings},
        tables,
        figures,
    )
    spans = _join_table_parts(_split_spans(chunk.text, "\n\n", chunk.start), tables)
    return tuple(_build_text_block(marked, start, end) for start, end in spans)


def _join_table_parts(spans: Iterable[tuple[int, int]], tables: DocumentTables) -> list[tuple[int, int]]:
    """Return the spans of blocks; the parts of a table on two pages are one where nothing stands between them."""
    gaps = {gap for table in tables.tables for gap in table.gaps}
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and (joined[-1][1], start) in gaps:
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _build_text_block(marked: _MarkedChunk, start: int, end: int) -> TextBlock:
    text = marked.get_text(start, end)
    lines = tuple(
        tuple(
            tuple(_cut_segments(marked, cell_start, cell_end))
            for cell_start, cell_end in _split_spans(
                marked.get_text(line_start, line_end), "\t", line_start, keep_empty=True
            )
        )
        for line_start, line_end in _split_spans(text, "\n", start)
    )
    if (start, end) in marked.figures:
        return TextBlock("figure", lines, figure=marked.figures[start, end])
    if (start, end) in marked.heading_levels:  # a heading that shares its block with text is set as text
        return TextBlock("heading", lines, marked.heading_levels[start, end])
    table = marked.tables.table_at(start, end)
    if table:
        return _build_table_block(marked, table, (start, end), lines)
    if "\t" in text:
        return TextBlock("table", lines, rows=build_plain_rows(lines))
    if any(table.caption == (start, end) for table in marked.tables.tables):
        return TextBlock("caption", lines, caption=start)
    return TextBlock("list" if len(lines) > 1 else "text", lines)


def _build_table_block(
    marked: _MarkedChunk,
    table: DocumentTable,
    span: tuple[int, int],
    lines: tuple[tuple[tuple[TextSegment, ...], ...], ...],
) -> TextBlock:
    highlighted = [(max(start, span[0]), min(end, span[1])) for start, end, _ in marked.highlights]
    rows = build_table_rows(
        marked.tables,
        table,
        span,
        lambda start, end: tuple(_cut_segments(marked, start, end)),
        [(start, end) for start, end in highlighted if start < end],
    )
    start, end = table.caption or (0, 0)
    has_caption = bool(table.caption) and marked.chunk.start <= start and end <= marked.chunk.end
    is_cut = bool(table.caption) and end <= marked.chunk.start
    repeated = marked.tables.get_text(start, end) if is_cut and marked.tables.offset <= start else ""
    return TextBlock("table", lines, rows=rows, caption=start if has_caption else -1, repeated_caption=repeated)


def _split_spans(text: str, separator: str, offset: int, keep_empty: bool = False) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the pieces between separators, for a text that begins at an offset of the document."""
    start = offset
    for piece in text.split(separator):
        if piece.strip() or keep_empty:
            yield start, start + len(piece)
        start += len(piece) + len(separator)


def _cut_segments(marked: _MarkedChunk, start: int, end: int) -> Iterator[TextSegment]:
    """Cut a span of the text wherever a highlight, a find or a page begins or ends."""
    offsets = {start, end, *marked.page_turns}
    for span_start, span_end, _ in (*marked.highlights, *marked.finds, *marked.instructions, *marked.doubtful):
        offsets.update((span_start, span_end))
    for segment_start, segment_end in pairwise(sorted(offset for offset in offsets if start <= offset <= end)):
        highlight = _find_enclosing_span(marked.highlights, segment_start, segment_end)
        find = _find_enclosing_span(marked.finds, segment_start, segment_end)
        instruction = _find_enclosing_span(marked.instructions, segment_start, segment_end)
        doubtful = _find_enclosing_span(marked.doubtful, segment_start, segment_end)
        yield TextSegment(
            marked.get_text(segment_start, segment_end),
            mark=highlight[2] if highlight else None,
            starts_mark=highlight is not None and highlight[0] == segment_start,
            ends_mark=highlight is not None and highlight[1] == segment_end,
            page=marked.page_turns.get(segment_start, 0),
            find=find[2] if find else None,
            starts_find=find is not None and find[0] == segment_start,
            instruction=instruction[2] if instruction else None,
            starts_instruction=instruction is not None and instruction[0] == segment_start,
            ends_instruction=instruction is not None and instruction[1] == segment_end,
            doubtful=doubtful[2] if doubtful else None,
            start=segment_start,
        )


def _find_enclosing_span(spans: Sequence[tuple[int, int, Mark]], start: int, end: int) -> tuple[int, int, Mark] | None:
    return next((span for span in spans if span[0] <= start and end <= span[1]), None)


def _find_page_turns(chunk: Chunk, evidence: Evidence) -> dict[int, int]:
    """Return the offsets of the sentences that begin on another page than the one before, with their pages."""
    turns, page = {}, chunk.first_page
    for scored in evidence.sentences:
        if scored.sentence.page not in (0, page):
            page = turns[scored.sentence.start] = scored.sentence.page
    return turns
