"""Run the revisions in the transaction of the connection that `store/migration.py` hands over."""

from __future__ import annotations

from alembic import context

from highlighter.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
