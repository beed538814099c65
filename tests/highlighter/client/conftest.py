"""A remote service with a note in its library."""

from __future__ import annotations

import pytest

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings
from ingest.pipeline import ingest_file
from tests.conftest import NOTE
from tests.highlighter.web.auth.clients import running_server


@pytest.fixture(scope="module")
def remote_service(tmp_path_factory, embedder, process_pool):
    """The URL and the services of a server that requires keys, with a note in its library."""
    services = Services(Settings(data_dir=tmp_path_factory.mktemp("remote"), require_keys="1"), embedder)
    path = tmp_path_factory.mktemp("notes") / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    ingest_file(path, services, process_pool)
    with running_server(create_app(services)) as address:
        yield address, services
    services.close()


@pytest.fixture(scope="module")
def key(remote_service):
    return remote_service[1].api_keys.create_key("Tests", ["admin"])[1]
