"""Every address we hand out. A chunk's carries its span and pipeline, so that a later pipeline does not move it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from highlighter.citations.anchors import Anchor
from highlighter.models import Chunk, Place

# Of a longer quote a link holds the beginning: addresses are cut at some thousands of characters.
QUOTED = 1_000
# What names a span in an address: one that is cited, and one that was found by searching in the document.
AT, FOUND_AT = "at", "found"


class Sought(NamedTuple):
    name: str  # AT or FOUND_AT
    start: int
    end: int


class Links:
    """`root` is where the application is mounted: empty, or the prefix that a proxy puts before it."""

    def __init__(self, root: str = ""):
        self.root = root.rstrip("/")

    def library(self) -> str:
        return f"{self.root}/documents"

    def search(self) -> str:
        return f"{self.root}/search"

    def document(self, document_id: str) -> str:
        return f"{self.root}/documents/{document_id}"

    def part(self, document_id: str, index: int, page: int) -> str:
        """Where a part stands in the list of parts."""
        return f"{self.document(document_id)}?parts={page}#part-{index + 1}"

    def delete(self, document_id: str) -> str:
        """What would be lost, when it is only looked at; the deletion itself, when it is posted to."""
        return f"{self.document(document_id)}/delete"

    def restore(self, document_id: str) -> str:
        return f"{self.document(document_id)}/restore"

    def retry(self, document_id: str) -> str:
        return f"{self.document(document_id)}/retry"

    def original(self, document_id: str, page: int = 0) -> str:
        return f"{self.document(document_id)}/original{_at(page)}"

    def pdf(self, document_id: str, page: int = 0) -> str:
        return f"{self.document(document_id)}/pdf{_at(page)}"

    def lit_pdf(
        self, chunk: Chunk, question: str, page: int = 0, method: str = "", sought: Sought | None = None
    ) -> str:
        """The whole document with this chunk's sentences highlighted, and what else is looked for, open at a page."""
        query = {}
        if question:
            query = {"sub_question": question, "chunk_index": chunk.index, **_how("", 0, method), **_span(chunk)}
        if sought:
            query |= {**looked_for(sought), "v": chunk.pipeline}
        address = f"{self.document(chunk.document_id)}/pdf"
        return (f"{address}?{urlencode(query)}" if query else address) + _at(page)

    def pdf_page(self, chunk: Chunk, page: int) -> int:
        """Where a page of the document stands in the PDF that `lit_pdf` leads to."""
        return page

    def placed_pdf(self, place: Place) -> str:
        """The whole document with a located span highlighted, open at its page."""
        query = {AT: f"{place.start}-{place.end}", "v": place.document.pipeline}
        return f"{self.document(place.document.id)}/pdf?{urlencode(query)}{_at(place.page)}"

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
        """A question's link leads to its first lit sentence, or to the one `cited`; without script, too. `view`: "page",
        or its text. `highlighted` is False where the question is known to highlight no sentence of the chunk."""
        query = {**_asked("q", question), **_how(view, page, method), **_span(chunk), **_asked("cited", cited)}
        address = f"{self._chunk(chunk)}?{urlencode(query)}"
        return address if cited and question else address + _place(chunk, bool(question and highlighted), view, page)

    def chunk_pdf(self, chunk: Chunk, question: str = "", sought: Sought | None = None) -> str:
        query = {**_asked("sub_question", question), **_span(chunk), **looked_for(sought)}
        return f"{self._chunk(chunk)}.pdf?{urlencode(query)}"

    def highlight(self, chunk: Chunk, question: str, view: str = "", method: str = "", cited: str = "") -> str:
        """The bare view, for other people's pages."""
        query = {"document_id": chunk.document_id, "chunk_index": chunk.index, "sub_question": question}
        query |= {**_how(view, 0, method), **_span(chunk), **_asked("cited", cited)}
        return f"{self.root}/api/v1/chunks/highlight?{urlencode(query)}"

    def picture(self, chunk: Chunk, page: int, width: int = 0) -> str:
        """A page as WebP. It names the pipeline, and so may be kept for good."""
        query = {"width": width} if width else {}
        return f"{self._page(chunk, page)}.webp?{urlencode({'v': chunk.pipeline, **query})}"

    def words(self, chunk: Chunk, page: int) -> str:
        return f"{self._page(chunk, page)}.json?{urlencode({'v': chunk.pipeline})}"

    def page(self, document_id: str, page: int) -> str:
        return f"{self.document(document_id)}/pages/{page}"

    def place(self, place: Place, quote: str = "") -> str:
        """Opens a located span, lit; with the quote, it is held against it anew and says how surely it was found."""
        query = {AT: f"{place.start}-{place.end}", "v": place.document.pipeline}
        query |= {"quote": quote[:QUOTED]} if quote else {}
        return f"{self.document(place.document.id)}/chunks/{place.chunk}?{urlencode(query)}#mark-1"

    def opening(self, sha256: str, anchor: Anchor, page: int = 0) -> str:
        """Good for years: by the document's bytes, the place and the words, of which any may still be found."""
        query = {"document": sha256, "start": anchor.start, "end": anchor.end, "quote": anchor.exact[:QUOTED]}
        query |= {"prefix": anchor.prefix, "suffix": anchor.suffix, "page": page}
        return f"{self.root}/open?{urlencode({name: value for name, value in query.items() if value != ''})}"

    def answer(self, answer_id: str) -> str:
        return f"{self.root}/answers/{answer_id}"

    def answer_json(self, answer_id: str) -> str:
        return f"{self.root}/api/v1/answers/{answer_id}"

    def pack(self, answer_id: str) -> str:
        """The evidence pack of an answer."""
        return f"{self.answer_json(answer_id)}/pack"

    def feedback(self) -> str:
        return f"{self.root}/feedback"

    def ask(self) -> str:
        return f"{self.root}/"

    def samples(self) -> str:
        return f"{self.root}/samples"

    def quote(self) -> str:
        return f"{self.root}/open"

    def annotations(self, document_id: str, start: int, end: int) -> str:
        return f"{self.state(document_id)}/annotations?{urlencode({'start': start, 'end': end})}"

    def find(self, document_id: str) -> str:
        return f"{self.document(document_id)}/find"

    def found(
        self, document_id: str, chunk: int, query: str, by: str, number: int, kept: Mapping[str, str] | None = None
    ) -> str:
        """A span of a search within the document, shown among the others; `number` counts from 1. `kept` is what else
        the reader's address holds."""
        asked = {
            **{name: value for name, value in (kept or {}).items() if value},
            "find": query,
            "by": by,
            "hit": number,
        }
        return f"{self.document(document_id)}/chunks/{chunk}?{urlencode(asked)}{'#found' if number else ''}"

    def state(self, document_id: str) -> str:
        return f"{self.root}/api/v1/documents/{document_id}"

    def openapi(self) -> str:
        return f"{self.root}/api/v1/openapi.json"

    def reference(self) -> str:
        return f"{self.root}/api/v1/"

    def _chunk(self, chunk: Chunk) -> str:
        return f"{self.document(chunk.document_id)}/chunks/{chunk.index}"

    def _page(self, chunk: Chunk, page: int) -> str:
        return self.page(chunk.document_id, page)


def cited_span(start: int, end: int) -> str:
    """A span of the document's text, as an address says which of the lit sentences is meant."""
    return f"{start}-{end}" if start < end else ""


def looked_for(sought: Sought | None) -> dict[str, str]:
    return {sought.name: f"{sought.start}-{sought.end}"} if sought else {}


def _asked(name: str, value: str) -> dict[str, str]:
    return {name: value} if value else {}


def _how(view: str, page: int, method: str) -> dict[str, str | int]:
    return {name: value for name, value in (("view", view), ("page", page), ("method", method)) if value}


def _place(chunk: Chunk, highlighted: bool, view: str, page: int) -> str:
    if page or (view == "page" and not highlighted):
        return f"#page-{page or chunk.first_page}"
    return "#mark-1" if highlighted else ""


def _span(chunk: Chunk) -> dict[str, int]:
    return {"start": chunk.start, "end": chunk.end, "v": chunk.pipeline}


def _at(page: int) -> str:
    return f"#page={page}" if page else ""
