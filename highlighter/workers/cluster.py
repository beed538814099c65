"""The Dask cluster of DASK_SCHEDULER: functions run on its workers, and its loss is noticed.

The scheduler and its workers hold nothing for good. Who calls `run` owns the work: it stores the result, or asks again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from typing import Any

from highlighter.errors import HighlighterError, Unavailable
from highlighter.locale import N_
from highlighter.workers.process_pool import ProcessPoolClosed

log = logging.getLogger(__name__)

CONNECT_SECONDS = 5.0
PROBE_INTERVAL_SECONDS = 1.0
POLL_SECONDS = 0.5  # how often to check whether a result can still come
NO_ANSWER = N_("The Dask scheduler does not answer. Files wait, and are read when it does.")
NO_WORKERS = N_("The Dask cluster has no workers. Files wait, and are read when it has some.")


class ClusterUnavailable(Unavailable):
    """The error for work that the cluster cannot do now; it is kept and done later."""

    def __init__(self, detail: str = NO_ANSWER):
        super().__init__(detail)

    def __reduce__(self) -> tuple[type[ClusterUnavailable], tuple[str]]:  # a worker sends it
        return type(self), (self.detail,)


class ClusterWorkersDied(Exception):
    """The error for work during which several workers died: it may be the cause."""


class ClusterPackageMissing(HighlighterError):
    """The error for an address of a scheduler without the package for it."""

    title = "A package is missing"

    def __init__(self) -> None:
        super().__init__(N_("DASK_SCHEDULER needs the package distributed: pip install 'highlighter[dask]'."))


class Cluster:
    """A connection to a Dask scheduler, made at the first use and again after each loss, by a thread of its own."""

    def __init__(self, address: str):
        self.address = address
        self._client: Any = None
        self._threads = 0
        self._problem = ""
        self._closing = threading.Event()
        self._probed = threading.Event()  # whether the first attempt to connect has ended
        self._watcher: threading.Thread | None = None
        self._lock = threading.Lock()  # guards the attribute above

    def find_problem(self) -> str:
        """Return why files wait, in words; empty while the cluster works."""
        self._watch()
        return self._problem

    def count_threads(self) -> int:
        """Return how many functions the workers run at once."""
        self._watch()
        return self._threads

    def require_answer(self) -> None:
        """Raise ClusterUnavailable when the scheduler cannot be reached, or no worker has joined it."""
        if self.find_problem():
            raise ClusterUnavailable(
                N_(
                    "The Dask scheduler at {address} does not answer, or has no workers. Start it, or correct the address.",
                    address=self.address,
                )
            )

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a function of a module on a worker, and return its result or raise its error.

        A worker that dies is replaced by another. Raises ClusterUnavailable when the scheduler is gone, ClusterWorkersDied
        when several workers died of it, and ProcessPoolClosed when this process stops.
        """
        future = self._submit(function, arguments)
        while wait([future], timeout=POLL_SECONDS).not_done:
            if self._closing.is_set() or not self._is_connected():
                future.cancel()
        return self._get_result(future)

    def close(self) -> None:
        """Leave the cluster. Callers that wait for a result get ProcessPoolClosed."""
        self._closing.set()
        self._probed.set()
        if self._watcher:
            self._watcher.join(2 * CONNECT_SECONDS)
        self._disconnect()

    def _submit(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        self._watch()
        if self._closing.is_set():
            raise ProcessPoolClosed
        client = self._client
        if client is None or not self._is_connected():
            raise ClusterUnavailable
        try:
            # Not pure: what two callers ask for is not shared, as each stores a result of its own.
            future: Future[Any] = client.get_executor(pure=False).submit(function, *arguments)
        except Exception as err:  # the connection was lost just now
            raise ClusterUnavailable from err
        return future

    def _get_result(self, future: Future[Any]) -> Any:
        from distributed.scheduler import KilledWorker

        try:
            return future.result()
        except CancelledError as err:
            if self._closing.is_set():
                raise ProcessPoolClosed from err
            raise ClusterUnavailable from err
        except KilledWorker as err:
            raise ClusterWorkersDied from err

    # -- connection ----------------------------------------------------------------------------------------------

    def _is_connected(self) -> bool:
        return self._client is not None and self._client.status == "running"

    def _watch(self) -> None:
        """Start the thread that connects, and wait until it has tried."""
        with self._lock:
            if self._watcher is None:
                _import_package()
                self._watcher = threading.Thread(target=self._keep_connected, name="dask", daemon=True)
                self._watcher.start()
        self._probed.wait()

    def _keep_connected(self) -> None:
        while not self._closing.is_set():
            if self._client and not self._is_connected():
                self._note_loss("connection lost")
            try:
                self._probe()
            except Exception as err:
                self._note_loss(type(err).__name__)
            self._probed.set()
            self._closing.wait(PROBE_INTERVAL_SECONDS)

    def _probe(self) -> None:
        from distributed import Client

        if not self._is_connected():
            self._disconnect()
            connect: Any = Client  # without types
            self._client = connect(self.address, timeout=CONNECT_SECONDS, set_as_default=False)
        # With a limit: a scheduler that hangs keeps its connections.
        threads = self._client.sync(self._client.scheduler.ncores, callback_timeout=CONNECT_SECONDS)
        self._threads = sum(threads.values())
        if self._problem and self._threads:
            log.info("The Dask cluster at %s has %d threads", self.address, self._threads)
        self._problem = "" if self._threads else NO_WORKERS

    def _note_loss(self, reason: str) -> None:
        if self._problem != NO_ANSWER:
            log.warning("The Dask scheduler at %s does not answer (%s)", self.address, reason)
        self._problem, self._threads = NO_ANSWER, 0

    def _disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(Exception):  # it is gone already
                client.close(timeout=CONNECT_SECONDS)


def _import_package() -> None:
    """Import Dask's package; its own log would show each attempt to connect, with tracebacks."""
    try:
        import dask

        dask.config.set(
            {
                "logging": {"distributed": "critical", "distributed.client": "critical"},
                # A file is sent as an argument, not stored on a worker first: so it outlives the worker.
                "distributed.admin.large-graph-warning-threshold": "10GB",
            }
        )
        import distributed  # noqa: F401
    except ModuleNotFoundError as err:
        raise ClusterPackageMissing from err
