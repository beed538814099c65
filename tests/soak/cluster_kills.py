"""Kills: each part of a cluster in turn, then any at random, while readers and a writer work; what is lost, doubled or refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.browser.nginx import deployed_proxy
from tests.browser.serving import ROOT
from tests.cluster.local_cluster import LocalCluster, running_cluster
from tests.soak.goals import GoalResult, judge
from tests.soak.load import THINK_SECONDS, Crowd, Library, Measurements
from tests.soak.options import SoakOptions
from tests.soak.progress import report
from tests.soak.running_service import Connection, Reply
from tests.waiting import wait_until

READERS = 8
BEFORE_SECONDS, OUTAGE_SECONDS, AFTER_SECONDS = 4.0, 6.0, 8.0
RANDOM_BEFORE_SECONDS, RANDOM_OUTAGE_SECONDS = (0.5, 8.0), (0.5, 12.0)  # of the kills after the first of each part
RECOVERY_SECONDS = 30.0  # until nothing is refused any more, once the part is started again
READ_SECONDS = 300  # until everything accepted is read


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a cluster, how it dies, and how whoever watches over it starts it again."""

    name: str
    kill: Callable[[], None]
    start: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill of a part, after some seconds of load, and the seconds until the part is started again."""

    part: Part
    before_seconds: float = BEFORE_SECONDS
    outage_seconds: float = OUTAGE_SECONDS


@dataclass(frozen=True, slots=True)
class ProxiedService:
    """The servers of a cluster, as the proxy of deploy/ shows them."""

    port: int

    def connect(self) -> Connection:
        return Connection(self.port)


class Writer:
    """Uploads files, each once, and remembers those that were accepted."""

    def __init__(self):
        self.accepted_ids: list[str] = []

    def upload(self, connection: Connection, random: Random) -> Reply:
        number = random.randrange(1 << 40)
        content = f"Berth {number} is for pilots. Its lamp is lit at noon."
        reply = connection.upload(f"{number}.txt", content.encode())
        if reply.status == 202:
            self.accepted_ids.append(reply.json()["document_id"])
        return reply


def list_parts(cluster: LocalCluster) -> list[Part]:
    """Return the parts in the order in which they are killed. One of the two servers also keeps the index."""
    first, second = cluster.servers
    dask = cluster.dask
    return [
        Part("first server", first.kill, first.start),
        Part("second server", second.kill, second.start),
        Part("Dask worker", dask.kill_first_worker, lambda: None),
        Part("Dask scheduler", dask.stop, dask.start),
        Part("Chroma", cluster.chroma.kill, cluster.chroma.start),
        Part("storage", cluster.storage.stop, cluster.storage.start),
        Part("PostgreSQL", cluster.postgresql.stop, cluster.postgresql.start),
    ]


def plan_kills(parts: list[Part], repeats: int, random: Random) -> Iterator[Kill]:
    """Yield a kill of each part, then so many of any part at any moment."""
    yield from map(Kill, parts)
    for _ in range(repeats):
        yield Kill(random.choice(parts), random.uniform(*RANDOM_BEFORE_SECONDS), random.uniform(*RANDOM_OUTAGE_SECONDS))


def run_cluster_kills(options: SoakOptions, work: Path) -> list[GoalResult]:
    """Kill each part once and some again, and compare at the end what was accepted with what is there."""
    results, writer = [], Writer()
    with running_cluster(work) as cluster, deployed_proxy([one.port for one in cluster.servers], work) as port:
        library = Library(ProxiedService(port))
        kills = plan_kills(list_parts(cluster), options.cluster_kills, Random(options.seed))
        for number, kill in enumerate(kills):
            report(f"the {kill.part.name} is killed after {kill.before_seconds:.1f} s")
            results.append(kill_under_load(kill, cluster, library, writer, f"{options.seed} {number}"))
            wait_until(lambda: not find_unread(cluster, writer.accepted_ids), seconds=READ_SECONDS)
        unread, doubled = find_unread(cluster, writer.accepted_ids), find_doubled(cluster)
        problems = find_problems(cluster)
        figure = f"{len(writer.accepted_ids)} documents accepted, {len(unread)} lost, {len(doubled)} doubled"
        results.append(
            judge(
                "Cluster: whichever part dies, 0 lost, 0 doubled; rows, vectors and files agree, the audit is whole",
                "; ".join([figure, *problems]),
                not (unread or doubled or problems),
            )
        )
    return results


def kill_under_load(kill: Kill, cluster: LocalCluster, library: Library, writer: Writer, seed: str) -> GoalResult:
    reads, writes = Measurements(), Measurements()
    crowd = Crowd(library.service, seed)
    crowd.add(READERS, library.read, reads, THINK_SECONDS)
    crowd.add(1, writer.upload, writes, THINK_SECONDS)
    with crowd.working():
        time.sleep(kill.before_seconds)
        kill.part.kill()
        time.sleep(kill.outage_seconds)
        kill.part.start()
        started = time.monotonic()
        wait_until(lambda: all(server.is_ready() for server in cluster.servers), seconds=RECOVERY_SECONDS * 4)
        ready_seconds = time.monotonic() - started
        time.sleep(AFTER_SECONDS)
    last_failure = max(reads.last_failure, writes.last_failure)
    refused_seconds = max(0.0, last_failure - started)
    unexpected = reads.count_failures() + writes.count_failures() - reads.statuses[503] - writes.statuses[503]
    unexpected += reads.without_retry_after + writes.without_retry_after
    return judge(
        f"Cluster: {kill.part.name} is killed for {kill.outage_seconds:.1f} s: only 503 with `Retry-After`, for 30 s at most",
        f"reads {reads.describe()}; uploads {writes.describe()}; ready {ready_seconds:.1f} s after it was started again, "
        f"nothing refused {refused_seconds:.1f} s after",
        not unexpected and max(refused_seconds, ready_seconds) <= RECOVERY_SECONDS,
    )


def find_unread(cluster: LocalCluster, ids: list[str]) -> list[str]:
    """Return the accepted documents that are not ready, for any of the servers."""
    return [
        id
        for server in cluster.servers
        for id in ids
        if server.send("GET", f"/api/v1/documents/{id}").json().get("state") != "ready"
    ]


def find_doubled(cluster: LocalCluster) -> list[str]:
    """Return the names of documents that are there twice."""
    documents: list[dict[str, Any]] = []
    while page := cluster.servers[0].list_documents(offset=len(documents)):
        documents += page
    return [name for name, count in Counter(one["name"] for one in documents).items() if count > 1]


def find_problems(cluster: LocalCluster) -> list[str]:
    """Return what `doctor` finds in the stores of the cluster, and what `verify` finds changed."""
    health, audit = run_command(cluster, "doctor"), run_command(cluster, "verify")
    problems = [] if health["well"] else [json.dumps(health)]
    return problems + [f"audit: {discrepancy}" for discrepancy in audit["broken"]]


def run_command(cluster: LocalCluster, name: str) -> dict[str, Any]:
    """Run a command of Highlighter on the cluster's stores, and return the JSON that it prints."""
    settings = {**os.environ, **cluster.settings, "DATA_DIR": str(cluster.servers[0].folder / "doctor")}
    result = subprocess.run(
        [sys.executable, "-m", "highlighter", name, "--json"], env=settings, cwd=ROOT, capture_output=True, text=True
    )
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed
