"""A request as the scripted server got it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]  # names in lower case
    body: dict[str, Any]
    at: float  # time.monotonic()

    @property
    def model(self) -> str:
        return self.body.get("model", "")

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def system(self) -> str:
        if isinstance(self.body.get("system"), str):
            return self.body["system"]
        return "\n".join(message["content"] for message in self.body["messages"] if message["role"] == "system")

    @property
    def asked(self) -> str:
        """The last thing that the user said."""
        return [message["content"] for message in self.body["messages"] if message["role"] == "user"][-1]
