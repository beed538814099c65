"""Quotes of the samples as answers give them, true ones in other spelling and altered ones: how many are recognised."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from bench.quote_damage import DAMAGES, FALSIFICATIONS, Damage
from bench.table import Row
from highlighter.grounding.quotations import VERIFIED, check_quote
from highlighter.models import READABLE
from highlighter.quotes.normal_form import normalise_text
from highlighter.quotes.significance import measure_strength
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
Chunks = Sequence[tuple[str, list[str]]]  # the text of each, and its sentences that can be quoted
Case = tuple[str, str, str, bool]  # kind, quote, text of the chunk, whether it is true to it
MAX_QUOTES_PER_KIND = 300
MIN_CHARACTERS, MAX_CHARACTERS, MIN_STRENGTH = 30, 500, 4
TRUE_KINDS = ("as it stands", "changed quotes", "joined lines", "Simplified for Traditional")
_STOP = re.compile(r"[.;。；]\s*$")


def rows(folder: Path) -> list[Row]:
    services = Services(Settings(data_dir=folder / "quotes"))
    try:
        for path in sorted(path for path in SAMPLES.iterdir() if path.suffix in (".pdf", ".docx", ".txt")):
            services.ingest_queue.ingest_file(path)
        return rows_of(list(_cases(services, random.Random(11))))
    finally:
        services.close()


def rows_of(cases: Sequence[Case]) -> list[Row]:
    results = [(kind, check_quote(quote, text).state, is_true) for kind, quote, text, is_true in cases]
    verified_counts = Counter((kind, state == VERIFIED) for kind, state, _ in results)
    state_counts = Counter((kind, state) for kind, state, _ in results)
    table_rows = []
    for kind in dict.fromkeys(kind for kind, *_ in results):
        is_true = next(true_to_text for kind_of_case, _, true_to_text in results if kind_of_case == kind)
        count = verified_counts[kind, True] + verified_counts[kind, False]
        if is_true:
            table_rows.append(
                Row(
                    f"true quote, {kind}: wrongly called altered ({count})",
                    _format_share(verified_counts[kind, False], count),
                    "",
                    "",
                    "as few as can be",
                )
            )
        else:
            called_altered = f"called altered {_format_share(state_counts[kind, 'altered'], count)}"
            table_rows.append(
                Row(
                    f"altered quote, {kind}: caught ({count})",
                    _format_share(verified_counts[kind, False], count),
                    called_altered,
                    "",
                    ">= 99 %",
                )
            )
    for is_true, measurement, goal in (
        (False, "altered quotes in all: caught", ">= 99 %"),
        (True, "true quotes in all: wrongly called altered", "as few as can be"),
    ):
        verified = [state == VERIFIED for _, state, true_to_text in results if true_to_text == is_true]
        table_rows.append(
            Row(
                f"{measurement} ({len(verified)})",
                _format_share(len(verified) - sum(verified), len(verified)),
                "",
                "",
                goal,
            )
        )
    return table_rows


def _cases(services: Services, rng: random.Random) -> Iterator[Case]:
    chunks = []
    for document in services.catalog.documents(states=sorted(READABLE)):
        for chunk in services.catalog.chunks(document):
            sentences = services.catalog.sentences(chunk, services.embedder.name)[0]
            usable = [
                s.text
                for s in sentences
                if MIN_CHARACTERS <= len(s.text) <= MAX_CHARACTERS
                and "\t" not in s.text
                and measure_strength(s.text) >= MIN_STRENGTH
            ]
            if usable:
                chunks.append((chunk.text, usable))
    for kind in TRUE_KINDS:
        yield from _change_quotes(rng, chunks, kind, DAMAGES[kind], True)
    for kind, alter in (*FALSIFICATIONS.items(), ("a dropped “not”", _drop_not)):
        yield from _change_quotes(rng, chunks, kind, alter, False)
    yield from _join_quotes(rng, chunks)


def _change_quotes(
    rng: random.Random, chunks: Chunks, kind: str, change_quote: Damage, is_true: bool
) -> Iterator[Case]:
    quotes_with_text = [(text, quote) for text, quotes in chunks for quote in quotes]
    case_count = 0
    for text, quote in rng.sample(quotes_with_text, len(quotes_with_text)):
        changed = change_quote(rng, quote)
        if changed and (is_true or normalise_text(changed).text not in normalise_text(text).text):
            case_count += 1
            yield kind, changed, text, is_true
        if case_count == MAX_QUOTES_PER_KIND:
            return


def _drop_not(_: random.Random, quote: str) -> str | None:
    match = re.search(r"\b(?:not|never) |\bno (?=[a-z])|不(?=[得能可会會應应])", quote)
    return quote[: match.start()] + quote[match.end() :] if match else None


def _join_quotes(rng: random.Random, chunks: Chunks) -> Iterator[Case]:
    """Yield two sentences of a chunk joined although there is text between them: whole ones, and halves of each."""
    pairs = [
        (text, first, second) for text, quotes in chunks for n, first in enumerate(quotes) for second in quotes[n + 2 :]
    ]
    adjacent_pairs = {(first, second) for _, quotes in chunks for first, second in pairwise(quotes)}
    pairs = [pair for pair in pairs if pair[1:] not in adjacent_pairs and " " in pair[1] and " " in pair[2]]
    for text, first, second in rng.sample(pairs, min(len(pairs), MAX_QUOTES_PER_KIND)):
        normalised_text = normalise_text(text).text
        joined = {
            "two sentences joined": f"{first} {second}",
            "two sentences joined by “and”": f"{_STOP.sub('', first)} and {second}",
            "the halves of two joined": f"{_take_half(first, 0)} {_take_half(second, 1)}",
        }
        for kind, quote in joined.items():
            if normalise_text(quote).text not in normalised_text:
                yield kind, quote, text, False


def _take_half(sentence: str, side: int) -> str:
    words = sentence.split(" ")
    middle = (len(words) + 1) // 2
    return " ".join(words[middle:] if side else words[:middle])


def _format_share(verified: int, total: int) -> str:
    return f"{verified / total:.1%}" if total else "-"
