"""A library with a note: in this process, and as a service in a thread that requires a key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from highlighter.adapters.library import LocalLibrary
from highlighter.client import Client
from tests.highlighter.client.conftest import key, remote_service  # noqa: F401 - fixtures

TICKET, SENTENCE = "How much is a ticket?", "Tickets cost four pounds and are sold on board."


def run_in_new_loop(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine in a thread, because this thread has a loop already where a browser was started."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


@pytest.fixture(params=["here", "elsewhere"])
def library(request, remote_service, key):  # noqa: F811
    """The same library, local and remote; both link to the service."""
    address, services = remote_service
    if request.param == "here":
        yield LocalLibrary(services, address)
        return
    with Client(address, key) as client:
        yield client


@pytest.fixture
def note(remote_service):  # noqa: F811
    return next(document for document in remote_service[1].catalog.documents() if document.name == "note.txt")


@pytest.fixture
def open_link(remote_service, key):  # noqa: F811
    """Return a function that returns the page of a link."""
    import httpx2

    def read(link: str) -> str:
        answer = httpx2.get(link, headers={"Authorization": f"Bearer {key}"}, follow_redirects=True)
        assert answer.status_code == 200, link
        return answer.text

    return read
