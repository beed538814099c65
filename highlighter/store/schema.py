"""The tables of the catalog, which is the source of truth; the index can be rebuilt from it.

Some columns, and the table `marks`, have another name in the database than here: `key` is the name in the code.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    MetaData,
    Table,
    UniqueConstraint,
    false,
    text,
)  # fmt: skip

from highlighter.store.column_types import Integer, String, Text
from highlighter.store.message_column import MessageColumn

metadata = MetaData()

documents = Table(
    "documents",
    metadata,
    Column("id", String(32), primary_key=True),  # computed from collection and bytes: documents.compute_document_id
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("size", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", MessageColumn, nullable=False, default=""),
    Column("pipeline", Integer, nullable=False),  # the pipeline whose rows are current
    Column("pages", Integer, nullable=False, default=0),
    Column("chunks", Integer, nullable=False, default=0),
    Column("sentences", Integer, nullable=False, default=0),
    Column("labels", JSON, nullable=False, default=list),
    Column("meta", JSON, nullable=False, default=dict),
    Column("progress", JSON),
    Column("added", String(32), nullable=False),
    # The latest of its rows in `versions`, repeated here so that lists and searches need no join.
    Column("path", Text, nullable=False, default="", server_default=""),
    Column("version", Integer, nullable=False, default=1, server_default=text("1")),
    Column("current", Boolean, nullable=False, default=False, server_default=false()),
    Column("attempts", Integer, nullable=False, default=0, server_default=text("0")),  # begun, and not ended yet
    # Whether pages without text wait to be recognised: see Document.recognition.
    Column("recognition", Text, nullable=False, default="", server_default=""),
    # Its number in the order of registration, as many are added within one second; 0 for those of an earlier release.
    Column("arrival", Integer, nullable=False, default=0, server_default=text("0")),
    # When it will be deleted for good: see store/deletion.py. Empty unless its deletion is pending.
    Column("leaving", String(32), key="deletion_time", nullable=False, default="", server_default=""),
    # The key or the person that requested the deletion, as the audit has them.
    Column("leaving_by", String(16), key="deletion_key", nullable=False, default="", server_default=""),
    Index("documents_by_collection", "collection", "added"),
    Index("documents_by_bytes", "sha256"),
    Index("documents_by_arrival", "arrival"),
)
# The first serves a page of the library, in the order of store/listing.py; the second is queried every second.
Index("documents_newest_first", documents.c.added.desc(), documents.c.name, documents.c.id)
_is_leaving = documents.c.deletion_time != ""
Index("documents_leaving", documents.c.deletion_time, sqlite_where=_is_leaving, postgresql_where=_is_leaving)

# The paths of documents, and their versions: see store/versions.py.
versions = Table(
    "versions",
    metadata,
    Column("collection", String(200), primary_key=True),
    Column("path", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("current", Boolean, nullable=False),
    Column("added", String(32), nullable=False),
)


def _document_key_columns(*more: Column[Any]) -> list[Column[Any]]:
    """Return columns led by the key of everything that was read from a file: the document, and the pipeline that read it."""
    document: Column[Any] = Column(
        "document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True, nullable=False
    )
    return [document, Column("pipeline", Integer, primary_key=True, nullable=False), *more]


texts = Table(
    "texts",
    metadata,
    *_document_key_columns(),
    Column("text", Text, nullable=False),
    Column("source_map", LargeBinary, nullable=False),
    Column("facts", JSON, nullable=False),  # headings, hidden spans, pages, warnings
)

chunks = Table(
    "chunks",
    metadata,
    *_document_key_columns(Column("idx", Integer, primary_key=True)),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("first_page", Integer, nullable=False),
    Column("last_page", Integer, nullable=False),
    Column("section", Text, nullable=False),
    Column("text", Text, nullable=False),  # the text of the span: a view need not load the whole document
    Column("headings", JSON, nullable=False),
    sqlite_with_rowid=False,
)

sentences = Table(
    "sentences",
    metadata,
    *_document_key_columns(Column("chunk", Integer, primary_key=True), Column("idx", Integer, primary_key=True)),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page", Integer, nullable=False),
    Column("text_hash", LargeBinary(16), nullable=False),
    # To find the vectors that are still needed when a document is deleted.
    Index("sentences_by_text", "text_hash"),
    # Clustered by chunk: a highlight reads one short range of one B-tree, however many sentences there are.
    sqlite_with_rowid=False,
)

# The embedding cache: a model's vector of a text, shared by all documents. Joined to sentences by hash, never listed.
vectors = Table(
    "vectors",
    metadata,
    Column("text_hash", LargeBinary(16), primary_key=True),
    Column("model", String(200), primary_key=True),
    Column("vector", LargeBinary, nullable=False),  # float32, normalised
)

# The changes that the index applies, in order. The cursor is stored beside the index, so a new index applies all of them.
changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("document_id", String(32), nullable=False),
    Column("pipeline", Integer, nullable=False),
    sqlite_autoincrement=True,
)

# The search terms of each chunk (highlighter/text/terms.py), separated by spaces. They are deleted with their chunk. Each
# database has its own full-text index of them: store/dialects/.
chunk_terms = Table(
    "chunk_terms",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document_id", String(32), nullable=False),
    Column("pipeline", Integer, nullable=False),
    Column("idx", Integer, nullable=False),
    Column("terms", Text, nullable=False),
    UniqueConstraint("document_id", "pipeline", "idx"),
    ForeignKeyConstraint(
        ["document_id", "pipeline", "idx"],
        ["chunks.document_id", "chunks.pipeline", "chunks.idx"],
        ondelete="CASCADE",
    ),
)

# Values about the catalog itself: the version of the terms in chunk_terms.
catalog_values = Table(
    "marks",
    metadata,
    Column("name", String(50), primary_key=True),
    Column("value", Integer, nullable=False),
)

# The audit: each row is written in the transaction that it records, and never changed. It holds hashes, no text, no names.
# Each row holds the hash of the one before: see store/audit_log.py, and store/dialects/append_only.py for what guards it.
audit = Table(
    "audit",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("at", String(32), nullable=False),  # ISO 8601, UTC
    Column("what", String(16), nullable=False),  # see store/audit_log.py
    Column("document_id", String(32), nullable=False),
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("answer_id", String(32), nullable=False, default="", server_default=""),
    # The digest of a whole answer record, or of the row of audit_digests.
    Column("content", String(64), nullable=False, default="", server_default=""),
    Column("previous", String(64), nullable=False, default="", server_default=""),
    Column(
        "hash", String(64), nullable=False, default="", server_default=""
    ),  # empty: written before there was a chain
    Column(
        "by_key", String(16), nullable=False, default="", server_default=""
    ),  # the public id of the key; empty: done by the service itself
    sqlite_autoincrement=True,
)

# Digests of documents and feedback that a row of the audit covers: see store/digests.py.
audit_digests = Table(
    "audit_digests",
    metadata,
    Column("seq", Integer, ForeignKey("audit.seq"), primary_key=True),
    Column("document_id", String(32), nullable=False),  # no foreign key: the row outlives the document
    Column("pipeline", Integer, nullable=False),
    Column("feedback_id", String(32), nullable=False),  # empty: digests of the document itself
    Column("salt", String(32)),  # null once the document is deleted
    Column("digests", Text, nullable=False),  # JSON, as it was hashed
    Column(
        "sentences", Text, nullable=False
    ),  # the digests of sentences, as JSON: the largest part, and only needed to verify
    Index("digests_of_a_document", "document_id", "pipeline"),
)

# Answer records: store/answer_records.py. What is no text is in `facts`, and stays; text is in parts that can be redacted,
# and the digest of each part stays.
answers = Table(
    "answers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("seq", Integer, ForeignKey("audit.seq"), nullable=False, unique=True),
    Column("facts", Text, nullable=False),  # JSON, as it was hashed
)

answer_documents = Table(
    "answer_documents",
    metadata,
    Column("answer_id", String(32), ForeignKey("answers.id"), primary_key=True),
    Column("document_id", String(32), primary_key=True),  # no foreign key: the row outlives the document
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column(
        "there", Boolean, key="existed", nullable=False
    ),  # whether the document still existed when the answer was saved
    Index("answers_of_a_document", "document_id"),
)

# Readers' feedback on highlights: store/feedback.py. Of the sentence only span and hash; question and note are the reader's.
feedback = Table(
    "feedback",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("at", String(32), nullable=False),  # ISO 8601, UTC
    Column("document_id", String(32), nullable=False),  # no foreign key: the feedback outlives the document
    Column("collection", String(200), nullable=False),
    Column("pipeline", Integer, nullable=False),
    Column("chunk", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("sentence", String(64), nullable=False),  # SHA-256 of its text
    Column(
        "lit", Text, key="highlighted", nullable=False
    ),  # JSON: the spans highlighted in the chunk, [[start, end], ...]
    Column("verdict", String(8), nullable=False),  # "right", "wrong", "undone"
    Column("undoes", String(32), nullable=False, default=""),  # the id of the feedback that this row undoes
    Column("question", Text),  # null once the document is deleted, as is the note
    Column("note", Text),
    Index("feedback_of_a_document", "document_id"),
    sqlite_autoincrement=True,
)

# Readers' notes: store/notes.py. They are their authors' own, may change, and are deleted with their document.
notes = Table(
    "notes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("document_id", String(32), ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("pipeline", Integer, nullable=False),  # that read the text which the offsets belong to
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page", Integer, nullable=False),  # on which the words begin
    Column("chunk", Integer, nullable=False),
    Column("exact", Text, nullable=False),  # the words, by which they are found again in another text
    Column("prefix", Text, nullable=False),
    Column("suffix", Text, nullable=False),
    Column("colour", String(8), nullable=False),
    Column("text", Text, nullable=False),  # empty for a highlight without a note
    Column("owner", String(80), nullable=False),  # see highlighter.access.Principal.note_owner
    Column("shared", Boolean, nullable=False),
    Column("created", String(32), nullable=False),  # ISO 8601, UTC, as the next two
    Column("modified", String(32), nullable=False),
    Column("deletion_time", String(32), nullable=False),  # empty unless its deletion is pending, as of documents
    Index("notes_of_a_document", "document_id"),
    Index("notes_of_an_owner", "owner"),
)
_is_to_delete = notes.c.deletion_time != ""
Index("notes_to_delete", notes.c.deletion_time, sqlite_where=_is_to_delete, postgresql_where=_is_to_delete)

answer_parts = Table(
    "answer_parts",
    metadata,
    Column("answer_id", String(32), ForeignKey("answers.id"), primary_key=True),
    Column("name", String(50), primary_key=True),
    # The document whose deletion redacts the part: see store/answer_records.py.
    Column("goes_with", String(32), key="document_id", nullable=False),
    Column("digest", String(64), nullable=False),
    Column("salt", String(32)),
    Column("words", Text, key="content"),  # JSON, as it was hashed; null once redacted, as is the salt
)

# What answers found in their passages: store/evidence_scores.py.
evidence_scores = Table(
    "evidence_scores",
    metadata,
    *_document_key_columns(Column("chunk", Integer, primary_key=True)),
    Column("question", LargeBinary(16), primary_key=True),  # a digest
    Column("method", String(16), primary_key=True),
    Column("scorer", String(250), primary_key=True),  # changes whenever a passage could be scored otherwise
    Column("scores", LargeBinary, nullable=False),  # two rows of 64-bit floats: similarities and scores
    sqlite_with_rowid=False,
)

# The history of each asker: store/answer_history.py. It holds no text, and may change, unlike the answers themselves.
answer_history = Table(
    "answer_history",
    metadata,
    Column("answer_id", String(32), ForeignKey("answers.id"), primary_key=True),
    Column("owner", String(80), nullable=False),  # see highlighter.access.Principal.history_owner
    Column("pinned", Boolean, nullable=False, default=False, server_default=false()),
    Column("hidden", Boolean, nullable=False, default=False, server_default=false()),
    Index("history_of_an_owner", "owner", "hidden"),
)

# API keys: store/keys.py. Their secrets are not stored, so nobody can use a key by reading this table.
api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(16), primary_key=True),  # public: part of the key, shown in lists and in the audit
    Column("digest", String(64), nullable=False),  # SHA-256 of the secret
    Column("name", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("collections", JSON(none_as_null=True)),  # null: all
    Column("made", String(32), key="created", nullable=False),
    Column("expires", String(32), nullable=False, default=""),  # ISO 8601, UTC; empty: never
    Column("revoked", String(32), nullable=False, default=""),
)

# Who has signed in, and their sessions: store/people.py. Of a session's cookie only a digest is stored.
people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),  # computed from the provider and its name for the person
    Column("name", Text, nullable=False),
    Column("created", String(32), nullable=False),  # ISO 8601, UTC, as the times below
)

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("digest", String(64), primary_key=True),  # SHA-256 of the cookie
    Column("person_id", String(32), ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("groups", JSON, nullable=False),  # as the provider named them then
    Column("attempt", String(64), nullable=False, unique=True),  # SHA-256 of its state, so that none is used twice
    Column("id_token", Text, nullable=False),  # by which the provider ends its own session
    Column("created", String(32), nullable=False),
    Column("expires", String(32), nullable=False),
    Column("ended", String(32), nullable=False),  # empty unless signed out
)

# One row, written once: what is stored outside of the database names the catalog that it belongs to by this.
catalog_identity = Table(
    "catalog_identity",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),  # always 1
    Column("id", String(32), nullable=False),
)

# Who may do what only one process may do at a time, on whichever machine: store/leases.py.
leases = Table(
    "leases",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("holder", String(32), nullable=False),
    Column("process", Integer, nullable=False),
    Column("expires", Float, nullable=False),  # seconds since 1970
)

# The generations of an index on a Chroma server: store/server_generations.py.
index_generations = Table(
    "index_generations",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("model", Text, nullable=False),
    Column("reason", Text, nullable=False),  # why the generation before was replaced
    Column("cursor", Integer, nullable=False, default=0),
    Column("is_complete", Boolean, nullable=False, default=False),
)

# Responses to requests with an Idempotency-Key, for a day: store/idempotent_responses.py.
idempotent_responses = Table(
    "idempotent_responses",
    metadata,
    Column("owner", String(80), primary_key=True),  # see highlighter.access.Principal.note_owner
    Column("idempotency_key", String(255), primary_key=True),
    Column("request", String(64), nullable=False),  # its SHA-256
    Column("status", Integer, nullable=False),
    Column("expires", Float, nullable=False),  # seconds since 1970
    Column("headers", JSON, nullable=False),
    # The ids in the body, separated by spaces, and before it: a deletion reads them of all rows, and no body.
    Column("ids", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("idempotent_responses_by_expiry", "expires"),
)

# Addresses that are told what happens here: store/webhooks.py.
webhooks = Table(
    "webhooks",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("url", Text, nullable=False),
    Column("events", JSON, nullable=False),
    Column("collections", JSON(none_as_null=True)),  # null: all
    Column("description", Text, nullable=False),
    Column("secret", String(80), nullable=False),  # signs what is sent
    Column("by_key", String(16), nullable=False),  # the key that created it; empty: none
    Column("created", String(32), nullable=False),  # ISO 8601, UTC
    Column(
        "disabled", String(32), nullable=False
    ),  # since when nothing is sent, as the receiver wants no more; or empty
    Column("audit_seq", Integer, nullable=False),  # the last row of the audit whose event was queued
)

# What is sent to webhooks. It holds no words of documents and no names: these are read when it is sent.
webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", String(40), primary_key=True),  # begins with the time, so that ids are in the order of creation
    Column("webhook_id", String(32), ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("type", String(40), nullable=False),
    Column("at", String(32), nullable=False),  # when it happened: ISO 8601, UTC
    Column("document_id", String(32), nullable=False),  # no foreign key: the deletion of a document is told, too
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("document_state", String(16), nullable=False),
    Column("answer_id", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due", Float),  # when it is sent next, in seconds since 1970; null: never again
    Column("status", Integer, nullable=False),  # of the last response; 0: there was none
    Column("problem", Text, nullable=False),  # why the last attempt failed
    Index("webhook_deliveries_of_a_webhook", "webhook_id", "id"),
    Index("webhook_deliveries_due", "due"),
)


def rows_of_document(table: Table, document_id: str, pipeline: int) -> ColumnElement[bool]:
    """Return the condition for the rows that a pipeline read from a document."""
    return (table.c.document_id == document_id) & (table.c.pipeline == pipeline)
