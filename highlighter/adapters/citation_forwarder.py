"""What a page with citations asks of its own server, forwarded to the service with the key, which no browser sees.

`flask_routes` and `fastapi_routes` make routes of it. The page's side is docs/how-to/embed.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from highlighter.client.transport import ApiError, ApiTransport

# What a page may ask a link for. Scope, lifetime and origins are for the server to decide.
LINK_FIELDS = ("document_id", "chunk_index", "page", "start", "end", "quote", "question")
RESOLVE_FIELDS = ("text", "sources")
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

    def resolve(self, body: object) -> Answer:
        """Return the citations of a text, as POST /api/v1/citations/resolve finds them."""
        return self._forward("citations/resolve", _pick_fields(body, RESOLVE_FIELDS))

    def link(self, body: object) -> Answer:
        """Return the signed link of a citation, if the reader may open it."""
        wanted = _pick_fields(body, LINK_FIELDS)
        if self._permit and not self._permit(wanted):
            return _refuse(403, "You may not open this document.")
        return self._forward("embed/links", {**self._link_options, **wanted})

    def _forward(self, path: str, body: Mapping[str, Any]) -> Answer:
        try:
            return 200, self._transport.send("POST", path, json=body).json()
        except ApiError as err:
            return _refuse(err.status or BAD_GATEWAY, str(err.detail), err.problem)


def refuse_other_media_type() -> Answer:
    """Return the refusal of a body that is no JSON object. Pages of other sites cannot send JSON without asking first."""
    return _refuse(415, "Send a JSON object, as application/json.")


def _refuse(status: int, detail: str, problem: Mapping[str, Any] | None = None) -> Answer:
    return status, {**(problem or {}), "status": status, "detail": detail}


def _pick_fields(body: object, names: Sequence[str]) -> dict[str, Any]:
    given = body if isinstance(body, Mapping) else {}
    return {name: given[name] for name in names if given.get(name) is not None}
