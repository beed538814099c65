"""`scripted`: the scripted server, for the length of one test. `chain_of`: a chain of models that are asked there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from highlighter.generation.chain import Chain
from highlighter.settings import Settings
from tests.scripted.server import Scripted


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    server = Scripted()
    yield server
    server.close()


@pytest.fixture
def chain_of(scripted: Scripted) -> Callable[..., Chain]:
    def make(*models: str, **settings: Any) -> Chain:
        chain = Chain.from_settings(Settings(**{**scripted.settings(*models), **settings}))
        chain.pause = 0.001  # quick to try again
        return chain

    return make
