"""From a mark in an answer to the words of a document that it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from highlighter.answering.extractive_answer import ExtractedSentence
from highlighter.answering.passage_search import AnswerPassage
from highlighter.evidence.passage_highlighter import PassageHighlighter
from highlighter.grounding.quotations import NOT_FOUND, VERIFIED, QuotationCheck, check_quote
from highlighter.models import Citation, Claim, ClaimEvidence, ResolvedReference, ScoredSentence, Sentence
from highlighter.quotes.anchors import Anchor
from highlighter.references.source_names import EXACT

# The tier of a citation that nobody wrote.
ATTRIBUTED_TIER = "attributed"


class CitationBuilder:
    """Makes citations of one answer: numbers its sources in the order in which they are cited."""

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

    def assign_number(self, passage_index: int) -> int:
        return self._numbers.setdefault(passage_index, len(self._numbers) + 1)

    @property
    def cited_passages(self) -> list[int]:
        """The pieces cited, in the order of their numbers."""
        return list(self._numbers)

    def cite_extract(self, extract: ExtractedSentence, label: str, start: int) -> Citation:
        """Of what the extractive answerer says: the sentence itself, so nothing is left to be looked for."""
        made = self._build_citation(
            extract.passage_index, extract.scored, label, start, EXACT, extract.sub_question_index
        )
        return replace(made, quoted=VERIFIED)

    def cite_reference(self, reference: ResolvedReference, claim: str, start: int, end: int) -> Citation:
        """Of what a model wrote: the words it quotes, or else the sentence that says most nearly what it says."""
        at = self.choose_passage(reference, claim)
        piece = self.answer_passages[at]
        asked, best = piece.best_sentence
        quoted, compared = self._locate_quote(piece, reference.quote) if reference.quote else (None, None)
        scored = quoted or self._find_nearest_sentence(piece, claim) or best
        made = self._build_citation(at, scored, reference.label, start, reference.tier, asked, end)
        return replace(made, quoted=compared.state, differs=compared.differs) if compared else made

    def choose_passage(self, reference: ResolvedReference, claim: str) -> int:
        """Of several passages of one document that a mark may mean, the one that says what is claimed."""
        several = (reference.source, *reference.alternatives)
        if len(several) == 1 or not claim.strip():
            return reference.source
        said = {at: self._find_nearest_sentence(self.answer_passages[at], reference.quote or claim) for at in several}
        return max(several, key=lambda at: nearest.similarity if (nearest := said[at]) else 0.0)

    def cite_claim(self, claim: Claim, source: int, support: ClaimEvidence) -> Citation:
        """Of a claim without a mark, by the sentence that says it."""
        piece = self.answer_passages[source]
        first = piece.chunk.start if piece.chunk else 0
        start, end = first + support.start, first + support.end
        page = next((one.page for one in self._passage_sentences(piece) if one.start <= start < one.end), 0)
        scored = ScoredSentence(
            Sentence(0, start, end, support.text, page), 0.0, self._sentence_score(piece, start), True
        )
        return self._build_citation(source, scored, "", claim.end, ATTRIBUTED_TIER, piece.best_sentence[0], claim.end)

    def _locate_quote(self, passage: AnswerPassage, quote: str) -> tuple[ScoredSentence | None, QuotationCheck]:
        compared = check_quote(quote, passage.source.text)
        if compared.state == NOT_FOUND:
            return None, compared
        first = passage.chunk.start if passage.chunk else 0
        start, end = first + compared.start, first + compared.end
        text = passage.source.text[compared.start : compared.end]
        page = next((s.page for s in self._passage_sentences(passage) if s.start <= start < s.end), 0)
        return ScoredSentence(
            Sentence(0, start, end, text, page), 0.0, self._sentence_score(passage, start), True
        ), compared

    def _sentence_score(self, passage: AnswerPassage, start: int) -> float:
        every = (one for _, evidence in passage.evidence for one in evidence.sentences)
        return max((one.score for one in every if one.sentence.start <= start < one.sentence.end), default=0.0)

    def _passage_sentences(self, passage: AnswerPassage) -> list[Sentence]:
        return [one.sentence for one in passage.evidence[0][1].sentences] if passage.evidence else []

    def _find_nearest_sentence(self, passage: AnswerPassage, claim: str) -> ScoredSentence | None:
        """Which sentence of the source says what the claim says; its chance stays that of the sub-question."""
        if not claim.strip():
            return None
        held = (
            self.passage_highlighter.highlight_chunk(claim, passage.chunk, quick=True)
            if passage.chunk
            else self.passage_highlighter.highlight_text(claim, passage.source.text)
        )
        best = max(held.sentences, key=lambda one: one.score, default=None)
        if best is None or not best.highlighted:
            return None
        return ScoredSentence(best.sentence, best.similarity, self._sentence_score(passage, best.sentence.start), True)

    def _build_citation(
        self,
        passage_index: int,
        scored: ScoredSentence | None,
        label: str,
        start: int,
        tier: str,
        sub_question_index: int,
        end: int | None = None,
    ) -> Citation:
        piece = self.answer_passages[passage_index]
        source, document = piece.source, piece.document
        first = piece.chunk.start if piece.chunk else 0
        here, there = (scored.sentence.start, scored.sentence.end) if scored else (first, first)
        anchor = Anchor.from_span(source.text, here - first, there - first)
        page = (scored.sentence.page if scored else 0) or (source.pages[0] if source.pages else 0)
        return Citation(
            number=self.assign_number(passage_index), label=label, start=start, end=start + len(label) if end is None else end, tier=tier, source=passage_index,
            document_id=source.document_id, filename=source.filename, sha256=document.sha256 if document else "",
            page=page, chunk_index=source.chunk_index,
            chunk=(piece.chunk.pipeline, piece.chunk.start, piece.chunk.end) if piece.chunk else None, quote=anchor.exact, quote_start=here, quote_end=there,
            prefix=anchor.prefix, suffix=anchor.suffix, probability=scored.score if scored else 0.0,
            sub_question=self.questions[sub_question_index], sub_question_index=sub_question_index,
        )  # fmt: skip
