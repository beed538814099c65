"""python -m highlighter doctor: check that the stored documents, files, vectors and index agree, and repair them with --fix."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highlighter.diagnostics import DiagnosticReport
    from highlighter.services import Services

SUMMARY = "check the stored data: documents, vectors, files and their hashes, index"
EXAMPLES = """examples:
  python -m highlighter doctor               exit status 0: all is well, 1: it says what is not
  python -m highlighter doctor --fix         finish interrupted work, delete leftovers, make altered PDFs and a damaged index again
  python -m highlighter doctor --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fix", action="store_true", help="repair what can be repaired, then check again")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.diagnostics import repair_data, run_diagnostics
    from highlighter.store.database import CATALOG_FILE_NAME
    from highlighter.store.storage_errors import find_catalog_damage

    path = services.settings.data_dir / CATALOG_FILE_NAME
    # With a damaged catalog, nothing else can be checked or repaired.
    if not services.settings.database_url and path.exists() and (damage := find_catalog_damage(path, thorough=True)):
        sentence = f"The catalog's file is damaged ({damage}): stop everything and restore a backup of the data folder."
        print(json.dumps({"well": False, "ill": [sentence]}) if options.json else f"!! {sentence}")
        return 1
    repairs = repair_data(services) if options.fix else []
    report = run_diagnostics(services)
    fields = asdict(report)
    fields["ill"] = fields.pop("problems")  # as earlier releases print them
    as_json = {"well": not report.problems, **fields, "recorded": repairs}
    print(json.dumps(as_json) if options.json else _format_report(report, repairs))
    return 1 if report.problems else 0


def _format_report(report: DiagnosticReport, repairs: list[str]) -> str:
    census = report.census
    states = ", ".join(f"{count:,} {state}" for state, count in census.states.items()) or "none"
    lines = [
        f"documents  {census.documents:,}: {states}; {census.superseded:,} not current",
        f"rows       {census.chunks:,} chunks, {census.sentences:,} sentences, {census.vectors:,} vectors "
        f"({census.missing_vectors:,} missing, {census.unused_vectors:,} unused)",
        f"files      {report.orphans:,} without a document; {len(report.originals_missing):,} originals and "
        f"{len(report.made_missing):,} sets of PDFs missing; {len(report.originals_altered):,} originals and "
        f"{len(report.made_altered):,} sets of PDFs altered" + (f"; in {report.storage}" if report.storage else ""),
        f"catalog    {census.damage or 'sound'} ({report.database})",
        f"index      {_format_index(report)}",
        f"access     {report.access}",
        f"scans      {report.recognition}",
        f"readers    {report.readers}",
        *repairs,
        *(f"note: {note}" for note in report.notes),
    ]
    return "\n".join(
        [
            *lines,
            *(f"!! {sentence}" for sentence in report.problems),
            *(["All is well."] if not report.problems else []),
        ]
    )


def _format_index(report: DiagnosticReport) -> str:
    index = report.index
    if not index.generation:
        return "none yet"
    owner = f"kept by process {index.owner}" if index.owner else "kept by no process now"
    rebuilding = "" if index.whole else f", being made ({index.found or 'for the first time'})"
    return f"generation {index.generation}, heard {index.heard:,} of {index.changes:,} changes, {owner}{rebuilding}"
