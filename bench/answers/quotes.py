"""Quotations of the samples as answers give them: true ones in other writing, and altered ones. How many are told apart."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from bench.damage import ABSENT, DAMAGES
from bench.table import Row
from highlighter.grounding.quotations import VERIFIED, check_quote
from highlighter.models import READABLE
from highlighter.quotes.normal_form import normalise_text
from highlighter.quotes.significance import measure_strength
from highlighter.services import Services
from highlighter.settings import Settings

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
Case = tuple[str, str, str, bool]  # kind, quote, text of the chunk, whether it is true to it
A_KIND = 300  # quotations of each kind, as far as the samples hold so many
SHORTEST, LONGEST, NEEDS = 30, 500, 4
TRUE = ("as it stands", "changed quotes", "joined lines", "Simplified for Traditional")
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
    told = [(kind, check_quote(quote, text).state, true) for kind, quote, text, true in cases]
    counted = Counter((kind, state == VERIFIED) for kind, state, _ in told)
    named = Counter((kind, state) for kind, state, _ in told)
    out = []
    for kind in dict.fromkeys(kind for kind, *_ in told):
        true = next(t for k, _, t in told if k == kind)
        count = counted[kind, True] + counted[kind, False]
        if true:
            out.append(
                Row(
                    f"true quote, {kind}: wrongly called altered ({count})",
                    _share(counted[kind, False], count),
                    "",
                    "",
                    "as few as can be",
                )
            )
        else:
            said = f"told as altered {_share(named[kind, 'altered'], count)}"
            out.append(
                Row(
                    f"altered quote, {kind}: caught ({count})", _share(counted[kind, False], count), said, "", ">= 99 %"
                )
            )
    for true, what, goal in (
        (False, "altered quotes in all: caught", ">= 99 %"),
        (True, "true quotes in all: wrongly called altered", "as few as can be"),
    ):
        some = [state == VERIFIED for _, state, own in told if own == true]
        out.append(Row(f"{what} ({len(some)})", _share(len(some) - sum(some), len(some)), "", "", goal))
    return out


def _cases(services: Services, drawn: random.Random) -> Iterator[Case]:
    chunks = []
    for document in services.catalog.documents(states=sorted(READABLE)):
        for chunk in services.catalog.chunks(document):
            found = services.catalog.sentences(chunk, services.embedder.name)[0]
            usable = [
                s.text
                for s in found
                if SHORTEST <= len(s.text) <= LONGEST and "\t" not in s.text and measure_strength(s.text) >= NEEDS
            ]
            if usable:
                chunks.append((chunk.text, usable))
    for kind in TRUE:
        yield from _of(drawn, chunks, kind, DAMAGES[kind], True)
    for kind, alter in (*ABSENT.items(), ("a dropped “not”", _not_dropped)):
        yield from _of(drawn, chunks, kind, alter, False)
    yield from _joined(drawn, chunks)


def _of(drawn: random.Random, chunks, kind: str, change, true: bool) -> Iterator[Case]:
    every = [(text, quote) for text, quotes in chunks for quote in quotes]
    made = 0
    for text, quote in drawn.sample(every, len(every)):
        changed = change(drawn, quote)
        if changed and (true or normalise_text(changed).text not in normalise_text(text).text):
            made += 1
            yield kind, changed, text, true
        if made == A_KIND:
            return


def _not_dropped(_: random.Random, quote: str) -> str | None:
    found = re.search(r"\b(?:not|never) |\bno (?=[a-z])|不(?=[得能可会會應应])", quote)
    return quote[: found.start()] + quote[found.end() :] if found else None


def _joined(drawn: random.Random, chunks) -> Iterator[Case]:
    """Two sentences of a chunk with something left out between them: whole ones, and the half of each."""
    pairs = [(text, a, b) for text, quotes in chunks for n, a in enumerate(quotes) for b in quotes[n + 2 :]]
    beside = {(a, b) for _, quotes in chunks for a, b in pairwise(quotes)}
    pairs = [pair for pair in pairs if pair[1:] not in beside and " " in pair[1] and " " in pair[2]]
    for text, one, two in drawn.sample(pairs, min(len(pairs), A_KIND)):
        whole = normalise_text(text).text
        joined = {
            "two sentences joined": f"{one} {two}",
            "two sentences joined by “and”": f"{_STOP.sub('', one)} and {two}",
            "the halves of two joined": f"{_half(one, 0)} {_half(two, 1)}",
        }
        for kind, quote in joined.items():
            if normalise_text(quote).text not in whole:
                yield kind, quote, text, False


def _half(sentence: str, side: int) -> str:
    words = sentence.split(" ")
    middle = (len(words) + 1) // 2
    return " ".join(words[middle:] if side else words[:middle])


def _share(some: int, of: int) -> str:
    return f"{some / of:.1%}" if of else "-"
