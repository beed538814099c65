"""The list of the chunks of a long document: paged, with the opening of each."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from highlighter.models import PIPELINE_VERSION, READY, Chunk, Sentence
from highlighter.store import lookup
from highlighter.store.catalog import DocumentContents, ReadingOutcome
from highlighter.store.source_map import SourceMap, SourceRun
from tests.highlighter.store.test_catalog import contents
from tests.highlighter.web.pages.test_document_routes import text

CHUNKS, CHUNK_CHARACTERS = 1200, 4_000


@pytest.fixture
def long_document(services):
    """Return a document with 1,200 chunks on 2,400 pages; each sentence begins on the first page of its chunk."""
    (document,) = services.catalog.documents()
    return document


def save_long_document(services):
    catalog = services.catalog
    document = catalog.register("default", "ab" * 32, "tome.pdf", "pdf", 1)
    body = "w" * CHUNK_CHARACTERS
    chunks = tuple(
        Chunk(
            document.id,
            PIPELINE_VERSION,
            n,
            n * CHUNK_CHARACTERS,
            (n + 1) * CHUNK_CHARACTERS,
            2 * n + 1,
            2 * n + 2,
            f"{n + 1} Section",
            body,
        )
        for n in range(CHUNKS)
    )
    sentences = tuple(
        (n, Sentence(n, n * CHUNK_CHARACTERS, (n + 1) * CHUNK_CHARACTERS, body, 2 * n + 1)) for n in range(CHUNKS)
    )
    facts = {"pages": [["", 595, 842, 1]] * 2 * CHUNKS, "headings": [], "hidden": [], "warnings": []}
    length = CHUNKS * CHUNK_CHARACTERS
    catalog.save_contents(
        document.id,
        DocumentContents(body * CHUNKS, SourceMap((SourceRun(0, length, 1, 0, length),)), facts, chunks, sentences),
        ReadingOutcome(READY),
    )


FILLED_LIBRARIES = {"long_document": save_long_document}


def list_chunk_numbers(page):
    return [int(number) for number in re.findall(r'<li id="part-(\d+)">', page)]


def test_chunk_list_of_long_document_is_paged(client, long_document):
    first, last = (text(client.get(f"/documents/{long_document.id}?parts={number}")) for number in (1, 24))
    assert list_chunk_numbers(first) == list(range(1, 51))
    assert list_chunk_numbers(last) == list(range(1151, 1201))
    assert "Sections 1–50 of 1,200" in first
    assert len(first) < 60_000


def test_several_tables_of_chunk_have_numbered_labels(client, services):
    document = services.catalog.register("default", "cd" * 32, "piers.pdf", "pdf", 1)
    table = "Pier\tDepth\nNorth\t7 m"
    services.catalog.save_contents(
        document.id, contents(f"{table}\n\nAnd then.\n\n{table}", document.id), ReadingOutcome(READY)
    )
    page = text(client.get(f"/documents/{document.id}/chunks/0"))
    assert re.findall(r'role="region" aria-label="([^"]*)"', page) == ["Table 1", "Table 2"]


def test_chunk_list_loads_only_openings(services, long_document):
    openings = lookup.list_chunk_openings(services.catalog.engine, long_document, 50, 100)
    assert [chunk.index for chunk in openings] == list(range(100, 150))
    assert {len(chunk.text) for chunk in openings} == {lookup.CHUNK_OPENING_CHARACTERS}
    whole = services.catalog.chunk(long_document, 100)
    assert replace(openings[0], text=whole.text) == whole


@pytest.mark.parametrize(
    ("page", "number"), [(1, 1), (2, 1), (3, 2), (1000, 500), (2400, 1200), (99_999, 1200), (10**30, 1200), (-1, 1)]
)
def test_page_number_leads_to_chunk_on_that_page(client, long_document, page, number):
    moved = client.get(f"/documents/{long_document.id}?page={page}")
    assert moved.location == f"/documents/{long_document.id}?parts={(number - 1) // 50 + 1}#part-{number}"
    assert number in list_chunk_numbers(text(client.get(moved.location)))


def test_chunk_list_of_short_document_is_not_paged(client, note):
    page = text(client.get(f"/documents/{note.id}"))
    assert list_chunk_numbers(page) == [1]
    assert "Go to page" not in page
    assert 'class="pager"' not in page
