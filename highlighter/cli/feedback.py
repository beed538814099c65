"""python -m highlighter feedback export FOLDER: what readers said of highlights, as passages to calibrate on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import print_usage_error

if TYPE_CHECKING:
    from highlighter.models import Chunk
    from highlighter.services import Services

SUMMARY = "export readers' feedback on highlights as data for calibrate"
EXAMPLES = """examples:
  python -m highlighter feedback export judged/ && python -m highlighter calibrate --data judged/

Each question to a section of a document becomes a passage: the highlighted sentences, without those called wrong,
with those called right."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("act", choices=["export"])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of words")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.evidence.judged_passages import build_judged_passages, write_judged_passages
    from highlighter.store.feedback import FeedbackEntry, list_current_feedback

    catalog = services.catalog

    def find_chunk(entry: FeedbackEntry) -> Chunk | None:
        document = catalog.document(entry.document_id, get_visible_collections())
        return catalog.chunk(document, entry.chunk, entry.pipeline) if document else None

    try:
        count = write_judged_passages(
            options.folder, build_judged_passages(list_current_feedback(catalog.engine), find_chunk)
        )
    except OSError as err:
        return print_usage_error(f"{options.folder} cannot be written: {err.strerror}.")
    print(
        json.dumps({"passages": count, "folder": str(options.folder)}, ensure_ascii=False)
        if options.json
        else f"{count:,} {'passage' if count == 1 else 'passages'} in {options.folder}"
    )
    return 0
