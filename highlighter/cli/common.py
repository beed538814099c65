"""Functions that commands share: the client of a remote service, usage errors and text styles."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highlighter.client import Client
    from highlighter.services import Services

Filters = dict[str, list[str]]  # allowed values by key

ANSI_BOLD, ANSI_FAINT, ANSI_RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


@contextmanager
def connect_remote(services: Services) -> Iterator[Client | None]:
    """Yield a client of the service at HIGHLIGHTER_URL; None without one, when the data is here."""
    settings = services.settings
    if not settings.service_url:
        yield None
        return
    from highlighter.client import Client

    with Client.from_settings(settings) as client:
        yield client


def add_filter_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose documents."""
    parser.add_argument("--collection", help="only this one")
    parser.add_argument(
        "--tag", action="append", default=[], help="only documents with this tag (repeatable: any of them)"
    )
    parser.add_argument("--where", action="append", default=[], metavar="KEY=VALUE", help="only such documents")


def build_filters(options: argparse.Namespace) -> Filters:
    """Return the filters of the options that `add_filter_arguments` adds; raise BadRequest for a wrong one."""
    from highlighter.metadata import TAGS, parse_filters

    filters = parse_filters([*options.where, *(f"{TAGS}={tag}" for tag in options.tag)])
    if options.collection:
        filters["collection"] = [options.collection]
    return filters


def has_colors() -> bool:
    """Return whether the output is a terminal that shows colours, and its user wants them (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def choose_text_styles() -> tuple[str, str, str]:
    """Return the codes for bold, faint and plain text; they are empty where there are no colours."""
    return (ANSI_BOLD, ANSI_FAINT, ANSI_RESET) if has_colors() else ("", "", "")


def translate_commands(text: str) -> str:
    """Name the commands in a text as the user started this one: by the console command, or by `python -m`."""
    if Path(sys.argv[0]).name != "highlighter":
        return text
    return text.replace("python -m ingest", "highlighter ingest").replace("python -m highlighter", "highlighter")


def print_usage_error(sentence: str) -> int:
    """Print an error to standard error, and return the exit status of wrong usage."""
    print(translate_commands(f"python -m highlighter: {sentence}"), file=sys.stderr)
    return 2
