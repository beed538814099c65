"""Compares what is stored with what the audit recorded, sorted by what can put it right; and records what never was."""

from __future__ import annotations

from dataclasses import dataclass, field

from highlighter.services import Services
from highlighter.store import digests, listing
from highlighter.store.coverage import FILES, ORIGINAL
from highlighter.store.database import writing
from highlighter.store.digests import CONTENTS, OUTCOME
from highlighter.store.proof import prove

_KINDS = {ORIGINAL: "originals", FILES: "made", CONTENTS: "contents", OUTCOME: "contents"}


@dataclass(slots=True)
class Compared:
    """Ids of the documents that are not as recorded, by what is altered."""

    names: dict[str, str]
    originals: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)  # PDFs made of the document
    contents: set[str] = field(default_factory=set)  # what was read from the original
    others: int = 0  # things that nothing but a backup can put right
    altered: set[str] = field(default_factory=set)  # whatever is altered of them
    uncovered: list[str] = field(default_factory=list)
    uncovered_feedback: int = 0

    def named(self, ids: set[str]) -> list[str]:
        return sorted(self.names.get(id, id) for id in ids)


def compare(services: Services) -> Compared:
    engine = services.catalog.engine
    found = Compared({document.id: document.name for document in listing.each(engine, listing.Wanted())})
    with engine.connect() as connection:
        proof = prove(connection, files=services.files)
    for one in proof.broken:
        found.altered.add(one.document_id)
        if kind := _KINDS.get(one.group):
            getattr(found, kind).add(one.document_id)
        else:
            found.others += 1
    found.uncovered = proof.coverage.uncovered
    found.uncovered_feedback = proof.coverage.uncovered_feedback
    return found


def record_uncovered(services: Services) -> list[str]:
    """Add digests of what an earlier release stored to the audit, except of documents that something is wrong with.

    Return what was added, each a sentence.
    """
    compared, names, verdicts = compare(services), [], 0
    for id in compared.uncovered:
        with writing(services.catalog.engine) as connection:
            recorded = id not in compared.altered and digests.record_uncovered_document(connection, id, services.files)
        names += [compared.names.get(id, id)] if recorded else []
    if compared.uncovered_feedback:
        with writing(services.catalog.engine) as connection:
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
