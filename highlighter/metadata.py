"""The metadata of documents: its tags and limits, and filters by it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from highlighter.errors import BadRequest
from highlighter.locale import N_

DOCUMENT_ID = "document_id"  # as a key of a filter
TAGS = "tags"  # the key of a list of words that readers give to documents
DOC_URL = "doc_url"  # the key of the address where the original is elsewhere, which others show as a link
MAX_TAG_CHARACTERS = 60
MAX_TAGS = 30  # of one document
MAX_METADATA_KEYS = 50
MAX_METADATA_CHARACTERS = 20_000  # of one document, tags included

_WEB_ADDRESS = re.compile("https?://", re.IGNORECASE)

WhereClause = tuple[tuple[str, tuple[str, ...]], ...]  # (key, values): any of the values, for every key


def read_tags(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tags among the metadata of a document, however a caller stored them."""
    tags = metadata.get(TAGS) or ()
    return tuple(map(str, tags)) if isinstance(tags, list | tuple) else (str(tags),)


def parse_tags(text: str) -> list[str]:
    """Return the tags of a text, which commas separate; raise BadRequest where one is too long."""
    tags = list(dict.fromkeys(filter(None, (" ".join(tag.split()) for tag in text.replace("，", ",").split(",")))))
    _check_tag_lengths(tags)
    return tags


def parse_details(text: str) -> dict[str, str]:
    """Return the fields of metadata that a text holds, "Name: value" on each line; raise BadRequest for another line."""
    details = {}
    for line in filter(str.strip, text.replace("：", ":").splitlines()):
        key, separator, value = (part.strip() for part in line.partition(":"))
        if not (key and separator and value):
            raise BadRequest(
                N_("“{line}” has no name or no value. Write each detail as Name: value.", line=line.strip())
            )
        details[key] = value
    return details


def merge_metadata(stored: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata with what a file brings along when it is sent again: other values replace, tags are added."""
    merged = {**stored, **added}
    if TAGS in stored and TAGS in added:
        merged[TAGS] = list(dict.fromkeys((*read_tags(stored), *read_tags(added))))
    return merged


def remove_non_finite_numbers(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata without NaN and Infinity, which earlier releases stored: JSON has neither, and SQLite cannot read them."""
    return {key: _remove_non_finite_items(value) for key, value in metadata.items() if _is_finite(value)}


def check_metadata_values(metadata: Mapping[str, Any]) -> None:
    """Raise BadRequest for a value that no document can have. Values of earlier releases are not checked again."""
    for key, value in metadata.items():
        if remove_non_finite_numbers({key: value}) != {key: value}:
            raise BadRequest(N_("{key} of the metadata is not a finite number.", key=key))
    tags, doc_url = metadata.get(TAGS), metadata.get(DOC_URL)
    if not isinstance(tags, list | tuple | None):
        raise BadRequest(N_("The tags must be a list of words."))
    _check_tag_lengths(read_tags(metadata))
    if doc_url and not _WEB_ADDRESS.match(str(doc_url)):
        raise BadRequest(N_("doc_url must begin with https:// or http://."))


def check_metadata(metadata: Mapping[str, Any]) -> None:
    """Raise BadRequest where a document would have more metadata than can be shown and searched."""
    if len(read_tags(metadata)) > MAX_TAGS:
        raise BadRequest(N_("A document can have at most {limit} tags.", limit=MAX_TAGS))
    characters = sum(len(str(part)) for entry in metadata.items() for part in entry)
    if len(metadata) > MAX_METADATA_KEYS or characters > MAX_METADATA_CHARACTERS:
        raise BadRequest(
            N_(
                "A document can have at most {keys} fields of metadata with {characters:,} characters.",
                keys=MAX_METADATA_KEYS,
                characters=MAX_METADATA_CHARACTERS,
            )
        )


def build_where_clause(filters: Mapping[str, Any] | None) -> WhereClause:
    """Return filters, each a value or a list of values by key, as text: 2024 finds "2024"."""
    return tuple((_to_text(key), _to_texts(value)) for key, value in (filters or {}).items())


def parse_filters(entries: Iterable[str]) -> dict[str, list[str]]:
    """Return filters written as KEY=VALUE; a key that is given twice finds either value. Raise BadRequest for another form."""
    filters: dict[str, list[str]] = {}
    for entry in entries:
        key, separator, value = entry.partition("=")
        if not key or not separator:
            raise BadRequest(N_("The filter {entry!r} has no value: write KEY=VALUE.", entry=entry))
        filters.setdefault(key, []).append(value)
    return filters


def _remove_non_finite_items(value: Any) -> Any:
    if isinstance(value, dict):
        return remove_non_finite_numbers(value)
    if isinstance(value, list | tuple):
        return type(value)(_remove_non_finite_items(item) for item in value if _is_finite(item))
    return value


def _check_tag_lengths(tags: Iterable[str]) -> None:
    if too_long := [tag for tag in tags if len(tag) > MAX_TAG_CHARACTERS]:
        raise BadRequest(
            N_("The tag {tag} is longer than {limit} characters.", tag=too_long[0][:100], limit=MAX_TAG_CHARACTERS)
        )


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)


def _to_texts(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list | tuple | set | frozenset) else [value]
    return tuple(_to_text(item) for item in values)


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A lone surrogate can neither be sent to SQLite nor be stored in it.
    return "null" if value is None else str(value).encode("utf-8", "backslashreplace").decode("utf-8")
