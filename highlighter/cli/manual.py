"""python -m highlighter man: the manual page, made from the help of all commands and from the settings."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from highlighter import __version__
from highlighter.cli.parser_contents import list_actions, list_commands
from highlighter.settings import Settings

SUMMARY = "print the manual page"
EXAMPLES = """examples:
  highlighter man | man -l -
  mkdir -p ~/.local/share/man/man1 && highlighter man > ~/.local/share/man/man1/highlighter.1    # then: man highlighter"""

DESCRIPTION = (
    "Highlighter takes documents in and, for every citation of them, shows the sentence that carries it, in its place. "
    "The commands use the library in DATA_DIR or, where HIGHLIGHTER_URL is set, the service there. Results go to standard output, "
    "progress and warnings to standard error; --json prints results for programs. NO_COLOR switches colours off."
)
EXIT_STATUS = (
    "0: done, or found. 1: not, and a sentence says why. 2: wrong usage. 141: the reader of the output has closed it."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: there is one page."""


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Print the manual page of all commands of a parser, in the language of `man`."""
    print("\n".join(_write_page(parser)))
    return 0


def _write_page(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f'.TH HIGHLIGHTER 1 "" "Highlighter {__version__}" "User Commands"'
    yield from (".SH NAME", r"highlighter \- show the sentences behind citations, highlighted in their documents")
    yield from (".SH SYNOPSIS", r".B highlighter", r"\fICOMMAND\fR [\fIOPTIONS\fR]")
    yield from (".SH DESCRIPTION", _escape(DESCRIPTION), ".SH COMMANDS")
    for name, command, summary in list_commands(parser):
        yield from (f".SS {_escape(f'highlighter {name}')}", _escape(f"{summary[:1].upper()}{summary[1:]}."))
        yield from _write_command(command)
    yield ".SH ENVIRONMENT"
    for setting in fields(Settings):
        default = f" (default: {setting.default})" if _has_shown_default(setting.default) else ""
        yield from (".TP", f".B {setting.metadata['variable']}", _escape(setting.metadata["description"] + default))
    yield from (".SH EXIT STATUS", _escape(EXIT_STATUS))


def _write_command(command: argparse.ArgumentParser) -> Iterator[str]:
    """Write the arguments, options and further commands of a command, then its examples as they are."""
    for action in list_actions(command):
        if action.help is not argparse.SUPPRESS and action.dest != "help" and not isinstance(action.choices, dict):
            yield from (
                ".TP",
                _format_names(action),
                _escape((action.help or "") % {**vars(action), "prog": command.prog}),
            )
    for name, further, summary in list_commands(command):
        yield from (".PP", rf"\fB{_escape(f'{command.prog.split()[-1]} {name}')}\fR: {_escape(summary)}.")
        yield from _write_command(further)
    if command.epilog:
        yield from (".PP", ".nf", *map(_escape, _use_console_command(command.epilog).splitlines()), ".fi")


def _format_names(action: argparse.Action) -> str:
    values = action.metavar or (
        "{" + ",".join(map(str, action.choices)) + "}" if action.choices else action.dest.upper()
    )
    value = "" if action.nargs == 0 else rf"\fI{_escape(str(values))}\fR"
    names = ", ".join(rf"\fB{_escape(name)}\fR" for name in action.option_strings)
    return " ".join(filter(None, [names, value]))


def _has_shown_default(default: object) -> bool:
    return isinstance(default, str | int | float | Path) and not isinstance(default, bool) and default != ""


def _use_console_command(text: str) -> str:
    return text.replace("python -m ingest", "highlighter ingest").replace("python -m highlighter", "highlighter")


def _escape(text: str) -> str:
    """Write a line so that `man` shows it as it is: no part of it is a command of the page."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    escaped = re.sub(r"[^\x00-\x7f]", lambda found: rf"\[u{ord(found[0]):04X}]", escaped)
    return re.sub(r"^(?=[.'])", r"\\&", escaped) or r"\&"
