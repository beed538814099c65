"""The gunicorn worker that serves Highlighter: clients that send slowly, or not at all, keep nobody else waiting."""

from __future__ import annotations

import errno
import math
import resource
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from highlighter.web.server.concurrency import ConcurrencyLimit, ReadDeadlines

HEAD_READ_SECONDS = 20
# While the worker stops (gunicorn kills it after graceful_timeout), and while all its connections are taken.
MAX_READ_SECONDS_WHEN_BUSY = 5
SEND_TIMEOUT_SECONDS = 600  # by a client, the next bytes of a response; a download may be paused for a while
RESERVED_OPEN_FILES = 256


class RequestWorker(ThreadWorker):
    """Gives each connection a thread to be read and written in, and `threads` of them at a time the application.

    gthread has `threads` threads for all of it, so that as many half-sent requests stop every answer. A thread that waits
    for a socket costs some tens of kB; whatever is dear (the application, with its models and databases) stays limited.
    """

    def init_process(self) -> None:
        self.read_deadlines = ReadDeadlines()
        self._raise_open_files_limit()
        super().init_process()

    def get_thread_pool(self) -> ThreadPoolExecutor:
        return ConnectionThreadPool(self.worker_connections, thread_name_prefix="connection")

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.application = self.wsgi
        self.wsgi = ConcurrencyLimit(self.application, self.cfg.threads, self.read_deadlines)

    def run(self) -> None:
        try:
            super().run()
        finally:
            services = getattr(self.application, "services", None)
            if services is not None:
                services.close()

    def handle(self, conn: TConn) -> Any:
        """Read and answer a request, in a thread of its own."""
        plain = conn.sock  # with TLS of gunicorn's own, another takes its place
        self._set_send_timeout(plain)
        self.read_deadlines.begin(plain, HEAD_READ_SECONDS)
        try:
            outcome = super().handle(conn)
        finally:
            self.read_deadlines.end(plain)
        if not outcome:
            conn.close(graceful=True)  # waits up to 2 s for the client, which in the main loop would stop everybody
        return outcome

    def handle_request(self, req: Any, conn: TConn) -> bool:
        self.read_deadlines.end(conn.sock)  # its head has come
        try:
            return super().handle_request(req, conn)
        except TimeoutError as err:
            if err.errno != errno.ETIMEDOUT:
                raise
            raise BrokenPipeError(errno.EPIPE, err.strerror) from err  # which gunicorn does not log as an error

    def finish_request(self, conn: TConn, fs: Future) -> None:
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
        else:
            self.nr_conns -= 1  # `handle` has closed it

    def murder_pending(self) -> None:
        """Called about once a second, and while the worker stops."""
        super().murder_pending()
        has_room = self.alive and self.nr_conns < self.worker_connections
        self.read_deadlines.close_overdue(math.inf if has_room else MAX_READ_SECONDS_WHEN_BUSY)

    def _set_send_timeout(self, connection: socket.socket) -> None:
        """Let the system end a connection whose client takes nothing of what is sent, where the system can."""
        if connection.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * SEND_TIMEOUT_SECONDS)

    def _raise_open_files_limit(self) -> None:
        """A connection is an open file, and many systems allow 1,024 of them unless a process asks for more."""
        wanted = self.worker_connections + RESERVED_OPEN_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft != resource.RLIM_INFINITY:
            self.worker_connections = min(self.worker_connections, max(soft - RESERVED_OPEN_FILES, soft // 2))


class ConnectionThreadPool(ThreadPoolExecutor):
    """A pool that makes do with the threads it has where the system allows no further one."""

    def _adjust_thread_count(self) -> None:
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            if not self._threads:
                raise
