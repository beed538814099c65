"""Every end that a child process can come to is an answer or a typed refusal, and the pool goes on."""

from __future__ import annotations

import os
import resource
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from highlighter.errors import Unreadable
from highlighter.models import DAMAGED, FAILED, TIMED_OUT, TOO_LARGE
from highlighter.workers.jail import Closed, Jail


def answer(value):
    return value


def hang():
    while True:
        time.sleep(1)


def crash():
    os.kill(os.getpid(), signal.SIGSEGV)


def swell():
    held = []
    while True:
        held.append(bytearray(64 << 20))


def stumble():
    raise KeyError("a fault of ours")


def refuse():
    raise Unreadable(DAMAGED, "The file is damaged.")


def limits():
    return resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_FSIZE)[0] > 0


@pytest.fixture(scope="module")
def small():
    pool = Jail(workers=1, seconds=3, memory_mb=512)
    yield pool
    pool.close()


@pytest.mark.parametrize(
    ("task", "state"), [(hang, TIMED_OUT), (crash, DAMAGED), (swell, TOO_LARGE), (stumble, FAILED), (refuse, DAMAGED)]
)
def test_a_bad_end_is_typed_and_the_next_file_is_read(small, task, state):
    with pytest.raises(Unreadable) as refused:
        small.run(task)
    assert refused.value.state == state
    assert refused.value.detail.endswith(".")
    assert small.run(answer, 7) == 7


def test_closing_lets_go_of_those_who_wait():
    """Or a service being stopped would hang on its own threads."""
    pool = Jail(workers=1, seconds=60, memory_mb=512)
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(pool.run, hang) for _ in range(2)]
        time.sleep(1)
        pool.close()
        for future in waiting:
            with pytest.raises(Closed):
                future.result(timeout=20)


def test_the_kernel_keeps_the_limits(small):
    assert small.run(limits) == (512 << 20, True)
