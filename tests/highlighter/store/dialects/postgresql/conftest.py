import pytest

from highlighter.store.database import open_database
from tests.conftest import POSTGRESQL


@pytest.fixture
def database_kind() -> str:
    return POSTGRESQL


@pytest.fixture(scope="session")
def template(postgresql_server):
    """A database with the tables of a catalog, and nothing in them: to create them takes longer than to copy them."""
    database = postgresql_server.create_database()
    open_database(postgresql_server.address(database)).dispose()
    return database


@pytest.fixture
def catalog_address(postgresql_server, template):
    database = postgresql_server.create_database(template)
    yield postgresql_server.address(database)
    postgresql_server.drop_database(database)


@pytest.fixture
def engine(catalog_address):
    """An empty catalog in PostgreSQL."""
    engine = open_database(catalog_address)
    yield engine
    engine.dispose()
