"""Notes as W3C Web Annotations (JSON-LD), for other tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from highlighter.models import MEDIA_TYPES
from highlighter.notes.placement import PlacedNote, make_anchor
from highlighter.quotes.anchors import GONE, JSON_LD_CONTEXTS, Anchor, build_annotation
from highlighter.urls import Links

# The terms that the standard has no words for.
_OWN_TERMS = {
    name: f"urn:highlighter:{name}"
    for name in ("note_id", "document_id", "shared", "own", "outcome", "chunk_index", "view", "next_cursor")
}
NOTE_CONTEXTS = [*JSON_LD_CONTEXTS, _OWN_TERMS]


@dataclass(frozen=True, slots=True)
class AnnotationReader:
    """The owner for whom notes are written, and the whole URLs that the annotations name."""

    owner: str
    links: Links


def build_note_annotation(placed: PlacedNote, reader: AnnotationReader) -> dict[str, Any]:
    """Return a note as an annotation of the document that it is placed on.

    A lost note has the selectors of the version that it was made on.
    """
    note, document, links = placed.note, placed.document, reader.links
    is_lost = placed.outcome == GONE
    anchor = make_anchor(note) if is_lost else Anchor(placed.start, placed.end, placed.text, note.prefix, note.suffix)
    annotation = build_annotation(
        anchor,
        link=links.note_json(note.id),
        source=links.original(document.id),
        media_type=MEDIA_TYPES.get(document.kind, ""),
        sha256=document.sha256,
        page=note.page if is_lost else placed.page,
    )
    target = annotation["target"] | {"styleClass": note.colour}
    body = [{"type": "TextualBody", "value": note.text, "format": "text/plain", "purpose": "commenting"}]
    creator = {"creator": {"type": "Person", "name": note.author}} if note.author else {}
    return annotation | creator | {
        "@context": NOTE_CONTEXTS, "motivation": "commenting" if note.text else "highlighting",
        "created": note.created, "modified": note.modified, "body": body if note.text else [], "target": target,
        "note_id": note.id, "document_id": document.id, "shared": note.shared, "own": note.owner == reader.owner,
        "outcome": placed.outcome, "chunk_index": placed.chunk, "view": links.note_view(placed.link_target, note.id),
    }  # fmt: skip


def build_annotation_page(notes: Sequence[PlacedNote], reader: AnnotationReader, total: int) -> dict[str, Any]:
    """Return notes as one page of annotations; the context is stated once."""
    items = [build_note_annotation(placed, reader) for placed in notes]
    for item in items:
        del item["@context"]
    return {"@context": NOTE_CONTEXTS, "type": "AnnotationPage", "total": total, "items": items}
