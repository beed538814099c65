"""Every way in which a child process can end gives a result or a typed error, and the pool goes on."""

from __future__ import annotations

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from highlighter.errors import UnreadableFile
from highlighter.models import DAMAGED, FAILED, QUARANTINED, TIMED_OUT, TOO_LARGE
from highlighter.workers.process_pool import MAX_DEATHS, OFFICE_PROGRAM, ProcessPool, ProcessPoolClosed
from ingest import libreoffice_program


def return_value(value):
    return value


def sleep_forever():
    while True:
        time.sleep(1)


def loop_forever():
    while True:
        pass


def sleep(seconds):
    time.sleep(seconds)
    return "slept"


def get_killed(log_file, kills):
    """Kill this process from outside, like a kernel short of memory, the first `kills` times. Each run adds a line."""
    with log_file.open("a") as lines:
        lines.write(f"{os.getpid()}\n")
    if len(log_file.read_text().split()) <= kills:
        os.kill(os.getpid(), signal.SIGKILL)
    return "survived"


def crash_process():
    os.kill(os.getpid(), signal.SIGSEGV)


def use_all_memory():
    blocks = []
    while True:
        blocks.append(bytearray(64 << 20))


def use_cpu(seconds):
    start = time.process_time()
    while time.process_time() < start + seconds:
        pass


class Unpicklable(Exception):
    def __init__(self, first, second):
        super().__init__(first)


def raise_unpicklable():
    raise Unpicklable(1, 2)


def raise_key_error():
    raise KeyError("a fault of ours")


def raise_unreadable():
    raise UnreadableFile(DAMAGED, "The file is damaged.")


def open_unix_socket():
    with socket.socket(socket.AF_UNIX) as opened:
        return opened.fileno() > 0


def open_socket_pair():
    one, other = socket.socketpair()
    with one, other:
        return one.fileno() != other.fileno()


def get_limits():
    return resource.getrlimit(resource.RLIMIT_AS)[0], resource.getrlimit(resource.RLIMIT_FSIZE)[0] > 0


@pytest.fixture(scope="module")
def pool():
    pool = ProcessPool(workers=1, seconds=1, memory_mb=512, wall_seconds=300)
    yield pool
    pool.close()


@pytest.mark.parametrize(
    ("task", "state"),
    [
        (loop_forever, TIMED_OUT),
        (crash_process, DAMAGED),
        (use_all_memory, TOO_LARGE),
        (raise_key_error, FAILED),
        (raise_unreadable, DAMAGED),
    ],
)
def test_failed_task_raises_a_typed_error_and_the_next_runs(pool, task, state):
    with pytest.raises(UnreadableFile) as refused:
        pool.run(task)
    assert refused.value.state == state
    assert refused.value.detail.endswith(".")
    assert pool.run(return_value, 7) == 7


def test_waiting_does_not_count_as_processor_time(pool):
    assert pool.run(sleep, 1.5) == "slept"


def test_each_task_has_the_whole_processor_time(pool):
    for _ in range(4):
        pool.run(use_cpu, 0.4)


def test_sleeping_task_is_stopped_by_wall_time():
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512, wall_seconds=0.2)
    with pytest.raises(UnreadableFile) as refused:
        pool.run(sleep_forever)
    pool.close()
    assert refused.value.state == TIMED_OUT


def test_task_of_a_killed_child_is_run_again(pool, tmp_path):
    assert pool.run(get_killed, tmp_path / "pids", MAX_DEATHS - 1) == "survived"
    assert len(set((tmp_path / "pids").read_text().split())) == MAX_DEATHS


def test_task_that_kills_three_children_is_quarantined(pool, tmp_path):
    with pytest.raises(UnreadableFile) as refused:
        pool.run(get_killed, tmp_path / "pids", 99)
    assert refused.value.state == QUARANTINED
    assert len((tmp_path / "pids").read_text().split()) == MAX_DEATHS


def test_child_killed_while_idle_is_replaced(pool):
    """The pool notices the death at the next task only."""
    idle = pool.run(os.getpid)
    os.kill(idle, signal.SIGKILL)
    assert pool.run(os.getpid) != idle


def test_error_that_cannot_be_unpickled_is_replaced(pool):
    with pytest.raises(UnreadableFile) as refused:
        pool.run(raise_unpicklable)
    assert refused.value.state == FAILED


def test_closing_the_pool_ends_waiting_calls():
    """Otherwise a service would hang on its own threads when it stops."""
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512)
    with ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(pool.run, sleep_forever) for _ in range(2)]
        time.sleep(1)
        pool.close()
        for future in waiting:
            with pytest.raises(ProcessPoolClosed):
                future.result(timeout=60)


def test_kernel_enforces_the_limits(pool):
    assert pool.run(get_limits) == (512 << 20, True)


def test_child_works_after_its_working_folder_was_removed(tmp_path, monkeypatch):
    (tmp_path / "left").mkdir()
    monkeypatch.chdir(tmp_path / "left")
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512)
    pool.run(return_value, 7)
    (tmp_path / "left").rmdir()
    assert Path(pool.run(os.getcwd)).is_dir()
    monkeypatch.chdir(tmp_path)
    assert pool.run(return_value, Path("note.txt")) == tmp_path / "note.txt"
    pool.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux refuses single processes the network")
def test_children_and_their_programs_have_no_network(pool):
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = server.getsockname()
        with pytest.raises(UnreadableFile, match="PermissionError"):
            pool.run(socket.create_connection, address)
        with pytest.raises(UnreadableFile, match="PermissionError"):
            pool.run(socket.socket, socket.AF_INET6, socket.SOCK_DGRAM)
        shell_socket = f"exec 3<>/dev/tcp/{address[0]}/{address[1]}"
        assert pool.run(subprocess.call, ["bash", "-c", shell_socket]) != 0
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.fixture
def machine_programs(tmp_path, monkeypatch):
    """A folder of programs that stands for those of another machine."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def new_pool():
    pool = ProcessPool(workers=1, seconds=60, memory_mb=512)
    yield pool
    pool.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux refuses single processes the network")
def test_children_cannot_connect_to_services_of_their_machine(new_pool, machine_programs):
    """Whoever may write to Docker's socket, or a desktop's, leaves the limits of the child."""
    with pytest.raises(UnreadableFile, match="PermissionError"):
        new_pool.run(open_unix_socket)
    assert new_pool.run(open_socket_pair)  # connects to nobody


def test_children_open_unix_sockets_where_libreoffice_needs_them(new_pool, machine_programs):
    assert OFFICE_PROGRAM == libreoffice_program.PROGRAM
    program = machine_programs / OFFICE_PROGRAM
    program.touch()
    program.chmod(0o755)
    assert new_pool.run(open_unix_socket)
