"""Tests that a document is worked on by one process of any machine, and is free again when that process dies."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from highlighter.settings import Settings
from highlighter.store.file_stores import open_file_store

WORKER = """
import sys, time
from pathlib import Path
from highlighter.secret import Secret
from highlighter.settings import Settings
from highlighter.store.database import open_database
from highlighter.store.file_stores import open_file_store

url = Secret(sys.stdin.readline().strip())
files = open_file_store(Settings(data_dir=Path(sys.argv[1]), database_url=url), lambda: open_database(url))
with files.lock_document("d1"):
    print("locked", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def machines(engine, catalog_address, tmp_path):
    """The file stores of two machines with one catalog, which have folders of their own."""
    return [
        open_file_store(Settings(data_dir=tmp_path / name, database_url=catalog_address), lambda: engine)
        for name in ("left", "right")
    ]


def is_free(files, document_id):
    with files.try_lock_document(document_id) as is_locked:
        return is_locked


def test_document_is_locked_for_one_of_two_machines(machines):
    left, right = machines
    with left.lock_document("d1"):
        assert [is_free(files, "d1") for files in machines] == [False, False]
        assert is_free(right, "d2")
        with left.try_lock_recognition("d1") as is_locked:
            assert is_locked
    assert [is_free(files, "d1") for files in machines] == [True, True]


def test_work_of_many_threads_on_one_original_is_done_one_by_one(machines):
    running, most = [], []

    def work(number):
        with machines[number % 2].lock_original("a" * 64):
            running.append(number)
            most.append(len(running))
            running.remove(number)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(24)))
    assert most == [1] * 24


def test_lock_is_released_when_its_holder_is_killed(machines, catalog_address, tmp_path):
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path / "other")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with worker:
        worker.stdin.write(catalog_address.reveal() + "\n")
        worker.stdin.flush()
        assert worker.stdout.readline() == "locked\n"
        assert not is_free(machines[0], "d1")
        taken = threading.Event()

        def wait_for_lock():
            with machines[0].lock_document("d1"):
                taken.set()

        waiting = threading.Thread(target=wait_for_lock, daemon=True)
        waiting.start()
        worker.kill()
        assert taken.wait(30)
        waiting.join()
