"""A receiver on this machine, and services that may send to it."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

import pytest

from highlighter.outgoing_addresses import AllowedHosts
from tests.conftest import POSTGRESQL, SQLITE
from tests.highlighter.webhooks.receiver import receiving


def pytest_generate_tests(metafunc):
    if "database_kind" in metafunc.fixturenames and metafunc.module.__name__.endswith("test_dispatcher"):
        metafunc.parametrize("database_kind", [SQLITE, POSTGRESQL])


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def data_settings(data_settings):
    return replace(data_settings, webhook_hosts=AllowedHosts(networks=(ipaddress.ip_network("127.0.0.1"),)))
