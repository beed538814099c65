"""The generations of an index on a Chroma server: rows of the database, and two collections for each."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Engine, RowMapping, delete, func, insert, select, update

from highlighter.errors import Unavailable
from highlighter.store.database import write_transaction
from highlighter.store.leases import Lease
from highlighter.store.schema import index_generations, leases

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection

COLLECTIONS = ("sentences", "chunks")


class LeaseLost(Unavailable):
    """Another process has taken over the index; what this one was writing, that one writes again."""


@dataclass(frozen=True, slots=True)
class ServerGeneration:
    """One generation, as it was when it was read; its cursor is read anew each time."""

    engine: Engine
    lease: Lease
    number: int
    model: str
    reason: str
    complete: bool

    def read_rebuild_reason(self) -> str:
        return self.reason

    def read_cursor(self) -> int:
        """Return the number of the last change that was applied."""
        query = select(index_generations.c.cursor).where(index_generations.c.number == self.number)
        with self.engine.connect() as connection:
            return int(connection.scalar(query) or 0)

    def write_cursor(self, seq: int) -> None:
        self._update(cursor=seq)

    def is_complete(self) -> bool:
        return self.complete

    def mark_complete(self) -> None:
        self._update(is_complete=True)

    def _update(self, **values: object) -> None:
        """Change the row; raise LeaseLost when this process is not the one that may."""
        holder = select(leases.c.holder).where(leases.c.name == self.lease.name).scalar_subquery()
        own = (index_generations.c.number == self.number, holder == self.lease.holder)
        with write_transaction(self.engine) as connection:
            if connection.execute(update(index_generations).where(*own).values(values)).rowcount != 1:
                raise LeaseLost


def find_newest_generation(engine: Engine, lease: Lease) -> ServerGeneration | None:
    query = select(index_generations).order_by(index_generations.c.number.desc()).limit(1)
    with engine.connect() as connection:
        row = connection.execute(query).mappings().first()
    return _make_generation(row, engine, lease) if row else None


def create_next_generation(engine: Engine, lease: Lease, model: str, reason: str) -> ServerGeneration:
    """Create a generation; raise LeaseLost when another process has become the one that may, as during a long check."""
    with write_transaction(engine) as connection:
        if connection.scalar(select(leases.c.holder).where(leases.c.name == lease.name)) != lease.holder:
            raise LeaseLost
        number = int(connection.scalar(select(func.max(index_generations.c.number))) or 0) + 1
        connection.execute(insert(index_generations).values(number=number, model=model, reason=reason))
    return ServerGeneration(engine, lease, number, model, reason, False)


def remove_other_generations(client: ClientAPI, generation: ServerGeneration, catalog_id: str) -> None:
    """Remove the collections of all generations but one, then their rows."""
    from chromadb.errors import NotFoundError

    other = index_generations.c.number != generation.number
    with generation.engine.connect() as connection:
        numbers = list(connection.scalars(select(index_generations.c.number).where(other)))
    for number in numbers:
        for kind in COLLECTIONS:
            with suppress(NotFoundError):
                client.delete_collection(name_collection(catalog_id, number, kind))
        with write_transaction(generation.engine) as connection:
            connection.execute(delete(index_generations).where(index_generations.c.number == number))


def open_collections(client: ClientAPI, catalog_id: str, number: int, create: bool) -> tuple[Collection, Collection]:
    """Return the collections of sentences and of chunks; only the process that writes them creates them."""
    configuration: CreateCollectionConfiguration = {"hnsw": {"space": "cosine"}}
    names = (name_collection(catalog_id, number, kind) for kind in COLLECTIONS)
    sentences, chunks = (
        client.get_or_create_collection(name, configuration=configuration, embedding_function=None)
        if create
        else client.get_collection(name, embedding_function=None)
        for name in names
    )
    return sentences, chunks


def name_collection(catalog_id: str, number: int, kind: str) -> str:
    """Return a name that no other catalog on the server has; the id itself is a secret."""
    return f"highlighter-{hashlib.sha256(catalog_id.encode()).hexdigest()[:16]}-{number}-{kind}"


def _make_generation(row: RowMapping, engine: Engine, lease: Lease) -> ServerGeneration:
    return ServerGeneration(engine, lease, row["number"], row["model"], row["reason"], row["is_complete"])
