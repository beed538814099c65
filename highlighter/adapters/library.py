"""The library that an adapter asks: one kept here, or a service elsewhere, by the same methods and with the same values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from highlighter.access import visible_collections
from highlighter.api.answer_schemas import AnswerOut
from highlighter.api.answers import as_answer
from highlighter.api.hits import as_answer as as_hits
from highlighter.api.hits import as_highlights
from highlighter.api.located import as_located
from highlighter.api.quote_schemas import LocateAnswer
from highlighter.api.schemas import HighlightAnswer, SearchAnswer
from highlighter.client import Client
from highlighter.generation.ask import Ask
from highlighter.search import LIMIT, MIN_SCORE
from highlighter.store.known import known_chunk, readable_document
from highlighter.viewer.links import Links

if TYPE_CHECKING:
    from highlighter.facade import Highlighter
    from highlighter.services import Services

EVERYWHERE = ("0.0.0.0", "::", "")  # to listen on; nobody can be sent there


class Here:
    """What is kept on this machine. Its links lead to where `python -m highlighter serve` answers, or to `url`."""

    def __init__(self, services: Services, url: str = ""):
        self._services = services
        self._links = Links(url or _usual_address(services))

    def address(self, link: str) -> str:
        return link

    def search(
        self,
        question: str,
        *,
        limit: int = LIMIT,
        collection: str = "",
        where: Mapping[str, Any] | None = None,
        min_score: float = MIN_SCORE,
    ) -> SearchAnswer:
        self._wait()
        where = {**(where or {}), **_only(collection)}
        found = self._services.search.find(question, limit, visible_collections(), where, min_score)
        return as_hits(question, found, self._links)

    def highlight(
        self, question: str, text: str = "", *, document_id: str = "", chunk_index: int | None = None
    ) -> HighlightAnswer:
        self._wait()
        if not document_id:
            return as_highlights(self._services.passages.text(question, text))
        catalog = self._services.catalog
        chunk = known_chunk(catalog, readable_document(catalog, document_id, visible_collections()), chunk_index or 0)
        return as_highlights(self._services.passages.chunk(question, chunk), chunk=chunk, links=self._links)

    def locate(self, quote: str, document_id: str = "") -> LocateAnswer:
        visible = visible_collections()
        document = readable_document(self._services.catalog, document_id, visible) if document_id else None
        return as_located(self._services.locator.locate(quote, document, visible), self._links, paper=None)

    def ask(self, question: str, *, collection: str = "", **how: Any) -> AnswerOut:
        self._wait()
        asked = Ask(question, filters=_only(collection), **how)
        return as_answer(self._services.answering.answer(asked, visible_collections()), self._links)

    def _wait(self) -> None:
        """Without its model a library still finds words; so it is given the time to load."""
        self._services.embedder.wait(self._services.settings.warm_up_seconds)


Library = Client | Here


def as_library(given: Library | Highlighter) -> Library:
    return Here(given.services) if hasattr(given, "services") else given


@contextmanager
def opened(services: Services) -> Iterator[Library]:
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
        with opened(services) as found:
            yield found
    finally:
        services.close()


def whole_links(links: Mapping[str, str | None], library: Library) -> dict[str, str]:
    """With the address of the service before each."""
    return {name: library.address(link) for name, link in links.items() if link}


def _only(collection: str) -> dict[str, str]:
    return {"collection": collection} if collection else {}


def _usual_address(services: Services) -> str:
    host = services.settings.host
    host = "127.0.0.1" if host in EVERYWHERE else host
    return f"http://{f'[{host}]' if ':' in host else host}:{services.settings.port}"
