"""Whether everything that is kept goes together, said in words; and how it is put right where it does not."""

from __future__ import annotations

from dataclasses import dataclass

from highlighter.gate.mode import said
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
    index: IndexState
    access: str  # whether keys are asked for, and why
    ill: list[str]
    notes: list[str]


def examine(services: Services) -> Checkup:
    counted = census(services.catalog.engine, services.embedder.name)
    strays = sum(map(len, orphans(services.catalog, services.files)))
    lost, unmade, earlier = [], [], 0
    for document in listing.each(services.catalog.engine, listing.Wanted()):
        if not services.files.original(document.sha256).is_file():
            lost.append(document.name)
        if _lacks_what_was_made(document, services):
            unmade.append(document.name)
        earlier += document.state in READABLE and document.pipeline < PIPELINE
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
        *_said(len(lost), f"The originals of {_some(lost)} are gone: take these files in again."),
        *_said(len(unmade), f"The PDFs made of {_some(unmade)} are gone: --fix makes them again."),
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
    ]
    access = said(services.settings, services.keys)
    return Checkup(counted, strays, lost, unmade, index, access, ill, notes)


def mend(services: Services) -> None:
    """All that can be put right from what is kept. Documents keep their ids, and their citations."""
    catalog = services.catalog
    unread = set(without_vectors(catalog.engine, services.embedder.name))
    for document in catalog.documents(states=READABLE):
        to_read = document.id in unread or _lacks_what_was_made(document, services)
        if to_read and services.files.original(document.sha256).is_file():
            catalog.set_state(document.id, QUEUED)
    services.desk.end_unfinished()  # and sweeps
    if not catalog.unfinished():  # or what they count on might go
        forget_unused_vectors(catalog.engine)
    services.index.follow()  # nothing, when another process owns it: that one does the same by itself


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
