"""Filters of documents by their id, collection, kind, name or metadata: conditions on rows of `documents`."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, TableValuedAlias, case, cast, column, func, or_, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

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
    return [_filter_condition(*entry) for entry in where]


class ReadableMetadata(ColumnElement[Any]):
    """The metadata of a document; none where it holds NaN or Infinity, on which SQLite's functions fail for every row."""

    inherit_cache = True
    type = documents.c.meta.type


@compiles(ReadableMetadata)
def _compile_metadata(_element: ReadableMetadata, _compiler: SQLCompiler, **_options: Any) -> str:
    return "documents.meta"  # PostgreSQL refuses to store what it cannot read


@compiles(ReadableMetadata, "sqlite")
def _compile_checked_metadata(_element: ReadableMetadata, _compiler: SQLCompiler, **_options: Any) -> str:
    return "CASE WHEN json_valid(documents.meta) THEN documents.meta ELSE '{}' END"


def _filter_condition(key: str, values: tuple[str, ...]) -> Condition:
    if key in _COLUMNS_BY_KEY:
        return _COLUMNS_BY_KEY[key].in_(values)
    # json_each is used instead of a JSON path, so that any text can be a key.
    entry = _list_entries(ReadableMetadata(), "entry")
    item = _list_entries(case((entry.c.type == "array", entry.c.value), else_="[]"), "item")
    has_item = select(1).select_from(item).where(_value_as_text(item).in_(values)).correlate(entry).exists()
    has_value = (entry.c.type != "array") & _value_as_text(entry).in_(values)
    return select(1).select_from(entry).where(entry.c.key == key, or_(has_value, has_item)).exists()


def _list_entries(json: ColumnElement[Any], name: str) -> TableValuedAlias:
    """Return the rows of an object or list: key, value and type of each entry."""
    return func.json_each(json, "$").table_valued(column("key", Text), column("value", Text), "type", name=name)


def _value_as_text(entry: TableValuedAlias) -> ColumnElement[str]:
    """Return true, false and null by their JSON names, and numbers by their digits."""
    is_named = entry.c.type.in_(("true", "false", "null"))
    return case((is_named, entry.c.type), else_=cast(entry.c.value, Text))
