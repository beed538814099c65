"""python -m highlighter search: the chunks that answer, with their best sentences."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from highlighter.access import get_visible_collections
from highlighter.cli.common import (
    Filters,
    add_filter_arguments,
    build_filters,
    choose_text_styles,
    connect_remote,
    print_usage_error,
)
from highlighter.errors import BadRequest
from highlighter.search import DEFAULT_HITS, MAX_HITS, MIN_SCORE

if TYPE_CHECKING:
    from highlighter.schemas.search import HitOut, SearchResponse
    from highlighter.services import Services

SUMMARY = "find the passages that answer a question"
EXAMPLES = """examples:
  python -m highlighter search "Who pays for delay?"
  python -m highlighter search 假期 --collection policies -k 3
  python -m highlighter search "notice period" --where year=2024 --where client=Acme --where client=Initech
  python -m highlighter search "notice period" --json | jq -r '.hits[0].sentences[0].text'

--where compares metadata (or document_id, kind, name) and may be repeated: the same key twice finds either value,
different keys must all hold. A score of 0 to 1 joins how like the question the chunk's best sentence is with the share
of the question's words that it holds; what scores below --min-score is left out.

exit status: 0 something was found, 1 nothing was, 2 wrong usage."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="WORDS", help="a question, or a few words")
    parser.add_argument(
        "-k", "--k", "--limit", dest="limit", type=int, default=DEFAULT_HITS, help="how many (default: %(default)s)"
    )
    add_filter_arguments(parser)
    parser.add_argument("--min-score", type=float, default=MIN_SCORE, help="default: %(default)s")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/search")


def run(services: Services, options: argparse.Namespace) -> int:
    if not options.question.strip():
        return print_usage_error("Enter words to search for.")
    if not 1 <= options.limit <= MAX_HITS:
        return print_usage_error(f"--k must lie between 1 and {MAX_HITS}.")
    try:
        where = build_filters(options)
    except BadRequest as err:
        return print_usage_error(err.detail)
    answer = _run_search(services, options.question.strip(), options, where)
    print(answer.model_dump_json(indent=2) if options.json else _format_results(answer))
    if answer.degraded:
        print(answer.degraded, file=sys.stderr)
    return 0 if answer.hits else 1


def _run_search(services: Services, question: str, options: argparse.Namespace, where: Filters) -> SearchResponse:
    search_options = {"where": where, "min_score": options.min_score}
    with connect_remote(services) as client:
        if client:
            return client.search(question, limit=options.limit, **search_options)
    from highlighter.serializers.search import serialize_search_results
    from highlighter.urls import Links

    outcome = services.search.find(question, options.limit, get_visible_collections(), **search_options)
    links = Links(services.settings.public_url)
    return serialize_search_results(question, outcome, links, services.catalog.word_confidences)


def _format_results(answer: SearchResponse) -> str:
    if not answer.hits:
        return "No results."
    return "\n\n".join(_format_hit(number, hit) for number, hit in enumerate(answer.hits, 1))


def _format_hit(number: int, hit: HitOut) -> str:
    bold, faint, plain = choose_text_styles()
    first, last = hit.pages[0], hit.pages[-1]
    pages = f"page {first}" if first == last else f"pages {first}-{last}"
    location = ", ".join(filter(None, [pages, f"chunk {hit.chunk_index}", hit.section]))
    lines = [f"{number:>2}. {hit.score:.2f}  {bold}{hit.name}{plain}  {faint}{location}{plain}"]
    lines += [f"    {' '.join(sentence.text.split())}" for sentence in hit.sentences]
    lines.append(f"    {faint}{hit.document_id}{f'  {hit.doc_url}' if hit.doc_url else ''}{plain}")
    return "\n".join(lines)
