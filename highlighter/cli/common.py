"""A service elsewhere, where HIGHLIGHTER_URL names one: what is kept there is asked about there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highlighter.client import Client
    from highlighter.services import Services


@contextmanager
def connect_remote(services: Services) -> Iterator[Client | None]:
    """None: it is all here."""
    settings = services.settings
    if not settings.service_url:
        yield None
        return
    from highlighter.client import Client

    with Client.from_settings(settings) as client:
        yield client


# What a command says when it is used wrongly.


def print_usage_error(sentence: str) -> int:
    print(f"python -m highlighter: {sentence}", file=sys.stderr)
    return 2
