"""python -m highlighter search: the chunks that answer, with their best sentences."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from highlighter.access import visible_collections
from highlighter.commands.far import far
from highlighter.commands.say import refuse
from highlighter.search import LIMIT, MIN_SCORE, MOST

if TYPE_CHECKING:
    from highlighter.api.schemas import HitOut, SearchAnswer
    from highlighter.services import Services

ABOUT = "find the passages that answer a question"
EXAMPLES = """examples:
  python -m highlighter search "Who pays for delay?"
  python -m highlighter search 假期 --collection policies -k 3
  python -m highlighter search "notice period" --where year=2024 --where client=Acme --where client=Initech
  python -m highlighter search "notice period" --json | jq -r '.hits[0].sentences[0].text'

--where compares metadata given at ingestion (or kind, name) and may be repeated: the same key twice finds either value,
different keys must all hold. A score of 0 to 1 joins how like the question the chunk's best sentence is with the share
of the question's words that it holds; what scores below --min-score is left out.

exit status: 0 something was found, 1 nothing was, 2 wrong usage."""

BOLD, FAINT, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="WORDS", help="a question, or a few words")
    parser.add_argument(
        "-k", "--k", "--limit", dest="limit", type=int, default=LIMIT, help="how many (default: %(default)s)"
    )
    parser.add_argument("--collection", help="only this one")
    parser.add_argument("--where", action="append", default=[], metavar="KEY=VALUE", help="only such documents")
    parser.add_argument("--min-score", type=float, default=MIN_SCORE, help="default: %(default)s")
    parser.add_argument("--json", action="store_true", help="the answer of POST /api/v1/search")


def run(services: Services, options: argparse.Namespace) -> int:
    if not options.question.strip():
        return refuse("There are no words to look for.")
    if not 1 <= options.limit <= MOST:
        return refuse(f"--k must lie between 1 and {MOST}.")
    if wrong := [entry for entry in options.where if "=" not in entry]:
        return refuse(f"--where {wrong[0]} has no value: write KEY=VALUE.")
    found = _found(services, options.question.strip(), options)
    print(found.model_dump_json(indent=2) if options.json else _for_people(found))
    if found.degraded:
        print(found.degraded, file=sys.stderr)
    return 0 if found.hits else 1


def _found(services: Services, question: str, options: argparse.Namespace) -> SearchAnswer:
    how = {"where": _where(options), "min_score": options.min_score}
    with far(services) as client:
        if client:
            return client.search(question, limit=options.limit, **how)
    from highlighter.api.hits import as_answer
    from highlighter.viewer.links import Links

    return as_answer(question, services.search.find(question, options.limit, visible_collections(), **how), Links())


def _where(options: argparse.Namespace) -> dict[str, list[str]]:
    where: dict[str, list[str]] = {}
    for entry in options.where:
        key, _, value = entry.partition("=")
        where.setdefault(key, []).append(value)
    if options.collection:
        where["collection"] = [options.collection]
    return where


def _for_people(found: SearchAnswer) -> str:
    if not found.hits:
        return "Nothing was found."
    return "\n\n".join(_entry(number, hit) for number, hit in enumerate(found.hits, 1))


def _entry(number: int, hit: HitOut) -> str:
    bold, faint, plain = (BOLD, FAINT, PLAIN) if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else ("",) * 3
    first, last = hit.pages[0], hit.pages[-1]
    pages = f"page {first}" if first == last else f"pages {first}-{last}"
    where = ", ".join(filter(None, [pages, f"chunk {hit.chunk_index}", hit.section]))
    lines = [f"{number:>2}. {hit.score:.2f}  {bold}{hit.name}{plain}  {faint}{where}{plain}"]
    lines += [f"    {' '.join(one.text.split())}" for one in hit.sentences]
    lines.append(f"    {faint}{hit.document_id}{f'  {hit.doc_url}' if hit.doc_url else ''}{plain}")
    return "\n".join(lines)
