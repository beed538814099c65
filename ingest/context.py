"""The stores and models that ingestion works with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from highlighter.embedding.embedder import Embedder
from highlighter.settings import Settings
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_catalog_database
from highlighter.store.file_stores import open_file_store
from highlighter.store.files import FileStore
from highlighter.store.index import VectorIndex
from highlighter.workers.cluster import Cluster
from highlighter.workers.process_pool import ProcessPool


class ProcessingContext(Protocol):
    """The stores and the model with which documents are processed."""

    @property
    def settings(self) -> Settings: ...

    @property
    def catalog(self) -> Catalog: ...

    @property
    def files(self) -> FileStore: ...

    @property
    def embedder(self) -> Embedder: ...

    @property
    def cluster(self) -> Cluster | None: ...


class IngestContext(ProcessingContext, Protocol):
    """What ingestion needs, and `highlighter.services.Services` offers and may create on first use."""

    @property
    def index(self) -> VectorIndex: ...

    @property
    def process_pool(self) -> ProcessPool: ...


@dataclass(frozen=True)
class StandaloneContext:
    """The context of a process that ingests and does nothing else, such as the child process of a quarantine."""

    settings: Settings
    catalog: Catalog
    files: FileStore
    embedder: Embedder
    cluster: Cluster | None = None  # what a quarantine watches must happen on its own machine


@contextmanager
def open_standalone_context(settings: Settings) -> Iterator[StandaloneContext]:
    """Open the stores in the data folder of the settings, and close them at the end."""
    catalog = Catalog(open_catalog_database(settings.data_dir, settings.database_url))
    files, embedder = open_file_store(settings, lambda: catalog.engine), Embedder(settings.embedding_model)
    try:
        yield StandaloneContext(settings, catalog, files, embedder)
    finally:
        catalog.close()
