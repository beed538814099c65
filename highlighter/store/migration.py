"""Upgrades of the catalog's tables, by Alembic: the revisions are in store/migrations/versions/."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text

from highlighter.errors import Unavailable
from highlighter.locale import N_
from highlighter.store.dialects import get_dialect

# The revision that this release works with. It is repeated here because importing Alembic takes a fifth of a second, and
# nearly every database that is opened has it; a test compares it with the revisions.
CURRENT_REVISION = "0005"
SCRIPTS_FOLDER = Path(__file__).parent / "migrations"


class CatalogTooNew(Unavailable):
    """The error for a catalog that a later release has upgraded."""

    title = N_("The catalog is of a later release")

    def __init__(self) -> None:
        super().__init__(
            N_(
                "The catalog was upgraded by a later release of Highlighter. Install that release, or restore a backup made "
                "before the upgrade."
            )
        )


def upgrade_schema(engine: Engine) -> None:
    """Create the tables, or bring those of an earlier release to this one, in one transaction."""
    dialect = get_dialect(engine)
    with engine.connect() as connection:
        if _read_revision(connection) == CURRENT_REVISION and dialect.has_guards(connection):
            return
    with _schema_transaction(engine) as connection:
        dialect.lock_schema(connection)
        if _read_revision(connection) == CURRENT_REVISION:  # another process was faster, or triggers were dropped
            dialect.create_guards(connection)
        else:
            _run_revisions(connection)


@contextmanager
def _schema_transaction(engine: Engine) -> Iterator[Connection]:
    with engine.connect().execution_options(write="schema") as connection, connection.begin():
        yield connection


def _read_revision(connection: Connection) -> str:
    """Return the revision of the tables; empty where there are none, or a release without Alembic made them."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.scalar(text("SELECT version_num FROM alembic_version")) or "")


def _run_revisions(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(SCRIPTS_FOLDER).replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as err:
        raise CatalogTooNew from err
