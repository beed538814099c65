"""The outline of a document: its bookmarks, or else the headings that reading found."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import strategies as st

from highlighter.models import Chunk
from highlighter.web import document_outline
from highlighter.web.document_outline import MAX_HEADINGS, OutlineEntry, build_outline
from ingest.pipeline import ingest_file
from tests.long_pdf import write_long_pdf
from tests.properties import given

MARKDOWN = (
    "# Boats\n\nBoats float.\n\n## Oars\n\nOars are long.\n\n## Sails\n\nSails are white.\n\n# Piers\n\nPiers stand.\n"
)


def list_titles(outline) -> list[tuple[int, str, int]]:
    return [(entry.level, entry.title, entry.page) for entry in outline]


def test_bookmarks_of_pdf_are_its_outline(services, process_pool, tmp_path):
    path = tmp_path / "book.pdf"
    path.write_bytes(write_long_pdf(12))
    document = ingest_file(path, services, process_pool).document
    outline = build_outline(services, document)
    assert list_titles(outline) == [(1, "Chapter 1", 1), (2, "Rules of chapter 1", 10), (1, "Chapter 2", 11)]
    assert [entry.chunk.first_page <= entry.page <= entry.chunk.last_page for entry in outline] == [True] * 3
    assert build_outline(services, document) == outline  # from the cache


def test_headings_are_outline_of_file_without_bookmarks(services, process_pool, tmp_path):
    path = tmp_path / "boats.md"
    path.write_text(MARKDOWN)
    document = ingest_file(path, services, process_pool).document
    outline = build_outline(services, document)
    assert list_titles(outline) == [(1, "Boats", 1), (2, "Oars", 1), (2, "Sails", 1), (1, "Piers", 1)]
    text = services.catalog.text(document)
    assert all(entry.title in text[entry.chunk.start : entry.chunk.end] for entry in outline)


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ({1: 5, 2: 20}, 25),
        ({1: 5, 2: 500}, 5),  # five hundred fragments are no table of contents
        ({3: 500}, MAX_HEADINGS),
    ],
)
def test_deepest_levels_are_left_out_where_headings_are_too_many(counts, shown):
    headings = [
        document_outline._Heading(f"{level}.{n}", level, n, 1) for level, count in counts.items() for n in range(count)
    ]
    assert len(document_outline._select_headings(headings)) == shown


@given(st.lists(st.integers(1, 9), max_size=30))
def test_levels_begin_at_one_and_skip_none(levels):
    chunk = Chunk("d", 1, 0, 0, 1, 1, 1)
    nested = document_outline._nest(OutlineEntry("x", level, 1, chunk) for level in levels)
    depths = [0, *(entry.level for entry in nested)]
    assert all(1 <= after <= before + 1 for before, after in pairwise(depths))
    for (deep, level), (next_deep, next_level) in pairwise(zip(depths[1:], levels, strict=True)):
        assert (next_deep > deep) == (next_level > level)
