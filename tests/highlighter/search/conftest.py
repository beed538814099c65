from __future__ import annotations

import shutil

import pytest

from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory, samples_folder):
    """A data folder with every sample, which the tests of a process share."""
    return shutil.copytree(samples_folder, tmp_path_factory.mktemp("library") / "data")


@pytest.fixture
def library(library_folder, embedder):
    """Services with the samples, without an open index: every vector is compared."""
    services = Services(Settings(data_dir=library_folder), embedder)
    yield services
    services.close()


@pytest.fixture
def indexed(library):
    """Services with the samples, whose index this process owns and has synced."""
    library.index.sync()
    return library


@pytest.fixture
def write(tmp_path, services, process_pool):
    """A function that ingests text as a document, with metadata."""

    def write(name: str, text: str, collection: str = "default", **meta):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        document = ingest_file(path, services, process_pool, collection).document
        if meta:
            services.catalog._update_document(document.id, meta=meta)
        return services.catalog.document(document.id)

    return write
