"""The hand-over of uploaded files to ingestion, for the library's form and the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO, cast

from werkzeug.datastructures import FileStorage

from highlighter.access import get_default_collection, get_visible_collections
from highlighter.errors import Forbidden
from highlighter.locale import N_
from highlighter.metadata import check_metadata, check_metadata_values
from highlighter.models import Document
from highlighter.web.application import current_services


def queue_upload(file: FileStorage, collection: str = "", metadata: Mapping[str, Any] | None = None) -> Document:
    """Queue an uploaded file for ingestion into a collection, by default that of the principal, and return its document.

    The metadata is merged into what a document of the same bytes has. Raises Forbidden when the principal does not see the collection, whether or not it exists.
    """
    collection = check_upload(collection, metadata)
    # Written by the store itself, which hashes the bytes on the way: no other copy of the upload is made.
    stream, name = cast(BinaryIO, file.stream), file.filename or "unnamed"
    return current_services().ingest_queue.enqueue_upload(stream, name, collection, metadata)


def check_upload(collection: str, metadata: Mapping[str, Any] | None = None) -> str:
    """Return the collection for an upload; raise an error where it, or the metadata, would be refused for any file."""
    collection = collection or get_default_collection()
    if collection not in get_visible_collections():
        raise Forbidden(N_("This key cannot add documents to the collection {collection}.", collection=collection))
    check_metadata_values(metadata or {})
    check_metadata(metadata or {})
    return collection
