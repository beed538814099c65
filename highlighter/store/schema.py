"""The tables. SQL is the truth; everything in the index folder can be made again from here."""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    JSON,
    Boolean,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    event,
    false,
    text,
)  # fmt: skip

metadata = MetaData()

documents = Table(
    "documents",
    metadata,
    Column("id", String(32), primary_key=True),  # of collection and bytes: see catalog.document_id
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("size", Integer, nullable=False),
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False, default=""),
    Column("pipeline", Integer, nullable=False),  # the one whose rows are current
    Column("pages", Integer, nullable=False, default=0),
    Column("chunks", Integer, nullable=False, default=0),
    Column("sentences", Integer, nullable=False, default=0),
    Column("labels", JSON, nullable=False, default=list),
    Column("meta", JSON, nullable=False, default=dict),
    Column("progress", JSON),
    Column("added", String(32), nullable=False),
    # The latest of its places in `versions`, kept here too so that a list or a search need not join.
    Column("path", Text, nullable=False, default="", server_default=""),
    Column("version", Integer, nullable=False, default=1, server_default=text("1")),
    Column("current", Boolean, nullable=False, default=False, server_default=false()),
    Column("attempts", Integer, nullable=False, default=0, server_default=text("0")),  # begun, and never ended
    # When it goes for good: see store/departures.py. Empty for all but a few, for seconds.
    Column("leaving", String(32), nullable=False, default="", server_default=""),
    Column("leaving_by", String(16), nullable=False, default="", server_default=""),  # the key that asked for it
    Index("documents_by_collection", "collection", "added"),
    Index("documents_by_bytes", "sha256"),
)
# One page of the library is read off this, in the order of store/listing.py; and what is leaving is asked for every second.
Index("documents_newest_first", documents.c.added.desc(), documents.c.name, documents.c.id)
Index("documents_leaving", documents.c.leaving, sqlite_where=documents.c.leaving != "")

# Where documents lie: store/versions.py says what this means.
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


def _document_key_columns(*more: Column) -> list[Column]:
    """Everything read from a file is kept under the document and the pipeline that read it."""
    document = Column(
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
    Column("text", Text, nullable=False),  # the span's own words: a view need not load the whole document
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
    # Whose vector is still needed when a document goes.
    Index("sentences_by_text", "text_hash"),
    # Clustered by chunk: one highlight reads one short run of one B-tree, however many sentences there are.
    sqlite_with_rowid=False,
)

# The embedding cache: what a model made of a text, whoever's text it was. Joined to sentences by hash, never listed.
vectors = Table(
    "vectors",
    metadata,
    Column("text_hash", LargeBinary(16), primary_key=True),
    Column("model", String(200), primary_key=True),
    Column("vector", LargeBinary, nullable=False),  # float32, normalised
)

# What the index has yet to hear of, in order. Its cursor is kept beside the index, so a fresh index hears everything.
changes = Table(
    "changes",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("document_id", String(32), nullable=False),
    Column("pipeline", Integer, nullable=False),
    sqlite_autoincrement=True,
)

# The words of each chunk as a search counts them (highlighter/text/terms.py), with spaces between. They go with their chunk.
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

# The full-text index over them. Its rows come and go by triggers, in whatever transaction writes those of chunk_terms,
# by cascade, too. The terms are ready-made, so all that its tokenizer may do is cut at spaces.
for _statement in (
    """CREATE VIRTUAL TABLE IF NOT EXISTS chunk_words USING fts5(
        terms, content='chunk_terms', content_rowid='id', tokenize="ascii tokenchars '.,'''")""",
    """CREATE TRIGGER IF NOT EXISTS chunk_words_come AFTER INSERT ON chunk_terms BEGIN
        INSERT INTO chunk_words (rowid, terms) VALUES (new.id, new.terms); END""",
    """CREATE TRIGGER IF NOT EXISTS chunk_words_go AFTER DELETE ON chunk_terms BEGIN
        INSERT INTO chunk_words (chunk_words, rowid, terms) VALUES ('delete', old.id, old.terms); END""",
):
    event.listen(chunk_terms, "after_create", DDL(_statement).execute_if(dialect="sqlite"))

# Small facts about the catalog itself: which terms its chunk_terms were made with.
catalog_values = Table(
    "marks",
    metadata,
    Column("name", String(50), primary_key=True),
    Column("value", Integer, nullable=False),
)

# What happened, for good: written in the transaction that did it, and never touched again. Hashes, no words and no names.
# Each row holds the hash of the one before it: see store/chain.py, and store/append_only.py for what guards it.
audit = Table(
    "audit",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("at", String(32), nullable=False),  # ISO 8601, UTC
    Column("what", String(16), nullable=False),  # see store/audit.py
    Column("document_id", String(32), nullable=False),
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("answer_id", String(32), nullable=False, default="", server_default=""),
    # The digest of all that an answer is, or of the row of audit_digests.
    Column("content", String(64), nullable=False, default="", server_default=""),
    Column("previous", String(64), nullable=False, default="", server_default=""),
    Column("hash", String(64), nullable=False, default="", server_default=""),  # none: written before there was a chain
    Column("by_key", String(16), nullable=False, default="", server_default=""),  # its public id; none: by the house
    sqlite_autoincrement=True,
)

# Digests of documents and feedback that a row of the audit covers: see store/digests.py.
audit_digests = Table(
    "audit_digests",
    metadata,
    Column("seq", Integer, ForeignKey("audit.seq"), primary_key=True),
    Column("document_id", String(32), nullable=False),  # no foreign key: it outlives the document
    Column("pipeline", Integer, nullable=False),
    Column("feedback_id", String(32), nullable=False),  # empty: of the document itself
    Column("salt", String(32)),  # null once the document is deleted
    Column("digests", Text, nullable=False),  # JSON, as it was hashed
    Column("sentences", Text, nullable=False),  # the same of sentences: most of them all, and needed to verify only
    Index("digests_of_a_document", "document_id", "pipeline"),
)

# Answers as they were given: store/answers.py. What is no words is in `facts`, and stays; words are in parts that can be
# blanked, and each part's digest stays.
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
    Column("document_id", String(32), primary_key=True),  # no foreign key: it outlives the document
    Column("collection", String(200), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("there", Boolean, nullable=False),  # still, when the answer was kept
    Index("answers_of_a_document", "document_id"),
)

# What readers say of a highlight: store/feedback.py. Of the sentence its place and hash; words are the asker's own.
feedback = Table(
    "feedback",
    metadata,
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("id", String(32), nullable=False, unique=True),
    Column("at", String(32), nullable=False),  # ISO 8601, UTC
    Column("document_id", String(32), nullable=False),  # no foreign key: that it was said outlives the document
    Column("collection", String(200), nullable=False),
    Column("pipeline", Integer, nullable=False),
    Column("chunk", Integer, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("sentence", String(64), nullable=False),  # SHA-256 of its words
    Column("lit", Text, nullable=False),  # JSON: what was lit beside it, [[start, end], ...]
    Column("verdict", String(8), nullable=False),  # "right", "wrong", "undone"
    Column("undoes", String(32), nullable=False, default=""),  # the id of what is taken back
    Column("question", Text),  # null once the document is deleted, and so is the note
    Column("note", Text),
    Index("feedback_of_a_document", "document_id"),
    sqlite_autoincrement=True,
)

answer_parts = Table(
    "answer_parts",
    metadata,
    Column("answer_id", String(32), ForeignKey("answers.id"), primary_key=True),
    Column("name", String(50), primary_key=True),
    Column("goes_with", String(32), nullable=False),  # the document whose deletion blanks it: see store/answers.py
    Column("digest", String(64), nullable=False),
    Column("salt", String(32)),
    Column("words", Text),  # JSON, as it was hashed; null once it is redacted, and so is its salt
)

# Keys to the API: store/keys.py. Their secrets are not here; who reads this table can open nothing with it.
api_keys = Table(
    "api_keys",
    metadata,
    Column("id", String(16), primary_key=True),  # public: it stands in the key, in lists and in the audit
    Column("digest", String(64), nullable=False),  # SHA-256 of the secret
    Column("name", Text, nullable=False),
    Column("scopes", JSON, nullable=False),
    Column("collections", JSON(none_as_null=True)),  # null: all
    Column("made", String(32), nullable=False),
    Column("expires", String(32), nullable=False, default=""),  # ISO 8601, UTC; empty: never
    Column("revoked", String(32), nullable=False, default=""),
)
