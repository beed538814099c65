"""The processor time that a request may use. Long loops call `check_cpu`, which stops a request that has used more.

Time spent waiting (for a language model, a lock, a slow reader of a stream) is not counted. Work outside a request (the
command line, ingestion, the Python class) has no budget.
"""

from __future__ import annotations

import threading
import time
from contextvars import ContextVar

from highlighter.errors import CpuBudgetExceeded
from highlighter.locale import N_


class CpuBudget:
    """The processor seconds of one request, in whatever threads it runs."""

    def __init__(self, seconds: float):
        self.seconds = seconds
        self.used = 0.0

    def count_thread(self) -> None:
        """Add the time that this thread used since it last counted for this budget."""
        now, (budget, before) = time.thread_time(), getattr(_last_count, "value", (None, 0.0))
        if budget is self:
            self.used += now - before
        _last_count.value = (self, now)

    def check(self) -> None:
        """Raise CpuBudgetExceeded when more than the budget is used."""
        if self.used > self.seconds:
            raise CpuBudgetExceeded(
                N_(
                    "This request used more than {seconds:g} seconds of processor time and was stopped. Send a "
                    "shorter text or fewer sources, or split the request.",
                    seconds=self.seconds,
                )
            )


_last_count = threading.local()
_budget: ContextVar[CpuBudget | None] = ContextVar("cpu_budget", default=None)


def set_cpu_budget(seconds: float | None) -> None:
    """Begin a budget for the current context; None ends it."""
    budget = None if seconds is None else CpuBudget(seconds)
    _budget.set(budget)
    if budget is not None:
        budget.count_thread()


def check_cpu() -> None:
    """Raise CpuBudgetExceeded when the current request has used more than its budget."""
    budget = _budget.get()
    if budget is not None:
        budget.count_thread()
        budget.check()


def charge_cpu(seconds: float) -> None:
    """Add the time that other threads used for the current request, and check the budget."""
    budget = _budget.get()
    if budget is not None:
        budget.used += seconds
        check_cpu()
