"""The list of a long document's parts: some at a time, and each only by how it begins."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from highlighter.models import PIPELINE_VERSION, READY, Chunk, Sentence
from highlighter.store import lookup
from highlighter.store.catalog import DocumentContents
from highlighter.store.source_map import SourceMap, SourceRun
from tests.highlighter.store.test_catalog import contents
from tests.highlighter.web.pages.test_document_routes import text

PARTS, WORDS = 1200, 4_000


@pytest.fixture
def tome(services):
    """Twelve hundred parts on 2,400 pages; page 2 of each part is blank but for its end."""
    catalog = services.catalog
    document = catalog.register("default", "ab" * 32, "tome.pdf", "pdf", 1)
    body = "w" * WORDS
    chunks = tuple(
        Chunk(
            document.id, PIPELINE_VERSION, n, n * WORDS, (n + 1) * WORDS, 2 * n + 1, 2 * n + 2, f"{n + 1} Section", body
        )
        for n in range(PARTS)
    )
    sentences = tuple((n, Sentence(n, n * WORDS, (n + 1) * WORDS, body, 2 * n + 1)) for n in range(PARTS))
    facts = {"pages": [["", 595, 842, 1]] * 2 * PARTS, "headings": [], "hidden": [], "warnings": []}
    length = PARTS * WORDS
    catalog.save_contents(
        document.id,
        DocumentContents(body * PARTS, SourceMap((SourceRun(0, length, 1, 0, length),)), facts, chunks, sentences),
        READY,
    )
    return catalog.document(document.id)


def listed(page):
    return [int(number) for number in re.findall(r'<li id="part-(\d+)">', page)]


def test_a_page_of_a_long_document_holds_some_of_its_parts(client, tome):
    first, last = (text(client.get(f"/documents/{tome.id}?parts={number}")) for number in (1, 24))
    assert listed(first) == list(range(1, 51))
    assert listed(last) == list(range(1151, 1201))
    assert "Sections 1–50 of 1,200" in first
    assert len(first) < 60_000


def test_several_tables_of_a_part_have_labels_of_their_own(client, services):
    document = services.catalog.register("default", "cd" * 32, "piers.pdf", "pdf", 1)
    table = "Pier\tDepth\nNorth\t7 m"
    services.catalog.save_contents(document.id, contents(f"{table}\n\nAnd then.\n\n{table}", document.id), READY)
    page = text(client.get(f"/documents/{document.id}/chunks/0"))
    assert re.findall(r'role="region" aria-label="([^"]*)"', page) == ["Table 1", "Table 2"]


def test_only_the_openings_of_those_parts_are_loaded(services, tome):
    found = lookup.list_chunk_openings(services.catalog.engine, tome, 50, 100)
    assert [chunk.index for chunk in found] == list(range(100, 150))
    assert {len(chunk.text) for chunk in found} == {lookup.CHUNK_OPENING_CHARACTERS}
    whole = services.catalog.chunk(tome, 100)
    assert replace(found[0], text=whole.text) == whole


@pytest.mark.parametrize(
    ("page", "part"), [(1, 1), (2, 1), (3, 2), (1000, 500), (2400, 1200), (99_999, 1200), (10**30, 1200), (-1, 1)]
)
def test_a_page_of_the_document_leads_to_the_part_it_is_in(client, tome, page, part):
    moved = client.get(f"/documents/{tome.id}?page={page}")
    assert moved.location == f"/documents/{tome.id}?parts={(part - 1) // 50 + 1}#part-{part}"
    assert part in listed(text(client.get(moved.location)))


def test_a_short_document_is_listed_whole_and_needs_no_pages(client, note):
    page = text(client.get(f"/documents/{note.id}"))
    assert listed(page) == [1]
    assert "Go to page" not in page
    assert 'class="pager"' not in page
