"""Chroma: an index of the truth that can be thrown away. One process owns it and follows the catalog's changes."""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from highlighter.models import READABLE
from highlighter.store.catalog import Catalog
from highlighter.store.scope import Key

log = logging.getLogger(__name__)

BATCH = 5000  # Chroma refuses more than 5,461 rows at once
CHECK_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Nearest:
    """What an index knew when it had heard of all changes up to `heard`: chunks with their similarity, best first."""

    heard: int
    by_sentence: list[tuple[Key, float]]  # a chunk is as near as its nearest sentence
    by_chunk: list[tuple[Key, float]]


class Index:
    """`folder/GENERATION/` holds Chroma's files and our cursor: the last change it has heard of.

    Opening a torn index can take the process down with it, so each generation is first opened by a child; one that
    fails is left behind and a fresh one hears every change again.
    """

    def __init__(self, folder: Path, catalog: Catalog, model: str):
        self.folder = folder
        self.catalog = catalog
        self.model = model
        self._lock = None
        self._open = None  # (generation folder, sentences, chunks)
        self._heard = 0  # the last change that the open index answers for
        self._busy = threading.Lock()

    def own(self) -> bool:
        """Whether this process is, from now on, the one that writes the index. Two would lose vectors silently."""
        if self._lock is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / "owner.lock").open("w")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                return False
            self._lock = lock
        return True

    def follow(self) -> int:
        """Brings the index up to the truth; how many changes that took. Safe to be killed in, and to call again."""
        if not self.own():
            return 0
        with self._busy:
            generation, sentences, chunks = self._opened()
            cursor = _Cursor(generation)
            self._heard = cursor.read()
            pending = self.catalog.changes_after(self._heard)
            # Of several changes to one document only the last counts: each is answered with the document as it is now.
            latest = {document_id: seq for seq, document_id, _ in pending}
            for seq, document_id, _ in pending:
                if latest[document_id] == seq:
                    self._bring_up(document_id, sentences, chunks)
                cursor.write(seq)
                self._heard = seq
            return len(pending)

    def state(self) -> tuple[int, int]:
        """(changes heard, changes there are)."""
        generation = _newest(self.folder)
        heard = _Cursor(generation).read() if generation else 0
        return heard, self.catalog.last_change()

    def nearest(self, vector: np.ndarray, count: int, document_ids: Sequence[str] | None = None) -> Nearest | None:
        """What lies nearest to a vector, in all documents or in these; nothing while this process has no index open.

        Only what Chroma remembers: whoever asks looks up in the catalog whether it is still so, and for everyone.
        Never waits for `follow`, and never opens anything: without the lock that would lose another process's rows.
        """
        opened, heard = self._open, self._heard
        if opened is None or heard == 0:
            return None
        where = None if document_ids is None else {"document_id": {"$in": list(document_ids)}}
        try:
            _, sentences, chunks = opened
            return Nearest(heard, _query(sentences, vector, count, where), _query(chunks, vector, count, where))
        except Exception:
            log.exception("The index did not answer; the catalog does instead")
            return None

    def close(self) -> None:
        with self._busy:
            self._open, self._heard = None, 0
            if self._lock is not None:
                self._lock.close()
                self._lock = None

    def _bring_up(self, document_id: str, sentences, chunks) -> None:
        for collection in (sentences, chunks):
            collection.delete(where={"document_id": document_id})
        document = self.catalog.document(document_id)
        if document is None or document.state not in READABLE:
            return
        rows = self.catalog.sentence_vectors(document.id, document.pipeline, self.model)
        if not rows:
            return
        vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
        about = {"document_id": document.id, "collection": document.collection, "pipeline": document.pipeline}
        key = f"{document.id}:{document.pipeline}"
        _upsert(
            sentences,
            [f"{key}:{index}" for _, index, _ in rows],
            vectors,
            [{**about, "chunk": chunk, "sentence": index} for chunk, index, _ in rows],
        )
        numbers, means = chunk_means(rows)
        _upsert(chunks, [f"{key}:{n}" for n in numbers], means, [{**about, "chunk": n} for n in numbers])

    def _opened(self):
        if self._open is None:
            generation = _newest(self.folder)
            if generation is None or not _healthy(generation):
                generation = self._fresh(generation)
            self._open = (generation, *open_collections(generation))
        return self._open

    def _fresh(self, broken: Path | None) -> Path:
        number = int(broken.name) + 1 if broken else 1
        if broken:
            log.warning("The index in %s does not open; it is being made again from the catalog.", broken)
            shutil.rmtree(broken, ignore_errors=True)
        generation = self.folder / str(number)
        generation.mkdir()
        return generation


class _Cursor:
    """The last change that a generation has heard of, replaced whole: a kill leaves the old one or the new one."""

    def __init__(self, generation: Path):
        self.path = generation / "cursor"

    def read(self) -> int:
        try:
            return int(self.path.read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def write(self, seq: int) -> None:
        draft = self.path.with_suffix(".new")
        draft.write_text(str(seq))
        os.replace(draft, self.path)


def _newest(folder: Path) -> Path | None:
    generations = [path for path in folder.glob("*") if path.name.isdigit()] if folder.is_dir() else []
    return max(generations, key=lambda path: int(path.name), default=None)


def open_collections(generation: Path):
    import chromadb  # half a second
    from chromadb.config import Settings as ChromaSettings

    client = chromadb.PersistentClient(str(generation), settings=ChromaSettings(anonymized_telemetry=False))
    space = {"hnsw": {"space": "cosine"}}
    return [
        client.get_or_create_collection(name, configuration=space, embedding_function=None)
        for name in ("sentences", "chunks")
    ]


def _upsert(collection, ids: list[str], vectors: np.ndarray, metadatas: list[dict]) -> None:
    for at in range(0, len(ids), BATCH):
        some = slice(at, at + BATCH)
        collection.upsert(ids=ids[some], embeddings=vectors[some], metadatas=metadatas[some])


def chunk_means(rows: list[tuple[int, int, bytes]]) -> tuple[list[int], np.ndarray]:
    """The numbers of a document's chunks, and for each the normalised mean of its sentences' vectors."""
    vectors = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.float32).reshape(len(rows), -1)
    numbers, starts = np.unique([row[0] for row in rows], return_index=True)  # rows come in order of chunks
    sums = np.add.reduceat(vectors, starts, axis=0)
    return numbers.tolist(), sums / np.linalg.norm(sums, axis=1, keepdims=True).clip(min=1e-9)


def _query(collection, vector: np.ndarray, count: int, where: dict | None) -> list[tuple[Key, float]]:
    if where is not None and not where["document_id"]["$in"]:
        return []
    found = collection.query(
        query_embeddings=vector[None, :], n_results=count, where=where, include=["metadatas", "distances"]
    )
    nearest: dict[Key, float] = {}
    for about, distance in zip(found["metadatas"][0], found["distances"][0], strict=True):
        nearest.setdefault(Key(about["document_id"], about["pipeline"], about["chunk"]), 1.0 - distance)
    return list(nearest.items())


def _healthy(generation: Path) -> bool:
    """Whether a child process can open it and get an answer. A torn index may crash, hang or be absurdly large."""
    command = [sys.executable, "-m", "highlighter.store.index", str(generation)]
    try:
        return subprocess.run(command, timeout=CHECK_SECONDS, capture_output=True, cwd=_ROOT).returncode == 0
    except subprocess.TimeoutExpired:
        return False


_ROOT = Path(__file__).resolve().parents[2]


def _check(generation: Path) -> None:
    links, vectors = (
        sum(file.stat().st_size for file in generation.rglob(name)) for name in ("link_lists.bin", "data_level0.bin")
    )
    if links > 10 * max(vectors, 1 << 20):  # a sparse file of over a terabyte has been seen
        raise SystemExit("link_lists.bin is absurdly large")
    for collection in open_collections(generation):
        if collection.count():
            probe = collection.peek(1)["embeddings"]
            collection.query(query_embeddings=probe, n_results=1)


if __name__ == "__main__":
    _check(Path(sys.argv[1]))
