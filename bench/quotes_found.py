"""How many damaged quotes are found, and how many that are not there: by us, by exact search, by difflib."""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from bench.damage import ABSENT, DAMAGES
from highlighter.models import READABLE, Document
from highlighter.quotes.normal_form import normalise_text
from highlighter.quotes.significance import measure_strength
from highlighter.services import Services

QUOTES = 2_000
COLLECTION = "quotes"
SHORTEST, LONGEST, NEEDS = 30, 500, 4
# The found span is right when it shares so much with the true one, or says the same at another place.
SHARED = 0.8
# Every so many is looked for in the whole library as well.
IN_THE_LIBRARY = 2
# difflib takes seconds a quote, so it is held against some of them, in texts it can walk through.
DIFFLIB_QUOTES, DIFFLIB_TEXT = 15, 60_000
# kotaemon lights the longest run that difflib finds from this share of the quote on.
DIFFLIB_ENOUGH = 0.35
_TIERS = ("exact", "normalised", "fuzzy", "semantic")


@dataclass(frozen=True, slots=True)
class Case:
    kind: str
    document: Document
    quote: str
    span: tuple[int, int] | None  # None: it is not there


def shares(services: Services, misses: bool) -> None:
    cases = list(_cases(services, random.Random(5)))
    counted: dict[str, Counter] = defaultdict(Counter)
    against: dict[str, Counter] = defaultdict(Counter)
    library: dict[str, Counter] = defaultdict(Counter)
    walked: Counter[str] = Counter()
    for number, case in enumerate(cases):
        text = services.quote_locator.text_cache.get_text(case.document).text
        found = services.quote_locator.locate(case.quote, case.document)
        span = (found.place.start, found.place.end) if found.place else None
        end = _verdict(case, text, span)
        counted[case.kind][f"{end} {found.tier}" if span else end] += 1
        if misses and end != "right":
            print(f"{end} {found.tier} [{case.kind}] {case.document.name}: {case.quote!r} {found.why}", file=sys.stderr)
        if number % IN_THE_LIBRARY == 0:
            library[case.kind][_in_the_library(services, case)] += 1
        at = text.find(case.quote)
        against[case.kind][_verdict(case, text, (at, at + len(case.quote)) if at >= 0 else None) + " exact"] += 1
        if walked[case.kind] < DIFFLIB_QUOTES and len(text) <= DIFFLIB_TEXT:
            walked[case.kind] += 1
            against[case.kind][_verdict(case, text, _by_difflib(text, case.quote)) + " difflib"] += 1
    _print_shares(cases, counted, library, against, walked)


def _cases(services: Services, drawn: random.Random) -> Iterator[Case]:
    documents = services.catalog.documents(states=sorted(READABLE), superseded=False)
    documents = [document for document in documents if document.collection == COLLECTION]
    pools = {document.id: _sentences(services, document) for document in documents}
    usable = [document for document in documents if pools[document.id]]
    kinds = [*DAMAGES, *ABSENT, "over a page border", "a sentence of another document"]
    borders = {document.id: _over_borders(services, document) for document in usable}
    crossing = [document for document in usable if borders[document.id]]
    scripts = [
        d
        for d in usable
        if sum(DAMAGES["Simplified for Traditional"](drawn, q) is not None for q, _ in pools[d.id]) > 2
    ]
    for kind in kinds:
        for _ in range(QUOTES // len(kinds)):
            case = None
            for _try in range(200):
                document = drawn.choice(
                    {"over a page border": crossing, "Simplified for Traditional": scripts}.get(kind, usable)
                )
                case = _case(kind, drawn, document, drawn.choice(usable), pools, borders, services)
                if case is not None:
                    yield case
                    break


def _case(kind, drawn, document, other, pools, borders, services) -> Case | None:
    if kind == "over a page border":
        return Case(kind, document, *drawn.choice(borders[document.id]))
    quote, span = drawn.choice(pools[document.id])
    if kind in DAMAGES:
        damaged = DAMAGES[kind](drawn, quote)
        return Case(kind, document, damaged, span) if damaged else None
    if kind in ABSENT:
        altered, place = ABSENT[kind](drawn, quote), document
    else:
        altered, place = quote, other
    whole = services.quote_locator.text_cache.get_text(place).normal_form.text
    absent = altered and place is not None and normalise_text(altered).text not in whole
    return Case(kind, place, altered, None) if absent else None


def _sentences(services: Services, document: Document) -> list[tuple[str, tuple[int, int]]]:
    """Those that are long enough to be known by their words."""
    text, found = services.catalog.text(document), []
    for _, _, start, end, _ in services.catalog.sentence_spans(document):
        quote = text[start:end]
        if SHORTEST <= len(quote) <= LONGEST and "\t" not in quote and measure_strength(quote) >= NEEDS:
            found.append((quote, (start, end)))
    return found


def _over_borders(services: Services, document: Document) -> list[tuple[str, tuple[int, int]]]:
    """The last sentence of a page with the first of the next, and sentences that run from one to the other."""
    text, source, found = services.catalog.text(document), services.catalog.source_map(document), []
    rows = sorted(services.catalog.sentence_spans(document), key=lambda row: row.start)
    for first, second in pairwise(rows):
        start, end = first.start, second.end
        if first.page == second.page and source.page_at(first.start) == source.page_at(max(first.end - 1, 0)):
            continue
        quote = text[start:end]
        if end - start <= 2 * LONGEST and measure_strength(quote) >= NEEDS:
            found.append((" ".join(quote.split()), (start, end)))
    return found


def _verdict(case: Case, text: str, span: tuple[int, int] | None) -> str:
    if span is None:
        return "right" if case.span is None else "missed"
    if case.span is None:
        return "wrong"
    both = min(span[1], case.span[1]) - max(span[0], case.span[0])
    either = max(span[1], case.span[1]) - min(span[0], case.span[0])
    same = normalise_text(text[slice(*span)]).text == normalise_text(text[slice(*case.span)]).text
    return "right" if same or both >= SHARED * either else "wrong"


def _in_the_library(services: Services, case: Case) -> str:
    """Without being told the document. The same words in another document are no mistake."""
    place = services.quote_locator.locate(case.quote).place
    if place is None:
        return "missed" if case.span else "right"
    text = services.quote_locator.text_cache.get_text(case.document).text
    if case.span and place.document.id == case.document.id:
        return _verdict(case, text, (place.start, place.end))
    said = normalise_text(text[slice(*case.span)] if case.span else case.quote).text
    found = normalise_text(place.text).text
    return "right" if found in said or said in found else "wrong"


def _by_difflib(text: str, quote: str) -> tuple[int, int] | None:
    run = SequenceMatcher(None, text, quote, autojunk=False).find_longest_match()
    if run.size < DIFFLIB_ENOUGH * len(quote):
        return None
    start = max(run.a - run.b, 0)
    return start, start + len(quote)


def _print_shares(cases: list[Case], counted, library, against, walked) -> None:
    total = Counter(case.kind for case in cases)
    print(f"{len(cases):,} quotes from {len({case.document.id for case in cases})} documents\n")
    print(
        "| quote | n | found | wrongly | "
        + " | ".join(_TIERS)
        + " | in the whole library: found, wrongly | exact search | difflib: found, wrongly |"
    )
    print("|" + "---|" * (7 + len(_TIERS)))
    for kind, count in total.items():
        mine, there = counted[kind], next(c.span for c in cases if c.kind == kind) is not None
        right = sum(n for key, n in mine.items() if key.startswith("right ")) / count
        wrong = sum(n for key, n in mine.items() if key.startswith("wrong")) / count
        tiers = [f"{sum(mine[f'{end} {tier}'] for end in ('right', 'wrong')) / count:.1%}" for tier in _TIERS]
        everywhere, tried = library[kind], library[kind].total() or 1
        found = f"{everywhere['right'] / tried:.1%}" if there else "-"
        tiers.append(f"{found}, {everywhere['wrong'] / tried:.1%}")
        other, some = against[kind], walked[kind] or 1
        cells = [kind, str(count), f"{right:.1%}" if there else "-", f"{wrong:.1%}", *tiers]
        cells.append(f"{other['right exact'] / count:.1%}" if there else f"wrongly {other['wrong exact'] / count:.1%}")
        cells.append(
            f"{other['right difflib'] / some:.0%}, {other['wrong difflib'] / some:.0%}"
            if there
            else f"-, {other['wrong difflib'] / some:.0%}"
        )
        print("| " + " | ".join(cells) + " |")
    wrong = sum(n for mine in counted.values() for key, n in mine.items() if key.startswith("wrong"))
    print(f"\nWrongly found, of all: {wrong / len(cases):.2%} (goal: 0.5 % at most)\n")
