"""Real parts for every test: SQLite, Chroma, MiniLM, PDFium, reportlab, in a folder of the test's own. No network, no home."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, expect, sync_playwright

from highlighter.app import create_app
from highlighter.embedder import Embedder
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.workers.jail import Jail
from ingest.pipeline import ingest_file
from tests.browser.chromium import launch
from tests.scripted.fixture import chain_of, scripted  # noqa: F401 - fixtures for all

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
EXPECTED_WITHIN = 30_000  # milliseconds; five seconds, as it is by itself, are too few beside much other work

# Of nothing here it is said how long it takes; and a folder or a client may serve all examples of a test.
settings.register_profile(
    "here", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("here")


@pytest.fixture(autouse=True, scope="session")
def no_network():
    """Whoever reaches beyond this machine fails, and says where to."""
    connect = socket.socket.connect

    def only_here(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"A test reached out to {address}")
        return connect(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", only_here)
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The one for all that is looked at: a process can drive no second one beside it."""
    expect.set_options(timeout=EXPECTED_WITHIN)
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture(scope="session")
def embedder():
    """The real model, loaded once."""
    model = Embedder()
    model.load()
    return model


@pytest.fixture(scope="session")
def jail():
    pool = Jail(workers=1, seconds=60, memory_mb=1024)
    yield pool
    pool.close()


@pytest.fixture
def services(tmp_path, embedder):
    made = Services(Settings(data_dir=tmp_path / "data"), embedder)
    yield made
    made.close()


@pytest.fixture
def app(services):
    app = create_app(services)
    app.config["TESTING"] = True
    return app


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def note(tmp_path, services, jail):
    """A small text document, taken in for real."""
    path = tmp_path / "note.txt"
    path.write_text(NOTE, encoding="utf-8")
    return ingest_file(path, services, jail).document


NOTE = """\
The ferry leaves the island at seven in the morning. It carries sixty passengers and no cars.

Tickets cost four pounds and are sold on board. Children under five travel free of charge.

The captain may cancel a crossing when the wind is stronger than force eight. A cancelled ticket is refunded within \
three days.
"""


@pytest.fixture(scope="session")
def sample_questions() -> dict[str, list[dict[str, str]]]:
    listing = json.loads((SAMPLES / "questions.json").read_text(encoding="utf-8"))
    return {entry["file"]: entry["questions"] for entry in listing}


@pytest.fixture(scope="session")
def sampled(tmp_path_factory, embedder, jail):
    """A library that holds the samples. Who would change it makes one of their own."""
    made = Services(Settings(data_dir=tmp_path_factory.mktemp("sampled")), embedder)
    for path in sorted(SAMPLES.iterdir()):
        if path.suffix in (".pdf", ".docx", ".txt"):
            ingest_file(path, made, jail)
    yield made
    made.close()
