"""A file in, a searchable document out: the table of contents of ingestion."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from highlighter.errors import Unreadable
from highlighter.models import (
    DAMAGED,
    EMPTY,
    ENCRYPTED,
    FAILED,
    NO_TEXT,
    PARTIAL,
    PIPELINE,
    READABLE,
    READY,
    TOO_LARGE,
    UNSUPPORTED,
    Document,
)  # fmt: skip
from highlighter.services import Services
from highlighter.store.catalog import Contents
from ingest.embed import embed
from ingest.jail import Closed, Jail
from ingest.kinds import kind_of
from ingest.long_sentences import cut_long
from ingest.prepare import Prepared, prepare

DEFAULT_COLLECTION = "default"

# Reading the same bytes again would end the same way; a time-out or a fault of ours may not.
SETTLED = READABLE | {NO_TEXT, ENCRYPTED, DAMAGED, TOO_LARGE, UNSUPPORTED, EMPTY}

Progress = Callable[[str, int, int], None]  # stage, done, total


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file, and whether that was known before."""

    document: Document
    known: bool
    seconds: float


def ingest_file(
    path: Path, services: Services, jail: Jail, collection: str = DEFAULT_COLLECTION, progress: Progress | None = None
) -> Outcome:
    """Takes a file in and ends what was begun. Killed at any moment and called again, it comes to the same end."""
    began = time.monotonic()
    document = take_in(path, path.name, services, collection)
    return end(document, services, jail, progress, began)


def take_in(path: Path, name: str, services: Services, collection: str = DEFAULT_COLLECTION) -> Document:
    """Keeps the user's own bytes and makes the document's row: from here on, nothing of the caller's is needed."""
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        if not services.files.original(sha256).exists():
            file.seek(0)
            services.files.keep_original(file)
    try:
        kind = kind_of(path)
    except Unreadable:
        kind = ""  # told again, and kept, when it is read
    return services.catalog.register(collection, sha256, name, kind, path.stat().st_size)


def end(
    document: Document, services: Services, jail: Jail, progress: Progress | None = None, began: float | None = None
) -> Outcome:
    """Reads, splits, chunks, embeds and keeps a document that was taken in, unless that is done."""
    began = began or time.monotonic()
    progress = progress or (lambda stage, done, total: None)
    with services.files.claim(document.id):
        document = services.catalog.document(document.id)
        if document.state in SETTLED and document.pipeline == PIPELINE:
            return Outcome(document, True, time.monotonic() - began)
        work = services.files.workplace()
        try:
            _read_and_keep(document, services, jail, work, progress)
        except Unreadable as err:
            services.catalog.set_state(document.id, err.state, err.detail)
        except Closed:  # we are being stopped: the document stays unfinished, and the next start takes it up
            raise
        except Exception as err:
            services.catalog.set_state(document.id, FAILED, f"It could not be taken in: {err}")
            raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return Outcome(services.catalog.document(document.id), False, time.monotonic() - began)


def _read_and_keep(document: Document, services: Services, jail: Jail, work: Path, progress: Progress) -> None:
    progress("reading", 0, 1)
    original = services.files.original(document.sha256)
    kind = kind_of(original)
    prepared: Prepared = jail.run(prepare, original, kind, document.name, document.id, PIPELINE, work)
    sentences = cut_long(prepared.sentences, services.embedder)
    embed([sentence.text for _, sentence in sentences], services, progress)
    services.files.keep_made(work, document.id, PIPELINE)
    services.catalog.keep(
        document.id,
        Contents(prepared.text, prepared.source_map, prepared.facts, prepared.chunks, sentences, prepared.labels),
        PARTIAL if prepared.warnings else READY,
        " ".join(prepared.warnings),
    )
