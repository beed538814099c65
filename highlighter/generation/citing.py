"""From a mark in an answer to the words of a document that it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from highlighter.citations.anchors import Anchor
from highlighter.citations.known import EXACT
from highlighter.evidence.passages import Passages
from highlighter.generation.extractive import Quoted
from highlighter.generation.gather import Piece
from highlighter.grounding.quotes import NOT_FOUND, VERIFIED, Compared, check_quote
from highlighter.models import Citation, Claim, Resolved, Scored, Sentence, Support

# The tier of a citation that nobody wrote.
ATTRIBUTED = "attributed"


class Citer:
    """Makes citations of one answer: numbers its sources in the order in which they are cited."""

    def __init__(self, pieces: Sequence[Piece], questions: Sequence[str], passages: Passages):
        self.pieces = pieces
        self.questions = questions
        self.passages = passages
        self._numbers: dict[int, int] = {}

    def number(self, piece: int) -> int:
        return self._numbers.setdefault(piece, len(self._numbers) + 1)

    @property
    def cited(self) -> list[int]:
        """The pieces cited, in the order of their numbers."""
        return list(self._numbers)

    def quoted(self, quoted: Quoted, label: str, start: int) -> Citation:
        """Of what the extractive answerer says: the sentence itself, so nothing is left to be looked for."""
        made = self._citation(quoted.piece, quoted.scored, label, start, EXACT, quoted.sub_question)
        return replace(made, quoted=VERIFIED)

    def resolved(self, resolved: Resolved, claim: str, start: int, end: int) -> Citation:
        """Of what a model wrote: the words it quotes, or else the sentence that says most nearly what it says."""
        at = self.meant(resolved, claim)
        piece = self.pieces[at]
        asked, best = piece.best
        quoted, compared = self._located(piece, resolved.quote) if resolved.quote else (None, None)
        scored = quoted or self._nearest(piece, claim) or best
        made = self._citation(at, scored, resolved.label, start, resolved.tier, asked, end)
        return replace(made, quoted=compared.state, differs=compared.differs) if compared else made

    def meant(self, resolved: Resolved, claim: str) -> int:
        """Of several passages of one document that a mark may mean, the one that says what is claimed."""
        several = (resolved.source, *resolved.also)
        if len(several) == 1 or not claim.strip():
            return resolved.source
        said = {at: self._nearest(self.pieces[at], resolved.quote or claim) for at in several}
        return max(several, key=lambda at: nearest.similarity if (nearest := said[at]) else 0.0)

    def attributed(self, claim: Claim, source: int, support: Support) -> Citation:
        """Of a claim without a mark, by the sentence that says it."""
        piece = self.pieces[source]
        first = piece.chunk.start if piece.chunk else 0
        start, end = first + support.start, first + support.end
        page = next((one.page for one in self._sentences(piece) if one.start <= start < one.end), 0)
        scored = Scored(Sentence(0, start, end, support.text, page), 0.0, self._chance(piece, start), True)
        return self._citation(source, scored, "", claim.end, ATTRIBUTED, piece.best[0], claim.end)

    def _located(self, piece: Piece, quote: str) -> tuple[Scored | None, Compared]:
        compared = check_quote(quote, piece.source.text)
        if compared.state == NOT_FOUND:
            return None, compared
        first = piece.chunk.start if piece.chunk else 0
        start, end = first + compared.start, first + compared.end
        text = piece.source.text[compared.start : compared.end]
        page = next((s.page for s in self._sentences(piece) if s.start <= start < s.end), 0)
        return Scored(Sentence(0, start, end, text, page), 0.0, self._chance(piece, start), True), compared

    def _chance(self, piece: Piece, start: int) -> float:
        every = (one for _, evidence in piece.evidence for one in evidence.sentences)
        return max((one.score for one in every if one.sentence.start <= start < one.sentence.end), default=0.0)

    def _sentences(self, piece: Piece) -> list[Sentence]:
        return [one.sentence for one in piece.evidence[0][1].sentences] if piece.evidence else []

    def _nearest(self, piece: Piece, claim: str) -> Scored | None:
        """Which sentence of the source says what the claim says; its chance stays that of the sub-question."""
        if not claim.strip():
            return None
        held = (
            self.passages.chunk(claim, piece.chunk, quick=True)
            if piece.chunk
            else self.passages.text(claim, piece.source.text)
        )
        best = max(held.sentences, key=lambda one: one.score, default=None)
        if best is None or not best.highlighted:
            return None
        return Scored(best.sentence, best.similarity, self._chance(piece, best.sentence.start), True)

    def _citation(
        self, at: int, scored: Scored | None, label: str, start: int, tier: str, asked: int, end: int | None = None
    ) -> Citation:
        piece = self.pieces[at]
        source, document = piece.source, piece.document
        first = piece.chunk.start if piece.chunk else 0
        here, there = (scored.sentence.start, scored.sentence.end) if scored else (first, first)
        anchor = Anchor.of(source.text, here - first, there - first)
        page = (scored.sentence.page if scored else 0) or (source.pages[0] if source.pages else 0)
        return Citation(
            number=self.number(at), label=label, start=start, end=start + len(label) if end is None else end, tier=tier, source=at,
            document_id=source.document_id, filename=source.filename, sha256=document.sha256 if document else "",
            page=page, chunk_index=source.chunk_index,
            chunk=(piece.chunk.pipeline, piece.chunk.start, piece.chunk.end) if piece.chunk else None, quote=anchor.exact, quote_start=here, quote_end=there,
            prefix=anchor.prefix, suffix=anchor.suffix, probability=scored.score if scored else 0.0,
            sub_question=self.questions[asked], sub_question_index=asked,
        )  # fmt: skip
