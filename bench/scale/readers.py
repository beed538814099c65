"""Measure readers at once on one web process and on four, in turn: `python -m bench.scale.readers [--readers 200] [--seconds 12]`.

Each reader opens sections with highlights, one after the other without a pause, and comes back later when refused. Both services have a
Chroma server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from bench.embed.links import QUESTIONS
from bench.table import Row, format_p50_p99, print_table
from tests.browser.serving import ROOT, serving
from tests.chroma_server import RunningChroma

PROCESSES = (1, 4)
ROUNDS, QUESTION_COUNT = 3, 2


class Readers:
    """Readers who open pages of one service."""

    def __init__(self, site: str):
        self._address = urlsplit(site)
        self._paths = list_pages(site)
        self.refused = 0

    async def read(self, count: int, seconds: float) -> list[float]:
        """Return the seconds that each page took."""
        end = time.monotonic() + seconds
        taken = await asyncio.gather(*(self._read_pages(number, end) for number in range(count)))
        return [one for seconds_of_reader in taken for one in seconds_of_reader]

    async def _read_pages(self, number: int, end: float) -> list[float]:
        choice, taken = random.Random(number), []
        while time.monotonic() < end:
            started = time.monotonic()
            status, retry_after = await self._request(choice.choice(self._paths))
            if status == 200:
                taken.append(time.monotonic() - started)
                continue
            assert status == 503, status
            self.refused += 1
            await asyncio.sleep(retry_after)
        return taken

    async def _request(self, path: str) -> tuple[int, float]:
        """Open a page, and return its status and after how many seconds a refused reader may come back."""
        reader, writer = await asyncio.open_connection(self._address.hostname, self._address.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {self._address.netloc}\r\nConnection: close\r\n\r\n".encode())
        response = await reader.read()
        writer.close()
        head = response.partition(b"\r\n\r\n")[0].decode().lower()
        waiting = re.search(r"\nretry-after: (\d+)", head)
        return int(head.split(" ")[1]), float(waiting[1]) if waiting else 0


def list_pages(site: str) -> list[str]:
    """Return the address of each section for each question."""
    with urllib.request.urlopen(f"{site}/api/v1/documents?limit=200") as response:
        documents = json.load(response)["documents"]
    return [
        f"/documents/{document['document_id']}/chunks/{chunk}?{urlencode({'q': question})}"
        for document in documents
        for chunk in range(document["chunks"] or 0)
        for question in QUESTIONS[:QUESTION_COUNT]
    ]


def ingest_samples(data_dir: Path, chroma_url: str) -> None:
    environment = {**os.environ, "DATA_DIR": str(data_dir), "CHROMA_URL": chroma_url, "OCR": "0"}
    command = [sys.executable, "-m", "ingest", "--quiet", str(ROOT / "samples")]
    subprocess.run(command, env=environment, cwd=ROOT)  # one of the samples is a scan, which cannot be read


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure readers at once on one web process and on four, in turn.")
    parser.add_argument("--readers", type=int, default=200, help="readers at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=12, help="of each of the rounds (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        chroma = RunningChroma(Path(folder) / "chroma")
        stack.callback(chroma.stop)
        taken: dict[int, list[float]] = {count: [] for count in PROCESSES}
        rates: dict[int, list[float]] = {count: [] for count in PROCESSES}
        data_dir = Path(folder) / "data"
        ingest_samples(data_dir, chroma.url)
        unlimited = {f"RATE_{scope}": "0" for scope in ("READ", "INGEST", "ANSWER", "LINK")}
        for number in range(ROUNDS):
            for count in PROCESSES:
                settings = {"CHROMA_URL": chroma.url, "PROCESSES": str(count), "OCR": "0", **unlimited}
                with serving(data_dir, **settings) as site:
                    readers = Readers(site)
                    asyncio.run(readers.read(options.readers, options.seconds))  # until each process has every page
                    seconds = asyncio.run(readers.read(options.readers, options.seconds))
                taken[count] += seconds
                rates[count].append(len(seconds) / options.seconds)
                print(
                    f"round {number + 1}, {count} processes: {rates[count][-1]:.0f} pages a second, {readers.refused} refused",
                    flush=True,
                )
    one, four = (statistics.median(rates[count]) for count in PROCESSES)
    print_table([
        Row(f"{options.readers} readers at once: pages a second, 4 processes", f"{four:.0f}", f"1 process {one:.0f}", f"{four / one:.2f}", "≥ 1.6"),
        Row("... a page (p50 / p99)", format_p50_p99(taken[4]), format_p50_p99(taken[1]), "-", "-"),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
