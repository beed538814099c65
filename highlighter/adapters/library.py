"""The library that an adapter uses: on this machine or a remote service, with the same methods and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from highlighter.access import get_visible_collections
from highlighter.answering.request import QuestionRequest
from highlighter.client import Client
from highlighter.schemas.answers import AnswerOut
from highlighter.schemas.quotes import LocateResponse
from highlighter.schemas.search import HighlightResponse, SearchResponse
from highlighter.search import DEFAULT_HITS, MIN_SCORE
from highlighter.serializers.answers import serialize_answer
from highlighter.serializers.quotes import serialize_quote_location
from highlighter.serializers.search import serialize_highlights, serialize_search_results
from highlighter.store.lookup import require_chunk, require_readable_document
from highlighter.urls import Links

if TYPE_CHECKING:
    from highlighter.facade import Highlighter
    from highlighter.services import Services

WILDCARD_HOSTS = ("0.0.0.0", "::", "")  # a server can listen on them, but no link can lead there


class Here:
    """The library on this machine. Its links lead to `url`, by default to where `python -m highlighter serve` answers."""

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
        return serialize_search_results(question, results, self._links)

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
        return serialize_highlights(evidence, chunk=chunk, links=self._links, tables=catalog.tables(document, chunk))

    def locate(self, quote: str, document_id: str = "") -> LocateResponse:
        visible = get_visible_collections()
        document = require_readable_document(self._services.catalog, document_id, visible) if document_id else None
        location = self._services.quote_locator.locate(quote, document, visible)
        return serialize_quote_location(location, self._links, page_renderer=None)

    def ask(self, question: str, *, collection: str = "", **options: Any) -> AnswerOut:
        self._wait_for_model()
        request = QuestionRequest(question, filters=_build_collection_filter(collection), **options)
        return serialize_answer(self._services.answer_pipeline.answer(request, get_visible_collections()), self._links)

    def _wait_for_model(self) -> None:
        """Wait for the embedding model for a limited time: without the model, a search still finds words."""
        self._services.embedder.wait_until_loaded(self._services.settings.warm_up_seconds)


Library = Client | Here


def convert_to_library(source: Library | Highlighter) -> Library:
    """Return the library of a Highlighter; return a Client or a library as it is."""
    return Here(source.services) if hasattr(source, "services") else source


@contextmanager
def open_library(services: Services) -> Iterator[Library]:
    """Yield the service that HIGHLIGHTER_URL names, or without one the library in DATA_DIR."""
    settings = services.settings
    if not settings.service_url:
        yield Here(services)
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
    host = services.settings.host
    host = "127.0.0.1" if host in WILDCARD_HOSTS else host
    return f"http://{f'[{host}]' if ':' in host else host}:{services.settings.port}"
