"""The parts of ingestion that run on a Dask cluster: reading and typesetting a file, and computing vectors.

The owner of a job sends the bytes of the file, and gets what was read with the PDFs that were made. Each worker has child
processes of its own, in which files are read, and a model of its own. It knows neither the catalog nor the storage.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.locale import N_
from highlighter.settings import Settings
from highlighter.version import __version__
from highlighter.workers.cluster import Cluster, ClusterUnavailable
from highlighter.workers.process_pool import ProcessPool
from ingest.preparation import OfficeSeconds, PreparedDocument, SourceFile, prepare_document

# Between the threads of a worker: the pool is created once, and the model uses every core by itself.
_pool_lock, _model_lock = threading.Lock(), threading.Lock()


def prepare_on_cluster(
    cluster: Cluster, file: SourceFile, document_id: str, pipeline: int, work: Path, limits: OfficeSeconds
) -> PreparedDocument:
    """Read a file on a worker, as `prepare_document` does, and put its PDFs into the work folder."""
    prepared: PreparedDocument
    data = file.path.read_bytes()
    prepared, archive = cluster.run(
        prepare_on_worker, __version__, data, file.kind, file.name, document_id, pipeline, limits
    )
    _unpack_folder(archive, work)
    attachments = tuple((name, work / path) for name, path in prepared.attachments)
    return replace(prepared, attachments=attachments)


def encode_on_cluster(cluster: Cluster, model: str, texts: Sequence[str]) -> np.ndarray:
    """Compute the vectors of texts on a worker."""
    vectors: np.ndarray = cluster.run(encode_on_worker, __version__, model, list(texts))
    return vectors


def prepare_on_worker(
    release: str, data: bytes, kind: str, name: str, document_id: str, pipeline: int, limits: OfficeSeconds
) -> tuple[PreparedDocument, bytes]:
    """Read a file in a child process of this worker; return what was read, and the work folder as an archive."""
    require_release(release)
    with tempfile.TemporaryDirectory(prefix="highlighter-") as temporary:
        path, work = Path(temporary, "original"), Path(temporary, "work")
        path.write_bytes(data)
        work.mkdir()
        file = SourceFile(path, kind, name)
        prepared: PreparedDocument = _get_process_pool().run(
            prepare_document, file, document_id, pipeline, work, limits
        )
        attachments = tuple((name, path.relative_to(work)) for name, path in prepared.attachments)
        return replace(prepared, attachments=attachments), _pack_folder(work)


def encode_on_worker(release: str, model: str, texts: list[str]) -> np.ndarray:
    """Compute the vectors of texts by this worker's model."""
    require_release(release)
    with _model_lock:
        return _get_embedder(model).encode(texts)


def require_release(release: str) -> None:
    """Raise ClusterUnavailable unless the owner of the job runs the same release as this worker."""
    if release != __version__:
        raise ClusterUnavailable(
            N_(
                "The Dask workers run release {theirs} and this server {ours}: install the same. Files wait until then.",
                theirs=__version__,
                ours=release,
            )
        )


def _get_process_pool() -> ProcessPool:
    with _pool_lock:
        return _create_process_pool()


@cache
def _create_process_pool() -> ProcessPool:
    from distributed import get_worker

    settings = Settings.from_environment()
    return ProcessPool(get_worker().state.nthreads, settings.read_seconds, settings.read_memory_mb)


@cache
def _get_embedder(model: str) -> Embedder:
    return Embedder(model)


def _pack_folder(folder: Path) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(folder, arcname=".")
    return packed.getvalue()


def _unpack_folder(archive: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")
