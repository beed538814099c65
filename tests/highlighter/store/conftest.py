"""Tests of the store run on SQLite and on PostgreSQL, unless they are about the file of one."""

import pytest

from tests.conftest import POSTGRESQL, SQLITE


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def database_kind(request) -> str:
    return request.param
