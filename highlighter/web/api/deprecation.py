"""What of the API is going to be removed: responses to requests that use it say so (RFC 9745, RFC 8594)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from flask import Response, after_this_request
from werkzeug.http import http_date

from highlighter.web import request_context


@dataclass(frozen=True, slots=True)
class Deprecation:
    """The time from which a part of the API is deprecated, and until which it works at least."""

    start: datetime
    end: datetime


# As docs/reference/api.md lists them.
EARLIER_NAME_OF_HIGHLIGHTED_SPANS = Deprecation(datetime(2026, 11, 23, tzinfo=UTC), datetime(2028, 1, 1, tzinfo=UTC))


def announce_deprecation(deprecation: Deprecation) -> None:
    """Say in the headers of the response to the current request that it uses something deprecated."""
    reference_url = f"{request_context.build_absolute_links().root}/api/v1/"

    @after_this_request
    def add_headers(response: Response) -> Response:
        response.headers["Deprecation"] = f"@{int(deprecation.start.timestamp())}"
        response.headers["Sunset"] = http_date(deprecation.end)
        response.headers.add("Link", f'<{reference_url}>; rel="deprecation"; type="text/html"')
        return response
