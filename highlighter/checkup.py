"""Whether everything that is kept goes together, said in words; and how it is put right where it does not."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.gate.mode import said
from highlighter.integrity import Compared, compare, record_uncovered
from highlighter.models import FAILED, PIPELINE, QUARANTINED, QUEUED, READABLE, TIMED_OUT, UNFINISHED, Document
from highlighter.services import Services
from highlighter.store import listing
from highlighter.store.census import Census, census, forget_unused_vectors, without_vectors
from highlighter.store.index import IndexState
from highlighter.store.removal import orphans


@dataclass(frozen=True, slots=True)
class Checkup:
    """`ill` is what should not be so, each a sentence that says what helps; `notes` is worth knowing, and no illness."""

    census: Census
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


def examine(services: Services) -> Checkup:
    counted = census(services.catalog.engine, services.embedder.name)
    strays = sum(map(len, orphans(services.catalog, services.files)))
    lost, unmade, earlier = {}, {}, 0
    for document in listing.each(services.catalog.engine, listing.Wanted()):
        if not services.files.original(document.sha256).is_file():
            lost[document.id] = document.name
        if _lacks_what_was_made(document, services):
            unmade[document.id] = document.name
        earlier += document.state in READABLE and document.pipeline < PIPELINE
    compared = Compared({}) if counted.damage else compare(services)
    originals, made = compared.originals - lost.keys(), compared.made - unmade.keys()
    index, index_ill = _index(services)
    alone = index.owner == 0
    unfinished = sum(counted.states.get(state, 0) for state in UNFINISHED)
    ill = [
        *_said(
            counted.damage, f"The catalog's file is damaged ({counted.damage}): stop everything and restore a backup."
        ),
        *_said(
            unfinished if alone else 0, f"{_count(unfinished, 'document')} begun and never ended: --fix ends what is."
        ),
        *_said(len(lost), f"The originals of {_some([*lost.values()])} are gone: take these files in again."),
        *_said(len(unmade), f"The PDFs made of {_some([*unmade.values()])} are gone: --fix makes them again."),
        *_said(
            originals,
            f"The originals of {_some(compared.named(originals))} are damaged or were altered: restore them from "
            "a backup, or take the same files in again.",
        ),
        *_said(
            made,
            f"The PDFs made of {_some(compared.named(made))} are damaged or were altered: --fix makes them again.",
        ),
        *_said(
            compared.contents,
            f"The texts of {_some(compared.named(compared.contents))} are damaged or were altered: --fix reads the "
            "originals again, where those are sound.",
        ),
        *_said(
            compared.others,
            f"{_count(compared.others, 'other thing')} not as the audit recorded it: python -m highlighter verify names "
            "each. Restore a backup.",
        ),
        *_said(
            counted.missing_vectors,
            f"{_count(counted.missing_vectors, 'sentence')} without a vector by {services.embedder.name}: --fix embeds them.",
        ),
        *_said(strays, f"{_count(strays, 'file')} without a document: --fix removes what is."),
        *index_ill,
    ]
    again = sum(counted.states.get(state, 0) for state in (FAILED, TIMED_OUT, QUARANTINED))
    notes = [
        *_said(0 if alone else unfinished, f"{_count(unfinished, 'document')} being read, or waiting for it."),
        *_said(again, f"{_count(again, 'document')} failed in a way that may pass: hand in again to try once more."),
        *_said(
            counted.unused_vectors, f"{_count(counted.unused_vectors, 'vector')} of no sentence; --fix removes them."
        ),
        *_said(
            earlier,
            f"{_count(earlier, 'document')} read by an earlier version of Highlighter: handed in again, they are read as "
            "this one reads; links to them keep showing what they showed.",
        ),
        *_said(
            compared.uncovered,
            f"{_count(len(compared.uncovered), 'document')} stored before contents were recorded: --fix records them as they "
            "are now, and verify covers them from then on.",
        ),
        *_said(
            compared.uncovered_feedback,
            f"{_count(compared.uncovered_feedback, 'verdict')} given before verdicts were recorded: --fix records them.",
        ),
    ]
    access = said(services.settings, services.keys)
    altered = map(compared.named, (originals, made, compared.contents))
    return Checkup(counted, strays, [*lost.values()], [*unmade.values()], *altered, index, access, ill, notes)


def mend(services: Services) -> list[str]:
    """All that can be put right from what is kept. Documents keep their ids, and their citations.

    Returns what was added to the audit, each a sentence.
    """
    catalog, compared = services.catalog, compare(services)
    unread = set(without_vectors(catalog.engine, services.embedder.name)) | compared.made | compared.contents
    for document in catalog.documents(states=READABLE):
        to_read = document.id in unread or _lacks_what_was_made(document, services)
        # A damaged original would be read without complaint, and what it says now be recorded as the truth.
        if to_read and services.files.sha256(services.files.original(document.sha256)) == document.sha256:
            catalog.set_state(document.id, QUEUED)
    services.desk.end_unfinished()  # and sweeps
    if not catalog.unfinished():  # or what they count on might go
        forget_unused_vectors(catalog.engine)
    services.index.follow()  # nothing, when another process owns it: that one does the same by itself
    return record_uncovered(services) if compared.uncovered or compared.uncovered_feedback else []


def _index(services: Services) -> tuple[IndexState, list[str]]:
    """Another process's index is not opened, only asked about: Chroma's files do not bear two at once."""
    mine = services.index.own()
    wrong = services.index.illness() if mine else ""
    services.index.close()
    told = services.index.describe()
    if wrong:
        return told, [f"The index is not sound: {wrong}. --fix makes it again; until then searches scan exactly."]
    if mine and told.heard < told.changes:
        behind = told.changes - told.heard
        return told, [
            f"The index has still to hear of {_count(behind, 'change')}: --fix tells it, and so does the service."
        ]
    return told, []


def _lacks_what_was_made(document: Document, services: Services) -> bool:
    if document.state not in READABLE:
        return False
    made = services.files.made(document.id, document.pipeline)
    typeset = document.kind == "pdf" or services.files.typeset_pdf(document.id, document.pipeline).is_file()
    return not typeset or sum(1 for _ in made.glob("chunks/*.pdf")) < document.chunks


def _said(when: object, sentence: str) -> list[str]:
    return [sentence] if when else []


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
