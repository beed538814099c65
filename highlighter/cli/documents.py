"""python -m highlighter documents: what is in the library."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from highlighter.access import get_visible_collections
from highlighter.cli.common import Filters, add_filter_arguments, build_filters, connect_remote, print_usage_error
from highlighter.errors import BadRequest

if TYPE_CHECKING:
    from highlighter.models import Document
    from highlighter.schemas.documents import DocumentOut
    from highlighter.services import Services

SUMMARY = "list what is in the library"
EXAMPLES = """examples:
  python -m highlighter documents
  python -m highlighter documents --collection contracts --state ready
  python -m highlighter documents --tag signed --where year=2024
  python -m highlighter documents --json | jq -r .name"""

# Fields of a document in the API, which documents of the local catalog have, too.
JSON_FIELDS = (
    "collection", "name", "path", "sha256", "kind", "size", "state", "reason", "pages", "chunks", "sentences", "added",
    "version", "current",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_filter_arguments(parser)
    parser.add_argument("--state", action="append", default=[], help="only in this state (repeatable)")
    parser.add_argument("--json", action="store_true", help="one object a line")


def run(services: Services, options: argparse.Namespace) -> int:
    try:
        where = build_filters(options)
    except BadRequest as err:
        return print_usage_error(err.detail)
    has_documents = False
    for id, metadata, document in _iterate_documents(services, where, options.state):
        has_documents = True
        if options.json:
            fields = {
                "document_id": id,
                **{name: getattr(document, name) for name in JSON_FIELDS},
                "metadata": metadata,
            }
            print(json.dumps(fields, ensure_ascii=False))
        else:
            print(f"{id}  {document.state:10} {document.pages:>5} p. {document.sentences:>7} s.  {document.name}")
    if not has_documents and not options.json:
        is_filtered = bool(where or options.state)
        print("No matching documents." if is_filtered else "No documents yet. Add some with python -m ingest PATH...")
    return 0


def _iterate_documents(
    services: Services, where: Filters, states: Sequence[str]
) -> Iterator[tuple[str, dict[str, Any], Document | DocumentOut]]:
    with connect_remote(services) as client:
        if client:
            documents = client.every_document(where=where, state=states, superseded=True)
            yield from ((document.document_id, document.metadata, document) for document in documents)
            return
    from highlighter.metadata import build_where_clause
    from highlighter.store import listing

    document_filter = listing.DocumentFilter(get_visible_collections(), states, where=build_where_clause(where))
    for document in listing.iterate_documents(services.catalog.engine, document_filter):
        yield document.id, document.meta, document
