"""python -m highlighter mcp: a tool server for assistants, on standard input and output, or over HTTP."""

from __future__ import annotations

import argparse
import os
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from highlighter.errors import Unavailable
from highlighter.locale import N_

if TYPE_CHECKING:
    from highlighter.adapters.library import Library
    from highlighter.services import Services

SUMMARY = "run a tool server for assistants (MCP, on standard input and output or over HTTP)"
EXAMPLES = """examples:
  python -m highlighter mcp
  python -m highlighter mcp --http --port 8001
  HIGHLIGHTER_URL=https://papers.example HIGHLIGHTER_KEY=hk_... python -m highlighter mcp

An assistant starts it itself; its configuration names the command:
  {"mcpServers": {"highlighter": {"command": "/path/to/.venv/bin/python", "args": ["-m", "highlighter", "mcp"],
                                  "cwd": "/path/to/highlighter"}}}
or, with --http, the address:
  {"mcpServers": {"highlighter": {"url": "http://127.0.0.1:8001/mcp", "headers": {"Authorization": "Bearer hk_..."}}}}

Clients of --http need a key where there are keys, and beyond this machine.
Links lead to where `serve` answers. See docs/how-to/integrate.md."""
DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8001


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--http", action="store_true", help="answer over streamable HTTP, at http://HOST:PORT/mcp")
    # HOST and PORT are those of `serve`, to which links lead.
    parser.add_argument(
        "--host", dest="mcp_host", default=DEFAULT_HOST, metavar="HOST", help="with --http (default: %(default)s)"
    )
    parser.add_argument(
        "--port",
        dest="mcp_port",
        type=int,
        default=DEFAULT_PORT,
        metavar="PORT",
        help="with --http (default: %(default)s)",
    )


def run(services: Services, options: argparse.Namespace) -> int:
    try:
        from highlighter.adapters.mcp import create_server
    except ImportError as err:
        print(f"python -m highlighter: {err}", file=sys.stderr)
        return 1
    from highlighter.adapters.library import open_library

    with open_library(services) as library:
        if options.http:
            _serve_over_http(library, services, options.mcp_host, options.mcp_port)
        else:
            create_server(library).run()
    return 0


def _serve_over_http(library: Library, services: Services, host: str, port: int) -> None:
    from highlighter.adapters.mcp_http import MCP_PATH, format_address, prepare_http_server

    serve = prepare_http_server(library, services, host, port)
    _require_free_port(host, port)
    print(f"The tools are at {format_address(host, port)}{MCP_PATH}  (Ctrl-C stops it)", flush=True)
    with suppress(KeyboardInterrupt):  # raised once requests are answered
        serve()


def _require_free_port(host: str, port: int) -> None:
    """Raise Unavailable with a sentence where nothing can listen there: the HTTP server would log it and go."""
    try:
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except (OSError, OverflowError) as err:
        reason = os.strerror(err.errno) if isinstance(err, OSError) and err.errno else "no such port"
        raise Unavailable(
            N_(
                "Cannot listen on {host}:{port} ({reason}). Choose another with --host and --port.",
                host=host,
                port=port,
                reason=reason,
            )
        ) from err
