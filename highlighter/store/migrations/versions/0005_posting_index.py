"""An index of PostgreSQL with all that a search needs of a term: in the table its rows are scattered over the chunks."""

from __future__ import annotations

from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.create_index(
            "chunk_words_by_term_and_chunk",
            "chunk_words",
            ["term", "chunk_id"],
            postgresql_include=["frequency", "length"],
            if_not_exists=True,
        )
        op.drop_index("chunk_words_by_term", "chunk_words", if_exists=True)
