"""python -m highlighter documents: what is in the library."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote

if TYPE_CHECKING:
    from highlighter.models import Document
    from highlighter.schemas.documents import DocumentOut
    from highlighter.services import Services

SUMMARY = "list what is in the library"
EXAMPLES = """examples:
  python -m highlighter documents
  python -m highlighter documents --collection contracts --state ready
  python -m highlighter documents --json | jq -r .name"""

# Fields of a document in the API, which documents of the local catalog have, too.
JSON_FIELDS = (
    "collection", "name", "path", "sha256", "kind", "size", "state", "reason", "pages", "chunks", "sentences", "added",
    "version", "current",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--collection", help="only this one")
    parser.add_argument("--state", action="append", default=[], help="only in this state (repeatable)")
    parser.add_argument("--json", action="store_true", help="one object a line")


def run(services: Services, options: argparse.Namespace) -> int:
    has_documents = False
    for id, metadata, document in _iterate_documents(services, options):
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
        print("No documents yet. Add some with python -m ingest PATH...")
    return 0


def _iterate_documents(
    services: Services, options: argparse.Namespace
) -> Iterator[tuple[str, dict[str, Any], Document | DocumentOut]]:
    with connect_remote(services) as client:
        if client:
            documents = client.every_document(collection=options.collection or "", state=options.state, superseded=True)
            yield from ((document.document_id, document.metadata, document) for document in documents)
            return
    from highlighter.store import listing

    visible = get_visible_collections()
    if options.collection:
        visible = visible.restrict_to(options.collection)
    document_filter = listing.DocumentFilter(visible, options.state)
    for document in listing.iterate_documents(services.catalog.engine, document_filter):
        yield document.id, document.meta, document
