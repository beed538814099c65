"""python -m highlighter doctor: whether all that is kept goes together, and with --fix, that it does."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highlighter.diagnostics import DiagnosticReport
    from highlighter.services import Services

ABOUT = "check the stored data: documents, vectors, files and their hashes, index"
EXAMPLES = """examples:
  python -m highlighter doctor               exit status 0: all is well, 1: it says what is not
  python -m highlighter doctor --fix         end what is unfinished, sweep, make altered PDFs and a bad index again
  python -m highlighter doctor --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired, then check again")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.diagnostics import repair_data, run_diagnostics
    from highlighter.store.storage_errors import find_catalog_damage

    path = services.settings.data_dir / "catalog.sqlite"
    if path.exists() and (
        damage := find_catalog_damage(path, thorough=True)
    ):  # nothing else can be told, nor put right
        sentence = f"The catalog's file is damaged ({damage}): stop everything and restore a backup of the data folder."
        print(json.dumps({"well": False, "ill": [sentence]}) if options.json else f"!! {sentence}")
        return 1
    recorded = repair_data(services) if options.fix else []
    found = run_diagnostics(services)
    as_json = {"well": not found.ill, **asdict(found), "recorded": recorded}
    print(json.dumps(as_json) if options.json else _format_checkup(found, recorded))
    return 1 if found.ill else 0


def _format_checkup(found: DiagnosticReport, recorded: list[str]) -> str:
    counted = found.census
    states = ", ".join(f"{count:,} {state}" for state, count in counted.states.items()) or "none"
    lines = [
        f"documents  {counted.documents:,}: {states}; {counted.superseded:,} not current",
        f"rows       {counted.chunks:,} chunks, {counted.sentences:,} sentences, {counted.vectors:,} vectors "
        f"({counted.missing_vectors:,} missing, {counted.unused_vectors:,} unused)",
        f"files      {found.orphans:,} without a document; {len(found.originals_missing):,} originals and "
        f"{len(found.made_missing):,} sets of PDFs missing; {len(found.originals_altered):,} originals and "
        f"{len(found.made_altered):,} sets of PDFs altered",
        f"catalog    {counted.damage or 'sound'}",
        f"index      {_format_index(found)}",
        f"access     {found.access}",
        *recorded,
        *(f"note: {note}" for note in found.notes),
    ]
    return "\n".join(
        [*lines, *(f"!! {sentence}" for sentence in found.ill), *(["All is well."] if not found.ill else [])]
    )


def _format_index(found: DiagnosticReport) -> str:
    index = found.index
    if not index.generation:
        return "none yet"
    owner = f"kept by process {index.owner}" if index.owner else "kept by no process now"
    making = "" if index.whole else f", being made ({index.found or 'for the first time'})"
    return f"generation {index.generation}, heard {index.heard:,} of {index.changes:,} changes, {owner}{making}"
