"""What became of the documents that an answer was given, since it was given."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.access import Visible
from highlighter.generation.keeping import Kept
from highlighter.models import READABLE, Document
from highlighter.store.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Since:
    document_id: str
    sha256: str
    name: str  # as it was called then; its id, once that is gone
    cited: bool
    document: Document | None  # none: it cannot be opened any more
    newer: Document | None = None  # has taken its place


def since(catalog: Catalog, kept: Kept, visible: Visible) -> list[Since]:
    """The cited ones first, each as long as it is there."""
    names = {one.document_id: one.filename for one in kept.answer.sources}
    cited = {one.document_id for one in kept.answer.citations}
    found = []
    for one in kept.record.documents:
        document = catalog.document(one.document_id, visible)
        if document is not None and (document.leaving or document.state not in READABLE):
            document = None
        name = names.get(one.document_id) or f"Document {one.document_id}"
        newer = catalog.newer(document) if document else None
        found.append(Since(one.document_id, one.sha256, name, one.document_id in cited, document, newer))
    return sorted(found, key=lambda one: (not one.cited, one.name))
