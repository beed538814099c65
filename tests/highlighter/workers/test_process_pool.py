"""Every end that a child process can come to is an answer or a typed refusal, and the pool goes on."""

from __future__ import annotations

import os
import resource
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, FAILED, QUARANTINED, TIMED_OUT, TOO_LARGE
from highlighter.workers.process_pool import MAX_DEATHS, ProcessPool, ProcessPoolClosed


def answer(value):
    return value


def hang():
    while True:
        time.sleep(1)


def burn():
    while True:
        pass


def nap(seconds):
    time.sleep(seconds)
    return "rested"


def fall(counted, times):
    """Is killed from outside, as by a kernel short of memory, as often as that; each time leaves a line."""
    with counted.open("a") as lines:
        lines.write(f"{os.getpid()}\n")
    if len(counted.read_text().split()) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return "stood"


def crash():
    os.kill(os.getpid(), signal.SIGSEGV)


def swell():
    held = []
    while True:
        held.append(bytearray(64 << 20))


def spend(seconds):
    begun = time.process_time()
    while time.process_time() < begun + seconds:
        pass


class Unpicklable(Exception):
    def __init__(self, first, second):
        super().__init__(first)


def raise_unpicklable():
    raise Unpicklable(1, 2)


def stumble():
    raise KeyError("a fault of ours")


def refuse():
    raise UnreadableFile(DAMAGED, "The file is damaged.")


def limits():
    return resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_FSIZE)[0] > 0


@pytest.fixture(scope="module")
def small():
    pool = ProcessPool(workers=1, seconds=1, memory_mb=512, wall_seconds=300)
    yield pool
    pool.close()


@pytest.mark.parametrize(
    ("task", "state"), [(burn, TIMED_OUT), (crash, DAMAGED), (swell, TOO_LARGE), (stumble, FAILED), (refuse, DAMAGED)]
)
def test_a_bad_end_is_typed_and_the_next_file_is_read(small, task, state):
    with pytest.raises(UnreadableFile) as refused:
        small.run(task)
    assert refused.value.state == state
    assert refused.value.detail.endswith(".")
    assert small.run(answer, 7) == 7


def test_waiting_does_not_count_as_processor_time(small):
    assert small.run(nap, 1.5) == "rested"


def test_each_task_has_the_whole_processor_time(small):
    for _ in range(4):
        small.run(spend, 0.4)


def test_a_task_that_only_sleeps_is_stopped_by_the_clock():
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512, wall_seconds=0.2)
    with pytest.raises(UnreadableFile) as refused:
        pool.run(hang)
    pool.close()
    assert refused.value.state == TIMED_OUT


def test_a_task_whose_child_was_killed_is_run_again(small, tmp_path):
    assert small.run(fall, tmp_path / "pids", MAX_DEATHS - 1) == "stood"
    assert len(set((tmp_path / "pids").read_text().split())) == MAX_DEATHS


def test_a_task_that_costs_three_children_is_set_aside(small, tmp_path):
    with pytest.raises(UnreadableFile) as refused:
        small.run(fall, tmp_path / "pids", 99)
    assert refused.value.state == QUARANTINED
    assert len((tmp_path / "pids").read_text().split()) == MAX_DEATHS


def test_a_child_killed_while_idle_is_replaced(small):
    """Nobody was running a task then, so nobody notices until the next one."""
    idle = small.run(os.getpid)
    os.kill(idle, signal.SIGKILL)
    assert small.run(os.getpid) != idle


def test_an_error_that_cannot_be_rebuilt_is_a_typed_refusal(small):
    with pytest.raises(UnreadableFile) as refused:
        small.run(raise_unpicklable)
    assert refused.value.state == FAILED


def test_closing_lets_go_of_those_who_wait():
    """Or a service being stopped would hang on its own threads."""
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512)
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(pool.run, hang) for _ in range(2)]
        time.sleep(1)
        pool.close()
        for future in waiting:
            with pytest.raises(ProcessPoolClosed):
                future.result(timeout=20)


def test_the_kernel_keeps_the_limits(small):
    assert small.run(limits) == (512 << 20, True)


def test_a_child_outlives_the_folder_that_it_was_started_in(tmp_path, monkeypatch):
    (tmp_path / "left").mkdir()
    monkeypatch.chdir(tmp_path / "left")
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512)
    pool.run(answer, 7)
    (tmp_path / "left").rmdir()
    assert Path(pool.run(os.getcwd)).is_dir()
    monkeypatch.chdir(tmp_path)
    assert pool.run(answer, Path("note.txt")) == tmp_path / "note.txt"
    pool.close()
