"""python -m highlighter completion: what makes a shell complete commands, options and file names."""

from __future__ import annotations

import argparse
from pathlib import Path

from highlighter.cli.parser_contents import iterate_parsers, list_actions, list_commands

SUMMARY = "print the completions of a shell: bash, zsh or fish"
EXAMPLES = """examples:
  highlighter completion bash > ~/.local/share/bash-completion/completions/highlighter
  highlighter completion zsh > ~/.zfunc/_highlighter      # in ~/.zshrc, before compinit: fpath+=~/.zfunc
  highlighter completion fish > ~/.config/fish/completions/highlighter.fish

The shell then completes the command `highlighter` with Tab, from its next start on. After an update, print them again."""

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "highlighter"
FOLDER_METAVARS, FILE_METAVARS = ("FOLDER", "DIR"), ("FILE", "PATH", "IN", "OUT", "ANSWER")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Print the completions of all commands of a parser."""
    import shtab

    parser.prog = PROGRAM
    for command_parser in iterate_parsers(parser):
        for _, command, summary in list_commands(command_parser):
            command.description = summary  # shells show it beside the name
        for action in list_actions(command_parser):
            if action.metavar in FOLDER_METAVARS or action.dest == "folder":
                action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # where shtab looks for it
            elif action.metavar in FILE_METAVARS or action.type is Path:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, options.shell))
    return 0
