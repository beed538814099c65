"""What a page with citations asks of its own server, forwarded to the service with the key, which no browser sees.

`flask_routes` and `fastapi_routes` make routes of it. The page's side is docs/how-to/embed.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from highlighter.client.transport import ApiError, ApiTransport

# What a page may ask a link for, and the types of it. Scope, lifetime and origins are for the server to decide.
LINK_FIELDS: Mapping[str, type] = {
    "document_id": str, "chunk_index": int, "page": int, "start": int, "end": int, "quote": str, "question": str
}  # fmt: skip
RESOLVE_FIELDS: Mapping[str, type] = {"text": str, "sources": list}
TYPE_NAMES = {str: "a text", int: "a whole number", list: "a list"}
CLAIM_FIELD = "claim"  # what a citation of `attach` calls the question of its link
FORWARD_SECONDS = 60
BAD_GATEWAY = 502

Permit = Callable[[Mapping[str, Any]], bool]
Answer = tuple[int, Any]  # the status, and what is sent as JSON


class CitationForwarder:
    """Forwards two requests of a page: the citations of a text, and the signed link of a citation.

    `origins` are those of the pages that may frame a link. `permit` is called with what a link is wanted for (LINK_FIELDS),
    and says whether this reader may open it; `link_options` are further fields of POST /api/v1/embed/links.
    """

    def __init__(
        self, url: str, key: str, origins: Sequence[str], permit: Permit | None, link_options: Mapping[str, Any]
    ):
        self._transport = ApiTransport(url, key, FORWARD_SECONDS)
        self._permit = permit
        self._link_options = {**({"origins": list(origins)} if origins else {}), **link_options}

    def resolve(self, media_type: str, content: bytes) -> Answer:
        """Return the citations of a text, as POST /api/v1/citations/resolve finds them."""
        try:
            return self._forward("citations/resolve", _read_fields(media_type, content, RESOLVE_FIELDS))
        except _RefusedBody as refused:
            return _refuse(refused.status, str(refused))

    def link(self, media_type: str, content: bytes) -> Answer:
        """Return the signed link of a citation, if the reader may open it."""
        try:
            wanted = _read_fields(media_type, content, {**LINK_FIELDS, CLAIM_FIELD: str})
        except _RefusedBody as refused:
            return _refuse(refused.status, str(refused))
        claim = wanted.pop(CLAIM_FIELD, None)
        if claim is not None:
            wanted.setdefault("question", claim)
        if self._permit and not self._permit(wanted):
            return _refuse(403, "You may not open this document.")
        return self._forward("embed/links", {**self._link_options, **wanted})

    def _forward(self, path: str, body: Mapping[str, Any]) -> Answer:
        try:
            return 200, self._transport.send("POST", path, json=body).json()
        except ApiError as err:
            return _refuse(err.status or BAD_GATEWAY, str(err.detail), err.problem)


def _refuse(status: int, detail: str, problem: Mapping[str, Any] | None = None) -> Answer:
    return status, {**(problem or {}), "status": status, "detail": detail}


class _RefusedBody(Exception):
    """A body that is not what a page sends to these routes."""

    def __init__(self, status: int, sentence: str):
        super().__init__(sentence)
        self.status = status


def _read_fields(media_type: str, content: bytes, types: Mapping[str, type]) -> dict[str, Any]:
    """Return the fields of a JSON object that are not null, each of its type. Pages of other sites cannot send JSON without asking first."""
    if not content:
        raise _RefusedBody(400, "The body is empty. Send a JSON object, as application/json.")
    if media_type.partition(";")[0].strip().lower() != "application/json":
        raise _RefusedBody(415, "Send a JSON object, as application/json.")
    try:
        body = json.loads(content, parse_constant=_reject_constant)
    except (ValueError, RecursionError):  # no JSON, no UTF-8, or thousands of nested brackets
        raise _RefusedBody(400, "The body is not valid JSON.") from None
    if not isinstance(body, dict):
        raise _RefusedBody(400, "The body must be a JSON object.")
    unknown = [name for name in body if name not in types]
    if unknown:
        known = ", ".join(types)
        raise _RefusedBody(400, f"This route does not know the field {unknown[0][:50]}. Its fields are {known}.")
    fields = {name: value for name, value in body.items() if value is not None}
    for name, value in fields.items():
        if not isinstance(value, types[name]) or isinstance(value, bool):
            raise _RefusedBody(400, f"{name} must be {TYPE_NAMES[types[name]]}.")
    return fields


def _reject_constant(name: str) -> None:
    """Raise ValueError for NaN and Infinity: Python reads them, JSON does not have them."""
    raise ValueError(name)
