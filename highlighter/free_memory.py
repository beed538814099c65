"""The memory that the process holds: C libraries hold on to what was freed, in pools of which threads have many."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache

MAX_MEMORY_POOLS = 2  # eight for each processor by default; a library of 250 documents then held 105 MB of freed memory, with two 30 MB
_M_ARENA_MAX = -8  # of GNU's malloc.h


def limit_memory_pools() -> None:
    """Let threads share few pools, where the C library can (GNU's), unless the environment has a number of its own.

    Call it before threads start: a pool that there is stays.
    """
    if "MALLOC_ARENA_MAX" in os.environ:
        return
    with suppress(AttributeError, OSError, TypeError):  # another C library; on Windows, none is loaded by that name
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, MAX_MEMORY_POOLS)


def return_free_memory() -> None:
    """Return what is free to the system, where the C library can (GNU's); it takes less than a millisecond."""
    if trim := _find_malloc_trim():
        trim(0)


@cache
def _find_malloc_trim() -> Callable[[int], int] | None:
    try:
        return ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # another C library; on Windows, none is loaded by that name
        return None
