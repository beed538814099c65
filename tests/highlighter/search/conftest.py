from __future__ import annotations

import pytest

from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import SAMPLES


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory, embedder, process_pool, sample_questions):
    """Every sample, taken in for real, once."""
    folder = tmp_path_factory.mktemp("library") / "data"
    services = Services(Settings(data_dir=folder), embedder)
    for name in sample_questions:
        ingest_file(SAMPLES / name, services, process_pool)
    services.close()
    return folder


@pytest.fixture
def library(library_folder, embedder):
    """The samples, with no index open: every vector is compared."""
    services = Services(Settings(data_dir=library_folder), embedder)
    yield services
    services.close()


@pytest.fixture
def indexed(library):
    """The samples, with Chroma owned by this process and up to date."""
    library.index.sync()
    return library


@pytest.fixture
def write(tmp_path, services, process_pool):
    """Takes words in as a document of their own, with metadata."""

    def write(name: str, words: str, collection: str = "default", **meta):
        path = tmp_path / name
        path.write_text(words, encoding="utf-8")
        document = ingest_file(path, services, process_pool, collection).document
        if meta:
            services.catalog._update_document(document.id, meta=meta)
        return services.catalog.document(document.id)

    return write
