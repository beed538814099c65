"""Messages for users as values: what was said is stored and passed on, and put into a language where it is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any

MessageValue = str | int | float  # a UserMessage among them is translated, too


# A format string can reach from a value to everything in the program ("{name.__class__}"), and an id may come from a
# child process: it shows values, and nothing of them.
_FIELD = re.compile(r"\{\w+(!r)?(:(,|g|\.\d[fg]))?\}")


class UserMessage(str):
    """A message in English that has not lost its id and its values.

    The id is the English sentence with named placeholders, as the catalogues have it: "{name} has no page {page}."
    """

    id: str
    values: dict[str, MessageValue]

    def __new__(cls, id: str, values: Mapping[str, Any] | None = None) -> UserMessage:
        values = {name: _as_plain_value(value) for name, value in (values or {}).items()}
        if values and set("{}") & set(_FIELD.sub("", id)):
            raise ValueError("field")
        message = super().__new__(cls, id.format_map(values) if values else id)
        message.id, message.values = id, values
        return message

    # For pickle and copies: child processes send messages to their parent, where the constructor checks them.
    def __reduce__(self) -> tuple[type[UserMessage], tuple[str, dict[str, MessageValue]]]:
        return UserMessage, (self.id, self.values)

    def __setstate__(self, state: object) -> None:
        raise TypeError


def _as_plain_value(value: Any) -> MessageValue:
    """Return a value as JSON has it, numbers of NumPy among them."""
    if isinstance(value, str):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else str(value)


class JoinedMessages(str):
    """Messages one after the other, with a space between them."""

    parts: tuple[str, ...]

    def __new__(cls, parts: Iterable[str]) -> JoinedMessages:
        parts = tuple(parts)
        joined = super().__new__(cls, " ".join(parts))
        joined.parts = parts
        return joined

    def __reduce__(self) -> tuple[type[JoinedMessages], tuple[tuple[str, ...]]]:
        return JoinedMessages, (self.parts,)

    def __setstate__(self, state: object) -> None:
        raise TypeError


def join_messages(messages: Iterable[str]) -> str:
    """Join messages and other sentences to one message, without those that are empty."""
    parts = [
        part for message in messages for part in (message.parts if isinstance(message, JoinedMessages) else [message])
    ]
    parts = [part for part in parts if part]
    return JoinedMessages(parts) if len(parts) > 1 else "".join(parts) if not parts else parts[0]


def list_messages(message: str) -> list[dict[str, Any]]:
    """Return the id and the values of each message of a text; none for a text that is no message."""
    if isinstance(message, JoinedMessages):
        return [item for part in message.parts for item in list_messages(part)]
    return [{"id": message.id, "values": message.values}] if isinstance(message, UserMessage) else []


def encode_message(message: str) -> Any:
    """Return a message as JSON: a text where nothing was inserted, otherwise an object with id and values, or with parts.

    The objects also hold the English `text`, for people who read what is stored.
    """
    has_values = isinstance(message, JoinedMessages) or (isinstance(message, UserMessage) and message.values)
    return _encode(message) if has_values else str(message)


def _encode(value: MessageValue) -> Any:
    if isinstance(value, JoinedMessages):
        return {"text": str(value), "parts": [_encode(part) for part in value.parts]}
    if isinstance(value, UserMessage):
        return {
            "text": str(value),
            "id": value.id,
            "values": {name: _encode(item) for name, item in value.values.items()},
        }
    return value


def decode_message(value: Any) -> str:
    """Return the message of its JSON. A text stays one: earlier releases stored whole sentences."""
    match value:
        case {"id": str(id), "values": dict(values)}:
            return UserMessage(
                id, {name: decode_message(item) if isinstance(item, dict) else item for name, item in values.items()}
            )
        case {"parts": list(parts)}:
            return JoinedMessages(map(decode_message, parts))
    return str(value)
