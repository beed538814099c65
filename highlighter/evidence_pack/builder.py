"""An answer as a pack that stands by itself: the answer three times over, its documents lit, and the proof of it all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, BinaryIO

from highlighter.access import VisibleCollections
from highlighter.answering.records import AnswerStore, StoredAnswer, source_part_name
from highlighter.evidence_pack.document_files import PackFile, PackFileBuilder
from highlighter.evidence_pack.renderers import build_annotations, render_html, render_markdown
from highlighter.evidence_pack.report import Report, build_report, sort_citations
from highlighter.evidence_pack.word_document import render_word
from highlighter.evidence_pack.zip_archive import ReproducibleZip
from highlighter.store.audit_log import export_head

MANIFEST_FILE_NAME = "manifest.json"


class EvidencePackBuilder:
    """`key` signs the head; whoever has none gets it unsigned."""

    def __init__(self, answer_store: AnswerStore, pack_files: PackFileBuilder, read_audit_key: Callable[[], str] = str):
        self.answer_store, self.pack_files, self._read_audit_key = answer_store, pack_files, read_audit_key

    def write(self, answer_id: str, visible: VisibleCollections, out: BinaryIO) -> None:
        """The same answer of the same documents gives the same bytes, whenever and wherever."""
        kept = sort_citations(self.answer_store.load(answer_id, visible))
        sheets = list(self.pack_files.build_files(kept, visible))
        files = {at: sheet.document.file for sheet in sheets for at in sheet.source_indexes}
        told = build_report(kept, [sheet.document for sheet in sheets], files)
        head = export_head(kept.head, self._read_audit_key())
        contents = {
            "answer.html": render_html(told).encode("utf-8", "replace"),
            "answer.md": render_markdown(told).encode("utf-8", "replace"),
            "answer.docx": render_word(told),
            "annotations.json": _dump_json(build_annotations(told)),
            "head.json": _dump_json(head),
            "record.json": _dump_json(_build_record(kept)),
            **{sheet.document.file: sheet.content for sheet in sheets if sheet.content is not None},
        }
        archive = ReproducibleZip(out)
        for name in sorted(contents):
            archive.add(name, contents[name])
        archive.add(MANIFEST_FILE_NAME, _dump_json(_build_manifest(told, sheets, head, archive)))
        archive.close()


def _build_manifest(
    report: Report, pack_files: list[PackFile], head: dict[str, Any], archive: ReproducibleZip
) -> dict[str, Any]:
    answer = report.answer
    cited = {sheet.document_id: sheet.document for sheet in pack_files}
    documents = [
        {
            "document_id": one.document_id, "sha256": one.sha256, "cited": one.document_id in cited,
            "file": (given.file or None) if (given := cited.get(one.document_id)) else None,
            "note": (given.why or None) if given else None,
        }
        for one in report.kept.record.documents
    ]  # fmt: skip
    return {
        "answer_id": answer.id, "asked_at": answer.asked_at, "model_used": answer.model_used,
        "prompt_version": answer.prompt_version, "redacted": not report.kept.is_complete, "files": archive.files,
        "documents": documents, "head": head,
    }  # fmt: skip


def _build_record(stored_answer: StoredAnswer) -> dict[str, Any]:
    """All that the hash of its row is made of: who has this can make it again, words or no words.

    Passages that were read and not cited may be anybody's; of those, the pack has the digests alone.
    """
    record, cited = stored_answer.record, {source_part_name(one.source) for one in stored_answer.answer.citations}
    of_sources = {source_part_name(at) for at in range(len(stored_answer.answer.sources))}
    parts = (part.without_words() if part.name in of_sources - cited else part for part in record.parts)
    return {
        "row": dict(stored_answer.audit_row), "facts": record.facts, "documents": [one._asdict() for one in record.documents],
        "parts": [part._asdict() for part in parts],
    }  # fmt: skip


def _dump_json(value: Any) -> bytes:
    written = json.dumps(value, ensure_ascii=False, indent=2)
    return written.encode("utf-8", "backslashreplace") + b"\n"
