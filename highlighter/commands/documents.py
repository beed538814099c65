"""python -m highlighter documents: what is in the library."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from highlighter.access import visible_collections

if TYPE_CHECKING:
    from highlighter.services import Services

ABOUT = "list what is in the library"
EXAMPLES = """examples:
  python -m highlighter documents
  python -m highlighter documents --collection contracts --state ready
  python -m highlighter documents --json | jq -r .name"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--collection", help="only this one")
    parser.add_argument("--state", action="append", default=[], help="only in this state (repeatable)")
    parser.add_argument("--json", action="store_true", help="one object a line")


def run(services: Services, options: argparse.Namespace) -> int:
    from highlighter.store import listing

    visible = visible_collections()
    if options.collection:
        visible = visible.only(options.collection)
    found = False
    for document in listing.each(services.catalog.engine, listing.Wanted(visible, options.state)):
        found = True
        if options.json:
            print(json.dumps(asdict(document), ensure_ascii=False, default=str))
        else:
            print(
                f"{document.id}  {document.state:10} {document.pages:>5} p. {document.sentences:>7} s.  {document.name}"
            )
    if not found and not options.json:
        print("Nothing here yet: python -m ingest PATH... takes documents in.")
    return 0
