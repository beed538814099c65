"""The arguments, options and commands of a parser: argparse has no public list of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator


def list_actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the arguments and options of a parser, and its list of commands where it has one."""
    return parser._actions


def list_commands(parser: argparse.ArgumentParser) -> list[tuple[str, argparse.ArgumentParser, str]]:
    """Return the name, the parser and the summary of each command of a parser."""
    commands = []
    for action in list_actions(parser):
        if isinstance(action.choices, dict):
            summaries = {choice.dest: choice.help or "" for choice in action._get_subactions()}  # type: ignore[attr-defined]
            commands += [(name, command, summaries.get(name, "")) for name, command in action.choices.items()]
    return commands


def iterate_parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Iterate over a parser and those of its commands, at every depth."""
    yield parser
    for _, command, _ in list_commands(parser):
        yield from iterate_parsers(command)
