"""The state of a service by its parts, for those who operate it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from highlighter.embedding.embedder import WARM
from highlighter.locale import N_
from highlighter.services import Services
from highlighter.store.catalog_statistics import QueueState, count_states, measure_queue
from highlighter.store.storage_errors import find_disk_problem, is_unwritable

# A part that is impaired makes some requests slower or less complete; a part that is down makes them fail.
OK, IMPAIRED, DOWN = "ok", "impaired", "down"
STATUSES = (OK, IMPAIRED, DOWN)
# Documents wait for minutes when many come at once. Beyond an hour, something is probably wrong.
MAX_QUEUE_AGE_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class PartState:
    """The state of one part; `detail` says what is wrong and what helps."""

    name: str
    status: str = OK
    detail: str = ""


def list_parts(services: Services) -> list[PartState]:
    """Return the state of each part. While the catalog cannot be read, nothing that needs it is asked."""
    model = PartState("model")
    if services.embedder.state != WARM:
        model = PartState("model", DOWN, services.embedder.problem or N_("The embedding model is loading."))
    if problem := services.catalog_health.find_problem():
        return [PartState("catalog", DOWN, problem), model]
    return [
        PartState("catalog"),
        PartState("files", DOWN if services.files.problem else OK, services.files.problem),
        model,
        _examine_index(services),
        _examine_disk(services),
        _examine_queue(services),
        *_examine_cluster(services),
    ]


def _examine_index(services: Services) -> PartState:
    if problem := services.index.problem:
        return PartState("index", IMPAIRED, problem)
    state = services.index.describe()
    if state.changes and not state.whole:
        detail = N_("The vector index is being built. Until then, searches compare all vectors, which is slower.")
        return PartState("index", IMPAIRED, detail)
    return PartState("index")


def _examine_disk(services: Services) -> PartState:
    problem = find_disk_problem(services.files.scratch)
    if problem is None:
        return PartState("disk")
    if is_unwritable(problem):
        detail = N_("The data folder cannot be written. Uploads are refused, and documents wait, until it can.")
        return PartState("disk", DOWN, detail)
    return PartState(
        "disk", IMPAIRED, N_("The disk is full. Uploads are refused, and documents wait, until there is space.")
    )


def _examine_queue(services: Services) -> PartState:
    if _measure_age(measure_queue(services.catalog.engine)) <= MAX_QUEUE_AGE_SECONDS:
        return PartState("queue")
    return PartState("queue", IMPAIRED, N_("A document has waited for more than an hour to be read."))


def _examine_cluster(services: Services) -> list[PartState]:
    """Return the state of the Dask cluster; nothing where there is none. Without it, all but reading files goes on."""
    if services.cluster is None:
        return []
    problem = services.cluster.find_problem()
    return [PartState("cluster", IMPAIRED if problem else OK, problem)]


def _measure_age(queue: QueueState) -> float:
    if not queue.oldest:
        return 0.0
    return max((datetime.now(UTC) - datetime.fromisoformat(queue.oldest)).total_seconds(), 0.0)


class ServiceStateCollector(Collector):
    """The figures that are counted when Prometheus asks."""

    def __init__(self, services: Services):
        self._services = services

    def collect(self) -> Iterator[Metric]:
        parts = list_parts(self._services)
        status = GaugeMetricFamily(
            "highlighter_part_status", "1 for the status of each part", labels=("part", "status")
        )
        for part in parts:
            for name in STATUSES:
                status.add_metric((part.name, name), float(part.status == name))
        yield status
        yield GaugeMetricFamily("highlighter_ready", "1 when requests can be answered", is_ready(parts))
        if parts[0].status == OK:  # otherwise the catalog cannot be asked
            yield from self._collect_stores()

    def _collect_stores(self) -> Iterator[Metric]:
        services = self._services
        queue, index = measure_queue(services.catalog.engine), services.index.describe()
        states = GaugeMetricFamily("highlighter_documents", "Documents by state", labels=("state",))
        for state, count in count_states(services.catalog.engine).items():
            states.add_metric((state,), count)
        yield states
        yield GaugeMetricFamily("highlighter_queue_documents", "Documents that wait or are being read", queue.length)
        yield GaugeMetricFamily(
            "highlighter_queue_age_seconds", "Seconds since the oldest of them was added", _measure_age(queue)
        )
        yield GaugeMetricFamily(
            "highlighter_index_pending_changes", "Changes that the index has not applied", index.changes - index.heard
        )
        yield GaugeMetricFamily("highlighter_index_generation", "The generation of the index", index.generation)
        yield GaugeMetricFamily(
            "highlighter_disk_free_bytes",
            "Free space where the data folder is",
            shutil.disk_usage(services.settings.data_dir).free,
        )


def is_ready(parts: list[PartState]) -> bool:
    return all(part.status != DOWN for part in parts)
