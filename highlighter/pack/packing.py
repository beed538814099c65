"""An answer as a pack that stands by itself: the answer three times over, its documents lit, and the proof of it all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, BinaryIO

from highlighter.access import Visible
from highlighter.generation.keeping import Keeping, Kept, of_source
from highlighter.pack.annotations import annotations
from highlighter.pack.archive import Archive
from highlighter.pack.markdown import as_markdown
from highlighter.pack.page import as_page
from highlighter.pack.papers import Papers, Sheet
from highlighter.pack.report import Report, in_text_order, report
from highlighter.pack.word import as_word
from highlighter.store.chain import exported

MANIFEST = "manifest.json"


class Packing:
    """`key` signs the head; whoever has none gets it unsigned."""

    def __init__(self, keeping: Keeping, papers: Papers, key: Callable[[], str] = str):
        self.keeping, self.papers, self._key = keeping, papers, key

    def write(self, answer_id: str, visible: Visible, out: BinaryIO) -> None:
        """The same answer of the same documents gives the same bytes, whenever and wherever."""
        kept = in_text_order(self.keeping.open(answer_id, visible))
        sheets = list(self.papers.sheets(kept, visible))
        files = {at: sheet.given.file for sheet in sheets for at in sheet.sources}
        told = report(kept, [sheet.given for sheet in sheets], files)
        head = exported(kept.head, self._key())
        contents = {
            "answer.html": as_page(told).encode("utf-8", "replace"),
            "answer.md": as_markdown(told).encode("utf-8", "replace"),
            "answer.docx": as_word(told),
            "annotations.json": _json(annotations(told)),
            "head.json": _json(head),
            "record.json": _json(_record(kept)),
            **{sheet.given.file: sheet.content for sheet in sheets if sheet.content is not None},
        }
        archive = Archive(out)
        for name in sorted(contents):
            archive.add(name, contents[name])
        archive.add(MANIFEST, _json(_manifest(told, sheets, head, archive)))
        archive.close()


def _manifest(told: Report, sheets: list[Sheet], head: dict[str, Any], archive: Archive) -> dict[str, Any]:
    answer = told.answer
    cited = {sheet.document_id: sheet.given for sheet in sheets}
    documents = [
        {
            "document_id": one.document_id, "sha256": one.sha256, "cited": one.document_id in cited,
            "file": (given.file or None) if (given := cited.get(one.document_id)) else None,
            "note": (given.why or None) if given else None,
        }
        for one in told.kept.record.documents
    ]  # fmt: skip
    return {
        "answer_id": answer.id, "asked_at": answer.asked_at, "model_used": answer.model_used,
        "prompt_version": answer.prompt_version, "redacted": not told.kept.whole, "files": archive.files,
        "documents": documents, "head": head,
    }  # fmt: skip


def _record(kept: Kept) -> dict[str, Any]:
    """All that the hash of its row is made of: who has this can make it again, words or no words.

    Passages that were read and not cited may be anybody's; of those, the pack has the digests alone.
    """
    record, cited = kept.record, {of_source(one.source) for one in kept.answer.citations}
    of_sources = {of_source(at) for at in range(len(kept.answer.sources))}
    parts = (part.blank() if part.name in of_sources - cited else part for part in record.parts)
    return {
        "row": dict(kept.row), "facts": record.facts, "documents": [one._asdict() for one in record.documents],
        "parts": [part._asdict() for part in parts],
    }  # fmt: skip


def _json(value: Any) -> bytes:
    written = json.dumps(value, ensure_ascii=False, indent=2)
    return written.encode("utf-8", "backslashreplace") + b"\n"
