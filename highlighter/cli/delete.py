"""python -m highlighter delete: removes documents, with their rows, vectors and files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote, print_usage_error

if TYPE_CHECKING:
    from highlighter.client import Client
    from highlighter.services import Services

SUMMARY = "remove documents"
EXAMPLES = """examples:
  python -m highlighter documents                   # shows the ids
  python -m highlighter delete f64de0c8a1c2fda9     # the beginning of an id is enough where it is one document's
  python -m highlighter delete --yes --json ID ID   # without asking

A deletion from the command line cannot be undone; the original file can be added again."""

MIN_ID_CHARACTERS = 6  # a shorter prefix of an id is more likely a typing error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help="a document's id, or its beginning")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--json", action="store_true", help="one object a document")


def run(services: Services, options: argparse.Namespace) -> int:
    with connect_remote(services) as client:
        return _delete_documents(services, client, options)


def _delete_documents(services: Services, client: Client | None, options: argparse.Namespace) -> int:
    if client:
        names = {document.document_id: document.name for document in client.every_document(superseded=True)}
    else:
        names = {document.id: document.name for document in services.catalog.documents(get_visible_collections())}
    matches = [_find_ids(names, id) for id in options.ids]
    for id, matching_ids in zip(options.ids, matches, strict=True):
        if len(matching_ids) != 1:
            return print_usage_error(
                f"{id} is ambiguous: {len(matching_ids)} documents have ids that begin with it."
                if matching_ids
                else f"Document {id} was not found."
            )
    document_ids = list(dict.fromkeys(matching_ids[0] for matching_ids in matches))
    if not options.yes and not _confirm_deletion([names[id] for id in document_ids]):
        return print_usage_error("Nothing was deleted.")
    for id in document_ids:
        client.delete(id) if client else services.delete_document(id)
        print(json.dumps({"document_id": id, "deleted": True}) if options.json else f"deleted {id}  {names[id]}")
    if not client:
        services.index.sync_if_available()  # does nothing when a running service owns the index: the service syncs it
    return 0


def _find_ids(known_ids: Iterable[str], prefix: str) -> list[str]:
    return [id for id in known_ids if len(prefix) >= MIN_ID_CHARACTERS and id.startswith(prefix.lower())]


def _confirm_deletion(names: list[str]) -> bool:
    if not sys.stdin.isatty():
        return False
    question = f"Delete {'this document' if len(names) == 1 else f'these {len(names)} documents'}? [y/N] "
    print(*names, question, sep="\n", end="", file=sys.stderr, flush=True)  # standard output is for results
    return input().lower() == "y"
