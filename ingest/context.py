"""The stores and models that ingestion works with."""

from __future__ import annotations

from typing import Protocol

from highlighter.embedding.embedder import Embedder
from highlighter.settings import Settings
from highlighter.store.catalog import Catalog
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
