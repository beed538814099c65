"""The id of a catalog, by which files and indexes elsewhere know whose they are."""

from __future__ import annotations

from uuid import uuid4

from sqlalchemy import Engine, insert, select
from sqlalchemy.exc import IntegrityError

from highlighter.store.database import write_transaction
from highlighter.store.schema import catalog_identity


def read_catalog_id(engine: Engine) -> str:
    """Return the id of the catalog, which is created at the first call and goes with its backups."""
    for _ in range(2):
        with engine.connect() as connection:
            if id := connection.scalar(select(catalog_identity.c.id)):
                return str(id)
        try:
            with write_transaction(engine) as connection:
                connection.execute(insert(catalog_identity).values(number=1, id=uuid4().hex))
        except IntegrityError:
            continue  # another process was faster
    with engine.connect() as connection:
        return str(connection.execute(select(catalog_identity.c.id)).scalar_one())
