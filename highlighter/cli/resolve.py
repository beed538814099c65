"""python -m highlighter resolve: which documents and pages the references of a text mean."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote, print_usage_error

if TYPE_CHECKING:
    from highlighter.schemas.quotes import ReferenceOut, ResolveResponse, UnresolvedReference
    from highlighter.services import Services

SUMMARY = "find out which documents and pages a text's references mean"
EXAMPLES = """examples:
  python -m highlighter resolve "An early warning is due at once [Harbour Works Contract, p.4]."
  python -m highlighter resolve --file answer.md --json | jq '.unresolved'
  python -m highlighter resolve "So it is [1, 2]." --source "NEC4 ACC.pdf" --source "Harbour Works Contract.pdf"
  python -m highlighter resolve - < answer.txt

References are read as models and people write them: [NEC4 ACC, p.3], [Source 2], 【文件, 第3頁】, (quote) [[label]] ...
Without --source they are held against every document, and numbers mean nothing. A reference that matches no document,
or several, is reported as unresolved and never linked.

exit status: 0 every reference was resolved, 1 one was not, 2 wrong usage."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", nargs="?", help="the text; - reads it from standard input")
    parser.add_argument("--file", type=Path, metavar="FILE", help="read the text from this file")
    parser.add_argument(
        "--source", action="append", metavar="NAME", help="a source's file name, in the order of their numbers"
    )
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/citations/resolve")


def run(services: Services, options: argparse.Namespace) -> int:
    if (options.text is None) == (options.file is None):
        return print_usage_error("Give either a text or --file.")
    try:
        text = _read_text(options)
    except (OSError, UnicodeDecodeError) as err:
        return print_usage_error(f"{options.file or 'Standard input'} cannot be read as text: {err}")
    if not text.strip():
        return print_usage_error("The text is empty.")
    answer = _resolve_references(services, text, options.source or None)
    print(answer.model_dump_json(indent=2) if options.json else _format_result(answer))
    return 1 if answer.unresolved else 0


def _resolve_references(services: Services, text: str, names: list[str] | None) -> ResolveResponse:
    with connect_remote(services) as client:
        if client:
            return client.resolve(text, names)
    from highlighter.models import Source
    from highlighter.serializers.quotes import serialize_references
    from highlighter.urls import Links

    visible = get_visible_collections()
    sources = [Source(name) for name in names] if names else None
    resolution = services.reference_lookup.resolve(text, visible, sources)
    return serialize_references(
        resolution, names is not None, services.catalog, visible, Links(services.settings.public_url)
    )


def _read_text(options: argparse.Namespace) -> str:
    text: str = options.file.read_text(encoding="utf-8") if options.file else options.text
    return sys.stdin.read() if text == "-" and not options.file else text


def _format_result(answer: ResolveResponse) -> str:
    from highlighter.schemas.quotes import UnresolvedReference

    outcomes: list[ReferenceOut | UnresolvedReference] = [*answer.citations, *answer.unresolved]
    outcomes.sort(key=lambda outcome: (outcome.start, outcome.end))
    lines = []
    for outcome in outcomes:
        if isinstance(outcome, UnresolvedReference):
            lines.append(f"{outcome.label}\n    {outcome.reason}: {outcome.why}")
            continue
        location = [outcome.filename]
        location += [f"page {outcome.page}"] if outcome.page else []
        location += [f"chunk {outcome.chunk_index}"] if outcome.chunk_index is not None else []
        lines.append(f"{outcome.label}\n    {outcome.tier}: {', '.join(location)}")
    return "\n".join(lines) or "The text contains no references."
