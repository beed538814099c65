"""Citations: each marker of an answer with the words of a document that it cites."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from highlighter.answering.extractive_answer import ExtractedSentence
from highlighter.answering.passage_search import AnswerPassage
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.grounding.quotations import NOT_FOUND, VERIFIED, QuotationCheck, check_quote
from highlighter.models import Citation, Claim, ClaimEvidence, ResolvedReference, ScoredSentence, Sentence, Source
from highlighter.quotes.anchors import Anchor
from highlighter.quotes.match import shift_spans
from highlighter.references.source_names import EXACT
from highlighter.store.source_map import SourceMap
from highlighter.store.word_confidences import WordConfidences
from highlighter.text.document_tables import DocumentTables

# The tier of a citation that was added to a claim which cites nothing.
ATTRIBUTED_TIER = "attributed"


@dataclass(frozen=True, slots=True)
class CitingText:
    """The characters of an answer that cite, and how they were resolved."""

    label: str
    start: int
    end: int
    tier: str


class CitationBuilder:
    """The builder of one answer's citations; it numbers sources in the order in which they are cited."""

    def __init__(
        self,
        answer_passages: Sequence[AnswerPassage],
        questions: Sequence[str],
        passage_highlighter: PassageHighlighter,
    ):
        self.answer_passages = answer_passages
        self.questions = questions
        self.passage_highlighter = passage_highlighter
        self._numbers: dict[int, int] = {}
        self._confidences: dict[str, WordConfidences] = {}  # of recognised words, by document
        self._source_maps: dict[str, SourceMap] = {}  # by document
        self._tables: dict[tuple[str, int], DocumentTables] = {}  # by document and chunk

    def assign_number(self, passage_index: int) -> int:
        return self._numbers.setdefault(passage_index, len(self._numbers) + 1)

    @property
    def cited_passages(self) -> list[int]:
        """Return the indices of the cited passages, in the order of their numbers."""
        return list(self._numbers)

    def cite_extract(self, extract: ExtractedSentence, label: str, start: int) -> Citation:
        """Cite a sentence that the extractive answer quotes; its quote needs no search, so it is verified."""
        marker = CitingText(label, start, start + len(label), EXACT)
        citation = self._build_citation(extract.passage_index, extract.scored, marker, extract.sub_question_index)
        return replace(citation, quoted=VERIFIED)

    def cite_reference(self, reference: ResolvedReference, claim: str, start: int, end: int) -> Citation:
        """Cite a reference of a model: the words that it quotes, or else the sentence nearest to the claim."""
        passage_index = self.choose_passage(reference, claim)
        passage = self.answer_passages[passage_index]
        quoted_sentence, check = self._locate_quote(passage, reference.quote) if reference.quote else (None, None)
        nearest = quoted_sentence or self._find_nearest_sentence(passage, claim, reference.cited_pages)
        scored = nearest or passage.best_sentence[1]
        marker = CitingText(reference.label, start, end, reference.tier)
        sub_question_index = passage.choose_sub_question(scored.sentence.start if scored else -1)
        citation = self._build_citation(passage_index, scored, marker, sub_question_index)
        if check is None:
            return citation
        offset = passage.chunk.start if passage.chunk else 0
        spans = shift_spans(check.spans, offset)
        return replace(citation, quoted=check.state, differs=check.differs, quote_spans=spans)

    def choose_passage(self, reference: ResolvedReference, claim: str) -> int:
        """Return which of the passages that a reference may mean is nearest to the claim."""
        candidates = (reference.source, *reference.alternatives)
        if len(candidates) == 1 or not claim.strip():
            return reference.source
        nearest = {
            index: self._find_nearest_sentence(self.answer_passages[index], reference.quote or claim)
            for index in candidates
        }
        return max(candidates, key=lambda index: sentence.similarity if (sentence := nearest[index]) else 0.0)

    def cite_claim(self, claim: Claim, support: ClaimEvidence) -> Citation:
        """Cite the sentence that supports a claim without a marker."""
        return self._cite_evidence(support, CitingText("", claim.end, claim.end, ATTRIBUTED_TIER))

    def cite_deciding_sentence(self, citation: Citation, support: ClaimEvidence) -> Citation:
        """Return a citation with the sentence that decides on its claim, in the place of the nearest one."""
        if citation.source == support.source and self.shows(citation, support):
            return citation
        return self._cite_evidence(support, CitingText(citation.label, citation.start, citation.end, citation.tier))

    def shows(self, citation: Citation, support: ClaimEvidence) -> bool:
        """Return whether a citation shows a sentence, or a part of it."""
        offset = self._get_offset(citation.source)
        return citation.quote_start < offset + support.end and citation.quote_end > offset + support.start

    def renumber(self, citations: Sequence[Citation]) -> list[Citation]:
        """Number the sources anew, in the order in which these citations cite them."""
        self._numbers.clear()
        return [replace(citation, number=self.assign_number(citation.source)) for citation in citations]

    def _cite_evidence(self, support: ClaimEvidence, marker: CitingText) -> Citation:
        passage, offset = self.answer_passages[support.source], self._get_offset(support.source)
        start, end = offset + support.start, offset + support.end
        scored = self._score_span(passage, start, end, support.text)
        return self._build_citation(support.source, scored, marker, passage.choose_sub_question(start))

    def _get_offset(self, passage_index: int) -> int:
        chunk = self.answer_passages[passage_index].chunk
        return chunk.start if chunk else 0

    def _locate_quote(self, passage: AnswerPassage, quote: str) -> tuple[ScoredSentence | None, QuotationCheck]:
        check = check_quote(quote, passage.source.text)
        if check.state == NOT_FOUND:
            return None, check
        offset = passage.chunk.start if passage.chunk else 0
        start, end = offset + check.start, offset + check.end
        text = passage.source.text[check.start : check.end]
        return self._score_span(passage, start, end, text), check

    def _score_span(self, passage: AnswerPassage, start: int, end: int, text: str) -> ScoredSentence:
        """Return a span of a passage as a sentence, with the page and the score of the sentence at its start."""
        page = self._find_page(passage, start)
        return ScoredSentence(
            Sentence(0, start, end, text, page), 0.0, self._sentence_score(passage, start), highlighted=True
        )

    def load_sources(self) -> list[Source]:
        """Return the sources, those of several pages with the pages of their sentences."""
        return [self._add_page_spans(passage) for passage in self.answer_passages]

    def _add_page_spans(self, passage: AnswerPassage) -> Source:
        document, chunk = passage.document, passage.chunk
        if document is None or chunk is None or len(passage.source.pages) < 2:
            return passage.source
        if document.id not in self._source_maps:
            self._source_maps[document.id] = self.passage_highlighter.catalog.source_map(document)
        return replace(passage.source, page_spans=self._source_maps[document.id].page_spans(chunk.start, chunk.end))

    def _find_page(self, passage: AnswerPassage, start: int) -> int:
        pages = (
            sentence.page for sentence in self._passage_sentences(passage) if sentence.start <= start < sentence.end
        )
        return next(pages, 0)

    def _sentence_score(self, passage: AnswerPassage, start: int) -> float:
        return max(passage.scores_at(start).values(), default=0.0)

    def _passage_sentences(self, passage: AnswerPassage) -> list[Sentence]:
        return [scored.sentence for scored in passage.evidence[0][1].sentences] if passage.evidence else []

    def _find_nearest_sentence(
        self, passage: AnswerPassage, claim: str, pages: Collection[int] = ()
    ) -> ScoredSentence | None:
        """Return the sentence nearest to a claim, on one of these pages; its score stays the score for the sub-question."""
        if not claim.strip():
            return None
        evidence = (
            self.passage_highlighter.highlight_chunk(claim, passage.chunk, quick=True)
            if passage.chunk
            else self.passage_highlighter.highlight_text(claim, passage.source.text, quick=True)
        )
        # A claim is no question: even the sentence that carries it need not be highlighted for it.
        sentences = [scored for scored in evidence.sentences if not scored.instructs_software]
        on_pages = [scored for scored in sentences if scored.sentence.page in pages]
        best = max(on_pages or sentences, key=lambda scored: scored.score + scored.similarity, default=None)
        if best is None or evidence.degraded:
            return None
        return ScoredSentence(best.sentence, best.similarity, self._sentence_score(passage, best.sentence.start), True)

    def _find_recognition(self, passage: AnswerPassage, start: int, end: int) -> float:
        """Return the confidence with which a span was recognised from an image; 0 where it was not."""
        document = passage.document
        if document is None or not document.has_recognised_text:
            return 0.0
        if document.id not in self._confidences:
            self._confidences[document.id] = self.passage_highlighter.catalog.word_confidences(document)
        return round(self._confidences[document.id].mean(start, end) or 0.0, 4)

    def _load_tables(self, passage: AnswerPassage) -> DocumentTables:
        """Return the tables of a passage, which several of its citations may need."""
        document, chunk = passage.document, passage.chunk
        if document is None or chunk is None or "\t" not in chunk.text:
            return DocumentTables()
        key = chunk.document_id, chunk.index
        if key not in self._tables:
            self._tables[key] = self.passage_highlighter.catalog.tables(document, chunk)
        return self._tables[key]

    def _build_citation(
        self, passage_index: int, scored: ScoredSentence | None, marker: CitingText, sub_question_index: int
    ) -> Citation:
        passage = self.answer_passages[passage_index]
        source, document = passage.source, passage.document
        offset = passage.chunk.start if passage.chunk else 0
        quote_start, quote_end = (scored.sentence.start, scored.sentence.end) if scored else (offset, offset)
        anchor = Anchor.from_span(source.text, quote_start - offset, quote_end - offset)
        tables = self._load_tables(passage)
        page = (scored.sentence.page if scored else 0) or (source.pages[0] if source.pages else 0)
        return Citation(
            number=self.assign_number(passage_index),
            label=marker.label,
            start=marker.start,
            end=marker.end,
            tier=marker.tier,
            source=passage_index,
            document_id=source.document_id,
            filename=source.filename,
            sha256=document.sha256 if document else "",
            page=page,
            chunk_index=source.chunk_index,
            chunk=(passage.chunk.pipeline, passage.chunk.start, passage.chunk.end) if passage.chunk else None,
            quote=anchor.exact,
            quote_start=quote_start,
            quote_end=quote_end,
            prefix=anchor.prefix,
            suffix=anchor.suffix,
            probability=scored.score if scored else 0.0,
            recognition=self._find_recognition(passage, quote_start, quote_end),
            cells=tables.find_cited_cells(quote_start, quote_end),
            table_caption=tables.find_caption(quote_start, quote_end),
            section=passage.chunk.section if passage.chunk else "",
            doc_url=document.doc_url if document else "",
            metadata=document.meta if document else {},
            sub_question=self.questions[sub_question_index],
            sub_question_index=sub_question_index,
        )
