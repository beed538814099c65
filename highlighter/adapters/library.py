"""The library that an adapter asks: one kept here, or a service elsewhere, by the same methods and with the same values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from highlighter.access import get_visible_collections
from highlighter.answering.request import QuestionRequest
from highlighter.client import Client
from highlighter.schemas.answers import AnswerOut
from highlighter.schemas.quotes import LocateAnswer
from highlighter.schemas.search import HighlightAnswer, SearchAnswer
from highlighter.search import DEFAULT_HITS, MIN_SCORE
from highlighter.serializers.answers import serialize_answer
from highlighter.serializers.quotes import serialize_quote_location
from highlighter.serializers.search import serialize_highlights
from highlighter.serializers.search import serialize_search_results as as_hits
from highlighter.store.lookup import require_chunk, require_readable_document
from highlighter.urls import Links

if TYPE_CHECKING:
    from highlighter.facade import Highlighter
    from highlighter.services import Services

WILDCARD_HOSTS = ("0.0.0.0", "::", "")  # to listen on; nobody can be sent there


class Here:
    """What is kept on this machine. Its links lead to where `python -m highlighter serve` answers, or to `url`."""

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
    ) -> SearchAnswer:
        self._wait_for_model()
        where = {**(where or {}), **_build_collection_filter(collection)}
        found = self._services.search.find(question, limit, get_visible_collections(), where, min_score)
        return as_hits(question, found, self._links)

    def highlight(
        self, question: str, text: str = "", *, document_id: str = "", chunk_index: int | None = None
    ) -> HighlightAnswer:
        self._wait_for_model()
        if not document_id:
            return serialize_highlights(self._services.passage_highlighter.highlight_text(question, text))
        catalog = self._services.catalog
        chunk = require_chunk(
            catalog, require_readable_document(catalog, document_id, get_visible_collections()), chunk_index or 0
        )
        return serialize_highlights(
            self._services.passage_highlighter.highlight_chunk(question, chunk), chunk=chunk, links=self._links
        )

    def locate(self, quote: str, document_id: str = "") -> LocateAnswer:
        visible = get_visible_collections()
        document = require_readable_document(self._services.catalog, document_id, visible) if document_id else None
        return serialize_quote_location(
            self._services.quote_locator.locate(quote, document, visible), self._links, page_renderer=None
        )

    def ask(self, question: str, *, collection: str = "", **how: Any) -> AnswerOut:
        self._wait_for_model()
        asked = QuestionRequest(question, filters=_build_collection_filter(collection), **how)
        return serialize_answer(self._services.answer_pipeline.answer(asked, get_visible_collections()), self._links)

    def _wait_for_model(self) -> None:
        """Without its model a library still finds words; so it is given the time to load."""
        self._services.embedder.wait_until_loaded(self._services.settings.warm_up_seconds)


Library = Client | Here


def convert_to_library(source: Library | Highlighter) -> Library:
    return Here(source.services) if hasattr(source, "services") else source


@contextmanager
def open_library(services: Services) -> Iterator[Library]:
    """The service that HIGHLIGHTER_URL names, else the library of DATA_DIR."""
    settings = services.settings
    if not settings.service_url:
        yield Here(services)
        return
    with Client.from_settings(settings) as client:
        yield client


@contextmanager
def library() -> Iterator[Library]:
    """The same, by the settings of the environment: for programs of your own."""
    from highlighter.services import Services
    from highlighter.settings import Settings

    services = Services(Settings.from_environment())
    try:
        with open_library(services) as found:
            yield found
    finally:
        services.close()


def make_links_absolute(links: Mapping[str, str | None], library: Library) -> dict[str, str]:
    """With the address of the service before each."""
    return {name: library.address(link) for name, link in links.items() if link}


def _build_collection_filter(collection: str) -> dict[str, str]:
    return {"collection": collection} if collection else {}


def _build_default_address(services: Services) -> str:
    host = services.settings.host
    host = "127.0.0.1" if host in WILDCARD_HOSTS else host
    return f"http://{f'[{host}]' if ':' in host else host}:{services.settings.port}"
