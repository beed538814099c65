"""The stores and models that ingestion works with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from highlighter.embedding.embedder import Embedder
from highlighter.settings import Settings
from highlighter.store.catalog import Catalog
from highlighter.store.database import open_database
from highlighter.store.files import FileStore
from highlighter.store.index import VectorIndex
from highlighter.workers.process_pool import ProcessPool


class IngestContext(Protocol):
    """The stores and models of ingestion, which `highlighter.services.Services` offers and may create on first use."""

    @property
    def settings(self) -> Settings: ...

    @property
    def catalog(self) -> Catalog: ...

    @property
    def files(self) -> FileStore: ...

    @property
    def embedder(self) -> Embedder: ...

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
    index: VectorIndex
    process_pool: ProcessPool


@contextmanager
def open_standalone_context(settings: Settings) -> Iterator[StandaloneContext]:
    """Open the stores in the data folder of the settings, and close them at the end."""
    catalog = Catalog(open_database(settings.data_dir / "catalog.sqlite"))
    embedder = Embedder(settings.embedding_model)
    process_pool = ProcessPool(1, settings.read_seconds, settings.read_memory_mb)
    index = VectorIndex(settings.data_dir / "index", catalog, embedder.name)
    try:
        yield StandaloneContext(
            settings, catalog, FileStore(settings.data_dir / "files"), embedder, index, process_pool
        )
    finally:
        process_pool.close()
        index.close()
        catalog.close()
