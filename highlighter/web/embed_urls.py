"""The addresses below a signed link. Where the link does not lead there is none: an empty one, which templates leave out."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from highlighter.models import Chunk, DocumentQuoteMatch
from highlighter.signed_links import CHUNK_SCOPE, DOWNLOAD_PERMISSION, PAGE_PERMISSION, VIEW_PERMISSION, Grant
from highlighter.urls import SPAN_PARAMETER, Links, LinkTarget, build_target_query

EMBED_PATH = "/embed"


class EmbedLinks(Links):
    """`kept` is what a reader's address keeps wherever they go: theme and language."""

    def __init__(self, root: str, token: str, grant: Grant, preserved_query: Mapping[str, str] | None = None):
        super().__init__(f"{root.rstrip('/')}{EMBED_PATH}/{token}")
        self.grant = grant
        self._preserved_query = dict(preserved_query or {})
        self.current_chunk: Chunk | None = None  # by the page that is being made
        self.current_span = ""  # of it, when its address names one

    def start(self, view: str = "") -> str:
        return self._build_url(self.root, {"view": view} if view else {})

    # Where a reader reads

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
            or (PAGE_PERMISSION if view == "page" else VIEW_PERMISSION) not in self.grant.may
        ):
            return ""
        query = {"view": view or "text", **({"q": question} if question not in ("", self.grant.question) else {})}
        if self.current_span and chunk == self.current_chunk:
            query[SPAN_PARAMETER] = self.current_span
        below, made_for = self._get_chunk_path_and_query(chunk)
        return self._build_url(self.root + below, query | made_for) + (f"#page-{page}" if page else "")

    def script_chunk_path(self, chunk: Chunk) -> str:
        """Below the root, without what a reader chose: for a script, which adds where to go from there."""
        below, made_for = self._get_chunk_path_and_query(chunk)
        return f"{below}?{urlencode(made_for)}"

    def _get_chunk_path_and_query(self, chunk: Chunk) -> tuple[str, dict[str, int]]:
        """What a link opens at is its root."""
        if (chunk.document_id, chunk.index) == (self.grant.document, self.grant.chunk):
            return "", {}
        return f"/{chunk.document_id}/{chunk.index}", {"start": chunk.start, "end": chunk.end, "v": chunk.pipeline}

    def highlight(self, chunk: Chunk, question: str, view: str = "", method: str = "", cited: str = "") -> str:
        return self.chunk(chunk, question, view)

    def place(self, place: DocumentQuoteMatch, quote: str = "") -> str:
        if not self.grant.is_in_scope(place.document.id, place.chunk) or VIEW_PERMISSION not in self.grant.may:
            return ""
        query = {SPAN_PARAMETER: f"{place.start}-{place.end}", "v": place.document.pipeline}
        return self._build_url(f"{self.root}/{place.document.id}/{place.chunk}", query) + "#mark-1"

    def page(self, document_id: str, page: int) -> str:
        return (
            self._build_url(f"{self.root}/{document_id}/pages/{page}", {}) if PAGE_PERMISSION in self.grant.may else ""
        )

    def picture(self, chunk: Chunk, page: int, width: int = 0) -> str:
        query = {"v": chunk.pipeline, **({"width": width} if width else {})}
        return f"{self.root}/{chunk.document_id}/pages/{page}.webp?{urlencode(query)}"

    def words(self, chunk: Chunk, page: int) -> str:
        return f"{self.root}/{chunk.document_id}/pages/{page}.json?v={chunk.pipeline}"

    # What a reader keeps

    def lit_pdf(
        self, chunk: Chunk, question: str, page: int = 0, method: str = "", target: LinkTarget | None = None
    ) -> str:
        """All of the document; its part alone, where the link is for no more than that."""
        if not self._is_whole_document_allowed:
            part = self.chunk_pdf(chunk, question, target)
            return part and f"{part}#page={self.pdf_page(chunk, page)}"
        return super().lit_pdf(chunk, question, page, method, target)

    def pdf_page(self, chunk: Chunk, page: int) -> int:
        return page if self._is_whole_document_allowed else max(page - chunk.first_page + 1, 1)

    def chunk_pdf(self, chunk: Chunk, question: str = "", target: LinkTarget | None = None) -> str:
        if DOWNLOAD_PERMISSION not in self.grant.may:
            return ""
        query = {**({"sub_question": question} if question else {}), "start": chunk.start, "v": chunk.pipeline}
        query |= build_target_query(target)
        return f"{self.root}/{chunk.document_id}/{chunk.index}.pdf?{urlencode(query)}"

    def pdf(self, document_id: str, page: int = 0) -> str:
        return super().pdf(document_id, page) if self._is_whole_document_allowed else ""

    def original(self, document_id: str, page: int = 0) -> str:
        return super().original(document_id, page) if self._is_whole_document_allowed else ""

    def document(self, document_id: str) -> str:
        """What its files stand below; the site's page of it is not this link's to open."""
        return f"{self.root}/{document_id}" if self._is_whole_document_allowed else ""

    @property
    def _is_whole_document_allowed(self) -> bool:
        return self.grant.scope != CHUNK_SCOPE and DOWNLOAD_PERMISSION in self.grant.may

    def _build_url(self, address: str, query: Mapping[str, str | int]) -> str:
        query = {**query, **self._preserved_query}
        return f"{address}?{urlencode(query)}" if query else address

    # What is the site's

    def library(self) -> str:
        return ""

    ask = search = quote = samples = openapi = reference = feedback = library
