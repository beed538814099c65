"""Tests of the concurrency limit and of read deadlines."""

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

from highlighter.overload import ENVIRON_OVERLOADED
from highlighter.server.concurrency import ConcurrencyLimit, ReadDeadlines, RequestSlots, WaitLimits


def environment(connection: socket.socket | None = None) -> dict:
    return {**EnvironBuilder().get_environ(), "gunicorn.socket": connection, "wsgi.file_wrapper": FileWrapper}


def test_no_more_requests_run_than_the_limit_allows():
    running, most_running, lock = 0, 0, threading.Lock()
    all_ready = threading.Barrier(9)

    def application(environ, start_response):
        nonlocal running, most_running
        with lock:
            running += 1
            most_running = max(most_running, running)
        threading.Event().wait(0.01)
        with lock:
            running -= 1
        return [b"done"]

    limited = ConcurrencyLimit(application, 2, ReadDeadlines())

    def send_request():
        all_ready.wait()
        assert list(limited(environment(), None)) == [b"done"]

    threads = [threading.Thread(target=send_request) for _ in range(8)]
    for thread in threads:
        thread.start()
    all_ready.wait()
    for thread in threads:
        thread.join()
    assert most_running == 2


def test_response_that_is_being_sent_frees_its_slot():
    closed = []

    class Parts:
        def __iter__(self):
            return iter([b"one", b"two"])

        def close(self):
            closed.append(True)

    limited = ConcurrencyLimit(lambda environ, start_response: Parts(), 1, ReadDeadlines())
    first = limited(environment(), None)
    assert next(first) == b"one"  # the client takes its time to receive it
    other: list[bytes] = []
    thread = threading.Thread(target=lambda: other.extend(limited(environment(), None)), daemon=True)
    thread.start()
    thread.join(30)
    assert other == [b"one", b"two"]
    assert next(first) == b"two"
    first.close()
    assert closed == [True]


class OneRequest:
    """A server with one slot, which a request occupies until `end` is called."""

    def __init__(self, limits):
        self.ended = threading.Event()
        self.limit = ConcurrencyLimit(self.application, 1, ReadDeadlines(), limits)
        started = threading.Event()
        self.thread = threading.Thread(target=lambda: list(self.limit({**environment(), "started": started}, None)))
        self.thread.start()
        started.wait()

    def application(self, environ, start_response):
        if "started" in environ:
            environ["started"].set()
            self.ended.wait()
        return [b"refused" if environ.get(ENVIRON_OVERLOADED) else b"answered"]

    def send(self):
        return b"".join(self.limit(environment(), None))

    def end(self):
        self.ended.set()
        self.thread.join()


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(WaitLimits(burst=0, queue_stands_after=math.inf), id="waited long enough in a burst"),
        pytest.param(WaitLimits(burst=600, queue_stands_after=0), id="queue stands"),
    ],
)
def test_request_without_a_slot_in_time_is_refused_and_the_next_is_answered(limits):
    server = OneRequest(limits)
    assert server.send() == b"refused"
    server.end()
    assert [server.send() for _ in range(3)] == [b"answered"] * 3


def test_request_of_a_burst_waits_for_its_turn():
    server = OneRequest(WaitLimits(burst=600, queue_stands_after=math.inf))
    replies: list[bytes] = []
    threads = [threading.Thread(target=lambda: replies.append(server.send())) for _ in range(3)]
    for thread in threads:
        thread.start()
    server.end()
    for thread in threads:
        thread.join()
    assert replies == [b"answered"] * 3


def test_queue_that_empties_for_a_moment_between_refusals_still_counts_as_standing():
    seconds = 0.0
    slots = RequestSlots(1, WaitLimits(burst=600, queue_stands_after=10), lambda: seconds)
    entered: list[bool] = []

    def enter():
        thread = threading.Thread(target=lambda: entered.append(slots.enter()))
        thread.start()
        thread.join(60)
        return entered.pop() if entered else "waits as in a burst"

    assert slots.enter()
    seconds = 10.0
    assert enter() is False
    slots.leave()
    assert slots.enter()  # at once: the queue is empty
    assert enter() is False
    seconds = 21.0
    slots.leave()
    assert slots.enter()
    waiting = threading.Thread(target=lambda: entered.append(slots.enter()))
    waiting.start()
    waiting.join(0.2)  # would be over, refused, if the queue still counted as standing
    slots.leave()
    waiting.join(60)
    assert entered == [True]


def test_overdue_read_ends_and_is_answered_with_408():
    deadlines = ReadDeadlines()

    def read_too_long(connection: socket.socket) -> None:
        with deadlines.limit_read(connection, 0):
            deadlines.close_overdue(math.inf)
            assert connection.recv(1) == b""
            connection.sendall(b"can still be answered")

    server_side, client_side = socket.socketpair()
    with server_side, client_side:
        with pytest.raises(RequestTimeout):
            read_too_long(server_side)
        with deadlines.limit_read(client_side, 60):
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
def test_pool_works_with_fewer_threads_when_system_allows_no_more():
    process = subprocess.run([sys.executable, "-c", POOL_WITHOUT_ROOM], capture_output=True, text=True, timeout=60)
    assert process.returncode == 0, process.stderr
