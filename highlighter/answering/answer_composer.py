"""An answer's text as it grows: what is said, the marks of what is cited, and their list at the end."""

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

# Characters before a mark in which the sentence is looked for that it stands for.
MAX_CLAIM_CHARACTERS = 1_500
_SUPERSCRIPT_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class AnswerComposer:
    def __init__(self, request: QuestionRequest, citation_builder: CitationBuilder):
        self.request = request
        self.citation_builder = citation_builder
        self.text = ""
        self.citations: list[Citation] = []
        self.unresolved: list[UnresolvedMarker] = []
        self.extracts: list[tuple[ExtractedSentence, int, int]] = []  # word for word, with their places in the text
        self._model_offset = 0  # of what a model wrote

    def add_text(self, text: str) -> Iterator[AnswerEvent]:
        if text:
            self.text += text
            yield TokenEvent(text)

    def add_extract(self, extract: ExtractedSentence) -> Iterator[AnswerEvent]:
        """A sentence of a source, word for word, and its mark."""
        label = label_for_page(
            self.citation_builder.answer_passages[extract.passage_index].source, extract.scored.sentence.page
        )
        mark = f"[[{label}]]" if self.request.require_grounding else self._format_marker(extract.passage_index, label)
        said = f"({extract.text})" if self.request.require_grounding else add_quotation_marks(extract.text)
        self.extracts.append((extract, len(self.text), len(self.text) + len(said)))
        yield from self.add_text(f"{said} " if mark else said)
        citation = self.citation_builder.cite_extract(extract, mark, len(self.text))
        yield from self.add_text(mark)
        yield from self._add_citation(citation)

    def start_model_text(self) -> None:
        """Another text by the model: the places of its marks are counted from its beginning."""
        self._model_offset = 0

    def add_model_text(self, segment: StreamSegment) -> Iterator[AnswerEvent]:
        """A run of what a model writes: plain text, or a mark with what it means."""
        began, self._model_offset = self._model_offset, self._model_offset + len(segment.text)
        if not (segment.citations or segment.unresolved):
            yield from self.add_text(segment.text)
        elif self._is_inline and self.request.include_citations:
            yield from self._add_as_written(segment, len(self.text) - began)
        else:
            yield from self._add_as_numbers(segment)

    def _add_as_written(self, segment: StreamSegment, shift: int) -> Iterator[AnswerEvent]:
        claim = self._last_sentence()
        yield from self.add_text(segment.text)
        for one in segment.citations:
            yield from self._add_citation(
                self.citation_builder.cite_reference(one, claim, one.start + shift, one.end + shift)
            )
        self.unresolved += [replace(one, start=one.start + shift, end=one.end + shift) for one in segment.unresolved]

    def _add_as_numbers(self, segment: StreamSegment) -> Iterator[AnswerEvent]:
        """As the style has them, each source once; what means none stays as it was written, without a link."""
        claim, placed = self._last_sentence(), {}
        for one in segment.citations:
            mark = self._format_marker(one.source, one.label)
            if one.source not in placed:
                placed[one.source] = len(self.text)
                yield from self.add_text(mark)
            start = placed[one.source]
            yield from self._add_citation(
                self.citation_builder.cite_reference(replace(one, label=mark), claim, start, start + len(mark))
            )
        for one in segment.unresolved:
            start = len(self.text)
            yield from self.add_text(
                segment.text if not segment.citations and len(segment.unresolved) == 1 else f"[{one.label}]"
            )
            self.unresolved.append(replace(one, label=self.text[start:], start=start, end=len(self.text)))

    def add_attribution(self, claim: Claim, source: int, support: ClaimEvidence) -> Iterator[AnswerEvent]:
        """A claim that cites nothing, and that a sentence says: the citation stands after it, without a mark."""
        yield from self._add_citation(self.citation_builder.cite_claim(claim, source, support))

    def _last_sentence(self) -> str:
        """The sentence before the mark that is about to be written, without the marks in it."""
        text, first = "", max(0, len(self.text) - MAX_CLAIM_CHARACTERS)
        for citation in self.citations:
            if citation.start >= first:
                text += self.text[first : citation.start]
                first = max(first, citation.end)
        text += self.text[first:]
        spans = split_sentences(text)
        return spans[-1].text if spans else ""

    def add_source_list(self) -> Iterator[AnswerEvent]:
        """The list that footnotes and endnotes point at."""
        if self._is_inline or not self.request.include_citations or not self.citations:
            return
        lines = (
            f"{self._format_marker(at, '')} {self.citation_builder.answer_passages[at].source.label}" for at in self.citation_builder.cited_passages
        )  # fmt: skip
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
    """The label of a source that runs over several pages, for a sentence on one of them."""
    several = format_page_suffix(source)
    if page not in source.pages or len(source.pages) < 2 or several not in source.label:
        return source.label
    return source.label.replace(several, format_page_suffix(source, page), 1)
