"""Characters that PostgreSQL cannot store, and SQLite can, are stored as escapes and come back as they were.

A text cannot hold NUL, and a JSON value cannot hold lone surrogates. Both are rare: damaged files, and questions that
programs send. The escape begins with a noncharacter, which Unicode leaves to programs for such use.
"""

from __future__ import annotations

import json
import re
from typing import Any

ESCAPE = "\ufdd0"
_SURROGATE_OFFSET = 0x800  # moves surrogates into the private use area behind them
_UNSTORABLE = re.compile(f"[\0{ESCAPE}\ud800-\udfff]")
_ESCAPED = re.compile(f"{ESCAPE}([01\ue000-\ue7ff])")
_CODE_OF = {"\0": "0", ESCAPE: "1"}
_CHARACTER_OF = {code: character for character, code in _CODE_OF.items()}


def escape_text(text: str) -> str:
    """Return a text that PostgreSQL can store."""
    return _UNSTORABLE.sub(_escape_character, text)


def unescape_text(text: str) -> str:
    """Return the text that was escaped."""
    return _ESCAPED.sub(_unescape_character, text) if ESCAPE in text else text


def dump_json(value: Any) -> str:
    """Return a value as JSON without escapes that PostgreSQL's JSON functions refuse."""
    dumped = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if "\\u0000" not in dumped and not _UNSTORABLE.search(dumped):
        return dumped
    return json.dumps(_map_strings(value, escape_text), ensure_ascii=False)


def load_json(text: str | bytes) -> Any:
    """Return the value of a JSON text that `dump_json` made."""
    decoded = text if isinstance(text, str) else text.decode()
    value = json.loads(decoded)
    return _map_strings(value, unescape_text) if ESCAPE in decoded else value


def register_text_escapes(adapters: Any) -> None:
    """Make a connection of psycopg escape every text that it sends, and unescape every text that it receives."""
    from psycopg.types.string import StrDumper, TextLoader

    class EscapingDumper(StrDumper):
        """Sends a text."""

        def dump(self, obj: str) -> bytes:
            return escape_text(obj).encode()

    class UnescapingLoader(TextLoader):
        """Receives a text."""

        def load(self, data: Any) -> str | bytes:
            return unescape_text(bytes(data).decode())

    adapters.register_dumper(str, EscapingDumper)
    for type_name in ("text", "varchar"):
        adapters.register_loader(type_name, UnescapingLoader)


def _escape_character(match: re.Match[str]) -> str:
    character = match[0]
    return ESCAPE + (_CODE_OF.get(character) or chr(ord(character) + _SURROGATE_OFFSET))


def _unescape_character(match: re.Match[str]) -> str:
    return _CHARACTER_OF.get(match[1]) or chr(ord(match[1]) - _SURROGATE_OFFSET)


def _map_strings(value: Any, change: Any) -> Any:
    """Return a JSON value with each of its strings changed, keys included."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key) if isinstance(key, str) else key: _map_strings(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_map_strings(item, change) for item in value]
    return value
