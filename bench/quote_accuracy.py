"""The accuracy of locating damaged and absent quotes: Highlighter, exact search and difflib."""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from bench.quote_damage import DAMAGES, FALSIFICATIONS
from bench.quote_rewriting import REWRITINGS, UNFAITHFUL_REWRITINGS
from highlighter.models import READABLE, Document
from highlighter.quotes.fragments import split_at_gaps
from highlighter.quotes.match import NONE, TIERS
from highlighter.quotes.normal_form import ComparableText, normalise_text
from highlighter.quotes.significance import measure_strength
from highlighter.services import Services

QUOTES = 4_000
_TIERS_OF_MATCHES = [tier for tier in TIERS if tier != NONE]
COLLECTION = "quotes"
MIN_CHARACTERS, MAX_CHARACTERS, MIN_STRENGTH = 30, 500, 4
# A located span is right when it shares this much with the true one, or has the same words elsewhere.
MIN_SHARED = 0.8
# Every second quote is located in the whole library as well.
LIBRARY_INTERVAL = 2
# difflib takes seconds for a quote, so it gets only some quotes, in texts of limited length.
MAX_DIFFLIB_QUOTES, MAX_DIFFLIB_CHARACTERS = 15, 60_000
# kotaemon highlights the longest run that difflib finds if it has this share of the quote.
MIN_DIFFLIB_SHARE = 0.35

Quotes = Mapping[str, Sequence[tuple[str, tuple[int, int]]]]  # by document id: quotes with their spans
Results = Mapping[str, Counter[str]]  # by kind of quote


@dataclass(frozen=True, slots=True)
class QuoteCase:
    """A quote with the span that it should be located at."""

    kind: str
    document: Document
    quote: str
    span: tuple[int, int] | None  # None: the document does not contain the quote


def print_accuracy(services: Services, misses: bool) -> None:
    cases = list(_make_cases(services, random.Random(5)))
    our_results: dict[str, Counter[str]] = defaultdict(Counter)
    other_results: dict[str, Counter[str]] = defaultdict(Counter)
    library_results: dict[str, Counter[str]] = defaultdict(Counter)
    difflib_counts: Counter[str] = Counter()
    for number, case in enumerate(cases):
        text = _get_text(services, case.document).text
        located = services.quote_locator.locate(case.quote, case.document)
        span = (located.place.start, located.place.end) if located.place else None
        result = _judge_span(case, text, span, located.place.spans if located.place else ())
        our_results[case.kind][f"{result} {located.tier}" if span else result] += 1
        if misses and result != "right":
            print(
                f"{result} {located.tier} [{case.kind}] {case.document.name}: {case.quote!r} {located.why}",
                file=sys.stderr,
            )
        if number % LIBRARY_INTERVAL == 0:
            library_results[case.kind][_judge_in_library(services, case)] += 1
        offset = text.find(case.quote)
        other_results[case.kind][
            _judge_span(case, text, (offset, offset + len(case.quote)) if offset >= 0 else None) + " exact"
        ] += 1
        if difflib_counts[case.kind] < MAX_DIFFLIB_QUOTES and len(text) <= MAX_DIFFLIB_CHARACTERS:
            difflib_counts[case.kind] += 1
            other_results[case.kind][_judge_span(case, text, _locate_with_difflib(text, case.quote)) + " difflib"] += 1
    _print_table(cases, our_results, library_results, other_results, difflib_counts)


def _make_cases(services: Services, rng: random.Random) -> Iterator[QuoteCase]:
    documents = services.catalog.documents(states=sorted(READABLE), superseded=False)
    documents = [document for document in documents if document.collection == COLLECTION]
    quotes_of_document = {document.id: _list_quotable_sentences(services, document) for document in documents}
    usable = [document for document in documents if quotes_of_document[document.id]]
    kinds = [
        *DAMAGES, *REWRITINGS, "merged sentences", *FALSIFICATIONS, *UNFAITHFUL_REWRITINGS, "over a page border",
        "a sentence of another document",
    ]  # fmt: skip
    crossings_of_document = {document.id: _list_page_crossings(services, document) for document in usable}
    documents_with_crossings = [document for document in usable if crossings_of_document[document.id]]
    traditional_documents = [
        d
        for d in usable
        if sum(DAMAGES["Simplified for Traditional"](rng, q) is not None for q, _ in quotes_of_document[d.id]) > 2
    ]
    for kind in kinds:
        for _ in range(QUOTES // len(kinds)):
            case = None
            for _try in range(200):
                document = rng.choice(
                    {
                        "over a page border": documents_with_crossings,
                        "Simplified for Traditional": traditional_documents,
                    }.get(kind, usable)
                )
                case = _make_case(
                    kind, rng, document, rng.choice(usable), quotes_of_document, crossings_of_document, services
                )
                if case is not None:
                    yield case
                    break


def _get_text(services: Services, document: Document) -> ComparableText:
    text = services.quote_locator.text_cache.get_text(document)
    assert text is not None, f"{document.name} was deleted"
    return text


def _make_case(
    kind: str,
    rng: random.Random,
    document: Document,
    other_document: Document,
    quotes_of_document: Quotes,
    crossings_of_document: Quotes,
    services: Services,
) -> QuoteCase | None:
    if kind == "over a page border":
        return QuoteCase(kind, document, *rng.choice(crossings_of_document[document.id]))
    if kind == "merged sentences":
        return _merge_sentences(rng, document, quotes_of_document[document.id])
    quote, span = rng.choice(quotes_of_document[document.id])
    if damage := (DAMAGES | REWRITINGS).get(kind):
        damaged = damage(rng, quote)
        return QuoteCase(kind, document, damaged, span) if damaged else None
    if falsify := (FALSIFICATIONS | UNFAITHFUL_REWRITINGS).get(kind):
        altered, quote_document = falsify(rng, quote), document
    else:
        altered, quote_document = quote, other_document
    document_text = _get_text(services, quote_document).normal_form.text
    is_absent = altered and normalise_text(altered).text not in document_text
    return QuoteCase(kind, quote_document, altered, None) if altered and is_absent else None


def _merge_sentences(
    rng: random.Random, document: Document, quotes: Sequence[tuple[str, tuple[int, int]]]
) -> QuoteCase | None:
    """Quote a sentence and the one after the next, as if they followed one another."""
    if len(quotes) < 3:
        return None
    first = rng.randrange(len(quotes) - 2)
    (first_quote, (start, first_end)), (last_quote, (last_start, end)) = quotes[first], quotes[first + 2]
    is_near = 0 < last_start - first_end <= MAX_CHARACTERS
    return QuoteCase("merged sentences", document, f"{first_quote} {last_quote}", (start, end)) if is_near else None


def _list_quotable_sentences(services: Services, document: Document) -> list[tuple[str, tuple[int, int]]]:
    """Return the sentences that are long enough to be recognised by their words."""
    text, quotes = services.catalog.text(document), []
    for _, _, start, end, _ in services.catalog.sentence_spans(document):
        quote = text[start:end]
        if (
            MIN_CHARACTERS <= len(quote) <= MAX_CHARACTERS
            and "\t" not in quote
            and measure_strength(quote) >= MIN_STRENGTH
        ):
            quotes.append((quote, (start, end)))
    return quotes


def _list_page_crossings(services: Services, document: Document) -> list[tuple[str, tuple[int, int]]]:
    """Return the last sentence of each page with the first of the next, and sentences over two pages."""
    text, source, quotes = services.catalog.text(document), services.catalog.source_map(document), []
    rows = sorted(services.catalog.sentence_spans(document), key=lambda row: row.start)
    for first, second in pairwise(rows):
        start, end = first.start, second.end
        if first.page == second.page and source.page_at(first.start) == source.page_at(max(first.end - 1, 0)):
            continue
        quote = text[start:end]
        if end - start <= 2 * MAX_CHARACTERS and measure_strength(quote) >= MIN_STRENGTH:
            quotes.append((" ".join(quote.split()), (start, end)))
    return quotes


def _judge_span(
    case: QuoteCase, text: str, span: tuple[int, int] | None, fragments: tuple[tuple[int, int], ...] = ()
) -> str:
    """Judge a located span. Other fragments with the same words are right, too."""
    if span is None:
        return "right" if case.span is None else "missed"
    if case.span is None:
        return "wrong"
    quoted_words = normalise_text("".join(fragment.text for fragment in split_at_gaps(case.quote)) or case.quote).text
    if fragments and normalise_text("".join(text[start:end] for start, end in fragments)).text == quoted_words:
        return "right"
    shared = min(span[1], case.span[1]) - max(span[0], case.span[0])
    union = max(span[1], case.span[1]) - min(span[0], case.span[0])
    has_same_words = normalise_text(text[slice(*span)]).text == normalise_text(text[slice(*case.span)]).text
    return "right" if has_same_words or shared >= MIN_SHARED * union else "wrong"


def _judge_in_library(services: Services, case: QuoteCase) -> str:
    """Judge a quote located without a document. The same words in another document are right, too."""
    match = services.quote_locator.locate(case.quote).place
    if match is None:
        return "missed" if case.span else "right"
    text = _get_text(services, case.document).text
    if case.span and match.document.id == case.document.id:
        return _judge_span(case, text, (match.start, match.end), match.spans)
    expected = normalise_text(text[slice(*case.span)] if case.span else case.quote).text
    located_words = normalise_text(match.text).text
    return "right" if located_words in expected or expected in located_words else "wrong"


def _locate_with_difflib(text: str, quote: str) -> tuple[int, int] | None:
    run = SequenceMatcher(None, text, quote, autojunk=False).find_longest_match()
    if run.size < MIN_DIFFLIB_SHARE * len(quote):
        return None
    start = max(run.a - run.b, 0)
    return start, start + len(quote)


def _print_table(
    cases: list[QuoteCase],
    our_results: Results,
    library_results: Results,
    other_results: Results,
    difflib_counts: Counter[str],
) -> None:
    total = Counter(case.kind for case in cases)
    print(f"{len(cases):,} quotes from {len({case.document.id for case in cases})} documents\n")
    print(
        "| quote | n | found | wrongly | "
        + " | ".join(_TIERS_OF_MATCHES)
        + " | in the whole library: found, wrongly | exact search | difflib: found, wrongly |"
    )
    print("|" + "---|" * (7 + len(_TIERS_OF_MATCHES)))
    for kind, count in total.items():
        our_counts, has_span = our_results[kind], next(c.span for c in cases if c.kind == kind) is not None
        right_share = sum(n for key, n in our_counts.items() if key.startswith("right ")) / count
        wrong_share = sum(n for key, n in our_counts.items() if key.startswith("wrong")) / count
        tiers = [
            f"{sum(our_counts[f'{result} {tier}'] for result in ('right', 'wrong')) / count:.1%}"
            for tier in _TIERS_OF_MATCHES
        ]
        in_library, library_count = library_results[kind], library_results[kind].total() or 1
        located = f"{in_library['right'] / library_count:.1%}" if has_span else "-"
        tiers.append(f"{located}, {in_library['wrong'] / library_count:.1%}")
        other_counts, difflib_count = other_results[kind], difflib_counts[kind] or 1
        cells = [kind, str(count), f"{right_share:.1%}" if has_span else "-", f"{wrong_share:.1%}", *tiers]
        cells.append(
            f"{other_counts['right exact'] / count:.1%}"
            if has_span
            else f"wrongly {other_counts['wrong exact'] / count:.1%}"
        )
        cells.append(
            f"{other_counts['right difflib'] / difflib_count:.0%}, {other_counts['wrong difflib'] / difflib_count:.0%}"
            if has_span
            else f"-, {other_counts['wrong difflib'] / difflib_count:.0%}"
        )
        print("| " + " | ".join(cells) + " |")
    wrong_count = sum(
        n for our_counts in our_results.values() for key, n in our_counts.items() if key.startswith("wrong")
    )
    print(f"\nWrongly found, of all: {wrong_count / len(cases):.2%} (goal: 0.3 % at most)\n")
