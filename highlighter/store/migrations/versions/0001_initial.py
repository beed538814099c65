"""The tables as they were before Alembic, and what PostgreSQL needs beside them.

Releases without Alembic changed their own tables at each start; databases that they made get here what they lack. No later
change of the tables is made in this file: each is a revision of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from alembic import op
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ForeignKeyConstraint,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    false,
    inspect,
    literal_column,
    text,
)

from highlighter.store.column_types import Integer, String, Text
from highlighter.store.dialects import get_dialect
from highlighter.store.versions import add_missing_paths

revision, down_revision = "0001", None


def upgrade() -> None:
    connection = op.get_bind()
    lacks_paths = False
    for table in _create_tables():
        lacks_paths |= "current" in _add_missing_columns(table) and table.name == "documents"
    _create_indexes()
    get_dialect(connection).create_objects(connection)
    if lacks_paths:
        add_missing_paths(connection)


def _add_missing_columns(table: Table) -> set[str]:
    """Add the columns that the table of an earlier release lacks, and return their names."""
    present = {column["name"] for column in inspect(op.get_bind()).get_columns(table.name)}
    missing = [column for column in table.columns if column.name not in present]
    for column in missing:
        definition = Column(column.name, column.type, server_default=column.server_default, nullable=column.nullable)
        op.add_column(table.name, definition)
    return {column.name for column in missing}


def _create_tables() -> Iterator[Table]:
    yield op.create_table(
        "api_keys",
        Column("id", String(16), nullable=False),
        Column("digest", String(64), nullable=False),
        Column("name", Text, nullable=False),
        Column("scopes", JSON(), nullable=False),
        Column("collections", JSON(), nullable=True),
        Column("made", String(32), nullable=False),
        Column("expires", String(32), nullable=False),
        Column("revoked", String(32), nullable=False),
        PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    yield op.create_table(
        "audit",
        Column("seq", Integer, autoincrement=True, nullable=False),
        Column("at", String(32), nullable=False),
        Column("what", String(16), nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("collection", String(200), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("answer_id", String(32), server_default="", nullable=False),
        Column("content", String(64), server_default="", nullable=False),
        Column("previous", String(64), server_default="", nullable=False),
        Column("hash", String(64), server_default="", nullable=False),
        Column("by_key", String(16), server_default="", nullable=False),
        PrimaryKeyConstraint("seq"),
        sqlite_autoincrement=True,
        if_not_exists=True,
    )
    yield op.create_table(
        "changes",
        Column("seq", Integer, autoincrement=True, nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        PrimaryKeyConstraint("seq"),
        sqlite_autoincrement=True,
        if_not_exists=True,
    )
    yield op.create_table(
        "documents",
        Column("id", String(32), nullable=False),
        Column("collection", String(200), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("name", Text, nullable=False),
        Column("kind", String(8), nullable=False),
        Column("size", Integer, nullable=False),
        Column("state", String(16), nullable=False),
        Column("reason", Text, nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("pages", Integer, nullable=False),
        Column("chunks", Integer, nullable=False),
        Column("sentences", Integer, nullable=False),
        Column("labels", JSON(), nullable=False),
        Column("meta", JSON(), nullable=False),
        Column("progress", JSON(), nullable=True),
        Column("added", String(32), nullable=False),
        Column("path", Text, server_default="", nullable=False),
        Column("version", Integer, server_default=text("1"), nullable=False),
        Column("current", Boolean(), server_default=false(), nullable=False),
        Column("attempts", Integer, server_default=text("0"), nullable=False),
        Column("recognition", Text, server_default="", nullable=False),
        Column("arrival", Integer, server_default=text("0"), nullable=False),
        Column("leaving", String(32), server_default="", nullable=False),
        Column("leaving_by", String(16), server_default="", nullable=False),
        PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    yield op.create_table(
        "feedback",
        Column("seq", Integer, autoincrement=True, nullable=False),
        Column("id", String(32), nullable=False),
        Column("at", String(32), nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("collection", String(200), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("chunk", Integer, nullable=False),
        Column("start", Integer, nullable=False),
        Column("end", Integer, nullable=False),
        Column("sentence", String(64), nullable=False),
        Column("lit", Text, nullable=False),
        Column("verdict", String(8), nullable=False),
        Column("undoes", String(32), nullable=False),
        Column("question", Text, nullable=True),
        Column("note", Text, nullable=True),
        PrimaryKeyConstraint("seq"),
        UniqueConstraint("id"),
        sqlite_autoincrement=True,
        if_not_exists=True,
    )
    yield op.create_table(
        "marks",
        Column("name", String(50), nullable=False),
        Column("value", Integer, nullable=False),
        PrimaryKeyConstraint("name"),
        if_not_exists=True,
    )
    yield op.create_table(
        "vectors",
        Column("text_hash", LargeBinary(16), nullable=False),
        Column("model", String(200), nullable=False),
        Column("vector", LargeBinary(), nullable=False),
        PrimaryKeyConstraint("text_hash", "model"),
        if_not_exists=True,
    )
    yield op.create_table(
        "answers",
        Column("id", String(32), nullable=False),
        Column("seq", Integer, nullable=False),
        Column("facts", Text, nullable=False),
        ForeignKeyConstraint(
            ["seq"],
            ["audit.seq"],
        ),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("seq"),
        if_not_exists=True,
    )
    yield op.create_table(
        "audit_digests",
        Column("seq", Integer, nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("feedback_id", String(32), nullable=False),
        Column("salt", String(32), nullable=True),
        Column("digests", Text, nullable=False),
        Column("sentences", Text, nullable=False),
        ForeignKeyConstraint(
            ["seq"],
            ["audit.seq"],
        ),
        PrimaryKeyConstraint("seq"),
        if_not_exists=True,
    )
    yield op.create_table(
        "chunks",
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("idx", Integer, nullable=False),
        Column("start", Integer, nullable=False),
        Column("end", Integer, nullable=False),
        Column("first_page", Integer, nullable=False),
        Column("last_page", Integer, nullable=False),
        Column("section", Text, nullable=False),
        Column("text", Text, nullable=False),
        Column("headings", JSON(), nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("document_id", "pipeline", "idx"),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    yield op.create_table(
        "evidence_scores",
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("chunk", Integer, nullable=False),
        Column("question", LargeBinary(16), nullable=False),
        Column("method", String(16), nullable=False),
        Column("scorer", String(250), nullable=False),
        Column("scores", LargeBinary(), nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("document_id", "pipeline", "chunk", "question", "method", "scorer"),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    yield op.create_table(
        "notes",
        Column("id", String(32), nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("start", Integer, nullable=False),
        Column("end", Integer, nullable=False),
        Column("page", Integer, nullable=False),
        Column("chunk", Integer, nullable=False),
        Column("exact", Text, nullable=False),
        Column("prefix", Text, nullable=False),
        Column("suffix", Text, nullable=False),
        Column("colour", String(8), nullable=False),
        Column("text", Text, nullable=False),
        Column("owner", String(80), nullable=False),
        Column("shared", Boolean(), nullable=False),
        Column("created", String(32), nullable=False),
        Column("modified", String(32), nullable=False),
        Column("deletion_time", String(32), nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    yield op.create_table(
        "sentences",
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("chunk", Integer, nullable=False),
        Column("idx", Integer, nullable=False),
        Column("start", Integer, nullable=False),
        Column("end", Integer, nullable=False),
        Column("page", Integer, nullable=False),
        Column("text_hash", LargeBinary(16), nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("document_id", "pipeline", "chunk", "idx"),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    yield op.create_table(
        "texts",
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("text", Text, nullable=False),
        Column("source_map", LargeBinary(), nullable=False),
        Column("facts", JSON(), nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("document_id", "pipeline"),
        if_not_exists=True,
    )
    yield op.create_table(
        "versions",
        Column("collection", String(200), nullable=False),
        Column("path", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("current", Boolean(), nullable=False),
        Column("added", String(32), nullable=False),
        ForeignKeyConstraint(["document_id"], ["documents.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("collection", "path", "version"),
        if_not_exists=True,
    )
    yield op.create_table(
        "answer_documents",
        Column("answer_id", String(32), nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("collection", String(200), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("there", Boolean(), nullable=False),
        ForeignKeyConstraint(
            ["answer_id"],
            ["answers.id"],
        ),
        PrimaryKeyConstraint("answer_id", "document_id"),
        if_not_exists=True,
    )
    yield op.create_table(
        "answer_history",
        Column("answer_id", String(32), nullable=False),
        Column("owner", String(80), nullable=False),
        Column("pinned", Boolean(), server_default=false(), nullable=False),
        Column("hidden", Boolean(), server_default=false(), nullable=False),
        ForeignKeyConstraint(
            ["answer_id"],
            ["answers.id"],
        ),
        PrimaryKeyConstraint("answer_id"),
        if_not_exists=True,
    )
    yield op.create_table(
        "answer_parts",
        Column("answer_id", String(32), nullable=False),
        Column("name", String(50), nullable=False),
        Column("goes_with", String(32), nullable=False),
        Column("digest", String(64), nullable=False),
        Column("salt", String(32), nullable=True),
        Column("words", Text, nullable=True),
        ForeignKeyConstraint(
            ["answer_id"],
            ["answers.id"],
        ),
        PrimaryKeyConstraint("answer_id", "name"),
        if_not_exists=True,
    )
    yield op.create_table(
        "chunk_terms",
        Column("id", Integer, nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("pipeline", Integer, nullable=False),
        Column("idx", Integer, nullable=False),
        Column("terms", Text, nullable=False),
        ForeignKeyConstraint(
            ["document_id", "pipeline", "idx"],
            ["chunks.document_id", "chunks.pipeline", "chunks.idx"],
            ondelete="CASCADE",
        ),
        PrimaryKeyConstraint("id"),
        UniqueConstraint("document_id", "pipeline", "idx"),
        if_not_exists=True,
    )


def _create_indexes() -> None:
    op.create_index("documents_by_arrival", "documents", ["arrival"], unique=False, if_not_exists=True)
    op.create_index("documents_by_bytes", "documents", ["sha256"], unique=False, if_not_exists=True)
    op.create_index("documents_by_collection", "documents", ["collection", "added"], unique=False, if_not_exists=True)
    op.create_index(
        "documents_leaving",
        "documents",
        ["leaving"],
        unique=False,
        if_not_exists=True,
        sqlite_where=text("leaving != ''"),
        postgresql_where=text("leaving != ''"),
    )
    op.create_index(
        "documents_newest_first",
        "documents",
        [literal_column("added DESC"), "name", "id"],
        unique=False,
        if_not_exists=True,
    )
    op.create_index("feedback_of_a_document", "feedback", ["document_id"], unique=False, if_not_exists=True)
    op.create_index(
        "digests_of_a_document", "audit_digests", ["document_id", "pipeline"], unique=False, if_not_exists=True
    )
    op.create_index("notes_of_a_document", "notes", ["document_id"], unique=False, if_not_exists=True)
    op.create_index("notes_of_an_owner", "notes", ["owner"], unique=False, if_not_exists=True)
    op.create_index(
        "notes_to_delete",
        "notes",
        ["deletion_time"],
        unique=False,
        if_not_exists=True,
        sqlite_where=text("deletion_time != ''"),
        postgresql_where=text("deletion_time != ''"),
    )
    op.create_index("sentences_by_text", "sentences", ["text_hash"], unique=False, if_not_exists=True)
    op.create_index(op.f("ix_versions_document_id"), "versions", ["document_id"], unique=False, if_not_exists=True)
    op.create_index("answers_of_a_document", "answer_documents", ["document_id"], unique=False, if_not_exists=True)
    op.create_index("history_of_an_owner", "answer_history", ["owner", "hidden"], unique=False, if_not_exists=True)
