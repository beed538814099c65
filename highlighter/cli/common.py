"""A service elsewhere, where HIGHLIGHTER_URL names one: what is kept there is asked about there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
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


def translate_commands(text: str) -> str:
    """Name the commands in a text as the user started this one: by the console command, or by `python -m`."""
    if Path(sys.argv[0]).name != "highlighter":
        return text
    return text.replace("python -m ingest", "highlighter ingest").replace("python -m highlighter", "highlighter")


def print_usage_error(sentence: str) -> int:
    """Say on standard error how a command was used wrongly, and return its exit status."""
    print(translate_commands(f"python -m highlighter: {sentence}"), file=sys.stderr)
    return 2
