"""Vectors for sentences that no one has read before, kept batch by batch."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from highlighter.embedding.embedder import Embedder
from highlighter.models import Sentence
from highlighter.store.catalog import compute_text_hash
from ingest.context import IngestContext

# Large enough for padding to cost little (the model sorts a batch by length), small enough for a smooth bar and for a
# kill to lose only seconds of work.
BATCH_SENTENCES = 1024

_encoder_lock = threading.Lock()  # the model already uses every core


def embed_sentences(texts: Sequence[str], services: IngestContext, progress: Callable[[str, int, int], None]) -> None:
    model = services.embedder.name
    by_hash = {compute_text_hash(text): text for text in texts}
    unknown = services.catalog.find_hashes_without_vector(by_hash, model)
    missing = [key for key in by_hash if key in unknown]
    total, done = len(texts), len(texts) - len(missing)
    progress("embedding", done, total)
    for at in range(0, len(missing), BATCH_SENTENCES):
        some = missing[at : at + BATCH_SENTENCES]
        with _encoder_lock:
            rows = services.embedder.encode([by_hash[key] for key in some])
        services.catalog.save_vectors(some, rows, model)
        done += len(some)
        progress("embedding", done, total)


# A sentence longer than the embedder reads is cut into pieces, or its end would count for nothing.


# The best places to cut, in falling order: after a clause, after a comma, at a space, anywhere.
_BREAK_PATTERNS = (re.compile(r"[;:；：]\s*"), re.compile(r"[,，、]\s*"), re.compile(r"\s+"))


def split_long_sentences(
    sentences: Sequence[tuple[int, Sentence]], embedder: Embedder
) -> tuple[tuple[int, Sentence], ...]:
    """The same sentences, (chunk, sentence) each, with long ones in pieces and all numbered anew."""
    limit = None
    found: list[tuple[int, Sentence]] = []
    suspects = _find_long_sentences(sentences, embedder)
    for position, (chunk, sentence) in enumerate(sentences):
        if position in suspects:
            limit = limit or embedder.max_tokens
            found.extend((chunk, piece) for piece in _split_sentence(sentence, embedder, limit))
        else:
            found.append((chunk, sentence))
    return tuple((chunk, replace(sentence, index=index)) for index, (chunk, sentence) in enumerate(found))


def _find_long_sentences(sentences: Sequence[tuple[int, Sentence]], embedder: Embedder) -> set[int]:
    # A word piece is at least one character, so short sentences need no counting, and a store of them no model.
    could_be = [at for at, (_, sentence) in enumerate(sentences) if len(sentence.text) > MAX_UNCOUNTED_CHARACTERS]
    if not could_be:
        return set()
    counts = embedder.count_tokens([sentences[at][1].text for at in could_be])
    return {at for at, count in zip(could_be, counts, strict=True) if count > embedder.max_tokens}


MAX_UNCOUNTED_CHARACTERS = 250


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
    """Cuts near the middle until each part is read whole."""
    if end - start <= MAX_UNCOUNTED_CHARACTERS or embedder.count_tokens([text[start:end]])[0] <= limit:
        yield start, end
        return
    middle = _find_break(text, start, end)
    yield from _split_span(text, start, middle, embedder, limit)
    yield from _split_span(text, middle, end, embedder, limit)


def _find_break(text: str, start: int, end: int) -> int:
    centre, reach = (start + end) // 2, (end - start) // 4
    for pattern in _BREAK_PATTERNS:
        places = [found.end() for found in pattern.finditer(text, centre - reach, centre + reach)]
        if places:
            return min(places, key=lambda place: abs(place - centre))
    return centre
