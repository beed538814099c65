"""The type of columns that hold messages for users."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Dialect, TypeDecorator

from highlighter.locale.user_message import decode_message, encode_message
from highlighter.store.column_types import Text


class MessageColumn(TypeDecorator[str]):
    """A message: as plain text where nothing was inserted, as in earlier releases, otherwise as JSON."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        encoded = encode_message(value)
        return encoded if isinstance(encoded, str) else json.dumps(encoded, ensure_ascii=False)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:
        return decode_message(json.loads(value)) if value and value.startswith('{"text": ') else value
