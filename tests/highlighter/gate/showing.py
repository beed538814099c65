"""Clients that show a key with each request."""

from __future__ import annotations

from contextlib import contextmanager

from flask.testing import FlaskClient

from highlighter.app import create_app
from highlighter.services import Services
from highlighter.settings import Settings


def with_key(app, *scopes: str, collections=None, name: str = "A key") -> FlaskClient:
    _, shown = app.services.keys.make(name, scopes or ["read"], collections)
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
