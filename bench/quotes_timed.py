"""How long a quote takes to be found, in documents of ten pages to a thousand."""

from __future__ import annotations

import random
import time

from bench.damage import DAMAGES
from bench.stores import document_of
from bench.table import ms, percentile
from highlighter.models import Document
from highlighter.services import Services

PAGES, CHARACTERS_A_PAGE, ROUNDS = (10, 100, 400, 1000), 3_000, 9


def times(services: Services) -> None:
    """Through the service, with the text read from SQL and normalised anew ("first"), and asked again."""
    services.embedder.load()
    print("| pages | quote | first (median of 9) | again |\n|---|---|---|---|")
    for pages in PAGES:
        document, sentences = _long_document(services, pages)
        drawn = random.Random(pages)
        for name, damage in (("exact", DAMAGES["as it stands"]), ("a typo", DAMAGES["a typo"]), ("not there", None)):
            first, again = [], []
            for number in range(ROUNDS):
                quote = damage(drawn, drawn.choice(sentences)) if damage else _sentence(drawn, f"absent {number}")
                services.quote_locator.text_cache.clear()  # nothing is at hand
                for seconds in (first, again):
                    began = time.perf_counter()
                    services.quote_locator.locate(quote, document)
                    seconds.append(time.perf_counter() - began)
            print(f"| {pages} | {name} | {ms(percentile(first, 0.5))} | {ms(percentile(again, 0.5))} |")


def _long_document(services: Services, pages: int) -> tuple[Document, list[str]]:
    drawn, sentences, size = random.Random(pages), [], 0
    while size < pages * CHARACTERS_A_PAGE:
        sentences.append(_sentence(drawn, str(len(sentences))))
        size += len(sentences[-1]) + 1
    return document_of(services, sentences, f"long-{pages}", drawn), sentences


_LETTERS = random.Random(9)
_WORDS = ["".join(_LETTERS.choices("etaoinshrdlucmfwypvbgk", k=_LETTERS.randint(2, 11))) for _ in range(12_000)]
_OFTEN = [1 / (rank + 3) for rank in range(len(_WORDS))]  # as words are in any language


def _sentence(drawn: random.Random, name: str) -> str:
    return f"{' '.join(drawn.choices(_WORDS, _OFTEN, k=drawn.randint(12, 28))).capitalize()} {name}."
