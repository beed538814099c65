"""The recorded responses: each with the documentation that it follows, and what its citations are to open.

Their answers are about the note of tests/conftest.py. `citations` lists the cited text, the sentences that open, and the tier.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("recorded")


@dataclass(frozen=True)
class RecordedResponse:
    name: str
    documentation: str
    format: str
    response: Any
    citations: list[dict[str, Any]]
    sources: list[Any] = field(default_factory=list)
    answer: str = ""
    sdk: str = ""  # the type of the vendor's SDK that the response is one of


RESPONSES = [
    RecordedResponse(path.stem, **json.loads(path.read_text(encoding="utf-8")))
    for path in sorted(FOLDER.glob("*.json"))
]
