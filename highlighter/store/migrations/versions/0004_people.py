"""The people who have signed in, and their sessions."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Column, ForeignKeyConstraint, PrimaryKeyConstraint, UniqueConstraint

from highlighter.store.column_types import String, Text

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    op.create_table(
        "people",
        Column("id", String(32), nullable=False),
        Column("name", Text, nullable=False),
        Column("created", String(32), nullable=False),
        PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    op.create_table(
        "sign_ins",
        Column("digest", String(64), nullable=False),
        Column("person_id", String(32), nullable=False),
        Column("groups", JSON(), nullable=False),
        Column("attempt", String(64), nullable=False),
        Column("id_token", Text, nullable=False),
        Column("created", String(32), nullable=False),
        Column("expires", String(32), nullable=False),
        Column("ended", String(32), nullable=False),
        ForeignKeyConstraint(["person_id"], ["people.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("digest"),
        UniqueConstraint("attempt"),
        if_not_exists=True,
    )
    op.create_index("ix_sign_ins_person_id", "sign_ins", ["person_id"], if_not_exists=True)
