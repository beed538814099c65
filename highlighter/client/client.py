"""The client of the API, with a method for each operation."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeVar
from urllib.parse import quote as percent_encode

from pydantic import BaseModel, ValidationError

from highlighter.client.transport import ApiError, ApiTransport, Step, read_steps
from highlighter.metadata import build_where_clause
from highlighter.models import UNFINISHED
from highlighter.schemas.answers import AnswerList, AnswerOut
from highlighter.schemas.checks import CheckResponse
from highlighter.schemas.documents import BulkUploadOut, ChunkList, DocumentList, DocumentOut, TextOut
from highlighter.schemas.native_citations import NativeCitationsResponse
from highlighter.schemas.notes import NoteAnnotation, NotePage
from highlighter.schemas.quotes import LocateResponse, ResolveResponse
from highlighter.schemas.search import HighlightResponse, SearchResponse
from highlighter.schemas.signed_links import LinkResponse
from highlighter.schemas.webhooks import CreatedWebhook, DeliveryList, DeliveryOut, WebhookList
from highlighter.settings import Settings

DOCUMENTS_PER_PAGE = 200  # per request of `every_document`
POLL_SECONDS = 0.5
Model = TypeVar("Model", bound=BaseModel)


class Client:
    """A client of the service at `url`. Results are the models of the API (`/api/v1/`); errors are raised as ApiError.

    >>> with Client("http://127.0.0.1:8000", key="hk_...") as papers:             # doctest: +SKIP
    ...     document = papers.wait(papers.upload("contract.pdf").document_id)
    ...     for hit in papers.search("Who pays for delay?").hits:
    ...         print(hit.score, hit.name, papers.address(hit.links["self"]))
    """

    def __init__(self, url: str, key: str = "", *, seconds: float = 120):
        """Create a client. `seconds` limits the time of a response, and in a stream the time between two events."""
        self._transport = ApiTransport(url, key, seconds)

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Return a client of the service that HIGHLIGHTER_URL names."""
        return cls(settings.service_url, settings.service_key.reveal())

    def address(self, link: str) -> str:
        """Return the whole URL of a link in a response.

        A service below a path prefix includes the prefix in its links only if it knows the prefix.
        """
        if "://" in link:
            return link
        host, mount_path = self._transport.host, self._transport.mount_path
        return f"{host}{link}" if link.startswith(f"{mount_path}/") else f"{host}{mount_path}{link}"

    # Documents

    def documents(
        self,
        *,
        limit: int = 50,
        offset: int = 0,
        cursor: str = "",
        collection: str = "",
        state: Sequence[str] = (),
        name: str = "",
        superseded: bool = False,
        where: Mapping[str, Any] | None = None,
    ) -> DocumentList:
        """Return a page of the list of documents, newest first; with `superseded`, including older versions.

        `cursor` is the `next_cursor` of the page before; `where` filters by metadata, as in `search`: a value by key, or a list of which any matches.
        """
        entries = [f"{key}={value}" for key, values in build_where_clause(where) for value in values]
        filters = _omit_unset(
            collection=collection, state=list(state), name=name, superseded=superseded, where=entries, cursor=cursor
        )
        query = {"limit": limit, "offset": offset, **filters}
        return self._get("documents", DocumentList, query)

    def every_document(self, **filters: Any) -> Iterator[DocumentOut]:
        """Yield every document that matches the filters of `documents`.

        The whole list is read before the first document is yielded, so that the caller can delete documents in the loop.
        """
        page = self.documents(limit=DOCUMENTS_PER_PAGE, **filters)
        documents = page.documents
        while page.next_cursor:
            page = self.documents(limit=DOCUMENTS_PER_PAGE, cursor=page.next_cursor, **filters)
            documents += page.documents
        yield from documents

    def document(self, document_id: str) -> DocumentOut:
        return self._get(f"documents/{_quote_path_segment(document_id)}", DocumentOut)

    def text(self, document_id: str) -> TextOut:
        """Return the canonical text of a document, which every offset indexes."""
        return self._get(f"documents/{_quote_path_segment(document_id)}/text", TextOut)

    def chunks(self, document_id: str) -> ChunkList:
        """Return the chunks of a document, in order: spans of its text."""
        return self._get(f"documents/{_quote_path_segment(document_id)}/chunks", ChunkList)

    def chunk_text(self, document_id: str, chunk_index: int) -> str:
        """Return the text of one chunk; raise ApiError with the status 404 where the document has no such chunk."""
        for chunk in self.chunks(document_id).chunks:
            if chunk.index == chunk_index:
                return self.text(document_id).text[chunk.start : chunk.end]
        raise ApiError(404, {"detail": f"The document has no chunk {chunk_index}."})

    def upload(
        self,
        file: str | Path | BinaryIO,
        name: str = "",
        collection: str = "",
        metadata: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str = "",
    ) -> DocumentOut:
        """Upload a file, which is then processed in the background; `wait` waits for the end.

        Searches, answers and lists filter by its metadata, of which `tags` is a list. With an `idempotency_key` (a text of
        your own for this request alone), a request that is sent again has no second effect and gets the same response.
        """
        if isinstance(file, str | Path):
            with Path(file).open("rb") as opened_file:
                upload_name = name or Path(file).name
                return self.upload(opened_file, upload_name, collection, metadata, idempotency_key=idempotency_key)
        data = _omit_unset(
            collection=collection, metadata=json.dumps(dict(metadata), allow_nan=False) if metadata else ""
        )
        body: dict[str, Any] = {"files": {"file": (name or "unnamed", file)}, "data": data}
        body["headers"] = _build_headers(idempotency_key)
        return _parse_response(DocumentOut, self._transport.send("POST", "documents", **body).content)

    def upload_several(
        self,
        paths: Sequence[str | Path],
        collection: str = "",
        metadata: Mapping[str, Any] | None = None,
        *,
        idempotency_key: str = "",
    ) -> BulkUploadOut:
        """Upload up to 40 files in one request. Each has a result of its own, in their order: a document or a problem."""
        data = _omit_unset(
            collection=collection, metadata=json.dumps(dict(metadata), allow_nan=False) if metadata else ""
        )
        with ExitStack() as stack:
            files = [("file", (Path(path).name, stack.enter_context(Path(path).open("rb")))) for path in paths]
            response = self._transport.send(
                "POST", "documents/bulk", files=files, data=data, headers=_build_headers(idempotency_key)
            )
        return _parse_response(BulkUploadOut, response.content)

    def wait(
        self,
        document_id: str,
        seconds: float = 600,
        on_poll: Callable[[DocumentOut], None] | None = None,
        *,
        told: Callable[[DocumentOut], None] | None = None,
    ) -> DocumentOut:
        """Wait until a document is processed, and return it; its state and reason tell whether it can be used.

        `on_poll` is called with the document after each poll before that; `told` is its earlier name.
        """
        on_poll = on_poll or told
        deadline = time.monotonic() + seconds
        while (document := self.document(document_id)).state in UNFINISHED:
            if on_poll is not None:
                on_poll(document)
            if time.monotonic() > deadline:
                raise ApiError(0, {"detail": f"{document.name} was not processed within {seconds:g} s."})
            time.sleep(POLL_SECONDS)
        return document

    def retry(self, document_id: str) -> DocumentOut:
        """Process a document again whose processing failed; `wait` waits for the end."""
        return _parse_response(
            DocumentOut, self._transport.send("POST", f"documents/{_quote_path_segment(document_id)}/retry").content
        )

    def update_metadata(self, document_id: str, metadata: Mapping[str, Any]) -> DocumentOut:
        """Merge metadata into that of a document; None removes a key. `tags` is a list of its tags.

        >>> papers.update_metadata(document_id, {"tags": ["signed"], "year": 2024})   # doctest: +SKIP
        """
        path, body = f"documents/{_quote_path_segment(document_id)}", {"metadata": dict(metadata)}
        return _parse_response(DocumentOut, self._transport.send("PATCH", path, json=body).content)

    def delete(self, document_id: str) -> None:
        self._transport.send("DELETE", f"documents/{_quote_path_segment(document_id)}")

    # Evidence

    def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        collection: str = "",
        where: Mapping[str, Any] | None = None,
        min_score: float | None = None,
    ) -> SearchResponse:
        """Return the chunks that answer a question best, with their best sentences."""
        options = _omit_unset(limit=limit, collection=collection, where=dict(where or {}), min_score=min_score)
        return self._post("search", SearchResponse, {"question": question, **options})

    def highlight(
        self,
        question: str,
        text: str = "",
        *,
        document_id: str = "",
        chunk_index: int | None = None,
        method: str = "",
        threshold: float | None = None,
        explain: bool = False,
    ) -> HighlightResponse:
        """Return every sentence of a text, or of a stored chunk, with its score for a question."""
        options = _omit_unset(
            text=text, document_id=document_id, chunk_index=chunk_index, method=method, threshold=threshold,
            explain=explain,
        )  # fmt: skip
        return self._post("highlight", HighlightResponse, {"question": question, **options})

    def locate(
        self,
        quote: str,
        document_id: str = "",
        *,
        filename: str = "",
        page: int = 0,
        prefix: str = "",
        suffix: str = "",
    ) -> LocateResponse:
        """Locate a quote, in one document, named by its id or its file name, or in all."""
        hints = _omit_unset(document_id=document_id, filename=filename, page=page or None, prefix=prefix, suffix=suffix)
        return self._post("locate", LocateResponse, {"quote": quote, **hints})

    def resolve(self, text: str, sources: Sequence[Mapping[str, Any] | str] | None = None) -> ResolveResponse:
        """Resolve the references of a text to the given sources (or file names), or by default to all documents."""
        body = {"text": text, "sources": None if sources is None else _convert_sources(sources, "filename")}
        return self._post("citations/resolve", ResolveResponse, body)

    def open_citations(
        self,
        response: Any = None,
        *,
        responses: Sequence[Any] | None = None,
        answer: str = "",
        sources: Sequence[Any] = (),
        check: bool = True,
    ) -> NativeCitationsResponse:
        """Open the citations of any vendor's response, as it came, or of several `responses`.

        `answer` is the text, where the response does not contain it; `sources` are those of the vendor's request.
        """
        given = {"responses": list(responses)} if responses is not None else {"response": response}
        body = {**given, "answer": answer, "sources": list(sources), "check": check}
        return self._post("citations/native", NativeCitationsResponse, body)

    def embed_link(self, document_id: str = "", **options: Any) -> LinkResponse:
        """Create a signed link for a frame in a page of yours; `options` are fields of POST /api/v1/embed/links."""
        return self._post("embed/links", LinkResponse, _omit_unset(document_id=document_id, **options))

    def check(
        self, answer: str, sources: Sequence[Mapping[str, Any] | str], *, append_warnings: bool = False
    ) -> CheckResponse:
        """Check an answer of any system against its sources: texts, or {"document_id", "chunk_index"}."""
        body = {"answer": answer, "sources": _convert_sources(sources, "text"), "append_warnings": append_warnings}
        return self._post("check", CheckResponse, body)

    # Notes

    def notes(
        self, document_id: str = "", *, words: str = "", limit: int = 50, offset: int = 0, cursor: str = ""
    ) -> NotePage:
        """Return your notes and the shared ones on a document; without a document, a page of your own with some words."""
        if document_id:
            return self._get(f"documents/{_quote_path_segment(document_id)}/notes", NotePage)
        return self._get("notes", NotePage, {"limit": limit, "offset": offset, **_omit_unset(q=words, cursor=cursor)})

    def add_note(
        self, document_id: str, quote: str, text: str = "", *, colour: str = "yellow", shared: bool = False,
        prefix: str = "", suffix: str = "", page: int = 0, idempotency_key: str = "",
    ) -> NoteAnnotation:  # fmt: skip
        """Make a note on words of a document. Prefix, suffix and page choose among words that occur several times."""
        selectors = [{"type": "TextQuoteSelector", "exact": quote, "prefix": prefix, "suffix": suffix}]
        if page:
            selectors.append({"type": "FragmentSelector", "value": f"page={page}"})
        body = {"body": text, "target": {"selector": selectors, "styleClass": colour}, "shared": shared}
        path = f"documents/{_quote_path_segment(document_id)}/notes"
        return self._post(path, NoteAnnotation, body, idempotency_key)

    def update_note(
        self, note_id: str, *, text: str | None = None, colour: str = "", shared: bool | None = None
    ) -> NoteAnnotation:
        """Change a note of yours; what is left out stays."""
        body = {"body": text, "target": {"styleClass": colour}, "shared": shared}
        path = f"notes/{_quote_path_segment(note_id)}"
        return _parse_response(NoteAnnotation, self._transport.send("PUT", path, json=body).content)

    def delete_note(self, note_id: str) -> None:
        """Delete a note of yours; `restore_note` undoes this for some seconds."""
        self._transport.send("DELETE", f"notes/{_quote_path_segment(note_id)}")

    def restore_note(self, note_id: str) -> NoteAnnotation:
        return self._post(f"notes/{_quote_path_segment(note_id)}/restore", NoteAnnotation, {})

    # Answers

    def ask(self, question: str, *, idempotency_key: str = "", **options: Any) -> AnswerOut:
        """Answer a question; `options` are fields of POST /api/v1/answers."""
        return self._post("answers", AnswerOut, {"question": question, **options}, idempotency_key)

    def answers(self, words: str = "", *, limit: int = 50, cursor: str = "") -> AnswerList:
        """Return a page of the answers that your key has asked for, pinned ones first, then the latest first."""
        return self._get("answers", AnswerList, {"limit": limit, **_omit_unset(q=words, cursor=cursor)})

    def stream(self, question: str, **options: Any) -> Iterator[Step]:
        """Answer a question step by step. The body of the last step, "done", is the answer.

        Closing the iterator early ends the work on the answer.

        >>> for step in papers.stream("Who pays for delay?"):                     # doctest: +SKIP
        ...     print(step.body["text"] if step.name == "token" else "", end="")
        """
        body = {"question": question, **options, "stream": True}
        with self._transport.stream("POST", "answers", json=body) as response:
            yield from read_steps(response)

    def answer(self, answer_id: str) -> AnswerOut:
        """Return a stored answer."""
        return self._get(f"answers/{_quote_path_segment(answer_id)}", AnswerOut)

    def pack(self, answer_id: str, out: BinaryIO) -> None:
        """Write the evidence pack of a stored answer, a zip, to a file."""
        with self._transport.stream("GET", f"answers/{_quote_path_segment(answer_id)}/pack") as response:
            for content in response.iter_bytes():
                out.write(content)

    # Webhooks

    def create_webhook(
        self,
        url: str,
        events: Sequence[str] = (),
        *,
        collections: Sequence[str] = (),
        description: str = "",
        idempotency_key: str = "",
    ) -> CreatedWebhook:
        """Have an address told of events, by default of all. The secret in the result is shown once.

        A receiver in Python checks messages by `highlighter.client.verify_webhook(secret, headers, body)`.
        """
        options = _omit_unset(events=list(events), collections=list(collections), description=description)
        return self._post("webhooks", CreatedWebhook, {"url": url, **options}, idempotency_key)

    def webhooks(self) -> WebhookList:
        return self._get("webhooks", WebhookList)

    def delete_webhook(self, webhook_id: str) -> None:
        self._transport.send("DELETE", f"webhooks/{_quote_path_segment(webhook_id)}")

    def ping_webhook(self, webhook_id: str) -> DeliveryOut:
        """Send a message without an event at once, and return how that ended."""
        return self._post(f"webhooks/{_quote_path_segment(webhook_id)}/ping", DeliveryOut, {})

    def webhook_deliveries(
        self, webhook_id: str, *, state: str = "", limit: int = 50, cursor: str = ""
    ) -> DeliveryList:
        """Return a page of what was sent to a webhook, the latest first."""
        query = {"limit": limit, **_omit_unset(state=state, cursor=cursor)}
        return self._get(f"webhooks/{_quote_path_segment(webhook_id)}/deliveries", DeliveryList, query)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _get(self, path: str, model: type[Model], query: Mapping[str, Any] | None = None) -> Model:
        return _parse_response(model, self._transport.send("GET", path, params=query).content)

    def _post(self, path: str, model: type[Model], body: Mapping[str, Any], idempotency_key: str = "") -> Model:
        headers = _build_headers(idempotency_key)
        return _parse_response(model, self._transport.send("POST", path, json=body, headers=headers).content)


def _parse_response(model: type[Model], content: bytes) -> Model:
    try:
        return model.model_validate_json(content)
    except ValidationError as err:  # for example a login page
        raise ApiError(0, {"detail": "The server there is not Highlighter, or another version of it."}) from err


def _convert_sources(sources: Sequence[Mapping[str, Any] | str], field: str) -> list[dict[str, Any]]:
    """Return sources as fields of a request, where a plain string stands for one field."""
    return [{field: source} if isinstance(source, str) else dict(source) for source in sources]


def _omit_unset(**fields: Any) -> dict[str, Any]:
    """Return the fields that the caller set; the service has defaults for the others."""
    return {name: value for name, value in fields.items() if value or (value == 0 and value is not False)}


def _build_headers(idempotency_key: str) -> dict[str, str]:
    return {"Idempotency-Key": idempotency_key} if idempotency_key else {}


def _quote_path_segment(id: str) -> str:
    """Return an id percent-encoded, so that it is one segment of a path."""
    return percent_encode(id, safe="")
