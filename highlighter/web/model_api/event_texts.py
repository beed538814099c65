"""The text of server-sent events for the clients of model APIs."""

from __future__ import annotations

import json
from typing import Any


def write_event(data: dict[str, Any], name: str = "") -> str:
    """Return an event in ASCII: some clients take U+2028 and the like within its JSON for the end of a line."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n" if name else f"data: {json.dumps(data)}\n\n"
