"""python -m highlighter locate: where a quote stands, and how surely."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import connect_remote, print_usage_error

if TYPE_CHECKING:
    from highlighter.schemas.quotes import LocateResponse, QuoteMatchOut
    from highlighter.services import Services

SUMMARY = "locate a quote in the documents"
EXAMPLES = """examples:
  python -m highlighter locate "An early warning is given within two working days"
  python -m highlighter locate "not later than 14 days" --document 1f0c... --page 3
  python -m highlighter locate "not later than 14 days" --filename contract.pdf
  python -m highlighter locate "逾時不候" --prefix 上午七時至九時 --json | jq -r .tier
  python -m highlighter locate - < quote.txt

The tier says how closely the quote matches: exact, normalised (but for spaces, hyphens, quotation marks, case, forms of numbers, Traditional
and Simplified), fuzzy (nearly exact, or with ellipses, with the differences), semantic (paraphrased), none. A number or a "not" that differs
is none.

exit status: 0 it was found, 1 it was not, 2 wrong usage."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("quote", metavar="QUOTE", help="the words; - reads them from standard input")
    parser.add_argument("--document", metavar="ID", help="only in this one")
    parser.add_argument("--filename", metavar="NAME", default="", help="only in the one document with this name")
    parser.add_argument("--page", type=int, default=0, help="a hint that chooses among equal places; in one document")
    parser.add_argument("--prefix", default="", help="the text before it")
    parser.add_argument("--suffix", default="", help="the text after it")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/locate")


def run(services: Services, options: argparse.Namespace) -> int:
    quote = sys.stdin.read() if options.quote == "-" else options.quote
    if not quote.strip():
        return print_usage_error("Enter a quote.")
    if options.document and options.filename:
        return print_usage_error("Give either --document or --filename.")
    if options.page < 0 or (options.page and not (options.document or options.filename)):
        return print_usage_error("--page counts from 1 and goes with --document or --filename.")
    answer = _locate_quote(services, quote, options)
    print(answer.model_dump_json(indent=2) if options.json else _format_result(answer))
    for note in answer.notes:
        print(note, file=sys.stderr)
    return 0 if answer.place else 1


def _locate_quote(services: Services, quote: str, options: argparse.Namespace) -> LocateResponse:
    context = {"page": options.page, "prefix": options.prefix, "suffix": options.suffix}
    with connect_remote(services) as client:
        if client:
            return client.locate(quote, options.document or "", filename=options.filename, **context)
    from highlighter.serializers.quotes import serialize_quote_location
    from highlighter.urls import Links

    visible = get_visible_collections()
    document = services.reference_lookup.require_one_document(options.document or "", options.filename, visible)
    location = services.quote_locator.locate(quote, document, visible, **context)
    return serialize_quote_location(
        location, Links(services.settings.public_url), services.page_renderer if options.json else None
    )


def _format_result(answer: LocateResponse) -> str:
    lines = [f"{answer.tier}: {answer.why}"] if answer.place is None else _format_place(answer.place)
    if answer.candidates:
        lines.append("")
        lines.append("Also:" if answer.place else "Nearest:")
        for candidate in answer.candidates:
            lines += [f"  {line}" for line in _format_place(candidate)]
    return "\n".join(lines)


def _format_place(place: QuoteMatchOut) -> list[str]:
    from highlighter.quotes.word_diff import SAME

    pages = f"page {place.page}" if place.page == place.last_page else f"pages {place.page}-{place.last_page}"
    lines = [f"{place.tier} {place.score:.2f}  {place.name}, {pages}, characters {place.start}-{place.end}"]
    lines.append(f"    {' '.join(place.text.split())}")
    for difference in place.differs:
        if difference.kind != SAME:
            lines.append(f"    [{difference.ours or '-'}] in the quote, [{difference.theirs or '-'}] in the text")
    if place.why:
        lines.append(f"    {place.why}")
    lines.append(f"    {place.document_id}")
    return lines
