"""Compute vectors for sentences that have none yet, and save them batch by batch."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.models import Sentence
from highlighter.store.catalog import compute_text_hash
from ingest.cluster_tasks import encode_on_cluster
from ingest.context import ProcessingContext

# Large enough for padding to cost little (the model sorts a batch by length), small enough for a smooth bar and for a
# kill to lose only seconds of work.
BATCH_SENTENCES = 1024

_encoder_lock = threading.Lock()  # the model uses every core by itself


def embed_sentences(
    texts: Sequence[str], services: ProcessingContext, progress: Callable[[str, int, int], None]
) -> None:
    """Compute and save the vectors of the texts that the catalog has none for."""
    model = services.embedder.name
    by_hash = {compute_text_hash(text): text for text in texts}
    unknown = services.catalog.find_hashes_without_vector(by_hash, model)
    missing = [key for key in by_hash if key in unknown]
    total, done = len(texts), len(texts) - len(missing)
    progress("embedding", done, total)
    for start in range(0, len(missing), BATCH_SENTENCES):
        batch = missing[start : start + BATCH_SENTENCES]
        vectors = _encode([by_hash[key] for key in batch], services)
        services.catalog.save_vectors(batch, vectors, model)
        done += len(batch)
        progress("embedding", done, total)


def _encode(texts: Sequence[str], services: ProcessingContext) -> np.ndarray:
    """Compute vectors on the cluster, where there is one, or here."""
    if services.cluster:
        return encode_on_cluster(services.cluster, services.embedder.name, texts)
    with _encoder_lock:
        return services.embedder.encode(texts)


# A sentence longer than the embedder's limit is split, or its end would not be in its vector.

# Where to split, best first: after a clause, after a comma, at a space, anywhere.
_BREAK_PATTERNS = (re.compile(r"[;:；：]\s*"), re.compile(r"[,，、]\s*"), re.compile(r"\s+"))
MAX_UNCOUNTED_CHARACTERS = 250  # shorter sentences fit the embedder's limit, so their tokens are not counted


def split_long_sentences(
    sentences: Sequence[tuple[int, Sentence]], embedder: Embedder
) -> tuple[tuple[int, Sentence], ...]:
    """Return the (chunk index, sentence) pairs with long sentences split and all sentences renumbered."""
    limit = None
    result: list[tuple[int, Sentence]] = []
    long_positions = _find_long_sentences(sentences, embedder)
    for position, (chunk, sentence) in enumerate(sentences):
        if position in long_positions:
            limit = limit or embedder.max_tokens
            result.extend((chunk, part) for part in _split_sentence(sentence, embedder, limit))
        else:
            result.append((chunk, sentence))
    return tuple((chunk, replace(sentence, index=index)) for index, (chunk, sentence) in enumerate(result))


def _find_long_sentences(sentences: Sequence[tuple[int, Sentence]], embedder: Embedder) -> set[int]:
    # A token is at least one character: short sentences need no counting, and a store of them needs no model.
    candidates = [
        position for position, (_, sentence) in enumerate(sentences) if len(sentence.text) > MAX_UNCOUNTED_CHARACTERS
    ]
    if not candidates:
        return set()
    counts = embedder.count_tokens([sentences[position][1].text for position in candidates])
    return {position for position, count in zip(candidates, counts, strict=True) if count > embedder.max_tokens}


def _split_sentence(sentence: Sentence, embedder: Embedder, limit: int) -> Iterable[Sentence]:
    spans = list(_split_span(sentence.text, 0, len(sentence.text), embedder, limit))
    for start, end in spans:
        words = sentence.text[start:end]
        start += len(words) - len(words.lstrip())
        end -= len(words) - len(words.rstrip())
        if start < end:
            yield replace(
                sentence, start=sentence.start + start, end=sentence.start + end, text=sentence.text[start:end]
            )


def _split_span(text: str, start: int, end: int, embedder: Embedder, limit: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span, halved near the middle until each part fits the embedder's limit."""
    if end - start <= MAX_UNCOUNTED_CHARACTERS or embedder.count_tokens([text[start:end]])[0] <= limit:
        yield start, end
        return
    middle = _find_break(text, start, end)
    yield from _split_span(text, start, middle, embedder, limit)
    yield from _split_span(text, middle, end, embedder, limit)


def _find_break(text: str, start: int, end: int) -> int:
    centre, reach = (start + end) // 2, (end - start) // 4
    for pattern in _BREAK_PATTERNS:
        breaks = [match.end() for match in pattern.finditer(text, centre - reach, centre + reach)]
        if breaks:
            return min(breaks, key=lambda offset: abs(offset - centre))
    return centre
