"""Requests that may be sent again: the header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header).

The first request with a key is carried out, and its successful response is stored for a day. The same request with the same
key gets that response again, with the header `Idempotent-Replayed`. An error has changed nothing, so it is not stored.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

from flask import Response, make_response, request
from sqlalchemy import Engine
from werkzeug.datastructures import FileStorage

from highlighter.access import get_current_principal
from highlighter.errors import BadRequest, HighlighterError
from highlighter.locale import N_
from highlighter.store import idempotent_responses
from highlighter.store.audit_log import canonical_json
from highlighter.store.idempotent_responses import RequestKey, StoredResponse, find_last_audit_row
from highlighter.web.application import current_services
from highlighter.web.event_stream import EVENT_STREAM_MEDIA_TYPE

IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER = "Idempotency-Key", "Idempotent-Replayed"
# Printable ASCII without spaces, bare or in quotation marks: a string of RFC 8941, which the draft asks for.
MAX_IDEMPOTENCY_KEY_CHARACTERS = 255  # with quotation marks
IDEMPOTENCY_KEY_PATTERN = r'^"?[!#-\[\]-~]{1,253}"?$'
_STORED_HEADERS = ("Content-Type", "Location", "Cache-Control", "X-Accel-Buffering")
ANSWER_ENDPOINT = "answers_api.answer"
_LAST_EVENT = "event: done\n"  # of a stream that has reached its end without an error
_ACCEPTS_KEY = "accepts_idempotency_key"  # an attribute of views

View = TypeVar("View", bound=Callable[..., Any])


class IdempotencyKeyReused(HighlighterError):
    """The error for a key that was sent before, with another request."""

    problem_type = "idempotency-key-reused"
    status, title = 422, N_("This Idempotency-Key belongs to another request")

    def __init__(self) -> None:
        super().__init__(
            N_("Another request was sent with this Idempotency-Key. Send each request with a key of its own.")
        )


class RequestInProgress(HighlighterError):
    """The error for a request that is sent again before the first one has been answered."""

    problem_type = "request-in-progress"
    status, title = 409, N_("The same request is being answered")
    retry_after = 3

    def __init__(self) -> None:
        super().__init__(
            N_("A request with this Idempotency-Key is still being answered. Send it again in a few seconds.")
        )


def accept_idempotency_key(view: View) -> View:
    """Return a view that carries out requests with the same Idempotency-Key once."""

    @wraps(view)
    def answer_once(*arguments: Any, **options: Any) -> Any:
        if IDEMPOTENCY_KEY_HEADER not in request.headers:
            return view(*arguments, **options)
        engine = current_services().catalog.engine
        once = _IdempotentRequest(engine, _read_key(), _compute_request_digest(), find_last_audit_row(engine))
        if replayed := once.replay():
            return replayed
        lease = idempotent_responses.lease_request(once.engine, once.key)
        if not lease.acquire():
            raise RequestInProgress
        is_streamed = False
        try:
            if replayed := once.replay():  # another request with the key ended between the two steps
                return replayed
            response = make_response(view(*arguments, **options))
            is_streamed = response.is_streamed
            if is_streamed:
                response.call_on_close(lease.release)
            if not _is_stored(response):
                return response
            if is_streamed:
                once.save_at_end(response)
            else:
                once.save(response, response.get_data(as_text=True))
            return response
        finally:
            if not is_streamed:
                lease.release()

    setattr(answer_once, _ACCEPTS_KEY, True)
    return cast(View, answer_once)


def accepts_idempotency_key(view: Callable[..., Any]) -> bool:
    """Return whether a view carries out requests with the same Idempotency-Key once."""
    return getattr(view, _ACCEPTS_KEY, False)


@dataclass(frozen=True, slots=True)
class _IdempotentRequest:
    """A request with its key and its digest. A stream is saved when the request has ended, so nothing here asks for it."""

    engine: Engine
    key: RequestKey
    digest: str
    audit_seq: int  # of the last row of the audit when the request came

    def replay(self) -> Response | None:
        """Return the stored response; None when there is none. Raise IdempotencyKeyReused for another request."""
        stored = idempotent_responses.find_response(self.engine, self.key)
        if stored is None:
            return None
        if stored.request != self.digest:
            raise IdempotencyKeyReused
        return Response(stored.body, stored.status, {**stored.headers, REPLAYED_HEADER: "true"})

    def save(self, response: Response, body: str) -> None:
        headers = {name: response.headers[name] for name in _STORED_HEADERS if name in response.headers}
        stored = StoredResponse(self.digest, response.status_code, headers, body)
        idempotent_responses.save_response(self.engine, self.key, stored, self.audit_seq)

    def save_at_end(self, response: Response) -> None:
        """Save the body of a stream once its last event was sent. A stream that breaks off is not saved."""
        stream = response.response
        blocks: list[str] = []

        def pass_on() -> Iterator[str | bytes]:
            try:
                for block in stream:
                    blocks.append(block if isinstance(block, str) else block.decode())
                    yield block
                if blocks[-1].startswith(_LAST_EVENT):
                    self.save(response, "".join(blocks))
            finally:
                if close := getattr(stream, "close", None):
                    close()

        response.response = cast(Iterable[str], pass_on())


def _is_stored(response: Response) -> bool:
    """Return whether a response is stored: a successful one, and none with an answer where answers are not stored."""
    is_answer = request.endpoint == ANSWER_ENDPOINT
    return 200 <= response.status_code < 300 and (current_services().settings.keep_answers or not is_answer)


def _read_key() -> RequestKey:
    value = request.headers[IDEMPOTENCY_KEY_HEADER]
    if not re.fullmatch(IDEMPOTENCY_KEY_PATTERN, value):
        raise BadRequest(
            N_("The Idempotency-Key must have 1 to 253 printable ASCII characters, without spaces and quotation marks.")
        )
    return RequestKey(get_current_principal().note_owner, value.strip('"'))


def _compute_request_digest() -> str:
    """Return the SHA-256 of what a request asks for, and of which collections.

    The boundaries of a form differ each time, its parts do not. A person whose groups have changed sends another request:
    the stored response may show what they see no longer.
    """
    collections = get_current_principal().collections
    parts: list[Any] = [
        request.method,
        request.full_path,
        request.accept_mimetypes.best == EVENT_STREAM_MEDIA_TYPE,
        None if collections is None else sorted(collections),
    ]
    if request.is_json:
        parts.append(request.get_json())
    else:
        # A part of a form may have no name.
        parts.append(sorted((name or "", value) for name, value in request.form.items(multi=True)))
        parts += [[name, file.filename, _hash_file(file)] for name, file in request.files.items(multi=True)]
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def _hash_file(file: FileStorage) -> str:
    digest = hashlib.file_digest(cast(io.BufferedIOBase, file.stream), "sha256")
    file.stream.seek(0)
    return digest.hexdigest()
