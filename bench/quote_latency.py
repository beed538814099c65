"""The time to locate a quote, in documents of ten pages to a thousand."""

from __future__ import annotations

import random
import time

from bench.quote_damage import DAMAGES
from bench.stores import make_varied_words, make_vectors, store_document
from bench.table import format_ms, percentile
from highlighter.models import Document
from highlighter.services import Services

PAGES, CHARACTERS_PER_PAGE, ROUNDS = (10, 100, 400, 1000), 3_000, 9


def print_latency(services: Services) -> None:
    """Print the time of a first request, which reads and normalises the document's text, and of a repeated one."""
    services.embedder.load()
    print("| pages | quote | first (median of 9) | again |\n|---|---|---|---|")
    for pages in PAGES:
        document, sentences = _store_long_document(services, pages)
        rng = random.Random(pages)
        for name, damage in (("exact", DAMAGES["as it stands"]), ("a typo", DAMAGES["a typo"]), ("not there", None)):
            first: list[float] = []
            repeated: list[float] = []
            for number in range(ROUNDS):
                damaged = damage(rng, rng.choice(sentences)) if damage else None
                quote = damaged or _make_sentence(rng, f"absent {number}")
                services.quote_locator.text_cache.clear()
                for seconds in (first, repeated):
                    start = time.perf_counter()
                    services.quote_locator.locate(quote, document)
                    seconds.append(time.perf_counter() - start)
            print(
                f"| {pages} | {name} | {format_ms(percentile(first, 0.5))} | {format_ms(percentile(repeated, 0.5))} |"
            )


def _store_long_document(services: Services, pages: int) -> tuple[Document, list[str]]:
    sentences: list[str] = []
    rng, size = random.Random(pages), 0
    while size < pages * CHARACTERS_PER_PAGE:
        sentences.append(_make_sentence(rng, str(len(sentences))))
        size += len(sentences[-1]) + 1
    return store_document(services, sentences, f"long-{pages}", make_vectors(rng, len(sentences))), sentences


def _make_sentence(rng: random.Random, name: str) -> str:
    return f"{' '.join(make_varied_words(rng, rng.randint(12, 28))).capitalize()} {name}."
