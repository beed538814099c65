"""python -m highlighter COMMAND: a table of commands, each in a module of its own."""

from __future__ import annotations

import argparse
import sys

from highlighter.commands import doctor, serve
from highlighter.errors import HighlighterError
from highlighter.settings import Settings

COMMANDS = {
    "serve": serve,
    "doctor": doctor,
}
EXAMPLES = "\n".join(
    ["examples:", *(line for command in COMMANDS.values() for line in command.EXAMPLES.splitlines()[1:])]
)


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return options.run(Settings.from_environment(), options)
    except HighlighterError as err:
        print(f"python -m highlighter: {err.detail}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = _made(argparse.ArgumentParser, prog="python -m highlighter", epilog=EXAMPLES)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        own = _made(commands.add_parser, name, help=command.ABOUT, description=command.__doc__, epilog=command.EXAMPLES)
        command.arguments(own)
        own.set_defaults(run=command.run)
    return parser


def _made(maker, *name: str, **how: str) -> argparse.ArgumentParser:
    return maker(*name, formatter_class=argparse.RawDescriptionHelpFormatter, **how)


if __name__ == "__main__":
    sys.exit(main())
