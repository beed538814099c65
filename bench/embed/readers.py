"""Fifty readers at once, each with a link of their own; and the size of the script that hosts load."""

from __future__ import annotations

import gzip
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from bench.embed.links import QUESTIONS, contract, link
from bench.table import Row, p50_p99
from tests.browser.serving import ROOT

READERS, EACH = 50, 10


def rows(site: str) -> list[Row]:
    document = contract(site)
    links = [link(site, document_id=document, question=QUESTIONS[n % len(QUESTIONS)]) for n in range(READERS)]
    for address in links[: len(QUESTIONS)]:
        _seconds(address)
    alone = [_seconds(address) for address in links]
    with ThreadPoolExecutor(READERS) as pool:
        together = [
            one for part in pool.map(lambda address: [_seconds(address) for _ in range(EACH)], links) for one in part
        ]
    script = (ROOT / "static" / "embed.js").read_bytes()
    return [
        Row(f"viewer, {READERS} readers at once (p50 / p99)", p50_p99(together), f"one at a time {p50_p99(alone)}", "-", "-"),
        Row("embed.js", f"{len(script):,} bytes", f"gzip {len(gzip.compress(script, 9)):,} bytes", "-", "≤ 10,240 bytes"),
    ]  # fmt: skip


def _seconds(address: str) -> float:
    began = time.perf_counter()
    with urllib.request.urlopen(address, timeout=60) as page:
        page.read()
    return time.perf_counter() - began
