"""The documents of a library as MCP resources, and a template of addresses for their chunks."""

from __future__ import annotations

from collections.abc import Callable

from highlighter.access import READ, get_current_principal
from highlighter.adapters import require_package
from highlighter.adapters.library import Library, ListedDocument
from highlighter.adapters.mcp_server import LibraryServer, ResourceLister
from highlighter.errors import HighlighterError, InsufficientScope, NotFound
from highlighter.models import READABLE
from highlighter.schemas.documents import DocumentOut

with require_package("mcp"):
    from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
    from mcp_types import ListResourcesResult, Resource

DOCUMENT_URI = "highlighter://documents/{document_id}"
CHUNK_URI = DOCUMENT_URI + "/chunks/{chunk_index}"
RESOURCES_PER_PAGE = 50
MAX_INDEX_DIGITS = 9  # fits the integers of every database
TEXT_MEDIA_TYPE = "text/plain"


def make_resource_lister(library: Library) -> ResourceLister:
    """Return a function that lists the documents after a cursor, newest first."""

    def list_resources(cursor: str) -> ListResourcesResult:
        _require_read_scope()
        page = library.documents(limit=RESOURCES_PER_PAGE, cursor=cursor, state=sorted(READABLE))
        return ListResourcesResult(
            resources=[_build_resource(document) for document in page.documents], next_cursor=page.next_cursor
        )

    return list_resources


def register_resources(server: LibraryServer, library: Library) -> None:
    """Let clients read the text of a document, or of one chunk."""

    @server.resource(DOCUMENT_URI, name="document", description="The text of a document.", mime_type=TEXT_MEDIA_TYPE)
    def read_document(document_id: str) -> str:
        return _read(lambda: library.text(document_id).text)

    @server.resource(
        CHUNK_URI,
        name="chunk",
        description="The text of one chunk of a document; the first is 0.",
        mime_type=TEXT_MEDIA_TYPE,
    )
    def read_chunk(document_id: str, chunk_index: str) -> str:
        if not (chunk_index.isascii() and chunk_index.isdecimal() and len(chunk_index) <= MAX_INDEX_DIGITS):
            raise ResourceNotFoundError("The index of a chunk is a number: the first is 0.")
        return _read(lambda: library.chunk_text(document_id, int(chunk_index)))


def _build_resource(document: ListedDocument | DocumentOut) -> Resource:
    return Resource(
        uri=DOCUMENT_URI.format(document_id=document.document_id),
        name=document.name,
        description=f"Pages: {document.pages}. Chunks: {document.chunks}. Collection: {document.collection}.",
        mime_type=TEXT_MEDIA_TYPE,
    )


def _read(read_text: Callable[[], str]) -> str:
    try:
        _require_read_scope()
        return read_text()
    except HighlighterError as err:
        raise (ResourceNotFoundError if err.status == NotFound.status else ResourceError)(err.detail) from err


def _require_read_scope() -> None:
    if not get_current_principal().has_scope(READ):
        raise InsufficientScope(READ)
