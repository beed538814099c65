"""Tests of the memory that is returned to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

# Blocks too small for a mapping of their own, and one behind them that stays.
SCRIPT = """
import psutil
from highlighter.free_memory import return_free_memory
resident = lambda: psutil.Process().memory_info().rss >> 20
blocks = [bytearray(100_000) for _ in range(2000)]
last = blocks.pop()
before = resident()
del blocks
return_free_memory()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs GNU's C library")
def test_freed_memory_returns_to_the_system():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 150
