"""The API's methods, one for each thing that can be asked of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Self, TypeVar
from urllib.parse import quote as quoted

from pydantic import BaseModel, ValidationError

from highlighter.client.transport import ApiError, ApiTransport, Step, read_steps
from highlighter.models import UNFINISHED
from highlighter.schemas.answers import AnswerOut
from highlighter.schemas.checks import CheckAnswer
from highlighter.schemas.documents import DocumentList, DocumentOut
from highlighter.schemas.quotes import LocateAnswer, ResolveAnswer
from highlighter.schemas.search import HighlightAnswer, SearchAnswer
from highlighter.schemas.signed_links import LinkAnswer
from highlighter.settings import Settings

DOCUMENTS_PER_PAGE = 200  # documents asked for at once
POLL_SECONDS = 0.5
Model = TypeVar("Value", bound=BaseModel)


class Client:
    """A service at `url`. Values are those of the API (`/api/v1/`); whatever it refuses is an ApiError.

    >>> with Client("http://127.0.0.1:8000", key="hk_...") as papers:             # doctest: +SKIP
    ...     document = papers.wait(papers.upload("contract.pdf").document_id)
    ...     for hit in papers.search("Who pays for delay?").hits:
    ...         print(hit.score, hit.name, papers.address(hit.links["self"]))
    """

    def __init__(self, url: str, key: str = "", *, seconds: float = 120):
        """`seconds`: how long one answer may take; while it is streamed, the time between two of its events."""
        self._transport = ApiTransport(url, key, seconds)

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """Of the service that HIGHLIGHTER_URL names."""
        return cls(settings.service_url, settings.service_key.reveal())

    def address(self, link: str) -> str:
        """A link of an answer, for use elsewhere. A service that is told where it is mounted says so in its links."""
        if "://" in link:
            return link
        host, mounted = self._transport.host, self._transport.mount_path
        return f"{host}{link}" if link.startswith(f"{mounted}/") else f"{host}{mounted}{link}"

    # -- documents -----------------------------------------------------------------------------------------------

    def documents(
        self,
        *,
        limit: int = 50,
        offset: int = 0,
        collection: str = "",
        state: Sequence[str] = (),
        name: str = "",
        superseded: bool = False,
    ) -> DocumentList:
        """A page of the library, newest first; with `superseded`, of older versions too."""
        asked = _omit_unset(collection=collection, state=list(state), name=name, superseded=superseded)
        query = {"limit": limit, "offset": offset, **asked}
        return self._get("documents", DocumentList, query)

    def every_document(self, **which: Any) -> Iterator[DocumentOut]:
        """All that there are now. They are read before the first is told, so that each may be deleted when it comes."""
        found, total = [], 1
        while (
            len(found) < total
            and (page := self.documents(limit=DOCUMENTS_PER_PAGE, offset=len(found), **which)).documents
        ):
            found += page.documents
            total = page.total
        yield from found

    def document(self, document_id: str) -> DocumentOut:
        return self._get(f"documents/{_quote_path_segment(document_id)}", DocumentOut)

    def upload(self, file: str | Path | BinaryIO, name: str = "", collection: str = "") -> DocumentOut:
        """Hands a file in. It is read in the background: `wait` for the end of that."""
        if isinstance(file, str | Path):
            with Path(file).open("rb") as opened:
                return self.upload(opened, name or Path(file).name, collection)
        sent = {"files": {"file": (name or "unnamed", file)}, "data": _omit_unset(collection=collection)}
        return _parse_response(DocumentOut, self._transport.send("POST", "documents", **sent).content)

    def wait(
        self, document_id: str, seconds: float = 600, told: Callable[[DocumentOut], None] = lambda _: None
    ) -> DocumentOut:
        """Until it is read, or cannot be: its state and reason say which. `told` hears of it meanwhile."""
        end = time.monotonic() + seconds
        while (document := self.document(document_id)).state in UNFINISHED:
            told(document)
            if time.monotonic() > end:
                raise ApiError(0, {"detail": f"{document.name} was not processed within {seconds:g} s."})
            time.sleep(POLL_SECONDS)
        return document

    def retry(self, document_id: str) -> DocumentOut:
        """Have a document read again that could not be read: `wait` for the end of that."""
        return _parse_response(
            DocumentOut, self._transport.send("POST", f"documents/{_quote_path_segment(document_id)}/retry").content
        )

    def delete(self, document_id: str) -> None:
        self._transport.send("DELETE", f"documents/{_quote_path_segment(document_id)}")

    # -- evidence ------------------------------------------------------------------------------------------------

    def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        collection: str = "",
        where: Mapping[str, Any] | None = None,
        min_score: float | None = None,
    ) -> SearchAnswer:
        """The chunks that answer best, with their best sentences."""
        asked = _omit_unset(limit=limit, collection=collection, where=dict(where or {}), min_score=min_score)
        return self._post("search", SearchAnswer, {"question": question, **asked})

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
    ) -> HighlightAnswer:
        """Every sentence of a text, or of a chunk, held against a question."""
        asked = _omit_unset(
            text=text, document_id=document_id, chunk_index=chunk_index, method=method, threshold=threshold,
            explain=explain,
        )  # fmt: skip
        return self._post("highlight", HighlightAnswer, {"question": question, **asked})

    def locate(
        self, quote: str, document_id: str = "", *, page: int = 0, prefix: str = "", suffix: str = ""
    ) -> LocateAnswer:
        """Where a quote stands, in one document or in all, and how surely."""
        asked = _omit_unset(document_id=document_id, page=page or None, prefix=prefix, suffix=suffix)
        return self._post("locate", LocateAnswer, {"quote": quote, **asked})

    def resolve(self, text: str, sources: Sequence[Mapping[str, Any] | str] | None = None) -> ResolveAnswer:
        """What the references of a text mean, among these sources (or file names), or else among all documents."""
        given = None if sources is None else [{"filename": s} if isinstance(s, str) else dict(s) for s in sources]
        return self._post("citations/resolve", ResolveAnswer, {"text": text, "sources": given})

    def embed_link(self, document_id: str = "", **what: Any) -> LinkAnswer:
        """A signed link for a frame in a page of yours; `what` is what POST /api/v1/embed/links takes."""
        return self._post("embed/links", LinkAnswer, _omit_unset(document_id=document_id, **what))

    def check(
        self, answer: str, sources: Sequence[Mapping[str, Any] | str], *, append_warnings: bool = False
    ) -> CheckAnswer:
        """Any system's answer held against its sources: texts, or {"document_id", "chunk_index"}."""
        given = [{"text": one} if isinstance(one, str) else dict(one) for one in sources]
        asked = {"answer": answer, "sources": given, "append_warnings": append_warnings}
        return self._post("check", CheckAnswer, asked)

    # -- answers -------------------------------------------------------------------------------------------------

    def ask(self, question: str, **how: Any) -> AnswerOut:
        """An answer whose every claim can be opened; `how` is what POST /api/v1/answers takes."""
        return self._post("answers", AnswerOut, {"question": question, **how})

    def stream(self, question: str, **how: Any) -> Iterator[Step]:
        """The same step by step; the body of the last, "done", is the answer. Closed early, the work ends.

        >>> for step in papers.stream("Who pays for delay?"):                     # doctest: +SKIP
        ...     print(step.body["text"] if step.name == "token" else "", end="")
        """
        asked = {"question": question, **how, "stream": True}
        with self._transport.stream("POST", "answers", json=asked) as answer:
            yield from read_steps(answer)

    def answer(self, answer_id: str) -> AnswerOut:
        """One that was given before."""
        return self._get(f"answers/{_quote_path_segment(answer_id)}", AnswerOut)

    def pack(self, answer_id: str, out: BinaryIO) -> None:
        """Its evidence pack, a zip."""
        with self._transport.stream("GET", f"answers/{_quote_path_segment(answer_id)}/pack") as answer:
            for some in answer.iter_bytes():
                out.write(some)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _get(self, path: str, value: type[Model], query: Mapping[str, Any] | None = None) -> Model:
        return _parse_response(value, self._transport.send("GET", path, params=query).content)

    def _post(self, path: str, value: type[Model], body: Mapping[str, Any]) -> Model:
        return _parse_response(value, self._transport.send("POST", path, json=body).content)


def _parse_response(value: type[Model], content: bytes) -> Model:
    try:
        return value.model_validate_json(content)
    except ValidationError as err:  # of a page to log in at, say
        raise ApiError(0, {"detail": "The server there is not Highlighter, or another version of it."}) from err


def _omit_unset(**given: Any) -> dict[str, Any]:
    """What the caller did say: for the rest the service knows what is usual."""
    return {name: value for name, value in given.items() if value or (value == 0 and value is not False)}


def _quote_path_segment(id: str) -> str:
    """An id as a part of a path, and as no more than that."""
    return quoted(id, safe="")
