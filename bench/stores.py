"""Stores of any size: real rows, in real SQLite, of plausible sentences; vectors drawn at random, for time does not care."""

from __future__ import annotations

import random

import numpy as np

from highlighter.models import PIPELINE_VERSION, READY, Chunk, Document, Sentence
from highlighter.services import Services
from highlighter.store.catalog import DocumentContents, compute_text_hash
from highlighter.store.source_map import SourceMap, SourceRun

SENTENCES_A_CHUNK, CHUNKS_A_DOCUMENT = 12, 80
_WORDS = (
    "the contractor employer tide harbour quay shall may gives notice within days of each crossing price payment berth"
    " storm inspection report before after written agreed works section clause annex damage risk insurance programme"
).split()


def fill(services: Services, sentences: int, seed: int = 1) -> list[Document]:
    """Documents of 80 chunks of 12 sentences until there are this many sentences."""
    drawn = random.Random(seed)
    made = []
    while sentences > 0:
        count = min(sentences, SENTENCES_A_CHUNK * CHUNKS_A_DOCUMENT)
        made.append(_document(services, count, f"{seed}-{len(made)}", drawn))
        sentences -= count
    return made


def plausible(drawn: random.Random, number: str) -> str:
    words = drawn.choices(_WORDS, k=drawn.randint(12, 26))
    return f"{' '.join(words).capitalize()} {number}."


def _document(services: Services, count: int, name: str, drawn: random.Random) -> Document:
    return document_of(services, [plausible(drawn, f"{name}-{number}") for number in range(count)], name, drawn)


def document_of(services: Services, texts: list[str], name: str, drawn: random.Random) -> Document:
    """One of these sentences."""
    count = len(texts)
    document = services.catalog.register("default", name.rjust(64, "0"), f"{name}.txt", "txt", 1)
    vectors = np.random.default_rng(drawn.randint(0, 1 << 30)).normal(size=(count, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    services.catalog.save_vectors([compute_text_hash(text) for text in texts], vectors, services.embedder.name)
    services.catalog.save_contents(document.id, _contents(document.id, texts), READY)
    return services.catalog.document(document.id)


def _contents(document_id: str, texts: list[str]) -> DocumentContents:
    starts = np.cumsum([0, *(len(text) + 1 for text in texts)]).tolist()
    whole = " ".join(texts)
    chunks, sentences = [], []
    for index, text in enumerate(texts):
        chunk = index // SENTENCES_A_CHUNK
        sentences.append((chunk, Sentence(index, starts[index], starts[index] + len(text), text, 1)))
    for chunk in range(0, (len(texts) + SENTENCES_A_CHUNK - 1) // SENTENCES_A_CHUNK):
        first, last = chunk * SENTENCES_A_CHUNK, min((chunk + 1) * SENTENCES_A_CHUNK, len(texts))
        start, end = starts[first], starts[last] - 1
        chunks.append(Chunk(document_id, PIPELINE_VERSION, chunk, start, end, 1, 1, "", whole[start:end]))
    facts = {"pages": [["1", 595, 842, len(whole)]], "headings": [], "hidden": [], "warnings": []}
    return DocumentContents(
        whole, SourceMap((SourceRun(0, len(whole), 1, 0, len(whole)),)), facts, tuple(chunks), tuple(sentences)
    )
