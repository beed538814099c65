"""Batches of `highlight --jsonl` and `check --jsonl`, computed by the workers of a Dask cluster in the order of their lines."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from highlighter.errors import HighlighterError
from highlighter.locale import N_
from highlighter.models import Evidence, Source
from highlighter.settings import Settings
from highlighter.version import __version__
from highlighter.workers.cluster import Cluster, ClusterUnavailable, ClusterWorkersDied

if TYPE_CHECKING:
    from highlighter.evidence.passage_highlighter import PassageRequest
    from highlighter.schemas.checks import CheckResponse
    from highlighter.services import Services

ITEMS_PER_BATCH = 64
RETRY_SECONDS = 1.0  # while the scheduler does not answer

Item = TypeVar("Item")
_lock = threading.Lock()  # between the threads of a worker: the models use every core by themselves


@dataclass(frozen=True, slots=True)
class Scoring:
    """What scores depend on. Calibrations of one's own are found in the workers' own DATA_DIR."""

    release: str
    embedding_model: str
    joint: bool
    method: str
    threshold: float

    @classmethod
    def from_settings(cls, settings: Settings) -> Scoring:
        return cls(
            __version__,
            settings.embedding_model,
            settings.joint,
            settings.highlight_method,
            settings.highlight_threshold,
        )


def map_on_cluster(
    cluster: Cluster, function: Callable[[Scoring, list[Item]], list[Any]], scoring: Scoring, items: Sequence[Item]
) -> Iterator[Any]:
    """Yield the result of each item, in order. While the cluster does not answer, wait; a batch is then computed again."""
    cluster.require_answer()
    batches = [list(items[start : start + ITEMS_PER_BATCH]) for start in range(0, len(items), ITEMS_PER_BATCH)]
    executor = ThreadPoolExecutor(cluster.count_threads() + 1)
    try:
        for results in executor.map(lambda batch: _run_batch(cluster, function, scoring, batch), batches):
            yield from results
    except BaseException:
        cluster.close()  # so that no thread waits for a result
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _run_batch(
    cluster: Cluster, function: Callable[[Scoring, list[Item]], list[Any]], scoring: Scoring, batch: list[Item]
) -> list[Any]:
    while True:
        try:
            results: list[Any] = cluster.run(function, scoring, batch)
            return results
        except ClusterUnavailable:
            time.sleep(RETRY_SECONDS)
        except ClusterWorkersDied as err:
            raise HighlighterError(N_("Several workers of the Dask cluster died of the same lines.")) from err


def highlight_on_worker(scoring: Scoring, passages: list[PassageRequest]) -> list[Evidence]:
    """Return the evidence of each passage, by the models of this worker."""
    from highlighter.evidence.passage_highlighter import highlight_passages

    services = _get_services(scoring)
    with _lock:
        results = highlight_passages(
            passages, services.embedder, services.evidence_scorer, scoring.method, scoring.threshold
        )
        return [evidence for _, evidence in results]


def check_on_worker(scoring: Scoring, answers: list[tuple[str, list[Source]]]) -> list[CheckResponse]:
    """Return the check of each answer against the texts of its sources, by the models of this worker."""
    from highlighter.grounding.checker import Checker
    from highlighter.grounding.cited_sources import check_answer
    from highlighter.serializers.checks import serialize_check

    services = _get_services(scoring)
    with _lock:
        checker = Checker(services.embedder, services.evidence_scorer)
        return [serialize_check(check_answer(checker, answer, sources), sources) for answer, sources in answers]


def _get_services(scoring: Scoring) -> Services:
    if scoring.release != __version__:
        raise HighlighterError(
            N_(
                "The Dask workers run release {theirs} and this machine {ours}: install the same.",
                theirs=__version__,
                ours=scoring.release,
            )
        )
    with _lock:
        return _create_services(scoring.embedding_model, scoring.joint)


@cache
def _create_services(embedding_model: str, joint: bool) -> Services:
    from highlighter.services import Services

    return Services(replace(Settings.from_environment(), embedding_model=embedding_model, joint=joint))
