"""Tests of the memory that is returned to the system, and of the pools that hold what is not."""

from __future__ import annotations

import os
import platform
import re
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


# Each thread holds memory of its own at once; the C library then lists its pools.
POOLS_SCRIPT = """
import ctypes, threading
from highlighter.free_memory import limit_memory_pools
limit_memory_pools()
all_hold = threading.Barrier(12)
def hold():
    block = bytearray(100_000)
    all_hold.wait()
threads = [threading.Thread(target=hold) for _ in range(12)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
ctypes.CDLL(None).malloc_stats()
"""
needs_gnu = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs GNU's C library")


@needs_gnu
@pytest.mark.parametrize(("own_number", "pools"), [(None, 2), ("3", 3)])
def test_threads_share_two_pools_unless_the_environment_says_otherwise(own_number, pools):
    environment = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    environment |= {"MALLOC_ARENA_MAX": own_number} if own_number else {}
    command = [sys.executable, "-c", POOLS_SCRIPT]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert len(re.findall(r"^Arena \d+:", done.stderr, re.MULTILINE)) == pools


@needs_gnu
def test_freed_memory_returns_to_the_system():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 150
