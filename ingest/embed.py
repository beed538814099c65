"""Vectors for sentences that no one has read before, kept batch by batch."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from highlighter.services import Services
from highlighter.store.catalog import text_hash

# Large enough for padding to cost little (the model sorts a batch by length), small enough for a smooth bar and for a
# kill to lose only seconds of work.
SENTENCES_AT_ONCE = 1024

_one_at_a_time = threading.Lock()  # the model already uses every core


def embed(texts: Sequence[str], services: Services, progress: Callable[[str, int, int], None]) -> None:
    model = services.embedder.name
    by_hash = {text_hash(text): text for text in texts}
    unknown = services.catalog.unknown(by_hash, model)
    missing = [key for key in by_hash if key in unknown]
    total, done = len(texts), len(texts) - len(missing)
    progress("embedding", done, total)
    for at in range(0, len(missing), SENTENCES_AT_ONCE):
        some = missing[at : at + SENTENCES_AT_ONCE]
        with _one_at_a_time:
            rows = services.embedder.encode([by_hash[key] for key in some])
        services.catalog.keep_vectors(some, rows, model)
        done += len(some)
        progress("embedding", done, total)
