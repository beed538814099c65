"""Compares what is stored with what the audit recorded, sorted by what can put it right; and records what never was."""

from __future__ import annotations

from dataclasses import dataclass, field

from highlighter.access_mode import describe_access_mode
from highlighter.models import FAILED, PIPELINE_VERSION, QUARANTINED, QUEUED, READABLE, TIMED_OUT, UNFINISHED, Document
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
from highlighter.store.deletion import find_orphans
from highlighter.store.digests import CONTENTS, OUTCOME
from highlighter.store.index import IndexState

_ATTRIBUTE_BY_GROUP = {ORIGINAL: "originals", FILES: "made", CONTENTS: "contents", OUTCOME: "contents"}


@dataclass(slots=True)
class IntegrityComparison:
    """Ids of the documents that are not as recorded, by what is altered."""

    names: dict[str, str]
    originals: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)  # PDFs made of the document
    contents: set[str] = field(default_factory=set)  # what was read from the original
    other_count: int = 0  # things that nothing but a backup can put right
    altered: set[str] = field(default_factory=set)  # whatever is altered of them
    uncovered: list[str] = field(default_factory=list)
    uncovered_feedback: int = 0

    def sorted_names(self, ids: set[str]) -> list[str]:
        return sorted(self.names.get(id, id) for id in ids)


def compare_with_audit(services: Services) -> IntegrityComparison:
    engine = services.catalog.engine
    found = IntegrityComparison(
        {document.id: document.name for document in listing.iterate_documents(engine, listing.DocumentFilter())}
    )
    with engine.connect() as connection:
        proof = verify_audit(connection, files=services.files)
    for one in proof.discrepancies:
        found.altered.add(one.document_id)
        if kind := _ATTRIBUTE_BY_GROUP.get(one.group):
            getattr(found, kind).add(one.document_id)
        else:
            found.other_count += 1
    found.uncovered = proof.coverage.uncovered
    found.uncovered_feedback = proof.coverage.uncovered_feedback
    return found


def record_uncovered(services: Services) -> list[str]:
    """Add digests of what an earlier release stored to the audit, except of documents that something is wrong with.

    Return what was added, each a sentence.
    """
    compared, names, verdicts = compare_with_audit(services), [], 0
    for id in compared.uncovered:
        with write_transaction(services.catalog.engine) as connection:
            recorded = id not in compared.altered and digests.record_uncovered_document(connection, id, services.files)
        names += [compared.names.get(id, id)] if recorded else []
    if compared.uncovered_feedback:
        with write_transaction(services.catalog.engine) as connection:
            verdicts = digests.record_uncovered_feedback(connection)
    said = []
    if names:
        said.append(
            f"recorded   {len(names):,} of the documents stored by an earlier release, as they are now: a change before this cannot be told, "
            "a change from now on can"
        )
    if verdicts:
        said.append(f"recorded   {verdicts:,} of the verdicts given before verdicts were recorded, as they are now")
    return said


# Whether everything that is kept goes together, said in words; and how it is put right where it does not.


@dataclass(frozen=True, slots=True)
class DiagnosticReport:
    """`ill` is what should not be so, each a sentence that says what helps; `notes` is worth knowing, and no illness."""

    census: CatalogStatistics
    orphans: int  # files without a row
    originals_missing: list[str]  # names of documents whose own bytes are gone
    made_missing: list[str]  # names of documents whose pages or part PDFs are gone
    originals_altered: list[str]  # names of documents whose originals are not the bytes that were uploaded
    made_altered: list[str]  # names of documents whose PDFs are not those that were made
    contents_altered: list[str]  # names of documents whose texts, chunks or sentences are not those that were read
    index: IndexState
    access: str  # whether keys are asked for, and why
    ill: list[str]
    notes: list[str]


def run_diagnostics(services: Services) -> DiagnosticReport:
    counted = collect_statistics(services.catalog.engine, services.embedder.name)
    strays = sum(map(len, find_orphans(services.catalog, services.files)))
    lost, unmade, earlier = {}, {}, 0
    for document in listing.iterate_documents(services.catalog.engine, listing.DocumentFilter()):
        if not services.files.original_path(document.sha256).is_file():
            lost[document.id] = document.name
        if _lacks_generated_files(document, services):
            unmade[document.id] = document.name
        earlier += document.state in READABLE and document.pipeline < PIPELINE_VERSION
    compared = IntegrityComparison({}) if counted.damage else compare_with_audit(services)
    originals, made = compared.originals - lost.keys(), compared.made - unmade.keys()
    index, index_ill = _examine_index(services)
    alone = index.owner == 0
    unfinished = sum(counted.states.get(state, 0) for state in UNFINISHED)
    ill = [
        *_sentence_if(
            counted.damage, f"The catalog's file is damaged ({counted.damage}): stop everything and restore a backup."
        ),
        *_sentence_if(
            unfinished if alone else 0,
            f"{_format_count(unfinished, 'document')} begun and never ended: --fix ends what is.",
        ),
        *_sentence_if(
            len(lost), f"The originals of {_format_names([*lost.values()])} are missing: add these files again."
        ),
        *_sentence_if(
            len(unmade),
            f"The generated PDFs of {_format_names([*unmade.values()])} are missing: --fix creates them again.",
        ),
        *_sentence_if(
            originals,
            f"The originals of {_format_names(compared.sorted_names(originals))} are damaged or "
            "were altered: restore them from a backup, or add the same files again.",
        ),
        *_sentence_if(
            made,
            f"The generated PDFs of {_format_names(compared.sorted_names(made))} are damaged or "
            "were altered: --fix creates them again.",
        ),
        *_sentence_if(
            compared.contents,
            f"The texts of {_format_names(compared.sorted_names(compared.contents))} are damaged or were altered: --fix reads the "
            "originals again, where those are sound.",
        ),
        *_sentence_if(
            compared.other_count,
            f"{_format_count(compared.other_count, 'other thing')} not as the audit recorded it: python -m highlighter verify names "
            "each. Restore a backup.",
        ),
        *_sentence_if(
            counted.missing_vectors,
            f"{_format_count(counted.missing_vectors, 'sentence')} without a vector by {services.embedder.name}: --fix embeds them.",
        ),
        *_sentence_if(strays, f"{_format_count(strays, 'file')} without a document: --fix removes what is."),
        *index_ill,
    ]
    again = sum(counted.states.get(state, 0) for state in (FAILED, TIMED_OUT, QUARANTINED))
    notes = [
        *_sentence_if(
            0 if alone else unfinished, f"{_format_count(unfinished, 'document')} being processed or queued."
        ),
        *_sentence_if(
            again,
            f"{_format_count(again, 'document')} failed for a reason that may be temporary: upload again to retry.",
        ),
        *_sentence_if(
            counted.unused_vectors,
            f"{_format_count(counted.unused_vectors, 'vector')} without a sentence; --fix removes them.",
        ),
        *_sentence_if(
            earlier,
            f"{_format_count(earlier, 'document')} processed by an earlier version of "
            "Highlighter: upload again to process with this version; existing links keep "
            "working.",
        ),
        *_sentence_if(
            compared.uncovered,
            f"{_format_count(len(compared.uncovered), 'document')} stored before contents were recorded: --fix records them as they "
            "are now, and verify covers them from then on.",
        ),
        *_sentence_if(
            compared.uncovered_feedback,
            f"{_format_count(compared.uncovered_feedback, 'verdict')} given before verdicts were recorded: --fix records them.",
        ),
    ]
    access = describe_access_mode(services.settings, services.api_keys)
    altered = map(compared.sorted_names, (originals, made, compared.contents))
    return DiagnosticReport(counted, strays, [*lost.values()], [*unmade.values()], *altered, index, access, ill, notes)


def repair_data(services: Services) -> list[str]:
    """All that can be put right from what is kept. Documents keep their ids, and their citations.

    Returns what was added to the audit, each a sentence.
    """
    catalog, compared = services.catalog, compare_with_audit(services)
    unread = (
        set(list_documents_without_vectors(catalog.engine, services.embedder.name)) | compared.made | compared.contents
    )
    for document in catalog.documents(states=READABLE):
        to_read = document.id in unread or _lacks_generated_files(document, services)
        # A damaged original would be read without complaint, and what it says now be recorded as the truth.
        if to_read and services.files.compute_sha256(services.files.original_path(document.sha256)) == document.sha256:
            catalog.set_state(document.id, QUEUED)
    services.ingest_queue.finish_unfinished()  # and sweeps
    if not catalog.unfinished_documents():  # or what they count on might go
        delete_unused_vectors(catalog.engine)
    services.index.sync()  # nothing, when another process owns it: that one does the same by itself
    return record_uncovered(services) if compared.uncovered or compared.uncovered_feedback else []


def _examine_index(services: Services) -> tuple[IndexState, list[str]]:
    """Another process's index is not opened, only asked about: Chroma's files do not bear two at once."""
    mine = services.index.acquire_ownership()
    wrong = services.index.find_problem() if mine else ""
    services.index.close()
    told = services.index.describe()
    if wrong:
        return told, [f"The index is damaged: {wrong}. --fix builds it again; until then searches scan all vectors."]
    if mine and told.heard < told.changes:
        behind = told.changes - told.heard
        return told, [
            f"The index does not have {_format_count(behind, 'change')} yet: --fix adds them, and so does the service."
        ]
    return told, []


def _lacks_generated_files(document: Document, services: Services) -> bool:
    if document.state not in READABLE:
        return False
    made = services.files.generated_folder(document.id, document.pipeline)
    typeset = document.kind == "pdf" or services.files.typeset_pdf_path(document.id, document.pipeline).is_file()
    return not typeset or sum(1 for _ in made.glob("chunks/*.pdf")) < document.chunks


def _sentence_if(condition: object, sentence: str) -> list[str]:
    return [sentence] if condition else []


def _format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _format_names(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
