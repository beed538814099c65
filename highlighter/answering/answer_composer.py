"""The text of an answer while it is written: sentences, markers, and the list of sources at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from highlighter.answering.answer import AnswerEvent, CitationEvent, TokenEvent
from highlighter.answering.citation_builder import CitationBuilder
from highlighter.answering.extractive_answer import ExtractedSentence, add_quotation_marks
from highlighter.answering.passage_search import format_page_suffix
from highlighter.answering.request import ENDNOTE, FOOTNOTE, QuestionRequest
from highlighter.models import Citation, Claim, ClaimEvidence, Source, UnresolvedMarker
from highlighter.references.resolver import StreamSegment
from highlighter.text.sentences import split_sentences

# Before a marker, this many characters are searched for the sentence that it cites.
MAX_CLAIM_CHARACTERS = 1_500
_SUPERSCRIPT_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class AnswerComposer:
    def __init__(self, request: QuestionRequest, citation_builder: CitationBuilder):
        self.request = request
        self.citation_builder = citation_builder
        self.text = ""
        self.citations: list[Citation] = []
        self.unresolved: list[UnresolvedMarker] = []
        self.extracts: list[tuple[ExtractedSentence, int, int]] = []  # with their spans in the text
        self._model_offset = 0  # characters of the model's current text that were added

    def add_text(self, text: str) -> Iterator[AnswerEvent]:
        if text:
            self.text += text
            yield TokenEvent(text)

    def add_extract(self, extract: ExtractedSentence) -> Iterator[AnswerEvent]:
        """Add a sentence of a source, word for word, and its marker."""
        label = label_for_page(
            self.citation_builder.answer_passages[extract.passage_index].source, extract.scored.sentence.page
        )
        marker = f"[[{label}]]" if self.request.require_grounding else self._format_marker(extract.passage_index, label)
        quotation = f"({extract.text})" if self.request.require_grounding else add_quotation_marks(extract.text)
        self.extracts.append((extract, len(self.text), len(self.text) + len(quotation)))
        yield from self.add_text(f"{quotation} " if marker else quotation)
        citation = self.citation_builder.cite_extract(extract, marker, len(self.text))
        yield from self.add_text(marker)
        yield from self._add_citation(citation)

    def start_model_text(self) -> None:
        """Start another text of the model: offsets of markers count from the start of that text."""
        self._model_offset = 0

    def add_model_text(self, segment: StreamSegment) -> Iterator[AnswerEvent]:
        """Add a segment of the model's text: plain text, or a marker with its references."""
        segment_start, self._model_offset = self._model_offset, self._model_offset + len(segment.text)
        if not (segment.citations or segment.unresolved):
            yield from self.add_text(segment.text)
        elif self._is_inline and self.request.include_citations:
            yield from self._add_as_written(segment, len(self.text) - segment_start)
        else:
            yield from self._add_as_numbers(segment)

    def _add_as_written(self, segment: StreamSegment, shift: int) -> Iterator[AnswerEvent]:
        claim = self._last_sentence()
        yield from self.add_text(segment.text)
        for reference in segment.citations:
            yield from self._add_citation(
                self.citation_builder.cite_reference(reference, claim, reference.start + shift, reference.end + shift)
            )
        self.unresolved += [
            replace(marker, start=marker.start + shift, end=marker.end + shift) for marker in segment.unresolved
        ]

    def _add_as_numbers(self, segment: StreamSegment) -> Iterator[AnswerEvent]:
        """Number the references, each source once; unresolved markers stay as written, without a link."""
        claim = self._last_sentence()
        marker_starts: dict[int, int] = {}
        for reference in segment.citations:
            marker = self._format_marker(reference.source, reference.label)
            if reference.source not in marker_starts:
                marker_starts[reference.source] = len(self.text)
                yield from self.add_text(marker)
            start = marker_starts[reference.source]
            yield from self._add_citation(
                self.citation_builder.cite_reference(
                    replace(reference, label=marker), claim, start, start + len(marker)
                )
            )
        for unresolved in segment.unresolved:
            start = len(self.text)
            yield from self.add_text(
                segment.text if not segment.citations and len(segment.unresolved) == 1 else f"[{unresolved.label}]"
            )
            self.unresolved.append(replace(unresolved, label=self.text[start:], start=start, end=len(self.text)))

    def add_attribution(self, claim: Claim, source: int, support: ClaimEvidence) -> Iterator[AnswerEvent]:
        """Cite a sentence that supports a claim without a citation; the citation follows the claim and has no marker."""
        yield from self._add_citation(self.citation_builder.cite_claim(claim, source, support))

    def _last_sentence(self) -> str:
        """Return the last sentence of the text, without its markers: the next marker cites it."""
        text, start = "", max(0, len(self.text) - MAX_CLAIM_CHARACTERS)
        for citation in self.citations:
            if citation.start >= start:
                text += self.text[start : citation.start]
                start = max(start, citation.end)
        text += self.text[start:]
        spans = split_sentences(text)
        return spans[-1].text if spans else ""

    def add_source_list(self) -> Iterator[AnswerEvent]:
        """Add the list of sources to which footnotes and endnotes refer."""
        if self._is_inline or not self.request.include_citations or not self.citations:
            return
        passages = self.citation_builder.answer_passages
        lines = (
            f"{self._format_marker(index, '')} {passages[index].source.label}"
            for index in self.citation_builder.cited_passages
        )
        yield from self.add_text("\n\n" + "\n".join(lines))

    @property
    def _is_inline(self) -> bool:
        return self.request.citation_style not in (FOOTNOTE, ENDNOTE)

    def _format_marker(self, passage_index: int, label: str) -> str:
        if not self.request.include_citations:
            return ""
        if self._is_inline:
            return f"[{label}]"
        number = str(self.citation_builder.assign_number(passage_index))
        return number.translate(_SUPERSCRIPT_DIGITS) if self.request.citation_style == FOOTNOTE else f"[{number}]"

    def _add_citation(self, citation: Citation) -> Iterator[AnswerEvent]:
        self.citations.append(citation)
        yield CitationEvent(citation)


def label_for_page(source: Source, page: int) -> str:
    """Return the label of a source of several pages, for a sentence on one of the pages."""
    page_range = format_page_suffix(source)
    if page not in source.pages or len(source.pages) < 2 or page_range not in source.label:
        return source.label
    return source.label.replace(page_range, format_page_suffix(source, page), 1)
