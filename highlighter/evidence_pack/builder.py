"""The builder of evidence packs: the answer as HTML, Markdown and Word, its documents highlighted, and the proof."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO

from sqlalchemy import Table

from highlighter.access import VisibleCollections
from highlighter.answering.records import AnswerStore, StoredAnswer, source_part_name
from highlighter.evidence_pack.document_files import PackFile, PackFileBuilder
from highlighter.evidence_pack.renderers import build_annotations, render_html, render_markdown
from highlighter.evidence_pack.report import Report, build_report, sort_citations
from highlighter.evidence_pack.word_document import render_word
from highlighter.evidence_pack.zip_archive import ReproducibleZip
from highlighter.notes.note_source import NoteSource
from highlighter.store.audit_log import export_head
from highlighter.store.schema import answer_documents, answer_parts

MANIFEST_FILE_NAME = "manifest.json"


class EvidencePackBuilder:
    """A builder of packs; the key signs the head of the audit, which stays unsigned without a key."""

    def __init__(self, answer_store: AnswerStore, pack_files: PackFileBuilder, read_audit_key: Callable[[], str] = str):
        self.answer_store, self.pack_files, self._read_audit_key = answer_store, pack_files, read_audit_key

    def write(
        self, answer_id: str, visible: VisibleCollections, out: BinaryIO, notes: NoteSource | None = None
    ) -> None:
        """Write the pack of an answer; with `notes`, including a reader's notes on the cited documents.

        The same answer about the same documents, with the same notes, always gives the same bytes.
        """
        stored_answer = sort_citations(self.answer_store.load(answer_id, visible))
        pack_files = list(self.pack_files.build_files(stored_answer, visible, notes))
        files = {
            source_index: pack_file.document.file
            for pack_file in pack_files
            for source_index in pack_file.source_indexes
        }
        report = build_report(stored_answer, [pack_file.document for pack_file in pack_files], files)
        head = export_head(stored_answer.head, self._read_audit_key())
        contents = {
            "answer.html": render_html(report).encode("utf-8", "replace"),
            "answer.md": render_markdown(report).encode("utf-8", "replace"),
            "answer.docx": render_word(report),
            "annotations.json": _dump_json(build_annotations(report)),
            "head.json": _dump_json(head),
            "record.json": _dump_json(_build_record(stored_answer)),
            **(notes.build_files([file.document_id for file in pack_files]) if notes else {}),
            **{pack_file.document.file: pack_file.content for pack_file in pack_files if pack_file.content is not None},
        }
        archive = ReproducibleZip(out)
        for name in sorted(contents):
            archive.add(name, contents[name])
        archive.add(MANIFEST_FILE_NAME, _dump_json(_build_manifest(report, pack_files, head, archive)))
        archive.close()


def _build_manifest(
    report: Report, pack_files: list[PackFile], head: dict[str, Any], archive: ReproducibleZip
) -> dict[str, Any]:
    answer = report.answer
    cited = {pack_file.document_id: pack_file.document for pack_file in pack_files}
    documents = [
        {
            "document_id": document.document_id, "sha256": document.sha256, "cited": document.document_id in cited,
            "file": (cited_document.file or None) if (cited_document := cited.get(document.document_id)) else None,
            "note": (cited_document.why or None) if cited_document else None,
        }
        for document in report.stored_answer.record.documents
    ]  # fmt: skip
    return {
        "answer_id": answer.id, "asked_at": answer.asked_at, "model_used": answer.model_used,
        "prompt_version": answer.prompt_version, "redacted": not report.stored_answer.is_complete, "files": archive.files,
        "documents": documents, "head": head,
    }  # fmt: skip


def _build_record(stored_answer: StoredAnswer) -> dict[str, Any]:
    """Return everything that the hash of the answer's audit row is computed from, so that anyone can recompute it.

    Passages that were considered but not cited may be confidential; of those, the pack holds only the digests.
    """
    record = stored_answer.record
    cited_parts = {source_part_name(citation.source) for citation in stored_answer.answer.citations}
    source_parts = {source_part_name(index) for index in range(len(stored_answer.answer.sources))}
    parts = (part.redact() if part.name in source_parts - cited_parts else part for part in record.parts)
    return {
        "row": dict(stored_answer.audit_row),
        "facts": record.facts,
        "documents": [_name_as_stored(answer_documents, document._asdict()) for document in record.documents],
        "parts": [_name_as_stored(answer_parts, part._asdict()) for part in parts],
    }


def _name_as_stored(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row by the names of its columns in the database, which packs have always had."""
    return {table.c[key].name: value for key, value in values.items()}


def _dump_json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text.encode("utf-8", "backslashreplace") + b"\n"
