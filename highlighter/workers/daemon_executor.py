"""A thread pool whose threads never keep the interpreter alive.

Threads of `concurrent.futures.ThreadPoolExecutor` are joined before the interpreter exits, and work through the whole
queue until then, while other thread pools already refuse work. Jobs that are stored elsewhere should be left for the
next start instead.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any


class DaemonExecutor(Executor):
    """An executor with daemon threads."""

    def __init__(self, threads: int, thread_name_prefix: str):
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._work, name=f"{thread_name_prefix}_{number}", daemon=True)
            for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a call and return its future. After shutdown the call is not queued and its future is cancelled."""
        future: Future[Any] = Future()
        with self._lock:
            if self._closed:
                _cancel(future)
            else:
                self._jobs.put((future, lambda: fn(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                while cancel_futures and not self._jobs.empty():
                    with suppress(queue.Empty):  # a thread was faster
                        if job := self._jobs.get_nowait():
                            _cancel(job[0])
                for _ in self._threads:
                    self._jobs.put(None)
        if wait:
            self.join()

    def join(self, seconds: float | None = None) -> None:
        """Wait for the threads to end, for at most `seconds` each."""
        for thread in self._threads:
            thread.join(seconds)

    def _work(self) -> None:
        while job := self._jobs.get():
            future, call = job
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as err:
                    future.set_exception(err)


def _cancel(future: Future[Any]) -> None:
    future.cancel()
    future.set_running_or_notify_cancel()  # otherwise a thread that waits for the future would wait for ever
