"""Tests of adapters whose optional package is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Makes the import of a module fail as if it were not installed.
WITHOUT = "import sys; sys.modules[{module!r}] = None; "


def python(program: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("adapter", "package", "module"),
    [
        ("mcp", "mcp", "mcp"),
        ("langchain", "langchain-core", "langchain_core"),
        ("llamaindex", "llama-index-core", "llama_index"),
        ("haystack", "haystack-ai", "haystack"),
        ("fastapi_routes", "fastapi", "fastapi"),
    ],
)
def test_adapter_without_package_says_what_to_install(adapter, package, module):
    process = python(f"{WITHOUT.format(module=module)}import highlighter.adapters.{adapter}")
    assert process.returncode == 1
    message = f"ImportError: {package} is required: pip install -r requirements-adapters.txt (or {package} alone)."
    assert process.stderr.splitlines()[-1] == message


def test_mcp_command_says_what_to_install():
    front = "from highlighter.__main__ import main; sys.exit(main(['mcp']))"
    process = python(WITHOUT.format(module="mcp") + front)
    message = "python -m highlighter: mcp is required: pip install -r requirements-adapters.txt (or mcp alone).\n"
    assert (process.returncode, process.stdout, process.stderr) == (1, "", message)
