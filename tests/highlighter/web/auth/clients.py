"""Test applications, servers, and clients with API keys."""

from __future__ import annotations

import threading
from contextlib import contextmanager

from flask.testing import FlaskClient
from werkzeug.serving import make_server

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings


def client_with_key(app, *scopes: str, collections=None, name: str = "A key") -> FlaskClient:
    _, secret = app.services.api_keys.create_key(name, scopes or ["read"], collections)
    return client_with_secret(app, secret)


def client_with_secret(app, secret: str) -> FlaskClient:
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {secret}"
    return client


@contextmanager
def running_app(tmp_path, embedder, **settings):
    """Yield an application with its own settings."""
    services = Services(Settings(data_dir=tmp_path / "served", **settings), embedder)
    app = create_app(services)
    yield app
    services.close()


@contextmanager
def running_server(app):
    """Yield the URL of a server that runs in threads of this process."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()
