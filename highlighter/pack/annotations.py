"""The cited words as W3C Web Annotations: by what they say, where they stand, and the bytes they stand in."""

from __future__ import annotations

from typing import Any

from highlighter.citations.anchors import CONTEXTS, Anchor, annotation
from highlighter.generation.keeping import Kept
from highlighter.models import MEDIA_TYPES
from highlighter.pack.report import Note, Report
from highlighter.viewer.links import Links


def annotations(told: Report) -> dict[str, Any]:
    """Links are relative: to wherever the library is served."""
    items = [_item(note, told.kept) for note in told.notes if note.citation.sha256 and note.citation.quote]
    return {"@context": CONTEXTS, "type": "AnnotationPage", "items": items}


def _item(note: Note, kept: Kept) -> dict[str, Any]:
    one, links = note.citation, Links()
    anchor = Anchor(one.quote_start, one.quote_end, one.quote, one.prefix, one.suffix)
    kind = one.filename.rpartition(".")[2].lower()
    made = annotation(
        anchor, links.opening(one.sha256, anchor, one.page), links.original(one.document_id),
        MEDIA_TYPES.get(kind, ""), one.sha256, one.page,
    )  # fmt: skip
    said = {"type": "TextualBody", "value": f"Note {note.number} of answer {kept.answer.id}", "purpose": "commenting"}
    return {**made, "body": said}
