"""The URLs below a signed link. What the link does not open has the URL "", which templates leave out."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from highlighter.models import Chunk, DocumentQuoteMatch
from highlighter.signed_links import CHUNK_SCOPE, DOWNLOAD_PERMISSION, PAGE_PERMISSION, VIEW_PERMISSION, Grant
from highlighter.urls import SPAN_PARAMETER, Links, LinkTarget, build_target_query, format_spans

EMBED_PATH = "/embed"


class EmbedLinks(Links):
    """Builds the URLs that a grant opens. `preserved_query` holds what stays in every URL: theme and language."""

    def __init__(self, root: str, token: str, grant: Grant, preserved_query: Mapping[str, str] | None = None):
        super().__init__(f"{root.rstrip('/')}{EMBED_PATH}/{token}")
        self.grant = grant
        self._preserved_query = dict(preserved_query or {})
        self.current_chunk: Chunk | None = None  # set by the view of the current page
        self.current_span = ""  # of the current chunk, when the URL names a span

    def start(self, view: str = "") -> str:
        return self._build_url(self.root, {"view": view} if view else {})

    # Views

    def chunk(
        self,
        chunk: Chunk,
        question: str = "",
        view: str = "",
        page: int = 0,
        method: str = "",
        cited: str = "",
        highlighted: bool = True,
    ) -> str:
        if (
            not self.grant.is_in_scope(chunk.document_id, chunk.index)
            or (PAGE_PERMISSION if view == "page" else VIEW_PERMISSION) not in self.grant.permissions
        ):
            return ""
        query: dict[str, str | int] = {"view": view or "text"}
        if question not in ("", self.grant.question):
            query["q"] = question
        if self.current_span and chunk == self.current_chunk:
            query[SPAN_PARAMETER] = self.current_span
        path, chunk_query = self._get_chunk_path_and_query(chunk)
        return self._build_url(self.root + path, {**query, **chunk_query}) + (f"#page-{page}" if page else "")

    def script_chunk_path(self, chunk: Chunk) -> str:
        """Return the path of a chunk below the root, without theme and language, for the page's script."""
        path, chunk_query = self._get_chunk_path_and_query(chunk)
        return f"{path}?{urlencode(chunk_query)}"

    def _get_chunk_path_and_query(self, chunk: Chunk) -> tuple[str, dict[str, int]]:
        """Return the path of a chunk below the root, and its query. The chunk that the link opens at is the root itself."""
        if (chunk.document_id, chunk.index) == (self.grant.document_id, self.grant.chunk_index):
            return "", {}
        return f"/{chunk.document_id}/{chunk.index}", {"start": chunk.start, "end": chunk.end, "v": chunk.pipeline}

    def highlight(self, chunk: Chunk, question: str, view: str = "", method: str = "", cited: str = "") -> str:
        return self.chunk(chunk, question, view)

    def quote_match(self, place: DocumentQuoteMatch, quote: str = "") -> str:
        if not self.grant.is_in_scope(place.document.id, place.chunk) or VIEW_PERMISSION not in self.grant.permissions:
            return ""
        query = {SPAN_PARAMETER: format_spans(place.highlighted_spans), "v": str(place.document.pipeline)}
        return self._build_url(f"{self.root}/{place.document.id}/{place.chunk}", query) + "#mark-1"

    def page(self, document_id: str, page: int) -> str:
        return (
            self._build_url(f"{self.root}/{document_id}/pages/{page}", {})
            if PAGE_PERMISSION in self.grant.permissions
            else ""
        )

    def picture(self, chunk: Chunk, page: int, width: int = 0) -> str:
        query = {"v": chunk.pipeline, **({"width": width} if width else {})}
        return f"{self.root}/{chunk.document_id}/pages/{page}.webp?{urlencode(query)}"

    def words(self, chunk: Chunk, page: int) -> str:
        return f"{self.root}/{chunk.document_id}/pages/{page}.json?v={chunk.pipeline}"

    # Files

    def highlighted_pdf(
        self, chunk: Chunk, question: str, page: int = 0, method: str = "", target: LinkTarget | None = None
    ) -> str:
        """Return the URL of the document's PDF, or of the chunk's where the grant is for the chunk alone."""
        if not self._is_whole_document_allowed:
            url = self.chunk_pdf(chunk, question, target)
            return url and f"{url}#page={self.pdf_page(chunk, page)}"
        return super().highlighted_pdf(chunk, question, page, method, target)

    def pdf_page(self, chunk: Chunk, page: int) -> int:
        return page if self._is_whole_document_allowed else max(page - chunk.first_page + 1, 1)

    def chunk_pdf(self, chunk: Chunk, question: str = "", target: LinkTarget | None = None) -> str:
        if DOWNLOAD_PERMISSION not in self.grant.permissions:
            return ""
        query = {**({"sub_question": question} if question else {}), "start": chunk.start, "v": chunk.pipeline}
        query |= build_target_query(target)
        return f"{self.root}/{chunk.document_id}/{chunk.index}.pdf?{urlencode(query)}"

    def pdf(self, document_id: str, page: int = 0) -> str:
        return super().pdf(document_id, page) if self._is_whole_document_allowed else ""

    def original(self, document_id: str, page: int = 0) -> str:
        return super().original(document_id, page) if self._is_whole_document_allowed else ""

    def document(self, document_id: str) -> str:
        """Return what the URLs of the document's files begin with; its own page is not below the link."""
        return f"{self.root}/{document_id}" if self._is_whole_document_allowed else ""

    @property
    def _is_whole_document_allowed(self) -> bool:
        return self.grant.scope != CHUNK_SCOPE and DOWNLOAD_PERMISSION in self.grant.permissions

    def _build_url(self, path: str, query: Mapping[str, str | int]) -> str:
        query = {**query, **self._preserved_query}
        return f"{path}?{urlencode(query)}" if query else path

    # Pages outside a signed link

    def library(self) -> str:
        return ""

    ask = search = check = quote_check = samples = openapi = reference = feedback = library
