"""Which limit a request that is too large has met."""

from __future__ import annotations

import traceback

from flask import Request

from highlighter.errors import TooLarge


def exceeded_limit(err: Exception, request: Request) -> TooLarge:
    """Return Werkzeug's bare 413 as an error that names the limit. Werkzeug says it only by the function that raised it."""
    kilobytes = (request.max_form_memory_size or 0) // 1000
    match [frame.f_code.co_name for frame, _ in traceback.walk_tb(err.__traceback__)][-1:]:
        case ["next_event"]:
            return TooLarge(f"A form may have {request.max_form_parts} parts, and this one has more.")
        case ["receive_data"]:
            return TooLarge(f"The headers of a form's part may have {kilobytes} kB, and these have more.")
        case ["parse"]:
            return TooLarge(f"A field of a form may have {kilobytes} kB, and this one has more. Files may have more.")
    megabytes = (request.max_content_length or 0) // (1 << 20)
    return TooLarge(f"That is more than the {megabytes} MB taken at once.")
