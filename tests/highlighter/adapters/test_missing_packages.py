"""Tests of adapters whose optional package is missing."""

from __future__ import annotations

import json
import subprocess
import sys

# The package that each adapter names, and the module that cannot be imported without it.
PACKAGES = {
    "mcp": ("mcp", "mcp"),
    "langchain": ("langchain-core", "langchain_core"),
    "llamaindex": ("llama-index-core", "llama_index"),
    "haystack": ("haystack-ai", "haystack"),
    "fastapi_routes": ("fastapi", "fastapi"),
}
# Makes the imports of modules fail as if they were not installed, and prints what each adapter says then.
PROGRAM = """
import importlib, json, sys
for adapter, (_, module) in json.loads(sys.argv[1]).items():
    sys.modules[module] = None
    try:
        importlib.import_module(f"highlighter.adapters.{adapter}")
    except ImportError as error:
        print(error)
"""
WITHOUT_MCP = "import sys; sys.modules['mcp'] = None; "


def python(program: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)


def test_adapter_without_package_says_what_to_install():
    process = python(PROGRAM, json.dumps(PACKAGES))
    assert process.stdout.splitlines() == [
        f"{package} is required: pip install -r requirements-adapters.txt (or {package} alone)."
        for package, _ in PACKAGES.values()
    ], process.stderr


def test_mcp_command_says_what_to_install():
    process = python(f"{WITHOUT_MCP}from highlighter.__main__ import main; sys.exit(main(['mcp']))")
    message = "python -m highlighter: mcp is required: pip install -r requirements-adapters.txt (or mcp alone).\n"
    assert (process.returncode, process.stdout, process.stderr) == (1, "", message)
