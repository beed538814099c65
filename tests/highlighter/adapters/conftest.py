"""A library with a note in it: in this process, and as a service that answers in a thread and asks for a key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from highlighter.adapters.library import Here
from highlighter.client import Client
from tests.highlighter.client.conftest import far_away, key  # noqa: F401 - fixtures

TICKET, SENTENCE = "How much is a ticket?", "Tickets cost four pounds and are sold on board."


def awaited(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """In a thread: where a browser was started before, this one has a loop already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


@pytest.fixture(params=["here", "elsewhere"])
def library(request, far_away, key):  # noqa: F811
    """The same library, asked in both ways; its links lead to the service in either."""
    address, services = far_away
    if request.param == "here":
        yield Here(services, address)
        return
    with Client(address, key) as client:
        yield client


@pytest.fixture
def note(far_away):  # noqa: F811
    return next(one for one in far_away[1].catalog.documents() if one.name == "note.txt")


@pytest.fixture
def opens(far_away, key):  # noqa: F811
    """The page that a link leads to."""
    import httpx2

    def read(link: str) -> str:
        answer = httpx2.get(link, headers={"Authorization": f"Bearer {key}"}, follow_redirects=True)
        assert answer.status_code == 200, link
        return answer.text

    return read
