"""The commands of python -m highlighter, each in a module of its own."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol

from highlighter.cli import (
    ask,
    backup,
    calibrate,
    check,
    citations,
    completion,
    delete,
    doctor,
    documents,
    feedback,
    highlight,
    keys,
    locate,
    manual,
    mcp,
    migrate,
    pack,
    people,
    resolve,
    restore,
    search,
    serve,
    status,
    verify,
    webhooks,
)
from highlighter.cli.closed_pipe import run_main
from highlighter.cli.common import print_usage_error, translate_commands
from highlighter.cli.terminal_text import protect_terminal
from highlighter.errors import HighlighterError
from highlighter.lean_imports import skip_unneeded_imports
from highlighter.operating_system import UnsupportedSystem
from highlighter.settings import Settings, SettingsError
from highlighter.version import __version__

if TYPE_CHECKING:
    from highlighter.services import Services


class CommandHelp(Protocol):
    """What the help needs of a module that is a command. Its docstring is the description."""

    SUMMARY: str
    EXAMPLES: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...


class Command(CommandHelp, Protocol):
    """The contents of a module that is a command."""

    def run(self, services: Services, options: argparse.Namespace) -> int: ...


class ParserCommand(CommandHelp, Protocol):
    """The contents of a module that is a command about the other commands: it needs no settings and no data."""

    def run(self, parser: argparse.ArgumentParser, options: argparse.Namespace) -> int: ...


COMMANDS: dict[str, Command] = {
    "serve": serve,
    "status": status,
    "ask": ask,
    "check": check,
    "search": search,
    "highlight": highlight,
    "locate": locate,
    "resolve": resolve,
    "citations": citations,
    "documents": documents,
    "delete": delete,
    "pack": pack,
    "verify": verify,
    "backup": backup,
    "restore": restore,
    "migrate": migrate,
    "mcp": mcp,
    "keys": keys,
    "people": people,
    "webhooks": webhooks,
    "doctor": doctor,
    "feedback": feedback,
    "calibrate": calibrate,
}
PARSER_COMMANDS: dict[str, ParserCommand] = {"completion": completion, "man": manual}
# These maintain the stored data, so they run only where the data is stored.
LOCAL_COMMANDS = ("keys", "people", "webhooks", "verify", "backup", "restore", "migrate", "doctor", "feedback")
EXAMPLES = "\n".join(
    [
        "examples:",
        "  python -m highlighter ingest contract.pdf papers/",
        # The examples of a command may begin with another command that it needs.
        *(
            next(line for line in command.EXAMPLES.splitlines() if f"highlighter {name}" in line)
            for name, command in COMMANDS.items()
        ),
        "  python -m highlighter COMMAND --help",
    ]
)


def main(arguments: list[str] | None = None) -> int:
    command_line = sys.argv[1:] if arguments is None else arguments
    if command_line[:1] == ["ingest"]:
        from ingest.__main__ import main as ingest

        return ingest(command_line[1:])
    parser = _build_parser()
    options = parser.parse_args(command_line)
    if options.command in PARSER_COMMANDS:
        return PARSER_COMMANDS[options.command].run(parser, options)
    try:
        settings = Settings.from_environment(**_read_settings(options))
        if options.command == "serve":  # before anything is imported that counts
            settings = serve.prepare(settings)
        # Imported late, so that --help and usage errors are fast.
        from highlighter.services import Services

        services = Services(settings)
    except (SettingsError, UnsupportedSystem) as err:
        return print_usage_error(err.detail)
    if services.settings.service_url and options.command in LOCAL_COMMANDS:
        return print_usage_error(
            f"{options.command} works only on the machine of the service: run it there, without HIGHLIGHTER_URL."
        )
    try:
        status: int = options.run(services, options)
        return status
    except HighlighterError as err:
        print(translate_commands(f"python -m highlighter: {err.detail}"), file=sys.stderr)
        return 1
    finally:
        services.close()


def _read_settings(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings given on the command line; they override the environment."""
    return {setting.name: getattr(options, setting.name) for setting in fields(Settings) if setting.name in options}


def _build_parser() -> argparse.ArgumentParser:
    import ingest.__main__ as ingest  # has a command line of its own, which `main` calls: here for the help

    parser = _create_parser(argparse.ArgumentParser, prog=translate_commands("python -m highlighter"), epilog=EXAMPLES)
    parser.add_argument("--version", action="version", version=f"Highlighter {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    modules: dict[str, CommandHelp] = {"ingest": ingest, **COMMANDS, **PARSER_COMMANDS}
    for name, command in modules.items():
        command_parser = _create_parser(
            commands.add_parser, name, help=command.SUMMARY, description=command.__doc__, epilog=command.EXAMPLES
        )
        command.add_arguments(command_parser)
        command_parser.set_defaults(run=getattr(command, "run", None), command=name)
    return parser


def _create_parser(
    create: Callable[..., argparse.ArgumentParser], *name: str, **options: str | None
) -> argparse.ArgumentParser:
    texts = {key: translate_commands(text) if text else text for key, text in options.items()}
    return create(*name, formatter_class=argparse.RawDescriptionHelpFormatter, **texts)


def run() -> int:
    """Run the console command `highlighter` and return its exit status."""
    skip_unneeded_imports()
    with protect_terminal():
        return run_main(main)


if __name__ == "__main__":
    sys.exit(run())
