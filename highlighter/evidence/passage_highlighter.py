"""A question held against a passage: a chunk from the store, or a text of the caller's own."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.errors import BadRequest, Unavailable
from highlighter.evidence.scorer import EvidenceScorer, build_unscored_evidence, build_whole_passage_evidence
from highlighter.locale import N_
from highlighter.models import Chunk, Evidence, Sentence
from highlighter.store.catalog import Catalog
from highlighter.text.sentences import split_sentences

log = logging.getLogger(__name__)

NOTHING_HIGHLIGHTED = N_(
    "The embedding model is not available, so nothing is highlighted. The text itself is complete."
)
# A text that is not kept is read at each call: more than this would keep its caller waiting for a minute.
MAX_TEXT_SENTENCES = 5_000
WHOLE_PASSAGE_HIGHLIGHTED = N_("The text could not be split into sentences, so the whole passage is highlighted.")


def _is_heading(heading: tuple[int, int, int], sentence: Sentence) -> bool:
    """Whether a sentence is but a heading, and the stop after it where the heading runs in with its clause."""
    start, end, _ = heading
    return start <= sentence.start < end and sentence.end <= end + 1


class PassageHighlighter:
    def __init__(self, catalog: Catalog, embedder: Embedder, scorer: EvidenceScorer, method: str, threshold: float):
        self.catalog = catalog
        self.embedder = embedder
        self.scorer = scorer
        self.method = method
        self.threshold = threshold

    def highlight_chunk(
        self, question: str, chunk: Chunk, method: str = "", threshold: float | None = None, quick: bool = False
    ) -> Evidence:
        """Sentence vectors come from the store; only the question is read by the embedder."""
        sentences, vectors = self.catalog.sentences(chunk, self.embedder.name)
        if not sentences:
            sentences = [Sentence(0, chunk.start, chunk.end, chunk.text, chunk.first_page)]
            return build_whole_passage_evidence(
                question, sentences[0], *self._choose_threshold_and_method(threshold, method), WHOLE_PASSAGE_HIGHLIGHTED
            )
        titles = frozenset(s.index for s in sentences if any(_is_heading(heading, s) for heading in chunk.headings))
        return self._score_sentences(question, sentences, vectors, method, threshold, titles, quick)

    def highlight_text(self, question: str, text: str, method: str = "", threshold: float | None = None) -> Evidence:
        """A text that is not kept; offsets index the caller's own."""
        try:
            spans = split_sentences(text)
        except Exception:
            log.exception("A text of %d characters could not be split into sentences", len(text))
            return build_whole_passage_evidence(
                question,
                Sentence(0, 0, len(text), text),
                *self._choose_threshold_and_method(threshold, method),
                WHOLE_PASSAGE_HIGHLIGHTED,
            )
        if len(spans) > MAX_TEXT_SENTENCES:
            raise BadRequest(
                f"The text has {len(spans):,} sentences; the limit is {MAX_TEXT_SENTENCES:,}. "
                "Upload it as a document instead."
            )
        sentences = [Sentence(n, span.start_char, span.end_char, span.text) for n, span in enumerate(spans)]
        return self._score_sentences(question, sentences, None, method, threshold)

    def build_plain_evidence(self, sentences: Sequence[Sentence]) -> Evidence:
        """A passage that was asked nothing."""
        return build_unscored_evidence("", sentences, self.threshold, self.method, "")

    def _score_sentences(
        self,
        question: str,
        sentences: Sequence[Sentence],
        vectors: np.ndarray | None,
        method: str,
        threshold: float | None,
        heading_indexes: frozenset[int] = frozenset(),
        quick: bool = False,
    ) -> Evidence:
        threshold, method = self._choose_threshold_and_method(threshold, method)
        try:
            question_vector = self.embedder.encode_question(question)
            if vectors is None:  # not stored, or stored by another model
                vectors = self.embedder.encode([sentence.text for sentence in sentences])
        except Unavailable as err:
            log.warning("%s", err.detail)
            return build_unscored_evidence(question, sentences, threshold, method, NOTHING_HIGHLIGHTED)
        return self.scorer.score(
            question, question_vector, sentences, vectors, method, threshold, heading_indexes, quick
        )

    def _choose_threshold_and_method(self, threshold: float | None, method: str) -> tuple[float, str]:
        return (self.threshold if threshold is None else threshold), (method or self.method)


# Many passages, one after another, at the speed of the embedder: their sentences are read in large batches.


# Large enough for the model to sort a batch by length and waste little on padding, small enough for a steady bar.
PASSAGES_PER_BATCH = 64


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """What a caller wants lit: a text of its own, and the question it is held against."""

    id: object
    question: str
    context: str


def highlight_passages(
    passages: Iterable[PassageRequest], embedder: Embedder, scorer: EvidenceScorer, method: str, threshold: float
) -> Iterator[tuple[PassageRequest, Evidence]]:
    """In the order given. A sentence or question that occurs twice in a batch is read once."""
    waiting = iter(passages)
    while some := list(islice(waiting, PASSAGES_PER_BATCH)):
        split = [_split_passage(passage.context) for passage in some]
        texts = {passage.question for passage in some}.union(s.text for sentences in split for s in sentences)
        rows = {text: row for row, text in enumerate(sorted(texts, key=len))}
        vectors = embedder.encode(list(rows))
        for passage, sentences in zip(some, split, strict=True):
            own = vectors[[rows[sentence.text] for sentence in sentences]]
            question = vectors[rows[passage.question]]
            yield passage, scorer.score(passage.question, question, sentences, own, method, threshold)


def _split_passage(text: str) -> list[Sentence]:
    return [Sentence(n, span.start_char, span.end_char, span.text) for n, span in enumerate(split_sentences(text))]
