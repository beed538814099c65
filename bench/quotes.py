"""python -m bench.quotes [--docs FOLDER]: quotes damaged on purpose and quotes of what is not there: how many are found,
how many wrongly, by tier; against exact search and difflib; and how long it takes."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path

from bench.damage import ABSENT, DAMAGES
from bench.table import ms, percentile
from highlighter.citations.normal import normal
from highlighter.citations.weight import strength
from highlighter.models import READABLE, Document
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
QUOTES = 2_000
COLLECTION = "quotes"
SHORTEST, LONGEST, NEEDS = 30, 500, 4
# The found span is right when it shares so much with the true one, or says the same at another place.
SHARED = 0.8
PAGES, CHARACTERS_A_PAGE, ROUNDS = (10, 100, 400, 1000), 3_000, 9
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


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.quotes", description=__doc__)
    parser.add_argument("--docs", type=Path, help="a folder of documents, besides samples/")
    parser.add_argument("--data", type=Path, help="keep the library here, and use it again the next time")
    parser.add_argument("--misses", action="store_true", help="print what was missed or found wrongly")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="highlighter-bench-") as folder:
        services = Services(Settings(data_dir=options.data or Path(folder)))
        try:
            taken_in(services, [SAMPLES, *([options.docs] if options.docs else [])])
            shares(services, options.misses)
            times(services)
        finally:
            services.close()
    return 0


def taken_in(services: Services, folders: list[Path]) -> None:
    from highlighter.facade import SUFFIXES

    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.suffix.lower() in SUFFIXES):
            services.desk.take(path, COLLECTION)


def shares(services: Services, misses: bool) -> None:
    cases = list(_cases(services, random.Random(5)))
    counted: dict[str, Counter] = defaultdict(Counter)
    against: dict[str, Counter] = defaultdict(Counter)
    library: dict[str, Counter] = defaultdict(Counter)
    walked: Counter[str] = Counter()
    for number, case in enumerate(cases):
        text = services.locator.texts.words(case.document).text
        found = services.locator.locate(case.quote, case.document)
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
    whole = services.locator.texts.words(place).normal.text
    absent = altered and place is not None and normal(altered).text not in whole
    return Case(kind, place, altered, None) if absent else None


def _sentences(services: Services, document: Document) -> list[tuple[str, tuple[int, int]]]:
    """Those that are long enough to be known by their words."""
    text, found = services.catalog.text(document), []
    for _, _, start, end, _ in services.catalog.sentence_places(document):
        quote = text[start:end]
        if SHORTEST <= len(quote) <= LONGEST and "\t" not in quote and strength(quote) >= NEEDS:
            found.append((quote, (start, end)))
    return found


def _over_borders(services: Services, document: Document) -> list[tuple[str, tuple[int, int]]]:
    """The last sentence of a page with the first of the next, and sentences that run from one to the other."""
    text, source, found = services.catalog.text(document), services.catalog.source_map(document), []
    rows = sorted(services.catalog.sentence_places(document), key=lambda row: row[2])
    for first, second in pairwise(rows):
        start, end = first[2], second[3]
        if first[4] == second[4] and source.page_at(first[2]) == source.page_at(max(first[3] - 1, 0)):
            continue
        quote = text[start:end]
        if end - start <= 2 * LONGEST and strength(quote) >= NEEDS:
            found.append((" ".join(quote.split()), (start, end)))
    return found


def _verdict(case: Case, text: str, span: tuple[int, int] | None) -> str:
    if span is None:
        return "right" if case.span is None else "missed"
    if case.span is None:
        return "wrong"
    both = min(span[1], case.span[1]) - max(span[0], case.span[0])
    either = max(span[1], case.span[1]) - min(span[0], case.span[0])
    same = normal(text[slice(*span)]).text == normal(text[slice(*case.span)]).text
    return "right" if same or both >= SHARED * either else "wrong"


def _in_the_library(services: Services, case: Case) -> str:
    """Without being told the document. The same words in another document are no mistake."""
    place = services.locator.locate(case.quote).place
    if place is None:
        return "missed" if case.span else "right"
    text = services.locator.texts.words(case.document).text
    if case.span and place.document.id == case.document.id:
        return _verdict(case, text, (place.start, place.end))
    said = normal(text[slice(*case.span)] if case.span else case.quote).text
    found = normal(place.text).text
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


def times(services: Services) -> None:
    """Through the service, with the text read from SQL and normalised anew ("first"), and asked again."""
    services.embedder.load()
    print("| pages | quote | first (median of 9) | again |\n|---|---|---|---|")
    for pages in PAGES:
        document, sentences = _long_document(services, pages)
        drawn = random.Random(pages)
        for name, damage in (("exact", DAMAGES["as it stands"]), ("a typo", DAMAGES["a typo"]), ("not there", None)):
            first, again = [], []
            for number in range(ROUNDS):
                quote = damage(drawn, drawn.choice(sentences)) if damage else _sentence(drawn, f"absent {number}")
                services.locator.texts.forget()  # nothing is at hand
                for seconds in (first, again):
                    began = time.perf_counter()
                    services.locator.locate(quote, document)
                    seconds.append(time.perf_counter() - began)
            print(f"| {pages} | {name} | {ms(percentile(first, 0.5))} | {ms(percentile(again, 0.5))} |")


def _long_document(services: Services, pages: int) -> tuple[Document, list[str]]:
    from bench.stores import document_of

    drawn, sentences, size = random.Random(pages), [], 0
    while size < pages * CHARACTERS_A_PAGE:
        sentences.append(_sentence(drawn, str(len(sentences))))
        size += len(sentences[-1]) + 1
    return document_of(services, sentences, f"long-{pages}", drawn), sentences


_LETTERS = random.Random(9)
_WORDS = ["".join(_LETTERS.choices("etaoinshrdlucmfwypvbgk", k=_LETTERS.randint(2, 11))) for _ in range(12_000)]
_OFTEN = [1 / (rank + 3) for rank in range(len(_WORDS))]  # as words are in any language


def _sentence(drawn: random.Random, name: str) -> str:
    return f"{' '.join(drawn.choices(_WORDS, _OFTEN, k=drawn.randint(12, 28))).capitalize()} {name}."


if __name__ == "__main__":
    sys.exit(main())
