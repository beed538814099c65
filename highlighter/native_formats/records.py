"""Read fields of untrusted JSON: of the wanted type or empty, by their names in snake_case or camelCase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from highlighter.errors import TooLarge

Record = Mapping[str, Any]
_UNDERSCORE = re.compile(r"_([a-z])")
NO_RECORD: Record = {}
MAX_ENTRIES = 10_000  # of one list: parts, annotations, results, sources


def get_value(record: Record, *names: str) -> Any:
    """Return the first of these fields that is there, under its name or the same in camelCase."""
    for name in names:
        for key in (name, _UNDERSCORE.sub(lambda match: match[1].upper(), name)):
            if record.get(key) is not None:
                return record[key]
    return None


def get_record(record: Record, *names: str) -> Record:
    value = get_value(record, *names)
    return value if isinstance(value, Mapping) else NO_RECORD


def get_text(record: Record, *names: str) -> str:
    value = get_value(record, *names)
    return value if isinstance(value, str) else ""


def get_number(record: Record, *names: str) -> int | None:
    """Return a whole number that is not negative; the vendors' JSON writes some as strings."""
    value = get_value(record, *names)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12:
        return int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def get_list(record: Record, *names: str) -> list[Any]:
    """Return a list; raise TooLarge where it is longer than any response needs."""
    value = get_value(record, *names)
    if isinstance(value, list) and len(value) > MAX_ENTRIES:
        raise TooLarge(f"A list of the response has {len(value):,} entries; the limit is {MAX_ENTRIES:,}.")
    return value if isinstance(value, list) else []


def get_records(record: Record, *names: str) -> list[Record]:
    return only_records(get_list(record, *names))


def only_records(values: Iterable[Any]) -> list[Record]:
    return [value for value in values if isinstance(value, Mapping)]


def get_numbers(record: Record, *names: str) -> list[int]:
    return [number for value in get_list(record, *names) if (number := get_number({"n": value}, "n")) is not None]


def join_texts(content: Any) -> str:
    """Return a content as text: a text itself, or the texts of its blocks, joined."""
    return "".join(iterate_texts(content))


def iterate_texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for block in content:
            yield block if isinstance(block, str) else get_text(block, "text") if isinstance(block, Mapping) else ""
