"""The gunicorn worker of Highlighter. Clients that send slowly, or not at all, do not delay other requests."""

from __future__ import annotations

import errno
import math
import resource
import socket
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any
from wsgiref.types import WSGIApplication

from gunicorn.http import message
from gunicorn.workers.gthread import TConn, ThreadWorker

from highlighter.free_memory import limit_memory_pools
from highlighter.server.concurrency import ConcurrencyLimit, ReadDeadlines
from highlighter.server.options import MAX_REQUEST_LINE_BYTES

HEAD_READ_SECONDS = 20
# While the worker stops (gunicorn kills it after graceful_timeout), and while all its connections are in use.
MAX_READ_SECONDS_WHEN_BUSY = 5
SEND_TIMEOUT_SECONDS = 600  # for a client to accept the next bytes of a response; a download may pause for a while
RESERVED_OPEN_FILES = 256

# Gunicorn lowers larger limits to this constant. Without any limit, a client could fill the memory.
message.MAX_REQUEST_LINE = MAX_REQUEST_LINE_BYTES


class RequestWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A worker that reads and writes each connection in its own thread, and runs `threads` requests at a time.

    gthread has `threads` threads for everything, so that this number of half-sent requests blocks all others. A thread that
    waits for a socket costs some tens of kB; what is expensive (the application, with its models and databases) stays limited.
    """

    wsgi: WSGIApplication
    worker_connections: int

    def init_process(self) -> None:
        limit_memory_pools()
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
        """Read and answer a request in the connection's thread."""
        connection = conn.sock  # kept, because gunicorn replaces it by a TLS socket where it does TLS itself
        self._set_send_timeout(connection)
        self.read_deadlines.begin(connection, HEAD_READ_SECONDS)
        try:
            stays_open = super().handle(conn)
        finally:
            self.read_deadlines.end(connection)
        if not stays_open:
            conn.close(graceful=True)  # waits up to 2 s for the client, which in the main loop would block all others
        return stays_open

    def handle_request(self, req: Any, conn: TConn) -> bool:
        self.read_deadlines.end(conn.sock)  # the head of the request has arrived
        try:
            keeps_alive: bool = super().handle_request(req, conn)
        except TimeoutError as err:
            if err.errno != errno.ETIMEDOUT:
                raise
            raise BrokenPipeError(errno.EPIPE, err.strerror) from err  # gunicorn does not log this one as an error
        return keeps_alive

    def finish_request(self, conn: TConn, fs: Future[Any]) -> None:
        if fs.cancelled() or fs.exception() or fs.result():
            super().finish_request(conn, fs)
        else:
            self.nr_conns -= 1  # `handle` has closed the connection

    def murder_pending(self) -> None:
        """Close overdue reads. Gunicorn calls this about once a second, and while the worker stops."""
        super().murder_pending()
        has_room = self.alive and self.nr_conns < self.worker_connections
        self.read_deadlines.close_overdue(math.inf if has_room else MAX_READ_SECONDS_WHEN_BUSY)

    def _set_send_timeout(self, connection: socket.socket) -> None:
        """Let the operating system end a connection whose client accepts no bytes, where it can."""
        if connection.family != socket.AF_UNIX and hasattr(socket, "TCP_USER_TIMEOUT"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * SEND_TIMEOUT_SECONDS)

    def _raise_open_files_limit(self) -> None:
        """Raise the limit on open files: each connection is one, and many systems allow 1,024 unless a process asks for more."""
        needed = self.worker_connections + RESERVED_OPEN_FILES
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < needed:
            soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        if soft != resource.RLIM_INFINITY:
            self.worker_connections = min(self.worker_connections, max(soft - RESERVED_OPEN_FILES, soft // 2))


class ConnectionThreadPool(ThreadPoolExecutor):
    """A thread pool that works with its existing threads where the system allows no further one."""

    def _adjust_thread_count(self) -> None:
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            if not self._threads:
                raise
