"""The vector index on a Chroma server: any number of processes search it, and the one with the lease writes it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from highlighter.locale import N_
from highlighter.store.catalog import Catalog
from highlighter.store.catalog_identity import read_catalog_id
from highlighter.store.chroma import NearestChunks, query_nearest_chunks
from highlighter.store.chroma_server import ChromaServer
from highlighter.store.index import OpenGeneration, VectorIndex
from highlighter.store.index_health import CheckLimits, find_content_problem
from highlighter.store.leases import LEASE_SECONDS, Lease
from highlighter.store.server_generations import (
    LeaseLost,
    ServerGeneration,
    create_next_generation,
    find_newest_generation,
    open_collections,
    remove_other_generations,
)
from highlighter.store.storage_errors import IndexUnavailable

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

log = logging.getLogger(__name__)

LEASE_NAME = "index"
ROWS_PER_REQUEST = 300  # the quota of hosted Chroma, of rows written and of rows read
CHECK_LIMITS = CheckLimits(ROWS_PER_REQUEST, results=ROWS_PER_REQUEST, vectors_per_query=50)
# Without the server, the catalog's own vectors are compared one by one, which takes too long for more sentences.
MAX_SCANNED_SENTENCES = 200_000


@dataclass(frozen=True, slots=True)
class _SearchedCollections:
    """The collections of a generation, as this process searches them."""

    number: int
    sentences: Collection
    chunks: Collection


class ServerIndex(VectorIndex):
    """An index whose generations are collections on a server, and whose owner has a lease in the database."""

    max_rows_per_upsert = ROWS_PER_REQUEST
    searched_rows = ROWS_PER_REQUEST
    max_scanned_sentences = MAX_SCANNED_SENTENCES

    def __init__(self, server: ChromaServer, catalog: Catalog, model: str, lease_seconds: float = LEASE_SECONDS):
        super().__init__(catalog, model)
        self.server = server
        self.lease = Lease(catalog.engine, LEASE_NAME, lease_seconds)
        self._searched: _SearchedCollections | None = None

    @property
    def problem(self) -> str:
        if not self.server.has_failed:
            return ""
        return N_(
            "The Chroma server does not answer. Until it does, searches compare vectors one by one, or, in large "
            "collections, only words."
        )

    def acquire_ownership(self) -> bool:
        return self.lease.acquire()

    def find_owner_process(self) -> int:
        return self.lease.find_process()

    def find_nearest(
        self, vector: np.ndarray, count: int, document_ids: Sequence[str] | None = None
    ) -> NearestChunks | None:
        """Return the chunks nearest to a vector, for every process, whether or not it owns the index."""
        try:
            generation = self._find_newest_generation()
            if generation is None or not generation.complete or generation.model != self.model:
                return None
            cursor = generation.read_cursor()
            with self.server.connect():
                collections = self._open_searched(generation.number)
                by_sentence, by_chunk = (
                    query_nearest_chunks(collection, vector, count, self.searched_rows, document_ids)
                    for collection in (collections.sentences, collections.chunks)
                )
            return NearestChunks(cursor, by_sentence, by_chunk)
        except IndexUnavailable:
            return None
        except Exception as err:  # the collections were just replaced, perhaps
            self._searched = None
            log.warning("The index did not answer (%s); the catalog does instead", type(err).__name__)
            return None

    def find_problem(self) -> str:
        """Return what is wrong with the newest generation; raise IndexUnavailable when the server does not answer."""
        generation = self._find_newest_generation()
        return self._find_problem_of(generation) if generation else ""

    def close(self) -> None:
        super().close()
        self._searched = None
        self.server.close()

    def _open_searched(self, number: int) -> _SearchedCollections:
        searched = self._searched
        if searched is None or searched.number != number:
            with self.server.connect() as client:
                collections = open_collections(client, read_catalog_id(self.catalog.engine), number, create=False)
            searched = self._searched = _SearchedCollections(number, *collections)
        return searched

    def _find_problem_of(self, generation: ServerGeneration) -> str:
        if generation.model != self.model:
            return f"it was made by another model ({generation.model})"
        from chromadb.errors import NotFoundError

        try:
            with self.server.connect() as client:
                catalog_id = read_catalog_id(self.catalog.engine)
                collections = open_collections(client, catalog_id, generation.number, create=False)
                cursor = generation.read_cursor()
                return find_content_problem(*collections, cursor, self.catalog, self.model, CHECK_LIMITS)
        except NotFoundError:
            return "" if not generation.read_cursor() else "its collections are gone"

    # -- what only the owner does --------------------------------------------------------------------------------

    def _find_newest_generation(self) -> ServerGeneration | None:
        return find_newest_generation(self.catalog.engine, self.lease)

    def _open_generation(self) -> OpenGeneration:
        generation = self._find_newest_generation()
        problem = self._find_problem_of(generation) if generation else ""
        if generation and problem:
            log.warning("The index at %s is made again from the catalog: %s", self.server.access.url, problem)
        if problem or generation is None:
            generation = create_next_generation(self.catalog.engine, self.lease, self.model, problem)
        with self.server.connect() as client:
            collections = open_collections(client, read_catalog_id(self.catalog.engine), generation.number, create=True)
        return OpenGeneration(generation, None, *collections)

    def _apply_changes(self, opened: OpenGeneration) -> int:
        with self.server.connect():
            return super()._apply_changes(opened)

    def _remove_other_generations(self, opened: OpenGeneration) -> None:
        generation = self._find_newest_generation()
        if generation and generation.number == opened.generation.number:
            with self.server.connect() as client:
                remove_other_generations(client, generation, read_catalog_id(self.catalog.engine))

    def _delete_rows(self, collection: Collection, document_ids: Sequence[str]) -> None:
        if not self.lease.is_held:
            raise LeaseLost
        for document_id in document_ids:  # each by itself, because servers limit the length of a filter
            while ids := collection.get(where={"document_id": document_id}, include=[], limit=ROWS_PER_REQUEST)["ids"]:
                collection.delete(ids=ids)

    def _close_if_deleted(self) -> None:
        """Close the index if its collections are not the ones on the server, or if this process owns it no more."""
        if self._opened is None:
            return
        from chromadb.errors import NotFoundError

        if not self.lease.is_held:
            self._close_generation()
            return
        try:
            with self.server.connect() as client:
                catalog_id, number = read_catalog_id(self.catalog.engine), self._opened.generation.number
                current = open_collections(client, catalog_id, number, create=False)
        except NotFoundError:
            current = None
        if current is None or [found.id for found in current] != [self._opened.sentences.id, self._opened.chunks.id]:
            log.warning("The index at %s was deleted; it is made again from the catalog", self.server.access.url)
            self._close_generation()

    def _release_ownership(self) -> None:
        self.lease.release()
