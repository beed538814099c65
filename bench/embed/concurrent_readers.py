"""Fifty readers at once, each with their own link; and the size of the script that hosts load."""

from __future__ import annotations

import gzip
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from bench.embed.links import QUESTIONS, create_link, find_contract
from bench.table import Row, format_p50_p99
from tests.browser.serving import ROOT

READER_COUNT, REQUESTS_PER_READER = 50, 10


def rows(site: str) -> list[Row]:
    document = find_contract(site)
    links = [
        create_link(site, document_id=document, question=QUESTIONS[n % len(QUESTIONS)]) for n in range(READER_COUNT)
    ]
    for url in links[: len(QUESTIONS)]:
        _measure_seconds(url)
    sequential = [_measure_seconds(url) for url in links]
    with ThreadPoolExecutor(READER_COUNT) as pool:
        concurrent = [
            seconds
            for seconds_of_reader in pool.map(
                lambda url: [_measure_seconds(url) for _ in range(REQUESTS_PER_READER)], links
            )
            for seconds in seconds_of_reader
        ]
    scripts = {name: (ROOT / "static" / name).read_bytes() for name in ("embed.js", "embed_attach.js")}
    return [
        Row(f"viewer, {READER_COUNT} readers at once (p50 / p99)", format_p50_p99(concurrent), f"one at a time {format_p50_p99(sequential)}", "-", "-"),
        *(
            Row(name, f"{len(script):,} bytes", f"gzip {len(gzip.compress(script, 9)):,} bytes", "-", "≤ 10,240 bytes")
            for name, script in scripts.items()
        ),
    ]  # fmt: skip


def _measure_seconds(url: str) -> float:
    start = time.perf_counter()
    with urllib.request.urlopen(url, timeout=60) as page:
        page.read()
    return time.perf_counter() - start
