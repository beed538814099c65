"""A Chroma server on this machine that can be stopped and started again, with or without its data."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

START_SECONDS = 60


class RunningChroma:
    def __init__(self, folder: Path):
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        command = [Path(sys.executable).parent / "chroma", "run", "--host", "127.0.0.1", "--port", str(self._port)]
        self._folder.mkdir(exist_ok=True)
        with (self._folder / "output.log").open("ab") as output:
            self._process = subprocess.Popen(
                [*command, "--path", self._folder / "data"], stdout=output, stderr=output, cwd=self._folder
            )
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, (self._folder / "output.log").read_text()
            assert time.monotonic() < end, "The Chroma server did not start"
            time.sleep(0.05)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def ensure_running(self) -> None:
        if self._process.poll() is not None:
            self.start()

    def delete_data(self) -> None:
        shutil.rmtree(self._folder / "data")

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/api/v2/heartbeat", timeout=1):
                return True
        except (URLError, OSError):
            return False
