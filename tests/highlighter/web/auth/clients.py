"""Clients that show a key with each request."""

from __future__ import annotations

import threading
from contextlib import contextmanager

from flask.testing import FlaskClient
from werkzeug.serving import make_server

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings


def with_key(app, *scopes: str, collections=None, name: str = "A key") -> FlaskClient:
    _, shown = app.services.api_keys.create_key(name, scopes or ["read"], collections)
    return showing(app, shown)


def showing(app, shown: str) -> FlaskClient:
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {shown}"
    return client


@contextmanager
def served(tmp_path, embedder, **settings):
    """An application with settings of its own."""
    services = Services(Settings(data_dir=tmp_path / "served", **settings), embedder)
    app = create_app(services)
    yield app
    services.close()


@contextmanager
def listening(app):
    """The address of a server that answers in a thread of this process, many at once."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
