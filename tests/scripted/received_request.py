"""A request that the scripted provider received."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ReceivedRequest:
    path: str
    headers: dict[str, str]  # names in lower case
    body: dict[str, Any]
    received_at: float  # time.monotonic()

    @property
    def model(self) -> str:
        return self.body.get("model", "")

    @property
    def is_streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def system_message(self) -> str:
        if isinstance(self.body.get("system"), str):
            return self.body["system"]
        return "\n".join(message["content"] for message in self.body["messages"] if message["role"] == "system")

    @property
    def user_message(self) -> str:
        """Return the last message of the user."""
        return [message["content"] for message in self.body["messages"] if message["role"] == "user"][-1]
