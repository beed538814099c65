"""A question held against a passage: a chunk from the store, or a text of the caller's own."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from highlighter.embedder import Embedder
from highlighter.errors import BadRequest, Unavailable
from highlighter.evidence.scorer import Scorer, unscored, whole
from highlighter.locale import N_
from highlighter.models import Chunk, Evidence, Sentence
from highlighter.sentences import split_sentences
from highlighter.store.catalog import Catalog

log = logging.getLogger(__name__)

NO_MODEL = N_("The embedding model is not available, so nothing is highlighted. The text itself is complete.")
# A text that is not kept is read at each call: more than this would keep its caller waiting for a minute.
MOST_SENTENCES = 5_000
NO_SENTENCES = N_("The sentences could not be told apart, so the whole passage is marked.")


def _names(heading: tuple[int, int, int], sentence: Sentence) -> bool:
    """Whether a sentence is but a heading, and the stop after it where the heading runs in with its clause."""
    start, end, _ = heading
    return start <= sentence.start < end and sentence.end <= end + 1


class Passages:
    def __init__(self, catalog: Catalog, embedder: Embedder, scorer: Scorer, method: str, threshold: float):
        self.catalog = catalog
        self.embedder = embedder
        self.scorer = scorer
        self.method = method
        self.threshold = threshold

    def chunk(
        self, question: str, chunk: Chunk, method: str = "", threshold: float | None = None, quick: bool = False
    ) -> Evidence:
        """Sentence vectors come from the store; only the question is read by the embedder."""
        sentences, vectors = self.catalog.sentences(chunk, self.embedder.name)
        if not sentences:
            sentences = [Sentence(0, chunk.start, chunk.end, chunk.text, chunk.first_page)]
            return whole(question, sentences[0], *self._how(threshold, method), NO_SENTENCES)
        titles = frozenset(s.index for s in sentences if any(_names(heading, s) for heading in chunk.headings))
        return self._held(question, sentences, vectors, method, threshold, titles, quick)

    def text(self, question: str, text: str, method: str = "", threshold: float | None = None) -> Evidence:
        """A text that is not kept; offsets index the caller's own."""
        try:
            spans = split_sentences(text)
        except Exception:
            log.exception("A text of %d characters could not be split into sentences", len(text))
            return whole(question, Sentence(0, 0, len(text), text), *self._how(threshold, method), NO_SENTENCES)
        if len(spans) > MOST_SENTENCES:
            raise BadRequest(
                f"The text has {len(spans):,} sentences; {MOST_SENTENCES:,} are the most that are read at once."
                " Take it in as a document, and ask that."
            )
        sentences = [Sentence(n, span.start_char, span.end_char, span.text) for n, span in enumerate(spans)]
        return self._held(question, sentences, None, method, threshold)

    def plain(self, sentences: Sequence[Sentence]) -> Evidence:
        """A passage that was asked nothing."""
        return unscored("", sentences, self.threshold, self.method, "")

    def _held(
        self,
        question: str,
        sentences: Sequence[Sentence],
        vectors: np.ndarray | None,
        method: str,
        threshold: float | None,
        titles: frozenset[int] = frozenset(),
        quick: bool = False,
    ) -> Evidence:
        threshold, method = self._how(threshold, method)
        try:
            question_vector = self.embedder.question(question)
            if vectors is None:  # not stored, or stored by another model
                vectors = self.embedder.encode([sentence.text for sentence in sentences])
        except Unavailable as err:
            log.warning("%s", err.detail)
            return unscored(question, sentences, threshold, method, NO_MODEL)
        return self.scorer.score(question, question_vector, sentences, vectors, method, threshold, titles, quick)

    def _how(self, threshold: float | None, method: str) -> tuple[float, str]:
        return (self.threshold if threshold is None else threshold), (method or self.method)
