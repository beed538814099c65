"""The state of a data folder: in a form that can be compared, and what is inconsistent in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from highlighter.models import READABLE, UNFINISHED
from highlighter.services import Services
from highlighter.store.audit_verification import verify_audit
from highlighter.store.chroma import find_newest_generation
from highlighter.store.deletion import find_orphans
from highlighter.store.folder_index import FolderIndex


def read_state(services: Services) -> dict[str, Any]:
    """Return what must be the same however often the work that led to it was interrupted."""
    catalog = services.catalog
    documents = [
        {
            "id": document.id,
            "name": document.name,
            "state": document.state,
            "collection": document.collection,
            "is_current": document.current,
            "chunks": [chunk.text for chunk in catalog.chunks(document)],
            "chunk_pdfs": services.files.count_chunk_pdfs(document.id, document.pipeline),
        }
        for document in catalog.documents()
    ]
    return {
        "documents": sorted(documents, key=lambda document: str(document["id"])),
        "originals": sorted(services.files.list_original_hashes()),
        "folders": sorted(services.files.list_document_ids()),
        "indexed": sorted(read_indexed_ids(services)),
    }


def list_inconsistencies(services: Services) -> Iterator[str]:
    """Yield a sentence for each document, vector, file or row of the audit that does not fit the others."""
    yield from list_document_inconsistencies(services)
    catalog, model = services.catalog, services.embedder.name
    expected_ids = {
        f"{document.id}:{document.pipeline}:{chunk}:{index}"
        for document in catalog.documents()
        if document.state in READABLE and document.current
        for chunk, index, _ in catalog.sentence_vectors(document.id, document.pipeline, model)
    }
    if read_indexed_ids(services) != expected_ids:
        yield "The index does not hold the vectors of the catalog."


def list_document_inconsistencies(services: Services) -> Iterator[str]:
    """Yield the same of everything but the index."""
    catalog, files = services.catalog, services.files
    for document in catalog.documents():
        if document.state in UNFINISHED:
            yield f"{document.name} was begun and not finished."
        if document.state not in READABLE:
            continue
        chunks = catalog.chunks(document)
        if files.count_chunk_pdfs(document.id, document.pipeline) != len(chunks):
            yield f"{document.name} has {len(chunks)} chunks and another number of PDFs."
        rows = catalog.sentence_vectors(document.id, document.pipeline, services.embedder.name)
        if len(rows) != sum(len(catalog.sentences(chunk, services.embedder.name)[0]) for chunk in chunks):
            yield f"{document.name} has sentences without a vector."
    if any(find_orphans(catalog, files)):
        yield "There are files without a document."
    if any(files.scratch.iterdir()):
        yield "There are files of unfinished work."
    with catalog.engine.connect() as connection:
        for discrepancy in verify_audit(connection, files=files).discrepancies:
            yield f"audit: {discrepancy}"


def read_indexed_ids(services: Services) -> set[str]:
    """Return the ids of the sentences in the index, as another process finds them."""
    index = services.index
    assert isinstance(index, FolderIndex)
    index.close()
    generation = find_newest_generation(index.folder)
    if generation is None:
        return set()
    client, sentences, _ = generation.open()
    ids = set(sentences.get(include=[])["ids"])
    client.close()
    return ids
