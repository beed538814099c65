"""The library that an adapter uses: on this machine or a remote service, with the same methods and results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from highlighter.access import get_current_principal, get_visible_collections
from highlighter.answering.request import QuestionRequest
from highlighter.client import Client
from highlighter.errors import BadRequest
from highlighter.grounding.cited_sources import check_answer
from highlighter.locale import N_
from highlighter.models import Document
from highlighter.native_citations.opener import NativeRequest
from highlighter.notes.annotations import AnnotationReader, build_annotation_page
from highlighter.schemas.answers import AnswerOut
from highlighter.schemas.checks import CheckedSource, CheckResponse
from highlighter.schemas.documents import TextOut
from highlighter.schemas.native_citations import NativeCitationsResponse
from highlighter.schemas.notes import NotePage
from highlighter.schemas.quotes import LocateResponse
from highlighter.schemas.search import HighlightResponse, SearchResponse
from highlighter.search import DEFAULT_HITS, MIN_SCORE
from highlighter.serializers.answers import serialize_answer
from highlighter.serializers.checks import build_sources, serialize_check
from highlighter.serializers.native_citations import serialize_native_responses
from highlighter.serializers.quotes import serialize_quote_location
from highlighter.serializers.search import serialize_highlights, serialize_search_results
from highlighter.store.listing import DocumentFilter, ListPosition, list_documents
from highlighter.store.lookup import require_chunk, require_readable_document
from highlighter.store.source_texts import load_source_texts
from highlighter.urls import Links

if TYPE_CHECKING:
    from highlighter.facade import Highlighter
    from highlighter.services import Services

DEFAULT_NOTES = DEFAULT_DOCUMENTS = 50
_CURSOR = TypeAdapter(tuple[str, str, str])
WILDCARD_HOSTS = ("0.0.0.0", "::", "")  # a server can listen on them, but no link can lead there


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """A document of a list, by the names of the API's fields."""

    document_id: str
    name: str
    collection: str
    pages: int
    chunks: int


@dataclass(frozen=True, slots=True)
class DocumentPage:
    """A page of the list of documents; without a `next_cursor` it is the last."""

    documents: list[ListedDocument]
    next_cursor: str | None


class LocalLibrary:
    """The library on this machine. Its links lead to `url`, by default to PUBLIC_URL or where `python -m highlighter serve` answers."""

    def __init__(self, services: Services, url: str = ""):
        self._services = services
        self._links = Links(url or _build_default_address(services))

    def address(self, link: str) -> str:
        return link

    def search(
        self,
        question: str,
        *,
        limit: int = DEFAULT_HITS,
        collection: str = "",
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> SearchResponse:
        self._wait_for_model()
        where = {**(where or {}), **_build_collection_filter(collection)}
        results = self._services.search.find(question, limit, get_visible_collections(), where, min_score)
        return serialize_search_results(question, results, self._links, self._services.catalog.word_confidences)

    def highlight(
        self, question: str, text: str = "", *, document_id: str = "", chunk_index: int | None = None
    ) -> HighlightResponse:
        self._wait_for_model()
        if not document_id:
            return serialize_highlights(self._services.passage_highlighter.highlight_text(question, text))
        catalog = self._services.catalog
        document = require_readable_document(catalog, document_id, get_visible_collections())
        chunk = require_chunk(catalog, document, chunk_index or 0)
        evidence = self._services.passage_highlighter.highlight_chunk(question, chunk)
        tables, confidences = catalog.tables(document, chunk), catalog.word_confidences(document)
        return serialize_highlights(evidence, chunk=chunk, links=self._links, tables=tables, confidences=confidences)

    def locate(self, quote: str, document_id: str = "", *, filename: str = "") -> LocateResponse:
        visible = get_visible_collections()
        document = self._services.reference_lookup.require_one_document(document_id, filename, visible)
        location = self._services.quote_locator.locate(quote, document, visible)
        return serialize_quote_location(location, self._links, page_renderer=None)

    def open_citations(
        self, response: Any = None, *, answer: str = "", sources: Sequence[Any] = (), check: bool = True
    ) -> NativeCitationsResponse:
        self._wait_for_model()
        request = NativeRequest(response, answer, tuple(sources), check)
        opened = self._services.citation_opener.open(request, get_visible_collections())
        return serialize_native_responses([opened], self._links)

    def notes(self, document_id: str = "", *, words: str = "", limit: int = DEFAULT_NOTES, offset: int = 0) -> NotePage:
        book, principal = self._services.note_book, get_current_principal()
        if document_id:
            placed = book.list_on(principal, document_id)
            total = len(placed)
        else:
            placed, total = book.list_own(principal, words, "", limit, offset)
        reader = AnnotationReader(principal.note_owner, self._links)
        return NotePage.model_validate(build_annotation_page(placed, reader, total))

    def documents(self, *, limit: int = DEFAULT_DOCUMENTS, cursor: str = "", state: Sequence[str] = ()) -> DocumentPage:
        """Return a page of the documents, newest first."""
        filters = DocumentFilter(get_visible_collections(), state, include_superseded=False)
        after = _parse_cursor(cursor) if cursor else None
        found = list_documents(self._services.catalog.engine, filters, limit + 1, after=after)
        page = found[:limit]
        next_cursor = _format_cursor(page[-1]) if len(found) > limit else None
        return DocumentPage([_list_document(document) for document in page], next_cursor)

    def text(self, document_id: str) -> TextOut:
        catalog = self._services.catalog
        document = require_readable_document(catalog, document_id, get_visible_collections())
        return TextOut(document_id=document.id, pipeline=document.pipeline, text=catalog.text(document))

    def chunk_text(self, document_id: str, chunk_index: int) -> str:
        catalog = self._services.catalog
        document = require_readable_document(catalog, document_id, get_visible_collections())
        return require_chunk(catalog, document, chunk_index).text

    def ask(self, question: str, *, collection: str = "", **options: Any) -> AnswerOut:
        self._wait_for_model()
        request = QuestionRequest(question, filters=_build_collection_filter(collection), **options)
        return serialize_answer(self._services.answer_pipeline.answer(request, get_visible_collections()), self._links)

    def check(self, answer: str, sources: Sequence[Mapping[str, Any] | str]) -> CheckResponse:
        self._wait_for_model()
        given = [CheckedSource.model_validate({"text": s} if isinstance(s, str) else s) for s in sources]
        loaded = load_source_texts(build_sources(given), self._services.catalog, get_visible_collections())
        return serialize_check(check_answer(self._services.answer_checker, answer, loaded), loaded)

    def _wait_for_model(self) -> None:
        """Wait for the embedding model for a limited time: without the model, a search still finds words."""
        self._services.embedder.wait_until_loaded(self._services.settings.warm_up_seconds)


Library = Client | LocalLibrary


def convert_to_library(source: Library | Highlighter) -> Library:
    """Return the library of a Highlighter; return a Client or a library as it is."""
    return LocalLibrary(source.services) if hasattr(source, "services") else source


@contextmanager
def open_library(services: Services) -> Iterator[Library]:
    """Yield the service that HIGHLIGHTER_URL names, or without one the library in DATA_DIR."""
    settings = services.settings
    if not settings.service_url:
        yield LocalLibrary(services)
        return
    with Client.from_settings(settings) as client:
        yield client


@contextmanager
def library() -> Iterator[Library]:
    """Yield the library that the environment names, for programs of your own."""
    from highlighter.services import Services
    from highlighter.settings import Settings

    services = Services(Settings.from_environment())
    try:
        with open_library(services) as opened_library:
            yield opened_library
    finally:
        services.close()


def make_links_absolute(links: Mapping[str, str | None], library: Library) -> dict[str, str]:
    """Return links as whole URLs, without those that are None or empty."""
    return {name: library.address(link) for name, link in links.items() if link}


def _build_collection_filter(collection: str) -> dict[str, str]:
    return {"collection": collection} if collection else {}


def _build_default_address(services: Services) -> str:
    if services.settings.public_url:
        return services.settings.public_url
    host = services.settings.host
    host = "127.0.0.1" if host in WILDCARD_HOSTS else host
    return f"http://{f'[{host}]' if ':' in host else host}:{services.settings.port}"


def _list_document(document: Document) -> ListedDocument:
    return ListedDocument(document.id, document.name, document.collection, document.pages, document.chunks)


def _format_cursor(document: Document) -> str:
    return json.dumps([document.added, document.name, document.id])


def _parse_cursor(cursor: str) -> ListPosition:
    try:
        return ListPosition(*_CURSOR.validate_json(cursor))
    except ValidationError as err:
        raise BadRequest(N_("The cursor belongs to no page of this list. Start again without it.")) from err
