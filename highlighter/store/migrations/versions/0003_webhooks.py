"""The responses to idempotent requests; webhooks, and what is sent to them."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Column, Float, ForeignKeyConstraint, PrimaryKeyConstraint

from highlighter.store.column_types import Integer, String, Text

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    op.create_table(
        "idempotent_responses",
        Column("owner", String(80), nullable=False),
        Column("idempotency_key", String(255), nullable=False),
        Column("request", String(64), nullable=False),
        Column("status", Integer, nullable=False),
        Column("expires", Float, nullable=False),
        Column("headers", JSON(), nullable=False),
        Column("ids", Text, nullable=False),
        Column("body", Text, nullable=False),
        PrimaryKeyConstraint("owner", "idempotency_key"),
        if_not_exists=True,
    )
    op.create_index("idempotent_responses_by_expiry", "idempotent_responses", ["expires"], if_not_exists=True)
    op.create_table(
        "webhooks",
        Column("id", String(32), nullable=False),
        Column("url", Text, nullable=False),
        Column("events", JSON(), nullable=False),
        Column("collections", JSON(), nullable=True),
        Column("description", Text, nullable=False),
        Column("secret", String(80), nullable=False),
        Column("by_key", String(16), nullable=False),
        Column("created", String(32), nullable=False),
        Column("disabled", String(32), nullable=False),
        Column("audit_seq", Integer, nullable=False),
        PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    op.create_table(
        "webhook_deliveries",
        Column("id", String(40), nullable=False),
        Column("webhook_id", String(32), nullable=False),
        Column("type", String(40), nullable=False),
        Column("at", String(32), nullable=False),
        Column("document_id", String(32), nullable=False),
        Column("collection", String(200), nullable=False),
        Column("sha256", String(64), nullable=False),
        Column("document_state", String(16), nullable=False),
        Column("answer_id", String(32), nullable=False),
        Column("state", String(16), nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("due", Float, nullable=True),
        Column("status", Integer, nullable=False),
        Column("problem", Text, nullable=False),
        ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], ondelete="CASCADE"),
        PrimaryKeyConstraint("id"),
        if_not_exists=True,
    )
    op.create_index("webhook_deliveries_of_a_webhook", "webhook_deliveries", ["webhook_id", "id"], if_not_exists=True)
    op.create_index("webhook_deliveries_due", "webhook_deliveries", ["due"], if_not_exists=True)
