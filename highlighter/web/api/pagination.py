"""Pages of lists: cursors, and links to the first and the next page (RFC 8288).

A cursor holds the position of the last entry in the order of the list, so that entries that are added or deleted meanwhile
make no other entry come twice or not at all.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from flask import request

from highlighter.errors import BadRequest
from highlighter.locale import N_
from highlighter.web import request_context

LINK_HEADER = "Link"
CURSOR_PARAMETER, OFFSET_PARAMETER = "cursor", "offset"

CursorValue = str | int | bool


def encode_cursor(position: Sequence[CursorValue]) -> str:
    """Return the position of an entry as a text for URLs."""
    return base64.urlsafe_b64encode(json.dumps(list(position), separators=(",", ":")).encode()).decode().rstrip("=")


def decode_cursor(cursor: str, *types: type[CursorValue]) -> tuple[Any, ...]:
    """Return the position that a cursor holds, with values of these types; raise BadRequest for any other text."""
    try:
        position = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError) as err:
        raise _wrong_cursor_error() from err
    if not isinstance(position, list) or [type(value) for value in position] != list(types):
        raise _wrong_cursor_error()
    if any(isinstance(value, str) and not _is_storable(value) for value in position):
        raise _wrong_cursor_error()
    if any(type(value) is int and not -(2**63) <= value < 2**63 for value in position):
        raise _wrong_cursor_error()
    return tuple(position)


def build_link_header(next_page: dict[str, str] | None) -> dict[str, str]:
    """Return the header with links to the first page of the requested list and, by its parameter, to the next one."""
    pages = {"first": {}, "next": next_page}
    links = (f'<{_build_page_url(page)}>; rel="{name}"' for name, page in pages.items() if page is not None)
    return {LINK_HEADER: ", ".join(links)}


def build_cursor_header(next_cursor: str | None) -> dict[str, str]:
    """Return the header of a list whose pages are found by cursors."""
    return build_link_header(None if next_cursor is None else {CURSOR_PARAMETER: next_cursor})


def _build_page_url(parameters: dict[str, str]) -> str:
    """Return the URL of the current request with other parameters of its page."""
    paging = (CURSOR_PARAMETER, OFFSET_PARAMETER)
    entries = [(name, value) for name, value in request.args.items(multi=True) if name not in paging]
    query = urlencode([*entries, *parameters.items()])
    root = request_context.build_absolute_links().root
    return f"{root}{request.path}" + (f"?{query}" if query else "")


def _is_storable(text: str) -> bool:
    """Return whether a text can be sent to a database: it has no lone surrogate."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _wrong_cursor_error() -> BadRequest:
    return BadRequest(N_("The cursor belongs to no page of this list. Start again without it."))
