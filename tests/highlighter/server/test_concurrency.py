"""How many requests run at once, and how long a read may take."""

from __future__ import annotations

import math
import socket
import subprocess
import sys
import threading
from wsgiref.util import FileWrapper

import pytest
from werkzeug.exceptions import RequestTimeout
from werkzeug.test import EnvironBuilder

from highlighter.server.concurrency import ConcurrencyLimit, ReadDeadlines


def environment(connection: socket.socket | None = None) -> dict:
    return {**EnvironBuilder().get_environ(), "gunicorn.socket": connection, "wsgi.file_wrapper": FileWrapper}


def test_no_more_requests_run_than_the_limit_allows():
    running, most, lock = 0, 0, threading.Lock()
    all_asked = threading.Barrier(9)

    def application(environ, start_response):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        threading.Event().wait(0.01)
        with lock:
            running -= 1
        return [b"done"]

    limited = ConcurrencyLimit(application, 2, ReadDeadlines())

    def ask():
        all_asked.wait()
        assert list(limited(environment(), None)) == [b"done"]

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    all_asked.wait()
    for thread in threads:
        thread.join()
    assert most == 2


def test_response_that_is_being_sent_leaves_its_place_to_another():
    closed = []

    class Parts:
        def __iter__(self):
            return iter([b"one", b"two"])

        def close(self):
            closed.append(True)

    limited = ConcurrencyLimit(lambda environ, start_response: Parts(), 1, ReadDeadlines())
    first = limited(environment(), None)
    assert next(first) == b"one"  # and is sent now, to a client that takes its time
    other: list[bytes] = []
    thread = threading.Thread(target=lambda: other.extend(limited(environment(), None)), daemon=True)
    thread.start()
    thread.join(30)
    assert other == [b"one", b"two"]
    assert next(first) == b"two"
    first.close()
    assert closed == [True]


def test_overdue_read_ends_and_is_answered_with_408():
    deadlines = ReadDeadlines()

    def read_too_long(connection: socket.socket) -> None:
        with deadlines.limit_read(connection, 0):
            deadlines.close_overdue(math.inf)
            assert connection.recv(1) == b""
            connection.sendall(b"can still be answered")

    ours, theirs = socket.socketpair()
    with ours, theirs:
        with pytest.raises(RequestTimeout):
            read_too_long(ours)
        with deadlines.limit_read(theirs, 60):
            deadlines.close_overdue(math.inf)  # has time left


POOL_WITHOUT_ROOM = """
import resource
from highlighter.server.worker import ConnectionThreadPool
with ConnectionThreadPool(200) as pool:
    first = pool.submit(int)
    pages = int(open("/proc/self/statm").read().split()[0])
    limit = pages * resource.getpagesize() + (40 << 20)  # room for a few more stacks
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    from time import sleep
    results = [pool.submit(sleep, 0.01) for _ in range(200)]
    assert all(result.result() is None for result in results)
    assert len(pool._threads) < 200
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux does")
def test_pool_makes_do_with_its_threads_when_the_system_allows_no_more():
    done = subprocess.run([sys.executable, "-c", POOL_WITHOUT_ROOM], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
