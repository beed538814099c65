"""python -m highlighter COMMAND: the table of commands, each in a module of highlighter/commands/."""

from __future__ import annotations

import argparse
import sys

from highlighter.commands import documents, highlight, search, serve
from highlighter.commands.say import refuse
from highlighter.errors import HighlighterError
from highlighter.services import Services

COMMANDS = (serve, search, highlight, documents)

EXAMPLES = """examples:
  python -m highlighter serve
  python -m highlighter search "Who pays for delay?"
  python -m highlighter highlight --question "Who pays for delay?" contract.txt
  python -m highlighter COMMAND --help

Documents are taken in by python -m ingest."""


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        services = Services.from_settings()
    except HighlighterError as err:
        return refuse(err.detail)
    try:
        return options.run(options, services)
    except HighlighterError as err:
        print(f"python -m highlighter: {err.detail}", file=sys.stderr)
        return 1
    finally:
        services.close()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m highlighter",
        description="Shows the sentence that carries a citation, in its place.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
