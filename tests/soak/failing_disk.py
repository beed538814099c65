"""A disk that fails one chosen write: a C library between processes and the system, and the counter that they share."""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")
KILL, NO_SPACE, BROKEN = 0, errno.ENOSPC, errno.EIO
FAULTS = {"kill": KILL, "no space": NO_SPACE, "I/O error": BROKEN}
NO_COMPILER = "not run: it needs gcc (apt-get install gcc) and Linux"

_COUNTER_BYTES = 3 * 8


def find_compiler() -> str | None:
    return shutil.which("gcc") if os.uname().sysname == "Linux" else None


class FailingDisk:
    """A folder whose writes are counted in every process started with its `environment`, and one of which may fail."""

    def __init__(self, work: Path, folder: Path):
        self.folder = folder
        self._library, self._counter_path = work / "failing_disk.so", work / "writes"
        if not self._library.exists():
            compiler = find_compiler()
            if compiler is None:
                raise RuntimeError(NO_COMPILER)
            command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(self._library), str(SOURCE), "-ldl"]
            subprocess.run(command, check=True)
        if not self._counter_path.exists():
            self._counter_path.write_bytes(bytes(_COUNTER_BYTES))
        with self._counter_path.open("r+b") as file:
            self._counter = mmap.mmap(file.fileno(), _COUNTER_BYTES)

    @property
    def environment(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self._library),
            "SOAK_COUNTER": str(self._counter_path),
            "SOAK_FOLDER": str(self.folder),
        }

    def fail_write(self, number: int, fault: int) -> None:
        """Let the write of this number fail, counted from now; 0: none does."""
        self._counter[:] = struct.pack("=QQQ", 0, number, fault)

    def count_writes(self) -> int:
        """Return the number of writes since the last call of `fail_write`."""
        return int(struct.unpack_from("=Q", self._counter)[0])
