"""python -m highlighter mcp: a tool server for assistants, on standard input and output."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highlighter.services import Services

SUMMARY = "run a tool server for assistants (MCP, on standard input and output)"
EXAMPLES = """examples:
  python -m highlighter mcp
  HIGHLIGHTER_URL=https://papers.example HIGHLIGHTER_KEY=hk_... python -m highlighter mcp

An assistant starts it itself; its configuration names the command:
  {"mcpServers": {"highlighter": {"command": "/path/to/.venv/bin/python", "args": ["-m", "highlighter", "mcp"],
                                  "cwd": "/path/to/highlighter"}}}

Tools: search, highlight, locate, ask. Links lead to where `serve` answers. See docs/how-to/integrate.md."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add nothing: the settings name the library."""


def run(services: Services, options: argparse.Namespace) -> int:
    try:
        from highlighter.adapters.mcp import create_server
    except ImportError as err:
        print(f"python -m highlighter: {err}", file=sys.stderr)
        return 1
    from highlighter.adapters.library import open_library

    with open_library(services) as library:
        create_server(library).run()
    return 0
