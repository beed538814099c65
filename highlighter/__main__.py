"""python -m highlighter COMMAND: a table of commands, each in a module of its own."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from typing import Any

from highlighter import __version__
from highlighter.cli import (
    ask,
    calibrate,
    check,
    delete,
    doctor,
    documents,
    feedback,
    highlight,
    keys,
    locate,
    mcp,
    pack,
    resolve,
    search,
    serve,
    verify,
)
from highlighter.cli.closed_pipe import run_main
from highlighter.cli.common import print_usage_error
from highlighter.errors import HighlighterError
from highlighter.settings import Settings, SettingsError

COMMANDS = {
    "serve": serve,
    "ask": ask,
    "check": check,
    "search": search,
    "highlight": highlight,
    "locate": locate,
    "resolve": resolve,
    "documents": documents,
    "delete": delete,
    "pack": pack,
    "verify": verify,
    "mcp": mcp,
    "keys": keys,
    "doctor": doctor,
    "feedback": feedback,
    "calibrate": calibrate,
}
# They look after what is kept, and where it is kept.
LOCAL_COMMANDS = ("keys", "verify", "doctor", "feedback")
EXAMPLES = "\n".join(
    [
        "examples:",
        *(command.EXAMPLES.splitlines()[1] for command in COMMANDS.values()),
        "  python -m highlighter COMMAND --help",
        "",
        "Add documents with python -m ingest.",
    ]
)


def main(arguments: list[str] | None = None) -> int:
    options = _build_parser().parse_args(arguments)
    # In here, so that --help and a word mistyped cost nothing.
    from highlighter.services import Services

    try:
        services = Services(Settings.from_environment(**_read_settings(options)))
    except SettingsError as err:
        return print_usage_error(err.detail)
    if services.settings.service_url and options.command in LOCAL_COMMANDS:
        return print_usage_error(
            f"{options.command} works only on the machine of the service: run it there, without HIGHLIGHTER_URL."
        )
    try:
        return options.run(services, options)
    except HighlighterError as err:
        print(f"python -m highlighter: {err.detail}", file=sys.stderr)
        return 1
    finally:
        services.close()


def _read_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return what the command line says of settings; it comes before the environment."""
    return {knob.name: getattr(options, knob.name) for knob in fields(Settings) if knob.name in options}


def _build_parser() -> argparse.ArgumentParser:
    parser = _create_parser(argparse.ArgumentParser, prog="python -m highlighter", epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"Highlighter {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        own = _create_parser(
            commands.add_parser, name, help=command.ABOUT, description=command.__doc__, epilog=command.EXAMPLES
        )
        command.arguments(own)
        own.set_defaults(run=command.run, command=name)
    return parser


def _create_parser(maker, *name: str, **how: str) -> argparse.ArgumentParser:
    return maker(*name, formatter_class=argparse.RawDescriptionHelpFormatter, **how)


if __name__ == "__main__":
    sys.exit(run_main(main))
