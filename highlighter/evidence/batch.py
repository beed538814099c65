"""Many passages, one after another, at the speed of the embedder: their sentences are read in large batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from highlighter.embedder import Embedder
from highlighter.evidence.scorer import Scorer
from highlighter.models import Evidence, Sentence
from highlighter.sentences import split_sentences

# Large enough for the model to sort a batch by length and waste little on padding, small enough for a steady bar.
PASSAGES_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Passage:
    """What a caller wants lit: a text of its own, and the question it is held against."""

    id: object
    question: str
    context: str


def highlight_many(
    passages: Iterable[Passage], embedder: Embedder, scorer: Scorer, method: str, threshold: float
) -> Iterator[tuple[Passage, Evidence]]:
    """In the order given. A sentence or question that occurs twice in a batch is read once."""
    waiting = iter(passages)
    while some := list(islice(waiting, PASSAGES_AT_ONCE)):
        split = [_sentences(passage.context) for passage in some]
        texts = {passage.question for passage in some}.union(s.text for sentences in split for s in sentences)
        rows = {text: row for row, text in enumerate(sorted(texts, key=len))}
        vectors = embedder.encode(list(rows))
        for passage, sentences in zip(some, split, strict=True):
            own = vectors[[rows[sentence.text] for sentence in sentences]]
            question = vectors[rows[passage.question]]
            yield passage, scorer.score(passage.question, question, sentences, own, method, threshold)


def _sentences(text: str) -> list[Sentence]:
    return [Sentence(n, span.start_char, span.end_char, span.text) for n, span in enumerate(split_sentences(text))]
