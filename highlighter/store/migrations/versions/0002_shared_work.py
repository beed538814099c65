"""The catalog's own id, leases, and the generations of an index on a Chroma server: what several machines share."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Float, PrimaryKeyConstraint

from highlighter.store.column_types import Integer, String, Text

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    op.create_table(
        "catalog_identity",
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("id", String(32), nullable=False),
        PrimaryKeyConstraint("number"),
        if_not_exists=True,
    )
    op.create_table(
        "leases",
        Column("name", String(40), nullable=False),
        Column("holder", String(32), nullable=False),
        Column("process", Integer, nullable=False),
        Column("expires", Float, nullable=False),
        PrimaryKeyConstraint("name"),
        if_not_exists=True,
    )
    op.create_table(
        "index_generations",
        Column("number", Integer, nullable=False, autoincrement=False),
        Column("model", Text, nullable=False),
        Column("reason", Text, nullable=False),
        Column("cursor", Integer, nullable=False),
        Column("is_complete", Boolean, nullable=False),
        PrimaryKeyConstraint("number"),
        if_not_exists=True,
    )
