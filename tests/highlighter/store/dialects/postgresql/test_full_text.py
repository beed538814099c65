"""Tests that a search by words finds the same chunks in PostgreSQL as in SQLite, in the same order."""

from __future__ import annotations

import random

from sqlalchemy import insert, select

from highlighter.models import READY
from highlighter.store import chunk_search
from highlighter.store.chunk_search import SearchScope, choose_rare_terms, search_full_text
from highlighter.store.database import open_database, write_transaction
from highlighter.store.dialects import get_dialect
from highlighter.store.schema import chunk_terms, chunks, documents
from highlighter.text.terms import extract_terms, is_cjk_character

CHUNK_COUNT, CHUNKS_PER_DOCUMENT = 10_000, 100
VOCABULARY = [*(f"word{number}" for number in range(2_000)), *"甲乙丙丁戊己庚辛", "甲乙", "乙丙", "丙丁", "x" * 3_000]
WEIGHTS = [1 / (rank + 1) for rank in range(len(VOCABULARY))]
DOCUMENT = {
    "collection": "default", "kind": "txt", "size": 1, "state": READY, "pipeline": 1, "added": "", "name": "a",
    "sha256": "", "current": True,
}  # fmt: skip
CHUNK = {
    "pipeline": 1,
    "start": 0,
    "end": 0,
    "first_page": 1,
    "last_page": 1,
    "section": "",
    "text": "",
    "headings": [],
}


def copy_rows(source, target):
    with source.connect() as reading, write_transaction(target) as writing:
        for table in (documents, chunks, chunk_terms):
            rows = [dict(row) for row in reading.execute(select(table).order_by(*table.primary_key)).mappings()]
            writing.execute(insert(table), rows)


def save_generated_chunks(engine):
    """Save chunks of few words, of which some are frequent, so that many chunks share a score."""
    generator = random.Random(7)
    ids = [f"{number:032}" for number in range(CHUNK_COUNT // CHUNKS_PER_DOCUMENT)]
    with write_transaction(engine) as connection:
        connection.execute(insert(documents), [{**DOCUMENT, "id": id} for id in ids])
        for id in ids:
            indexes = range(CHUNKS_PER_DOCUMENT)
            connection.execute(insert(chunks), [{**CHUNK, "document_id": id, "idx": index} for index in indexes])
            texts = [" ".join(generator.choices(VOCABULARY, WEIGHTS, k=generator.randint(3, 20))) for _ in indexes]
            rows = [{"document_id": id, "pipeline": 1, "idx": index, "terms": text} for index, text in enumerate(texts)]
            connection.execute(insert(chunk_terms), rows)


def count_chunks(engine, terms):
    if not terms:
        return []
    with engine.connect() as connection:
        return connection.execute(get_dialect(engine).count_chunks(terms, 1_001)).one()


def holds_any(engine, key, terms):
    query = select(chunk_terms.c.terms).where(
        chunk_terms.c.document_id == key.document_id, chunk_terms.c.idx == key.index
    )
    with engine.connect() as connection:
        held = connection.scalar(query).split()
    return any(one.startswith(term) if is_cjk_character(term) else one == term for one in held for term in terms)


def find_both(engines, terms):
    return [search_full_text(engine, terms, SearchScope(), 10) for engine in engines]


def test_samples_are_found_in_the_same_order(engine, sampled, sample_questions):
    copy_rows(sampled.catalog.engine, engine)
    questions = [entry["question"] for entries in sample_questions.values() for entry in entries]
    assert len(questions) > 20
    for question in questions:
        sqlite, postgresql = find_both((sampled.catalog.engine, engine), extract_terms(question))
        assert postgresql == sqlite, question
        assert sqlite


def test_generated_chunks_are_found_in_the_same_order(engine, tmp_path, monkeypatch):
    sqlite_engine = open_database(tmp_path / "catalog.sqlite")
    save_generated_chunks(sqlite_engine)
    copy_rows(sqlite_engine, engine)
    generator = random.Random(8)
    questions = [generator.choices(VOCABULARY, WEIGHTS, k=generator.randint(1, 8)) for _ in range(30)]
    questions += [["甲"], ["甲", "乙丙"], ["word0"], ["nothing"], ["x" * 3_000, "word5"], []]
    every_chunk = [find_both((sqlite_engine, engine), question) for question in questions]
    for question, (sqlite, postgresql) in zip(questions, every_chunk, strict=True):
        assert postgresql == sqlite, question
    monkeypatch.setattr(
        chunk_search, "MAX_RANKED_CHUNKS", 1_000
    )  # chunks found by rarer terms have the scores they had
    limited = [find_both((sqlite_engine, engine), question) for question in questions]
    assert all(sqlite == postgresql for sqlite, postgresql in limited)
    assert limited != every_chunk
    for question, found, (expected, _) in zip(questions, limited, every_chunk, strict=True):
        rare = choose_rare_terms(question, count_chunks(sqlite_engine, question))
        held = [key for key in expected if holds_any(sqlite_engine, key, rare)]
        assert [key for key in found[0] if key in expected] == held, question
    sqlite_engine.dispose()
