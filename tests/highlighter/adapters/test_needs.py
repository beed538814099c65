"""Without its package an adapter is not there, and says what to install; nothing else misses it."""

from __future__ import annotations

import subprocess
import sys

import pytest

# Kept from being imported, as where it was never installed.
WITHOUT = "import sys; sys.modules[{module!r}] = None; "


def python(program: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize(
    ("adapter", "package", "module"),
    [
        ("mcp", "mcp", "mcp"),
        ("langchain", "langchain-core", "langchain_core"),
        ("llamaindex", "llama-index-core", "llama_index"),
    ],
)
def test_an_adapter_without_its_package_says_what_to_install(adapter, package, module):
    ended = python(f"{WITHOUT.format(module=module)}import highlighter.adapters.{adapter}")
    assert ended.returncode == 1
    message = f"ImportError: {package} is required: pip install -r requirements-adapters.txt (or {package} alone)."
    assert ended.stderr.splitlines()[-1] == message


def test_the_command_says_so_in_one_sentence():
    front = "from highlighter.__main__ import main; sys.exit(main(['mcp']))"
    ended = python(WITHOUT.format(module="mcp") + front)
    message = "python -m highlighter: mcp is required: pip install -r requirements-adapters.txt (or mcp alone).\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", message)
