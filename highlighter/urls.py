"""The URLs of the service. A chunk's URL names its span and pipeline, so that it stays valid under a later pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from highlighter.models import Chunk, DocumentQuoteMatch, SearchHit
from highlighter.quotes.anchors import Anchor

# A link holds only the beginning of a longer quote: some clients cut URLs at a few thousand characters.
MAX_URL_QUOTE_CHARACTERS = 1_000
# The parameters that name a span: a cited or quoted one, and a find of a search within the document.
SPAN_PARAMETER, FOUND_SPAN_PARAMETER = "at", "found"
TINT_COUNT = 6  # colours of highlights, in static/highlighter.css


class LinkTarget(NamedTuple):
    """The spans that a URL names besides the question: several for a quote that leaves words out."""

    parameter: str  # SPAN_PARAMETER or FOUND_SPAN_PARAMETER
    spans: tuple[tuple[int, int], ...]


class NotePlace(NamedTuple):
    """The chunk that a note is in."""

    document_id: str
    pipeline: int
    chunk: int


class Links:
    """Builds the URLs of the service below a root: "" or a proxy's prefix for paths, with a host for whole URLs."""

    def __init__(self, root: str = ""):
        self.root = root.rstrip("/")

    def library(self) -> str:
        return f"{self.root}/documents"

    def search(self) -> str:
        return f"{self.root}/search"

    def document(self, document_id: str) -> str:
        return f"{self.root}/documents/{document_id}"

    def chunk_list_entry(self, document_id: str, index: int, page: int) -> str:
        """Return the URL of a chunk in the document's list of chunks."""
        return f"{self.document(document_id)}?parts={page}#part-{index + 1}"

    def tags(self) -> str:
        """Return the URL that adds tags to documents, or removes them."""
        return f"{self.library()}/tags"

    def upload_states(self) -> str:
        return f"{self.library()}/states"

    def rename_tag(self) -> str:
        return f"{self.tags()}/rename"

    def delete(self, document_id: str) -> str:
        """Return the URL that confirms a deletion on GET, and deletes on POST."""
        return f"{self.document(document_id)}/delete"

    def restore(self, document_id: str) -> str:
        return f"{self.document(document_id)}/restore"

    def retry(self, document_id: str) -> str:
        return f"{self.document(document_id)}/retry"

    def original(self, document_id: str, page: int = 0) -> str:
        return f"{self.document(document_id)}/original{_page_fragment(page)}"

    def pdf(self, document_id: str, page: int = 0) -> str:
        return f"{self.document(document_id)}/pdf{_page_fragment(page)}"

    def highlighted_pdf(
        self, chunk: Chunk, question: str, page: int = 0, method: str = "", target: LinkTarget | None = None
    ) -> str:
        """Return the URL of the PDF with the evidence in a chunk, and a target, highlighted, open at a page."""
        query: dict[str, str | int] = {}
        if question:
            query = {
                "sub_question": question,
                "chunk_index": chunk.index,
                **_view_parameters("", 0, method),
                **_chunk_parameters(chunk),
            }
        if target:
            query |= {**build_target_query(target), "v": chunk.pipeline}
        url = f"{self.document(chunk.document_id)}/pdf"
        return (f"{url}?{urlencode(query)}" if query else url) + _page_fragment(page)

    def pdf_page(self, chunk: Chunk, page: int) -> int:
        """Return the number that a page of the document has in the PDF that `lit_pdf` leads to."""
        return page

    def quote_match_pdf(self, place: DocumentQuoteMatch) -> str:
        """Return the URL of the PDF with a located quote highlighted, open at its page."""
        query = {SPAN_PARAMETER: format_spans(place.highlighted_spans), "v": place.document.pipeline}
        return f"{self.document(place.document.id)}/pdf?{urlencode(query)}{_page_fragment(place.page)}"

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
        """Return the URL of a chunk's page, open at the first highlight or at the cited span.

        `view` is "page" for the page view. `highlighted` is False where the question is known to highlight nothing.
        """
        query = {
            **_optional_parameter("q", question),
            **_view_parameters(view, page, method),
            **_chunk_parameters(chunk),
            **_optional_parameter("cited", cited),
        }
        url = f"{self._chunk_path(chunk)}?{urlencode(query)}"
        if cited and question:  # the page itself opens at the cited span
            return url
        return url + _highlight_or_page_fragment(chunk, bool(question and highlighted), view, page)

    def chunk_pdf(self, chunk: Chunk, question: str = "", target: LinkTarget | None = None) -> str:
        query = {
            **_optional_parameter("sub_question", question),
            **_chunk_parameters(chunk),
            **build_target_query(target),
        }
        return f"{self._chunk_path(chunk)}.pdf?{urlencode(query)}"

    def highlight(self, chunk: Chunk, question: str, view: str = "", method: str = "", cited: str = "") -> str:
        """Return the URL of a chunk's bare page, for frames of other sites."""
        query = {
            "document_id": chunk.document_id,
            "chunk_index": chunk.index,
            "sub_question": question,
            **_view_parameters(view, 0, method),
            **_chunk_parameters(chunk),
            **_optional_parameter("cited", cited),
        }
        return f"{self.root}/api/v1/chunks/highlight?{urlencode(query)}"

    def picture(self, chunk: Chunk, page: int, width: int = 0) -> str:
        """Return the URL of a page image. The URL names the pipeline, so that the image can be cached for good."""
        query = {"width": width} if width else {}
        return f"{self._page_path(chunk, page)}.webp?{urlencode({'v': chunk.pipeline, **query})}"

    def words(self, chunk: Chunk, page: int) -> str:
        return f"{self._page_path(chunk, page)}.json?{urlencode({'v': chunk.pipeline})}"

    def page(self, document_id: str, page: int) -> str:
        return f"{self.document(document_id)}/pages/{page}"

    def page_form(self, document_id: str) -> str:
        """Return the URL of the form that leads to a page."""
        return f"{self.document(document_id)}/pages"

    def outline(self, document_id: str, view: str = "") -> str:
        """Return the URL of the outline, with links into a view."""
        query = {"view": view} if view else {}
        return f"{self.document(document_id)}/outline" + (f"?{urlencode(query)}" if query else "")

    def quote_match(self, place: DocumentQuoteMatch, quote: str = "") -> str:
        """Return the URL of a located span, highlighted; with the quote, the page compares the span with the quote anew."""
        query = {SPAN_PARAMETER: format_spans(place.highlighted_spans), "v": str(place.document.pipeline)}
        query |= {"quote": quote[:MAX_URL_QUOTE_CHARACTERS]} if quote else {}
        return f"{self.document(place.document.id)}/chunks/{place.chunk}?{urlencode(query)}#mark-1"

    def quote_match_page(self, place: DocumentQuoteMatch, quote: str = "") -> str:
        """Return the URL of a located span in the page view, highlighted."""
        address, separator, fragment = self.quote_match(place, quote).partition("#")
        return f"{address}&view=page{separator}{fragment}"

    def permanent_quote(self, sha256: str, anchor: Anchor, page: int = 0) -> str:
        """Return a URL that is good for years: by the hash of the document, the offsets or the words, whichever still match."""
        query = {
            "document": sha256,
            "start": anchor.start,
            "end": anchor.end,
            "quote": anchor.quote[:MAX_URL_QUOTE_CHARACTERS],
            "prefix": anchor.prefix,
            "suffix": anchor.suffix,
            "page": page,
        }
        return f"{self.root}/open?{urlencode({name: value for name, value in query.items() if value != ''})}"

    def answer(self, answer_id: str) -> str:
        return f"{self.root}/answers/{answer_id}"

    def history(self, words: str = "", deleted_id: str = "") -> str:
        """Return the URL of the history of answers, searched for words, with an offer to undo a deletion."""
        query = {**_optional_parameter("q", words), **_optional_parameter("deleted", deleted_id)}
        return f"{self.root}/answers" + (f"?{urlencode(query)}" if query else "")

    def pin_answer(self, answer_id: str) -> str:
        return f"{self.answer(answer_id)}/pin"

    def hide_answer(self, answer_id: str) -> str:
        return f"{self.answer(answer_id)}/hide"

    def answer_json(self, answer_id: str) -> str:
        return f"{self.root}/api/v1/answers/{answer_id}"

    def pack(self, answer_id: str) -> str:
        """Return the URL of the evidence pack of an answer."""
        return f"{self.answer_json(answer_id)}/pack"

    def notes(self, words: str = "", deleted: str = "") -> str:
        """Return the URL of a reader's notes, searched for words, with an offer to undo a deletion."""
        query = {**_optional_parameter("q", words), **_optional_parameter("deleted", deleted)}
        return f"{self.root}/notes" + (f"?{urlencode(query)}" if query else "")

    def exported_notes(self, file_format: str, document_id: str = "") -> str:
        """Return the URL of a file with a reader's notes: "md" or "jsonld", of a document also "pdf"."""
        path = f"{self.document_notes(document_id)}" if document_id else f"{self.root}/notes"
        return f"{path}.{file_format}"

    def note(self, note_id: str) -> str:
        return f"{self.root}/notes/{note_id}"

    def note_json(self, note_id: str) -> str:
        return f"{self.root}/api/v1/notes/{note_id}"

    def document_notes(self, document_id: str, view: str = "", made: str = "", deleted: str = "") -> str:
        """Return the URL of the notes on a document, with one that was just made, or can be restored."""
        query = {"view": view, "made": made, "deleted": deleted}
        values = urlencode({name: value for name, value in query.items() if value})
        return f"{self.document(document_id)}/notes" + (f"?{values}" if values else "")

    def note_view(self, place: NotePlace, note_id: str, page: int = 0) -> str:
        """Return the URL of a chunk, open at a note in it; with a page, in the page view."""
        query = {**({"view": "page", "page": page} if page else {}), "v": place.pipeline}
        return f"{self.document(place.document_id)}/chunks/{place.chunk}?{urlencode(query)}#note-{note_id}"

    def feedback(self) -> str:
        return f"{self.root}/feedback"

    def ask(self) -> str:
        return f"{self.root}/"

    def samples(self) -> str:
        return f"{self.root}/samples"

    def check(self) -> str:
        """Return the URL of the page that checks an answer of any system."""
        return f"{self.root}/check"

    def quote_check(self) -> str:
        return f"{self.root}/open"

    def annotations(self, document_id: str, start: int, end: int) -> str:
        return f"{self.document_json(document_id)}/annotations?{urlencode({'start': start, 'end': end})}"

    def find(self, document_id: str) -> str:
        return f"{self.document(document_id)}/find"

    def find_list(self, document_id: str) -> str:
        """Return the URL of the list of finds."""
        return f"{self.document(document_id)}/finds"

    def find_result(
        self, document_id: str, chunk: int, query: str, by: str, number: int, preserved: Mapping[str, str] | None = None
    ) -> str:
        """Return the URL of a find, numbered from 1; `preserved` are other parameters of the reader's URL."""
        query_parameters = {
            **{name: value for name, value in (preserved or {}).items() if value},
            "find": query,
            "by": by,
            "hit": number,
        }
        return f"{self.document(document_id)}/chunks/{chunk}?{urlencode(query_parameters)}{'#found' if number else ''}"

    def webhook_json(self, webhook_id: str) -> str:
        return f"{self.root}/api/v1/webhooks/{webhook_id}"

    def document_json(self, document_id: str) -> str:
        return f"{self.root}/api/v1/documents/{document_id}"

    def sign_in(self, return_path: str = "") -> str:
        """Return the URL of the sign-in page, which leads back to a path."""
        return f"{self.root}/sign-in{_return_query(return_path)}"

    def start_sign_in(self, return_path: str = "") -> str:
        return f"{self.root}/sign-in/start{_return_query(return_path)}"

    def use_key(self, return_path: str = "") -> str:
        """Return the URL at which a browser asks for a key; at the root, so that it sends the key to every page."""
        return f"{self.root}/use-key{_return_query(return_path)}"

    def sign_out(self) -> str:
        return f"{self.root}/sign-out"

    def signed_out(self) -> str:
        return f"{self.root}/signed-out"

    def openapi(self) -> str:
        return f"{self.root}/api/v1/openapi.json"

    def reference(self) -> str:
        return f"{self.root}/api/v1/"

    def _chunk_path(self, chunk: Chunk) -> str:
        return f"{self.document(chunk.document_id)}/chunks/{chunk.index}"

    def _page_path(self, chunk: Chunk, page: int) -> str:
        return self.page(chunk.document_id, page)


def format_span(start: int, end: int) -> str:
    """Return a span of the document's text as URLs write it, or "" for an empty one."""
    return f"{start}-{end}" if start < end else ""


def format_spans(spans: Iterable[tuple[int, int]]) -> str:
    """Return spans of the document's text as URLs write them: "10-20,35-50"."""
    return ",".join(format_span(start, end) for start, end in spans if start < end)


def format_best_span(hit: SearchHit) -> str:
    """Return the span of a hit's best sentence as URLs write it, or "" where that sentence is not highlighted."""
    best = hit.sentences[0]
    return format_span(best.sentence.start, best.sentence.end) if best.highlighted else ""


def build_target_query(target: LinkTarget | None) -> dict[str, str]:
    return {target.parameter: format_spans(target.spans)} if target else {}


def choose_tint(sub_question_index: int) -> int:
    """Return the colour of a sub-question's highlights, from 1; colours recur after TINT_COUNT sub-questions."""
    return sub_question_index % TINT_COUNT + 1


def add_tint(url: str, tint: int) -> str:
    """Return the URL of a chunk's page with the colour of its highlights; 0 leaves them in the usual one."""
    address, mark, fragment = url.partition("#")
    separator = "&" if "?" in address else "?"
    return f"{address}{separator}tint={tint}{mark}{fragment}" if tint and address else url


def _return_query(return_path: str) -> str:
    return f"?{urlencode({'next': return_path})}" if return_path else ""


def _optional_parameter(name: str, value: str) -> dict[str, str]:
    return {name: value} if value else {}


def _view_parameters(view: str, page: int, method: str) -> dict[str, str | int]:
    return {name: value for name, value in (("view", view), ("page", page), ("method", method)) if value}


def _highlight_or_page_fragment(chunk: Chunk, highlighted: bool, view: str, page: int) -> str:
    if page or (view == "page" and not highlighted):
        return f"#page-{page or chunk.first_page}"
    return "#mark-1" if highlighted else ""


def _chunk_parameters(chunk: Chunk) -> dict[str, int]:
    return {"start": chunk.start, "end": chunk.end, "v": chunk.pipeline}


def _page_fragment(page: int) -> str:
    return f"#page={page}" if page else ""
