"""The page of an older version: what became of its highlights in the newer one."""

from __future__ import annotations

import time

import pytest

from highlighter.models import Document
from highlighter.signed_links import COLLECTION_SCOPE, DOWNLOAD_PERMISSION, PAGE_PERMISSION, VIEW_PERMISSION, Grant
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.pages.test_document_routes import TICKET, text


@pytest.fixture
def older(services, process_pool, tmp_path) -> Document:
    path = tmp_path / "note.txt"
    documents = []
    for words in (NOTE, f"The island is small.\n\n{NOTE}"):
        path.write_text(words, encoding="utf-8")
        documents.append(ingest_file(path, services, process_pool).document)
    return documents[0]


@pytest.mark.parametrize(
    ("permissions", "links"), [((VIEW_PERMISSION, PAGE_PERMISSION, DOWNLOAD_PERMISSION), 1), ((PAGE_PERMISSION,), 0)]
)
def test_newer_version_is_linked_only_where_grant_allows_text(client, services, older, permissions, links):
    chunk = services.catalog.chunk(older, 0)
    grant = Grant(
        COLLECTION_SCOPE, older.collection, older.id, 0, chunk.pipeline, chunk.start, permissions=permissions, question=TICKET,
        expires=int(time.time()) + 600,
    )  # fmt: skip
    page = text(client.get(f"/embed/{services.link_keys.sign(grant)}"))
    assert "unchanged" in page
    assert 'href=""' not in page
    assert page[page.index('class="notice newer-version"') : page.index('id="status"')].count("<a ") == links
