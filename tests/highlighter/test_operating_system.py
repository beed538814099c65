"""Tests of what operating systems differ in: the sentence for Windows, and what stands in for Linux on macOS."""

from __future__ import annotations

import os
import subprocess
import sys

from highlighter.operating_system import is_process_running
from highlighter.store.storage_errors import has_space

ON_WINDOWS = [sys.executable, "-m", "tests.highlighter.without_posix"]
# A parent that ends when its child has begun to look after it.
PARENT = """
import subprocess, sys
child = "import os, sys; from highlighter.workers.process_control import end_after_parent; "
child += "parent = os.getppid(); sys.stdout.write('started'); sys.stdout.flush(); end_after_parent(parent)"
process = subprocess.Popen([sys.executable, "-c", child], stdout=subprocess.PIPE)
sys.stdout.write(process.stdout.read(7).decode())
"""


def test_library_on_windows_is_refused_with_a_sentence(tmp_path):
    environment = {**os.environ, "DATA_DIR": str(tmp_path / "data"), "HIGHLIGHTER_URL": ""}
    result = subprocess.run(
        [*ON_WINDOWS, "highlighter", "documents"], capture_output=True, text=True, env=environment, timeout=60
    )
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert (
        "keeps documents on Linux and macOS. On Windows, run it in WSL or a container, or set HIGHLIGHTER_URL"
        in result.stderr
    )
    assert not (tmp_path / "data").exists()


def test_help_and_completion_need_no_posix():
    for arguments in (["--help"], ["completion", "fish"]):
        result = subprocess.run([*ON_WINDOWS, "highlighter", *arguments], capture_output=True, text=True, timeout=60)
        assert (result.returncode, result.stderr) == (0, "")
        assert "documents" in result.stdout


def test_child_ends_with_its_parent_without_the_kernel():
    """The errors of both go to one pipe, which is closed only when the child has ended, too."""
    result = subprocess.run([sys.executable, "-c", PARENT], capture_output=True, text=True, timeout=60)
    assert (result.stdout, result.stderr) == ("started", "")


def test_running_processes_are_known_by_their_ids():
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait(60)
    assert is_process_running(os.getpid())
    assert is_process_running(1)  # another user's, for who is not root
    assert not any(map(is_process_running, (0, -1, ended.pid, 10**30)))


def test_space_is_known_without_reserving_it(tmp_path, monkeypatch):
    monkeypatch.delattr(os, "posix_fallocate")
    assert has_space(tmp_path)
