"""Kills: each part of a cluster in turn, while readers and a writer work; what is lost, doubled or refused, and for how long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
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
RECOVERY_SECONDS = 30.0  # until nothing is refused any more, once the part is started again
READ_SECONDS = 300  # until everything accepted is read


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a cluster, how it dies, and how whoever watches over it starts it again."""

    name: str
    kill: Callable[[], None]
    start: Callable[[], None]


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


def run_cluster_kills(options: SoakOptions, work: Path) -> list[GoalResult]:
    """Kill each part once, and compare at the end what was accepted with what is there."""
    results, writer = [], Writer()
    with running_cluster(work) as cluster, deployed_proxy([one.port for one in cluster.servers], work) as port:
        library = Library(ProxiedService(port))
        for part in list_parts(cluster):
            report(f"the {part.name} is killed")
            results.append(kill_under_load(part, cluster, library, writer, options.seed))
            wait_until(lambda: not find_unread(cluster, writer.accepted_ids), seconds=READ_SECONDS)
        unread, doubled = find_unread(cluster, writer.accepted_ids), find_doubled(cluster)
        problems = run_doctor(cluster)
        figure = f"{len(writer.accepted_ids)} documents accepted, {len(unread)} lost, {len(doubled)} doubled"
        results.append(
            judge(
                "Cluster: whichever part dies, 0 lost, 0 doubled; rows, vectors and files agree",
                "; ".join([figure, *problems]),
                not (unread or doubled or problems),
            )
        )
    return results


def kill_under_load(part: Part, cluster: LocalCluster, library: Library, writer: Writer, seed: int) -> GoalResult:
    reads, writes = Measurements(), Measurements()
    crowd = Crowd(library.service, f"{seed} {part.name}")
    crowd.add(READERS, library.read, reads, THINK_SECONDS)
    crowd.add(1, writer.upload, writes, THINK_SECONDS)
    thread = threading.Thread(target=crowd.run, args=(None,))
    thread.start()
    try:
        time.sleep(BEFORE_SECONDS)
        part.kill()
        time.sleep(OUTAGE_SECONDS)
        part.start()
        started = time.monotonic()
        wait_until(lambda: all(server.is_ready() for server in cluster.servers), seconds=RECOVERY_SECONDS * 4)
        ready_seconds = time.monotonic() - started
        time.sleep(AFTER_SECONDS)
    finally:
        crowd.stop()
        thread.join()
    last_failure = max(reads.last_failure, writes.last_failure)
    refused_seconds = max(0.0, last_failure - started)
    unexpected = reads.count_failures() + writes.count_failures() - reads.statuses[503] - writes.statuses[503]
    unexpected += reads.without_retry_after + writes.without_retry_after
    return judge(
        f"Cluster: {part.name} is killed: only 503 with `Retry-After`, for 30 s at most",
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


def run_doctor(cluster: LocalCluster) -> list[str]:
    """Return the problems that `doctor` finds in the stores of the cluster."""
    settings = {**os.environ, **cluster.settings, "DATA_DIR": str(cluster.servers[0].folder / "doctor")}
    doctor = subprocess.run(
        [sys.executable, "-m", "highlighter", "doctor", "--json"],
        env=settings,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    found = json.loads(doctor.stdout)
    return [] if found["well"] else [json.dumps(found)]
