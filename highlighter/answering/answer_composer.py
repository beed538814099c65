"""The text of an answer while it is written: sentences, markers, and the list of sources at the end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from highlighter.answering.answer import AnswerEvent, CitationEvent, TokenEvent
from highlighter.answering.citation_builder import CitationBuilder
from highlighter.answering.extractive_answer import ExtractedSentence, add_quotation_marks
from highlighter.answering.passage_search import format_page_suffix
from highlighter.answering.quotation import select_quotation
from highlighter.answering.request import ENDNOTE, FOOTNOTE, QuestionRequest
from highlighter.grounding.cited_pages import is_off_pages
from highlighter.grounding.cited_sources import CitedMarker, assign_markers
from highlighter.grounding.verdicts import WRONG_SOURCE
from highlighter.models import Citation, Claim, ClaimEvidence, ResolvedReference, Source, UnresolvedMarker
from highlighter.references.resolver import StreamSegment
from highlighter.text.sentences import split_sentences

# Before a marker, this many characters are searched for the sentence that it cites.
MAX_CLAIM_CHARACTERS = 1_500
# No blank stands before these.
_CLOSING_PUNCTUATION = ".,;:!?)]}…。，、；：！？）】」』”’"
_SUPERSCRIPT_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class AnswerComposer:
    def __init__(self, request: QuestionRequest, citation_builder: CitationBuilder):
        self.request = request
        self.citation_builder = citation_builder
        self.text = ""
        self.citations: list[Citation] = []
        self.unresolved: list[UnresolvedMarker] = []
        self.extracts: list[tuple[ExtractedSentence, int, int]] = []  # with their spans in the text
        self.cited_markers: list[CitedMarker] = []  # the markers, with all sources that each may mean
        self._model_offset = 0  # characters of the model's current text that were added
        # Where citations are left out: blanks at the end of the text so far, and whether a marker followed it.
        self._blanks, self._is_marker_left_out = "", False

    def add_text(self, text: str) -> Iterator[AnswerEvent]:
        if text:
            self.text += text
            yield TokenEvent(text)

    def add_extract(self, extract: ExtractedSentence) -> Iterator[AnswerEvent]:
        """Add a sentence of a source, word for word, and its marker."""
        source = self.citation_builder.answer_passages[extract.passage_index].source
        label = label_for_pages(source, [extract.scored.sentence.page])
        marker = f"[[{label}]]" if self.request.require_grounding else self._format_marker(extract.passage_index, label)
        if self.request.require_grounding:
            quotation, row = f"({extract.text})", ""
        else:
            words, row = select_quotation(extract.scored.sentence, source.text)
            quotation = add_quotation_marks(words)
        self.extracts.append((extract, len(self.text), len(self.text) + len(quotation)))
        if row:
            quotation += f" ({row})"  # which column each of its figures stands in
        yield from self.add_text(f"{quotation} " if marker else quotation)
        citation = self.citation_builder.cite_extract(extract, marker, len(self.text))
        self.cited_markers.append(CitedMarker(citation.start, citation.end, (citation.source,)))
        yield from self.add_text(marker)
        yield from self._add_citation(citation)

    def start_model_text(self) -> None:
        """Start another text of the model: offsets of markers count from the start of that text."""
        self._model_offset = 0
        self._blanks, self._is_marker_left_out = "", False

    def add_model_text(self, segment: StreamSegment) -> Iterator[AnswerEvent]:
        """Add a segment of the model's text: plain text, or a marker with its references."""
        segment_start, self._model_offset = self._model_offset, self._model_offset + len(segment.text)
        if not (segment.citations or segment.unresolved):
            yield from self.add_text(self._close_gap(segment.text))
        elif self._is_inline and self.request.include_citations:
            yield from self._add_as_written(segment, len(self.text) - segment_start)
        else:
            yield from self._add_as_numbers(segment)

    def _close_gap(self, text: str) -> str:
        """Return the next text without the blanks that a marker leaves when citations are left out."""
        if self.request.include_citations:
            return text
        words = text.rstrip(" \t")
        if not words:
            self._blanks += text
            return ""
        if not self._is_marker_left_out:
            words = self._blanks + words
        elif self._is_at_line_start or words.lstrip(" \t")[0] in _CLOSING_PUNCTUATION:
            words = words.lstrip(" \t")
        elif not words[0].isspace():
            words = self._blanks[:1] + words
        self._blanks, self._is_marker_left_out = text[len(text.rstrip(" \t")) :], False
        return words

    @property
    def _is_at_line_start(self) -> bool:
        return not self.text or self.text.endswith("\n")

    def _add_as_written(self, segment: StreamSegment, shift: int) -> Iterator[AnswerEvent]:
        claim = self._last_sentence()
        yield from self.add_text(segment.text)
        for reference in segment.citations:
            start, end = reference.start + shift, reference.end + shift
            yield from self._add_citation(self.citation_builder.cite_reference(reference, claim, start, end))
            self._add_cited_marker(reference, start, end)
        for marker in segment.unresolved:
            self._add_unresolved(replace(marker, start=marker.start + shift, end=marker.end + shift))

    def _add_as_numbers(self, segment: StreamSegment) -> Iterator[AnswerEvent]:
        """Number the references, each source once; unresolved markers stay as written. Without citations, all are left out."""
        claim = self._last_sentence()
        self._is_marker_left_out = not self.request.include_citations
        marker_starts: dict[int, int] = {}
        for reference in segment.citations:
            passage = self.citation_builder.choose_passage(reference, claim)
            marker = self._format_marker(passage, reference.label)
            if passage not in marker_starts:
                marker_starts[passage] = len(self.text)
                yield from self.add_text(marker)
            start, end = marker_starts[passage], marker_starts[passage] + len(marker)
            chosen = replace(reference, label=marker, source=passage, alternatives=())
            yield from self._add_citation(self.citation_builder.cite_reference(chosen, claim, start, end))
            self._add_cited_marker(reference, start, end)
        for unresolved in segment.unresolved:
            start = len(self.text)
            if self.request.include_citations:
                is_alone = not segment.citations and len(segment.unresolved) == 1
                yield from self.add_text(segment.text if is_alone else f"[{unresolved.label}]")
            label = self.text[start:] or unresolved.label
            self._add_unresolved(replace(unresolved, label=label, start=start, end=len(self.text)))

    def _add_cited_marker(self, reference: ResolvedReference, start: int, end: int) -> None:
        sources = (reference.source, *reference.alternatives)
        self.cited_markers.append(CitedMarker(start, end, sources, label=reference.label, pages=reference.cited_pages))

    def _add_unresolved(self, marker: UnresolvedMarker) -> None:
        self.unresolved.append(marker)
        self.cited_markers.append(CitedMarker(marker.start, marker.end, why_unresolved=marker.why))

    def add_attribution(self, claim: Claim, support: ClaimEvidence) -> Iterator[AnswerEvent]:
        """Cite a sentence that supports a claim without a citation; the citation follows the claim and has no marker."""
        yield from self._add_citation(self.citation_builder.cite_claim(claim, support))

    def settle_citations(self, claims: Sequence[Claim], sources: Sequence[Source]) -> None:
        """Let each citation show the sentence that decides on its claim: while the text was written, the nearest was shown.

        The words that an answer quotes, and what a wrong source says, stay. Only markers as written may change their source.
        """
        for claim, markers in zip(claims, assign_markers(claims, self.text, self.cited_markers), strict=True):
            if claim.verdict == WRONG_SOURCE:
                continue
            spans = {(marker.start, marker.end): marker for marker in markers}
            own = [index for index, citation in enumerate(self.citations) if (citation.start, citation.end) in spans]
            for index in own:
                citation = self.citations[index]
                is_alone = sum(self.citations[other].source == citation.source for other in own) == 1
                marker = spans[citation.start, citation.end]
                if support := self._choose_evidence(claim, citation, marker, sources, is_alone):
                    self.citations[index] = self.citation_builder.cite_deciding_sentence(citation, support)
        if self._is_inline:
            self.citations = self.citation_builder.renumber(self.citations)

    def _choose_evidence(
        self, claim: Claim, citation: Citation, marker: CitedMarker, sources: Sequence[Source], is_alone: bool
    ) -> ClaimEvidence | None:
        """Return the sentence that a citation is to show; None where it stays."""
        meant = {citation.source, *marker.sources} if self._is_inline else {citation.source}
        evidence = [
            support
            for support in claim.evidence
            if support.source in meant
            and not (marker.pages and is_off_pages(support, sources[support.source], marker.pages))
        ]
        if citation.quoted or not evidence:
            return None
        own = [support for support in evidence if support.source == citation.source]
        # Where several markers of a claim cite one source, each shows what stands nearest to it.
        if not is_alone and any(self.citation_builder.shows(citation, support) for support in own):
            return None
        return max(own or evidence, key=lambda support: support.score)

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
        lines = (
            f"{self._format_marker(index, '')} {self._label_for_citations(index)}"
            for index in self.citation_builder.cited_passages
        )
        yield from self.add_text("\n\n" + "\n".join(lines))

    def _label_for_citations(self, passage_index: int) -> str:
        """Return the label of a passage with the pages of its cited sentences."""
        citations = [citation for citation in self.citations if citation.source == passage_index]
        is_cited_whole = not all(citation.quote for citation in citations)
        pages = [] if is_cited_whole else [citation.page for citation in citations]
        return label_for_pages(self.citation_builder.answer_passages[passage_index].source, pages)

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


def label_for_pages(source: Source, pages: Collection[int]) -> str:
    """Return the label of a source of several pages, for sentences on some of the pages."""
    page_range = format_page_suffix(source)
    if not pages or not source.pages or not set(pages) <= set(source.pages) or page_range not in source.label:
        return source.label
    return source.label.replace(page_range, format_page_suffix(source, pages), 1)
