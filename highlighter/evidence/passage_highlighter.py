"""Highlighting the sentences of a passage that answer a question: a stored chunk, or a caller's own text."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import PurePath
from threading import Lock

import numpy as np
from cachetools import LRUCache

from highlighter.embedding.embedder import Embedder
from highlighter.errors import BadRequest, CpuBudgetExceeded, Unavailable
from highlighter.evidence.document_names import ask_about_heading, find_head_end, remove_document_names
from highlighter.evidence.scorer import (
    EvidenceScorer,
    build_evidence,
    build_unscored_evidence,
    build_whole_passage_evidence,
)
from highlighter.locale import N_
from highlighter.models import Chunk, Evidence, Sentence
from highlighter.monitoring.metrics import EVIDENCE_CACHE_LOOKUPS, HIT, MISS
from highlighter.store.catalog import Catalog
from highlighter.store.evidence_scores import EvidenceScoreStore, PassageScores
from highlighter.text.document_tables import DocumentTables
from highlighter.text.model_instructions import find_model_instructions
from highlighter.text.sentences import split_sentences
from highlighter.text.terms import extract_terms

log = logging.getLogger(__name__)

NOTHING_HIGHLIGHTED = N_(
    "The embedding model is not available, so nothing is highlighted. The text itself is complete."
)
# A caller's own text is encoded anew at each call: a longer one would keep its caller waiting for a minute.
MAX_TEXT_SENTENCES = 5_000
# Chunks with their scored sentences that are remembered: some kilobytes each.
MAX_CACHED_EVIDENCE = 1_000
EvidenceKey = tuple[str, Chunk, str, float, bool]  # question, chunk, method, threshold, quick
_QUESTION_MARKS = ("?", "？", "؟")
WHOLE_PASSAGE_HIGHLIGHTED = N_("The text could not be split into sentences, so the whole passage is highlighted.")


def _find_headings(chunk: Chunk, sentences: Sequence[Sentence]) -> frozenset[int]:
    return frozenset(s.index for s in sentences if any(_is_heading(heading, s) for heading in chunk.headings))


def _find_header_rows(tables: DocumentTables, chunk: Chunk, sentences: Sequence[Sentence]) -> frozenset[int]:
    """Return the header rows of a chunk's tables where rows stand below: the row that answers should be highlighted."""
    header_spans = [span for table in tables.tables for span in tables.header_spans(table)]
    return frozenset(
        sentence.index
        for sentence in sentences
        if any(start <= sentence.start < end < chunk.end for start, end in header_spans)
    )


def _read_below_headings(
    question: str, chunk: Chunk, sentences: Sequence[Sentence], vectors: np.ndarray | None
) -> tuple[list[Sentence], np.ndarray | None]:
    """Return sentences as models read them: with the heading above them, where that is a question or the question names it.

    "Not all of them." answers "Are the cargo bikes electric?" only together with this heading.
    """
    headings = [(start, end, chunk.text[start - chunk.start : end - chunk.start]) for start, end, _ in chunk.headings]
    read = list(sentences)
    read_vectors = None if vectors is None else vectors.copy()
    question_terms = frozenset(extract_terms(question))
    for row, sentence in enumerate(sentences):
        start, end, heading = max((h for h in headings if h[0] <= sentence.start), default=(0, 0, ""))
        if sentence.start < end or not _is_read_with_sentences(heading, question_terms):
            continue
        read[row] = replace(sentence, heading=_format_heading(heading))
        above = next((index for index, other in enumerate(sentences) if other.start >= start), row)
        if read_vectors is not None and vectors is not None:
            both = vectors[above] + vectors[row]
            read_vectors[row] = both / max(float(np.linalg.norm(both)), 1e-9)
    return read, read_vectors


def _is_read_with_sentences(heading: str, question_terms: frozenset[str]) -> bool:
    """Return whether a heading is a question, or has no other words than a question does."""
    if heading.rstrip().endswith(_QUESTION_MARKS):
        return True
    terms = [term for term in extract_terms(heading) if not term.isdigit()]
    return bool(terms) and question_terms.issuperset(terms)


def _format_heading(heading: str) -> str:
    text = " ".join(heading.split())
    return text if text.endswith((*_QUESTION_MARKS, ":", "：")) else f"{text.rstrip('.')}:"


def _is_heading(heading: tuple[int, int, int], sentence: Sentence) -> bool:
    """Return whether a sentence is only a heading, perhaps with the stop after a heading that runs into its clause."""
    start, end, _ = heading
    return start <= sentence.start < end and sentence.end <= end + 1


class PassageHighlighter:
    """Finds the sentences of one passage that answer a question."""

    def __init__(self, catalog: Catalog, embedder: Embedder, scorer: EvidenceScorer, method: str, threshold: float):
        self.catalog = catalog
        self.embedder = embedder
        self.scorer = scorer
        self.method = method
        self.threshold = threshold
        self.stored_scores = EvidenceScoreStore(catalog.engine)
        self._evidence_cache: LRUCache[EvidenceKey, Evidence] = LRUCache(MAX_CACHED_EVIDENCE)
        self._cache_lock = Lock()

    def highlight_chunk(
        self, question: str, chunk: Chunk, method: str = "", threshold: float | None = None, quick: bool = False
    ) -> Evidence:
        """Return the evidence in a stored chunk. Only the question is encoded: sentence vectors come from the store.

        What was found lately, or for a stored answer, is returned again: a click on a citation asks for what the answer
        has found.
        """
        threshold, method = self._choose_threshold_and_method(threshold, method)
        try:
            return self._find_or_recall_evidence(question, chunk, method, threshold, quick)
        except Unavailable as err:
            log.warning("%s", err.detail)
            sentences, _ = self.catalog.sentences(chunk, self.embedder.name)
            return _mark_instructions(
                build_unscored_evidence(question, sentences, threshold, method, NOTHING_HIGHLIGHTED)
            )

    def _find_or_recall_evidence(
        self, question: str, chunk: Chunk, method: str, threshold: float, quick: bool
    ) -> Evidence:
        key = (question, chunk, method, threshold, quick)
        with self._cache_lock:
            evidence = self._evidence_cache.get(key)
        EVIDENCE_CACHE_LOOKUPS.labels(MISS if evidence is None else HIT).inc()
        if evidence is None:
            evidence = self._find_evidence(*key)
            with self._cache_lock:
                self._evidence_cache[key] = evidence
        return evidence

    def _find_evidence(self, question: str, chunk: Chunk, method: str, threshold: float, quick: bool) -> Evidence:
        sentences, vectors = self.catalog.sentences(chunk, self.embedder.name)
        if not sentences:
            whole_chunk = Sentence(0, chunk.start, chunk.end, chunk.text, chunk.first_page)
            return _mark_instructions(
                build_whole_passage_evidence(question, whole_chunk, threshold, method, WHOLE_PASSAGE_HIGHLIGHTED)
            )
        tables = self._find_tables(chunk)
        if tables.tables:
            sentences = [replace(sentence, row=tables.read_row(sentence.start, sentence.end)) for sentence in sentences]
        sentences, vectors = _read_below_headings(question, chunk, sentences, vectors)
        stored = None if quick else self.stored_scores.find_scores(chunk, question, method, self._scorer_name)
        if stored is not None and len(stored.scores) == len(sentences):
            return _mark_instructions(
                build_evidence(question, sentences, stored.similarities, stored.scores, method, threshold)
            )
        heading_indexes = _find_headings(chunk, sentences) | _find_header_rows(tables, chunk, sentences)
        evidence = self._score_sentences(
            question, sentences, vectors, method, threshold, heading_indexes=heading_indexes, quick=quick
        )
        unnamed_question = self._remove_document_names(question, chunk, sentences, heading_indexes)
        if unnamed_question == question:
            return evidence
        unnamed = self._score_sentences(
            unnamed_question, sentences, vectors, method, threshold, heading_indexes=heading_indexes, quick=quick
        )
        return _take_higher_scores(evidence, unnamed)

    def _remove_document_names(
        self, question: str, chunk: Chunk, sentences: Sequence[Sentence], heading_indexes: frozenset[int]
    ) -> str:
        """Return a question without what names the document of a chunk, and no sentence below its head says."""
        document = self.catalog.document(chunk.document_id)
        first = chunk if chunk.index == 0 or document is None else self.catalog.chunk(document, 0, chunk.pipeline)
        if document is None or first is None:
            return question
        head_end = find_head_end(first)
        naming_texts = [PurePath(document.name).stem, first.text[: head_end - first.start], chunk.section]
        below = [s.text for s in sentences if s.index not in heading_indexes and s.start >= head_end]
        headings = [chunk.text[start - chunk.start : end - chunk.start] for start, end, _ in chunk.headings]
        return ask_about_heading(remove_document_names(question, naming_texts, below), headings)

    def _find_tables(self, chunk: Chunk) -> DocumentTables:
        document = self.catalog.document(chunk.document_id) if "\t" in chunk.text else None
        return self.catalog.tables(document, chunk) if document else DocumentTables()

    def save_evidence(self, found: Iterable[tuple[Chunk, Evidence]]) -> None:
        """Store what an answer found in chunks, so that a click on one of its citations computes nothing."""
        self.stored_scores.save_scores(
            (
                PassageScores(
                    chunk,
                    evidence.question,
                    evidence.method,
                    np.array([scored.similarity for scored in evidence.sentences]),
                    np.array([scored.score for scored in evidence.sentences]),
                )
                for chunk, evidence in found
                if not evidence.degraded
            ),
            self._scorer_name,
        )

    @cached_property
    def _scorer_name(self) -> str:
        return f"{self.scorer.fingerprint[:32]} {self.embedder.name}"

    def highlight_text(
        self, question: str, text: str, method: str = "", threshold: float | None = None, quick: bool = False
    ) -> Evidence:
        """Return the evidence in a text that is not stored. Offsets refer to that text."""
        try:
            sentences = _split_passage(text)
        except CpuBudgetExceeded:
            raise
        except Exception:
            log.exception("A text of %d characters could not be split into sentences", len(text))
            whole_text = Sentence(0, 0, len(text), text)
            threshold, method = self._choose_threshold_and_method(threshold, method)
            return _mark_instructions(
                build_whole_passage_evidence(question, whole_text, threshold, method, WHOLE_PASSAGE_HIGHLIGHTED)
            )
        if len(sentences) > MAX_TEXT_SENTENCES:
            raise BadRequest(
                N_(
                    "The text has {count:,} sentences; the limit is {limit:,}. Upload it as a document instead.",
                    count=len(sentences),
                    limit=MAX_TEXT_SENTENCES,
                )
            )
        threshold, method = self._choose_threshold_and_method(threshold, method)
        try:
            return self._score_sentences(question, sentences, None, method, threshold, quick=quick)
        except Unavailable as err:
            log.warning("%s", err.detail)
            return _mark_instructions(
                build_unscored_evidence(question, sentences, threshold, method, NOTHING_HIGHLIGHTED)
            )

    def build_plain_evidence(self, sentences: Sequence[Sentence]) -> Evidence:
        """Return a passage without any scores, for a passage without a question."""
        return _mark_instructions(build_unscored_evidence("", sentences, self.threshold, self.method, ""))

    def _score_sentences(
        self,
        question: str,
        sentences: Sequence[Sentence],
        vectors: np.ndarray | None,
        method: str,
        threshold: float,
        *,
        heading_indexes: frozenset[int] = frozenset(),
        quick: bool = False,
    ) -> Evidence:
        question_vector = self.embedder.encode_question(question)
        if vectors is None:  # not stored, or stored by another model
            vectors = self.embedder.encode([sentence.text for sentence in sentences])
        return _mark_instructions(
            self.scorer.score(
                question,
                question_vector,
                sentences,
                vectors,
                method,
                threshold,
                heading_indexes=heading_indexes,
                quick=quick,
            )
        )

    def _choose_threshold_and_method(self, threshold: float | None, method: str) -> tuple[float, str]:
        return (self.threshold if threshold is None else threshold), (method or self.method)


def _take_higher_scores(evidence: Evidence, other: Evidence) -> Evidence:
    """Return evidence with the higher score of each sentence for two wordings of its question."""
    pairs = zip(evidence.sentences, other.sentences, strict=True)
    sentences = tuple(
        replace(scored, score=max(scored.score, again.score), highlighted=scored.highlighted or again.highlighted)
        for scored, again in pairs
    )
    return replace(evidence, sentences=sentences)


def _mark_instructions(evidence: Evidence) -> Evidence:
    """Return evidence in which the sentences that instruct a language model are marked, and no evidence."""
    instructions = find_model_instructions([scored.sentence.text for scored in evidence.sentences])
    if not instructions:
        return evidence
    sentences = (
        replace(scored, score=0.0, highlighted=False, instructs_software=True) if index in instructions else scored
        for index, scored in enumerate(evidence.sentences)
    )
    return replace(evidence, sentences=tuple(sentences))


# Large enough for the model to sort a batch by length and waste little on padding, small enough for steady progress.
PASSAGES_PER_BATCH = 64


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """A caller's own text with the question that it is highlighted for."""

    id: object
    question: str
    context: str


def highlight_passages(
    passages: Iterable[PassageRequest], embedder: Embedder, scorer: EvidenceScorer, method: str, threshold: float
) -> Iterator[tuple[PassageRequest, Evidence]]:
    """Yield the evidence of many passages in their order.

    Sentences are encoded in large batches; a sentence or question that occurs twice in a batch is encoded once.
    """
    remaining = iter(passages)
    while batch := list(islice(remaining, PASSAGES_PER_BATCH)):
        split_passages = [_split_passage(passage.context) for passage in batch]
        texts = {sentence.text for sentences in split_passages for sentence in sentences}
        rows = {text: row for row, text in enumerate(sorted(texts, key=len))}
        vectors = embedder.encode(list(rows))
        question_vectors = embedder.encode_questions([passage.question for passage in batch])
        for passage, sentences, question_vector in zip(batch, split_passages, question_vectors, strict=True):
            sentence_vectors = vectors[[rows[sentence.text] for sentence in sentences]]
            yield (
                passage,
                _mark_instructions(
                    scorer.score(passage.question, question_vector, sentences, sentence_vectors, method, threshold)
                ),
            )


def _split_passage(text: str) -> list[Sentence]:
    spans = split_sentences(text)
    return [Sentence(index, span.start_char, span.end_char, span.text) for index, span in enumerate(spans)]
