"""Diagnose the stored data and repair what can be repaired: the work of `doctor`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from highlighter.access_mode import describe_access_mode
from highlighter.models import FAILED, PIPELINE_VERSION, QUARANTINED, QUEUED, READABLE, TIMED_OUT, UNFINISHED, Document
from highlighter.operating_system import IS_LINUX
from highlighter.services import Services
from highlighter.store import digests, listing
from highlighter.store.audit_verification import verify_audit
from highlighter.store.catalog_statistics import (
    CatalogStatistics,
    collect_statistics,
    delete_unused_vectors,
    list_documents_without_vectors,
)
from highlighter.store.content_verification import FILES, ORIGINAL
from highlighter.store.database import write_transaction
from highlighter.store.deletion import find_orphans, has_orphans_of_another_catalog
from highlighter.store.dialects import get_dialect
from highlighter.store.digests import CONTENTS, OUTCOME
from highlighter.store.document_metadata import list_unreadable_metadata, repair_metadata
from highlighter.store.index import IndexState
from highlighter.store.storage_errors import IndexUnavailable
from highlighter.tesseract import describe_engine, explain_unavailability, is_available, list_languages
from highlighter.workers.network_refusal import is_network_refused


@dataclass(slots=True)
class IntegrityComparison:
    """The ids of documents that differ from what the audit recorded, by what is altered."""

    names: dict[str, str]
    originals: set[str] = field(default_factory=set)
    generated_files: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)  # what was read from the original
    other_count: int = 0  # discrepancies that only a backup can repair
    altered: set[str] = field(default_factory=set)  # any of these
    uncovered: list[str] = field(default_factory=list)  # never recorded by the audit
    uncovered_feedback: int = 0

    def sorted_names(self, ids: set[str]) -> list[str]:
        return sorted(self.names.get(id, id) for id in ids)


def compare_with_audit(services: Services) -> IntegrityComparison:
    """Compare documents, files and feedback with what the audit recorded."""
    engine = services.catalog.engine
    comparison = IntegrityComparison(
        {document.id: document.name for document in listing.iterate_documents(engine, listing.DocumentFilter())}
    )
    with engine.connect() as connection:
        report = verify_audit(connection, files=services.files)
    ids_by_group = {
        ORIGINAL: comparison.originals,
        FILES: comparison.generated_files,
        CONTENTS: comparison.contents,
        OUTCOME: comparison.contents,
    }
    for discrepancy in report.discrepancies:
        comparison.altered.add(discrepancy.document_id)
        if discrepancy.group in ids_by_group:
            ids_by_group[discrepancy.group].add(discrepancy.document_id)
        else:
            comparison.other_count += 1
    comparison.uncovered = report.coverage.uncovered
    comparison.uncovered_feedback = report.coverage.uncovered_feedback
    return comparison


def record_uncovered(services: Services) -> list[str]:
    """Add digests of what an earlier release stored to the audit, except of altered documents.

    Return one sentence for each kind of addition.
    """
    comparison = compare_with_audit(services)
    names: list[str] = []
    verdicts = 0
    for id in comparison.uncovered:
        with write_transaction(services.catalog.engine) as connection:
            recorded = id not in comparison.altered and digests.record_uncovered_document(
                connection, id, services.files
            )
        names += [comparison.names.get(id, id)] if recorded else []
    if comparison.uncovered_feedback:
        with write_transaction(services.catalog.engine) as connection:
            verdicts = digests.record_uncovered_feedback(connection)
    sentences = []
    if names:
        sentences.append(
            f"recorded   {len(names):,} of the documents stored by an earlier release, as they are now: a change before this cannot be told, "
            "a change from now on can"
        )
    if verdicts:
        sentences.append(
            f"recorded   {verdicts:,} of the verdicts given before verdicts were recorded, as they are now"
        )
    return sentences


@dataclass(frozen=True, slots=True)
class DiagnosticReport:
    """The state of the stored data. The field names are keys of the JSON that `doctor` writes.

    `ill` holds the problems, each a sentence that says what helps; `notes` holds what is worth knowing but no problem.
    """

    census: CatalogStatistics
    orphans: int  # files without a row
    originals_missing: list[str]  # names of documents without their original
    made_missing: list[str]  # names of documents without their typeset pages or chunk PDFs
    originals_altered: list[str]  # names of documents whose originals are not the bytes that were uploaded
    made_altered: list[str]  # names of documents whose generated PDFs were altered
    contents_altered: list[str]  # names of documents whose texts, chunks or sentences were altered
    storage: str  # the address of the files; empty: the data folder
    database: str  # where the catalog is, without a password
    index: IndexState
    access: str  # whether requests need a key, and why
    recognition: str  # whether the text of scans is recognised, and in which languages
    readers: str  # whether the system refuses the network to the processes that read files
    problems: list[str]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class _Findings:
    """What was found in the stored data and in the services that it needs: problems and notes are written from this."""

    statistics: CatalogStatistics
    comparison: IntegrityComparison
    orphan_count: int
    has_foreign_orphans: bool  # another catalog's
    without_original: dict[str, str]  # the names of documents by their ids
    without_generated_files: dict[str, str]
    without_recognition_count: int  # scans, where they could be recognised
    earlier_count: int  # processed by an earlier version
    unreadable_metadata_count: int  # documents whose metadata holds NaN or Infinity
    index: IndexState
    index_problems: list[str]
    cluster_problem: str
    recognition_problem: str

    @property
    def altered_originals(self) -> set[str]:
        return self.comparison.originals - self.without_original.keys()

    @property
    def altered_files(self) -> set[str]:
        return self.comparison.generated_files - self.without_generated_files.keys()

    @property
    def no_server_runs(self) -> bool:
        return self.index.owner == 0

    @property
    def unfinished_count(self) -> int:
        return self.count_documents(UNFINISHED)

    def count_documents(self, states: Iterable[str]) -> int:
        return sum(self.statistics.states.get(state, 0) for state in states)


def run_diagnostics(services: Services) -> DiagnosticReport:
    """Return what is stored, what is wrong with it, and what helps."""
    findings = _collect_findings(services)
    sorted_names = findings.comparison.sorted_names
    return DiagnosticReport(
        census=findings.statistics,
        orphans=findings.orphan_count,
        originals_missing=[*findings.without_original.values()],
        made_missing=[*findings.without_generated_files.values()],
        originals_altered=sorted_names(findings.altered_originals),
        made_altered=sorted_names(findings.altered_files),
        contents_altered=sorted_names(findings.comparison.contents),
        storage=services.files.address,
        database=get_dialect(services.catalog.engine).describe(services.catalog.engine),
        index=findings.index,
        access=describe_access_mode(services.settings, services.api_keys),
        recognition=findings.recognition_problem or f"Tesseract, with {', '.join(list_languages())}",
        readers=_describe_readers(services.process_pool.run(is_network_refused)),
        problems=_list_problems(findings, services.embedder.name),
        notes=_list_notes(findings),
    )


def _collect_findings(services: Services) -> _Findings:
    catalog = services.catalog
    statistics = collect_statistics(catalog.engine, services.embedder.name)
    orphan_count = sum(map(len, find_orphans(catalog, services.files)))
    without_original: dict[str, str] = {}
    without_generated_files: dict[str, str] = {}
    earlier_count = 0
    for document in listing.iterate_documents(catalog.engine, listing.DocumentFilter()):
        if not services.files.has_original(document.sha256):
            without_original[document.id] = document.name
        if _lacks_generated_files(document, services):
            without_generated_files[document.id] = document.name
        earlier_count += document.state in READABLE and document.pipeline_version < PIPELINE_VERSION
    comparison = IntegrityComparison({}) if statistics.damage else compare_with_audit(services)
    index, index_problems = _examine_index(services)
    return _Findings(
        statistics,
        comparison,
        orphan_count,
        has_orphans_of_another_catalog(catalog, services.files, orphan_count),
        without_original,
        without_generated_files,
        _count_without_recognition(services) if services.settings.ocr else 0,
        earlier_count,
        len(list_unreadable_metadata(catalog.engine)),
        index,
        index_problems,
        services.cluster.find_problem() if services.cluster else "",
        explain_unavailability(services.settings),
    )


def _count_without_recognition(services: Services) -> int:
    engine = describe_engine(services.settings)
    return sum(document.has_own_pages for document in services.catalog.documents_to_recognise(engine))


def _list_problems(findings: _Findings, model_name: str) -> list[str]:
    """Return a sentence for each problem, which says what helps."""
    statistics, comparison = findings.statistics, findings.comparison
    return [
        *_sentence_if(
            statistics.damage,
            f"The catalog's file is damaged ({statistics.damage}): stop everything and restore a backup.",
        ),
        *_sentence_if(findings.cluster_problem, findings.cluster_problem),
        *_sentence_if(
            findings.unfinished_count if findings.no_server_runs else 0,
            f"{_format_count(findings.unfinished_count, 'document')} begun and never ended: --fix ends what is.",
        ),
        *_sentence_if(
            findings.without_original,
            f"The originals of {_format_names([*findings.without_original.values()])} are missing: add these files again.",
        ),
        *_sentence_if(
            findings.without_generated_files,
            f"The generated PDFs of {_format_names([*findings.without_generated_files.values()])} are missing: --fix creates them again.",
        ),
        *_sentence_if(
            findings.altered_originals,
            f"The originals of {_format_names(comparison.sorted_names(findings.altered_originals))} are damaged or "
            "were altered: restore them from a backup, or add the same files again.",
        ),
        *_sentence_if(
            findings.altered_files,
            f"The generated PDFs of {_format_names(comparison.sorted_names(findings.altered_files))} are damaged or "
            "were altered: --fix creates them again.",
        ),
        *_sentence_if(
            comparison.contents,
            f"The texts of {_format_names(comparison.sorted_names(comparison.contents))} are damaged or were altered: --fix reads the "
            "originals again, where those are sound.",
        ),
        *_sentence_if(
            comparison.other_count,
            f"{_format_count(comparison.other_count, 'other thing')} not as the audit recorded it: python -m highlighter verify names "
            "each. Restore a backup.",
        ),
        *_sentence_if(
            statistics.missing_vectors,
            f"{_format_count(statistics.missing_vectors, 'sentence')} without a vector by {model_name}: --fix embeds them.",
        ),
        *_sentence_if(
            0 if findings.has_foreign_orphans else findings.orphan_count,
            f"{_format_count(findings.orphan_count, 'file')} without a document: --fix removes what is.",
        ),
        *_sentence_if(
            findings.orphan_count if findings.has_foreign_orphans else 0,
            f"{_format_count(findings.orphan_count, 'file')} of documents in another catalog, kept: set the DATA_DIR or DATABASE_URL "
            "they belong to, or restore its backup. If nobody needs them, delete files/owner in DATA_DIR: --fix then removes them, "
            "once this catalog has had a document.",
        ),
        *_sentence_if(
            findings.unreadable_metadata_count,
            f"{_format_count(findings.unreadable_metadata_count, 'document')} with NaN or Infinity as metadata, which "
            "filters do not find: --fix removes these values.",
        ),
        *findings.index_problems,
    ]


def _list_notes(findings: _Findings) -> list[str]:
    """Return a sentence for each thing that is worth knowing but no problem."""
    statistics, comparison = findings.statistics, findings.comparison
    retryable = findings.count_documents((FAILED, TIMED_OUT, QUARANTINED))
    return [
        *_sentence_if(
            0 if findings.no_server_runs else findings.unfinished_count,
            f"{_format_count(findings.unfinished_count, 'document')} being processed or queued.",
        ),
        *_sentence_if(
            retryable,
            f"{_format_count(retryable, 'document')} failed for a reason that may be temporary: upload again to retry.",
        ),
        *_sentence_if(
            findings.without_recognition_count,
            f"{_format_count(findings.without_recognition_count, 'document')} with pages without text: "
            + (
                f"{findings.recognition_problem} Then --fix recognises them."
                if findings.recognition_problem
                else "--fix recognises them, and so does the service."
            ),
        ),
        *_sentence_if(
            statistics.unused_vectors,
            f"{_format_count(statistics.unused_vectors, 'vector')} without a sentence; --fix removes them.",
        ),
        *_sentence_if(
            findings.earlier_count,
            f"{_format_count(findings.earlier_count, 'document')} processed by an earlier version of "
            "Highlighter: upload again to process with this version; existing links keep "
            "working.",
        ),
        *_sentence_if(
            comparison.uncovered,
            f"{_format_count(len(comparison.uncovered), 'document')} stored before contents were recorded: --fix records them as they "
            "are now, and verify covers them from then on.",
        ),
        *_sentence_if(
            comparison.uncovered_feedback,
            f"{_format_count(comparison.uncovered_feedback, 'verdict')} given before verdicts were recorded: --fix records them.",
        ),
    ]


def _describe_readers(has_no_network: bool) -> str:
    """Describe what the system refuses to the processes that read files."""
    description = (
        "the system refuses them the network"
        if has_no_network
        else "the system does not refuse them the network: let this machine reach only what files may reach"
    )
    return description if IS_LINUX else f"{description}; nor does it limit their memory"


def repair_data(services: Services) -> list[str]:
    """Repair everything that can be repaired from the stored data. Documents keep their ids and citations.

    Return one sentence for each kind of addition to the audit.
    """
    catalog, comparison = services.catalog, compare_with_audit(services)
    repair_metadata(catalog.engine)
    without_vectors = set(list_documents_without_vectors(catalog.engine, services.embedder.name))
    to_process = without_vectors | comparison.generated_files | comparison.contents
    for document in catalog.documents(states=READABLE):
        is_incomplete = document.id in to_process or _lacks_generated_files(document, services)
        # A damaged original could be processed without an error, and its altered text would become the recorded one.
        # Without Tesseract, a scan that is read again would lose the text that was recognised.
        can_be_read = not document.has_recognised_text or is_available(services.settings)
        if is_incomplete and can_be_read and _has_sound_original(document, services):
            catalog.set_state(document.id, QUEUED)
    services.ingest_queue.finish_unfinished()  # also removes orphans
    if not catalog.unfinished_documents():  # which may use vectors saved before
        delete_unused_vectors(catalog.engine)
    services.index.sync_if_available()  # does nothing if another process owns the index and syncs it
    return record_uncovered(services) if comparison.uncovered or comparison.uncovered_feedback else []


def _examine_index(services: Services) -> tuple[IndexState, list[str]]:
    """Return the state and the problems of the index. Another process's index is not opened: Chroma's files would break."""
    is_owner = services.index.acquire_ownership()
    try:
        problem, is_reachable = services.index.find_problem() if is_owner else "", True
    except IndexUnavailable:
        problem, is_reachable = "", False
    services.index.close()
    state = services.index.describe()
    if not is_reachable:
        return state, ["The Chroma server does not answer, so the index was not checked: check CHROMA_URL and its key."]
    if problem:
        return state, [f"The index is damaged: {problem}. --fix builds it again; until then searches scan all vectors."]
    if is_owner and state.heard < state.changes:
        pending = state.changes - state.heard
        return state, [
            f"The index does not have {_format_count(pending, 'change')} yet: --fix adds them, and so does the service."
        ]
    return state, []


def _lacks_generated_files(document: Document, services: Services) -> bool:
    if document.state not in READABLE:
        return False
    files, key = services.files, (document.id, document.pipeline)
    has_pages = document.kind == "pdf" or files.has_typeset_pdf(*key)
    return not has_pages or files.count_chunk_pdfs(*key) < document.chunks


def _has_sound_original(document: Document, services: Services) -> bool:
    return services.files.compute_original_sha256(document.sha256) == document.sha256


def _sentence_if(condition: object, sentence: str) -> list[str]:
    return [sentence] if condition else []


def _format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _format_names(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
