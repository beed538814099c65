from tests.conftest import POSTGRESQL, SQLITE

# Documents, searches, notes and feedback use nearly all of the queries; the other routes are tested on SQLite alone.
MODULES_ON_BOTH_DATABASES = ("test_documents", "test_search", "test_feedback", "test_idempotency", "test_pages")


def pytest_generate_tests(metafunc):
    if "database_kind" in metafunc.fixturenames and metafunc.module.__name__.endswith(MODULES_ON_BOTH_DATABASES):
        metafunc.parametrize("database_kind", [SQLITE, POSTGRESQL])
