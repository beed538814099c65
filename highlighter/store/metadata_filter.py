"""Filters of documents by their id, collection, kind, name or metadata: conditions on rows of `documents`."""

from __future__ import annotations

from sqlalchemy import bindparam, text

from highlighter.metadata import DOCUMENT_ID, WhereClause
from highlighter.store.column_types import Text
from highlighter.store.dialects.document_condition import DocumentCondition
from highlighter.store.schema import documents

# Filter keys that are columns of documents; every other key is looked up in the metadata.
_COLUMNS_BY_KEY = {
    DOCUMENT_ID: documents.c.id,
    "collection": documents.c.collection,
    "kind": documents.c.kind,
    "name": documents.c.name,
}

Condition = DocumentCondition


def build_conditions(where: WhereClause) -> list[Condition]:
    """Return the conditions that a document matches each key of a filter."""
    return [_filter_condition(number, *entry) for number, entry in enumerate(where)]


def _filter_condition(number: int, key: str, values: tuple[str, ...]) -> Condition:
    if key in _COLUMNS_BY_KEY:
        return _COLUMNS_BY_KEY[key].in_(values)
    names = {"key": f"key_{number}", "values": f"values_{number}"}
    return text(_METADATA_CONDITION.format(**names)).bindparams(
        bindparam(names["key"], key), bindparam(names["values"], list(values), Text, expanding=True)
    )


# true, false and null are compared by their JSON names, numbers by their digits.
_JSON_VALUE_AS_TEXT = "CASE WHEN {0}.type IN ('true', 'false', 'null') THEN {0}.type ELSE CAST({0}.value AS TEXT) END"

# The value of a key, or any item of a list. json_each is used instead of a JSON path, so that any text can be a key.
_METADATA_CONDITION = f"""EXISTS (
    SELECT 1 FROM json_each(documents.meta, '$') AS entry WHERE entry.key = :{{key}} AND (
        (entry.type <> 'array' AND {_JSON_VALUE_AS_TEXT.format("entry")} IN :{{values}})
        OR EXISTS (
            SELECT 1 FROM json_each(CASE entry.type WHEN 'array' THEN entry.value ELSE '[]' END, '$') AS item
            WHERE {_JSON_VALUE_AS_TEXT.format("item")} IN :{{values}})))"""
