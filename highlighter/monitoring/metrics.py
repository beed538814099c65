"""The measurements of this process, which `/metrics` prints for Prometheus. No label holds a word of a document.

With several processes, each writes its counts to a folder that all share, and whichever is asked adds them up.
"""

from __future__ import annotations

from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from highlighter.monitoring.server_processes import ServerProcessesCollector

disable_created_metrics()  # type: ignore[no-untyped-call]  # the library leaves it untyped; one figure less for each
REGISTRY = CollectorRegistry(auto_describe=True)

REQUESTS = Counter("highlighter_requests", "Requests answered", ("route", "method", "status"), registry=REGISTRY)
REQUESTS_SHED = Counter(
    "highlighter_requests_shed",
    "Requests refused under load, whose client was told when to try again",
    registry=REGISTRY,
)
# A response that is streamed counts until its first byte.
REQUEST_SECONDS = Histogram(
    "highlighter_request_seconds",
    "Seconds from a request to its response",
    ("route",),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.3, 0.5, 1, 2.5, 5, 10, 30, 60),
    registry=REGISTRY,
)
MODEL_CALLS = Counter(
    "highlighter_model_calls", "Calls of language models, by outcome", ("model", "outcome"), registry=REGISTRY
)
MODEL_SECONDS = Histogram(
    "highlighter_model_seconds",
    "Seconds that calls of language models took",
    ("model",),
    buckets=(0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120),
    registry=REGISTRY,
)
CACHE_LOOKUPS = Counter(
    "highlighter_cache_lookups", "Lookups in caches, found or not", ("cache", "outcome"), registry=REGISTRY
)
EVIDENCE_CACHE_LOOKUPS = Counter(
    "highlighter_evidence_cache_lookups", "Lookups of evidence found lately", ("outcome",), registry=REGISTRY
)
DOCUMENTS_PROCESSED = Counter(
    "highlighter_documents_processed",
    "Documents that were read, by their state after it",
    ("state",),
    registry=REGISTRY,
)

HIT, MISS = "hit", "miss"
ANSWERED, FAILED = "answered", "failed"


def format_metrics(state: Collector, shared_folder: Path | None = None) -> str:
    """Return all measurements in Prometheus's text format.

    `state` adds what is counted when it is asked, once for all processes. `shared_folder` is where several processes count.
    """
    registry = CollectorRegistry(auto_describe=False)
    registry.register(state)
    if shared_folder is None:
        ProcessCollector(registry=registry)
        return (generate_latest(REGISTRY) + generate_latest(registry)).decode()
    MultiProcessCollector(registry, str(shared_folder))  # type: ignore[no-untyped-call]  # of the library
    registry.register(ServerProcessesCollector(shared_folder))
    return generate_latest(registry).decode()
