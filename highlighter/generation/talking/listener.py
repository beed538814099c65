"""Whether anybody still waits for what is being written. Asked while a model is silent, when nothing sent would tell.

Set by whoever answers a request, in whose context all the work is done; elsewhere somebody always waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_gone: ContextVar[Callable[[], bool]] = ContextVar("listener_gone", default=lambda: False)


def listener_gone() -> bool:
    return _gone.get()()


@contextmanager
def listened_to(gone: Callable[[], bool]) -> Iterator[None]:
    before = _gone.set(gone)
    try:
        yield
    finally:
        _gone.reset(before)
