"""Stores of any size: rows in SQLite with generated sentences, and random vectors, since only time is measured."""

from __future__ import annotations

import itertools
import random

import numpy as np

from highlighter.models import PIPELINE_VERSION, READY, Chunk, Document, Sentence
from highlighter.services import Services
from highlighter.store.catalog import DocumentContents, ReadingOutcome, compute_text_hash
from highlighter.store.source_map import SourceMap, SourceRun

SENTENCES_PER_CHUNK, CHUNKS_PER_DOCUMENT = 12, 80
_WORDS = (
    "the contractor employer tide harbour quay shall may gives notice within days of each crossing price payment berth"
    " storm inspection report before after written agreed works section clause annex damage risk insurance programme"
).split()


def fill_store(services: Services, sentences: int, seed: int = 1) -> list[Document]:
    """Store documents of 80 chunks of 12 sentences until there are this many sentences, and return them."""
    rng = random.Random(seed)
    documents: list[Document] = []
    while sentences > 0:
        count = min(sentences, SENTENCES_PER_CHUNK * CHUNKS_PER_DOCUMENT)
        documents.append(_store_generated_document(services, count, f"{seed}-{len(documents)}", rng))
        sentences -= count
    return documents


# Words as unequally frequent as in any language.
_VARIED_RNG = random.Random(9)
_VARIED_WORDS = [
    "".join(_VARIED_RNG.choices("etaoinshrdlucmfwypvbgk", k=_VARIED_RNG.randint(2, 11))) for _ in range(12_000)
]
_VARIED_WEIGHTS = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(_VARIED_WORDS))))


def make_varied_words(rng: random.Random, count: int) -> list[str]:
    return rng.choices(_VARIED_WORDS, cum_weights=_VARIED_WEIGHTS, k=count)


def make_sentence(rng: random.Random, number: str) -> str:
    words = rng.choices(_WORDS, k=rng.randint(12, 26))
    return f"{' '.join(words).capitalize()} {number}."


def _store_generated_document(services: Services, count: int, name: str, rng: random.Random) -> Document:
    texts = [make_sentence(rng, f"{name}-{number}") for number in range(count)]
    return store_document(services, texts, name, make_vectors(rng, count))


def make_vectors(rng: random.Random, count: int) -> np.ndarray:
    vectors = np.random.default_rng(rng.randint(0, 1 << 30)).normal(size=(count, 384)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def store_document(services: Services, texts: list[str], name: str, vectors: np.ndarray) -> Document:
    """Store a document of these sentences and return it."""
    document = services.catalog.register("default", name.rjust(64, "0"), f"{name}.txt", "txt", 1)
    services.catalog.save_vectors([compute_text_hash(text) for text in texts], vectors, services.embedder.name)
    services.catalog.save_contents(document.id, _build_contents(document.id, texts), ReadingOutcome(READY))
    stored = services.catalog.document(document.id)
    assert stored is not None
    return stored


def _build_contents(document_id: str, texts: list[str]) -> DocumentContents:
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)]).tolist()
    text_of_document = " ".join(texts)
    chunks, sentences = [], []
    for index, text in enumerate(texts):
        chunk = index // SENTENCES_PER_CHUNK
        sentences.append((chunk, Sentence(index, starts[index], starts[index] + len(text), text, 1)))
    for chunk in range(0, (len(texts) + SENTENCES_PER_CHUNK - 1) // SENTENCES_PER_CHUNK):
        first, last = chunk * SENTENCES_PER_CHUNK, min((chunk + 1) * SENTENCES_PER_CHUNK, len(texts))
        start, end = starts[first], starts[last] - 1
        chunks.append(Chunk(document_id, PIPELINE_VERSION, chunk, start, end, 1, 1, "", text_of_document[start:end]))
    facts = {"pages": [["1", 595, 842, len(text_of_document)]], "headings": [], "hidden": [], "warnings": []}
    return DocumentContents(
        text_of_document,
        SourceMap((SourceRun(0, len(text_of_document), 1, 0, len(text_of_document)),)),
        facts,
        tuple(chunks),
        tuple(sentences),
    )
