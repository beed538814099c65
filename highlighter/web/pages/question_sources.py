"""The documents and tags that a question is limited to, as the ask page shows them: each can be left out."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from highlighter.access import get_visible_collections
from highlighter.locale import N_
from highlighter.models import READABLE, UNFINISHED
from highlighter.store.catalog import Catalog

DOCUMENT_FIELD, TAG_FIELD, COLLECTION_FIELD = "doc", "tag", "collection"  # of forms and URLs
SourceQuery = tuple[tuple[str, str], ...]  # fields of a URL


@dataclass(frozen=True, slots=True)
class QuestionSource:
    """A document or a tag that a question is limited to."""

    field: str
    value: str
    name: str
    note: str  # why a document cannot answer; "" for one that can
    query_without: str  # of the URL that leaves it out


def list_question_sources(catalog: Catalog, query: SourceQuery) -> list[QuestionSource]:
    """Return the chosen documents and tags of a URL, documents by their current versions."""
    current = tuple(_replace_superseded(catalog, *item) for item in query)
    return [
        _describe_source(catalog, field, value, urlencode([item for item in current if item != (field, value)]))
        for field, value in dict.fromkeys(current)
        if field != COLLECTION_FIELD
    ]


def _replace_superseded(catalog: Catalog, field: str, value: str) -> tuple[str, str]:
    """Return the current version of a chosen document: searches find no other."""
    document = catalog.document(value, get_visible_collections()) if field == DOCUMENT_FIELD else None
    newer = catalog.superseding_document(document) if document else None
    return field, newer.id if newer else value


def _describe_source(catalog: Catalog, field: str, value: str, query_without: str) -> QuestionSource:
    if field == TAG_FIELD:
        return QuestionSource(field, value, value, "", query_without)
    document = catalog.document(value, get_visible_collections())
    if document is None or document.deletion_time:
        return QuestionSource(field, value, N_("Deleted document"), "", query_without)
    note = (
        N_("processing") if document.state in UNFINISHED else "" if document.state in READABLE else N_("not readable")
    )
    return QuestionSource(field, value, document.name, note, query_without)
