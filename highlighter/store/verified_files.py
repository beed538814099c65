"""Paths of stored files whose bytes were compared with their hashes: what is altered is refused, never served.

A file that is missing is no concern of this module: its path is returned, and whoever opens it says that it is missing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from highlighter.errors import AlteredContent
from highlighter.locale import N_
from highlighter.models import Chunk, Document
from highlighter.store import digests
from highlighter.store.catalog import Catalog
from highlighter.store.files import FileStore


def get_verified_original(files: FileStore, document: Document) -> Path:
    """Return the path of the original; raise AlteredContent when its bytes are not those that were uploaded."""
    path = files.original_path(document.sha256)
    if files.compute_sha256_cached(path) not in ("", document.sha256):
        raise AlteredContent(
            N_(f"The stored original of {document.name} is damaged or was altered, so it is not shown.")
            + " "
            + N_("Restore it from a backup, or upload the same file again.")
        )
    return path


def get_verified_paged_pdf(catalog: Catalog, files: FileStore, document: Document) -> Path:
    """Return the path of the PDF whose pages the document's source map speaks of, checked."""
    path = files.paged_pdf_path(document)
    if path == files.original_path(document.sha256):
        return get_verified_original(files, document)
    return _get_verified_generated_file(catalog, files, document, path)


def get_verified_chunk_pdf(catalog: Catalog, files: FileStore, document: Document, chunk: Chunk) -> Path:
    """Return the path of a chunk's PDF, checked."""
    read = replace(document, pipeline=chunk.pipeline)
    return _get_verified_generated_file(
        catalog, files, read, files.chunk_pdf_path(chunk.document_id, chunk.pipeline, chunk.index)
    )


def _get_verified_generated_file(catalog: Catalog, files: FileStore, document: Document, path: Path) -> Path:
    name = digests.file_part_name(str(path.relative_to(files.generated_folder(document.id, document.pipeline))))
    with catalog.engine.connect() as connection:
        recorded = digests.read_recorded_digest(connection, document.id, document.pipeline, name)
    if recorded is None:  # an earlier release made it: there is nothing to compare it with
        return path
    salt, digest = recorded
    sha256 = files.compute_sha256_cached(path)
    if sha256 and digests.compute_salted_digest(salt, sha256) != digest:
        raise AlteredContent(
            N_(f"A stored PDF of {document.name} is damaged or was altered, so it is not shown.")
            + " "
            + N_("Run python -m highlighter doctor --fix to make it again.")
        )
    return path
