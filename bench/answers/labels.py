"""References as models and people write them, compared with the tables in tests/highlighter/references.

The tables are written for people. "sources" begins a list of sources, one a line: `1 NEC4 ACC.pdf | pages 1-10 | chunk 5 |
id abc | label S1 | printed i,ii,1,2 | text ...`. Every other line is `TEXT => OUTCOMES`, in the order of its markers:
`1 p3 c5` (source, page, chunk), `1|2` (either source of one document), `! reason`, `-` for nothing, separated by `;`.
A tier (`exact`, `normalised` ...) is checked where it is given, and so is a quote in "quotation marks".
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.table import Row, format_ms
from highlighter.models import ReferenceResolution, ResolvedReference, Source, UnresolvedMarker
from highlighter.references.resolver import TIERS, resolve_references

TABLES = Path(__file__).resolve().parents[2] / "tests" / "highlighter" / "references"
RIGHT, WRONG, MISSED, COUNTED = "right", "wrong link", "not resolved", "wrongly counted"


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    sources: tuple[Source, ...]
    expected: tuple[str, ...]
    line: int
    retrieved: bool = True


def rows(paths: Iterable[Path] = ()) -> list[Row]:
    table_rows = []
    for path in paths or sorted(TABLES.glob("labels*.txt")):
        cases = list(read(path))
        start = time.perf_counter()
        verdicts = Counter(verdict(case, resolve_references(case.text, case.sources, case.retrieved)) for case in cases)
        seconds = time.perf_counter() - start
        result = f"{verdicts[RIGHT]} right, {verdicts[WRONG]} wrong links, {verdicts[MISSED]} not resolved"
        if verdicts[COUNTED]:
            result += f", {verdicts[COUNTED]} taken for references that are none, or the reverse"
        measurement = f"references resolved, {path.name} ({len(cases)} labels)"
        table_rows.append(
            Row(
                measurement,
                result,
                f"{format_ms(seconds / len(cases))} each",
                f"{verdicts[RIGHT] / len(cases):.1%}",
                "0 wrong links",
            )
        )
    return table_rows


def verdict(case: Case, resolution: ReferenceResolution) -> str:
    outcomes = _sort_outcomes(resolution)
    if len(outcomes) == len(case.expected) and all(map(_agrees, case.expected, outcomes)):
        return RIGHT
    allowed = [_sources(expected) for expected in case.expected if not expected.startswith("!")]
    if any(
        isinstance(outcome, ResolvedReference)
        and not any(outcome.source in sources_of_case for sources_of_case in allowed)
        for outcome in outcomes
    ):
        return WRONG
    matched = [
        expected
        for expected, outcome in zip(case.expected, outcomes, strict=False)
        if isinstance(outcome, ResolvedReference)
    ]
    if len(outcomes) == len(case.expected) and any(expected.startswith("!") for expected in matched):
        return WRONG
    pairs = zip(case.expected, outcomes, strict=False)
    if any(
        isinstance(outcome, ResolvedReference) and not expected.startswith("!") and not _agrees(expected, outcome)
        for expected, outcome in pairs
    ):
        return WRONG  # the right source, but another page or chunk
    return MISSED if len(resolution.citations) < len(allowed) else COUNTED


def _sort_outcomes(resolution: ReferenceResolution) -> list[ResolvedReference | UnresolvedMarker]:
    outcomes: list[ResolvedReference | UnresolvedMarker] = [*resolution.citations, *resolution.unresolved]
    return sorted(outcomes, key=lambda outcome: (outcome.start, outcome.end))


def format_outcomes(resolution: ReferenceResolution) -> str:
    """Return the outcomes of a text in the table's notation."""
    outcomes = _sort_outcomes(resolution)
    return "; ".join(map(_format_outcome, outcomes)) or "-"


def _format_outcome(outcome: ResolvedReference | UnresolvedMarker) -> str:
    if isinstance(outcome, UnresolvedMarker):
        return f"! {outcome.reason} {' '.join(str(index + 1) for index in outcome.candidates)}".strip()
    page, chunk = (
        f" p{outcome.page}" if outcome.page else "",
        f" c{outcome.chunk_index}" if outcome.chunk_index is not None else "",
    )
    return f"{outcome.source + 1}{page}{chunk} {outcome.tier}" + (f' "{outcome.quote}"' if outcome.quote else "")


def _sources(expected: str) -> list[int]:
    return [int(number) - 1 for number in expected.split()[0].split("|")]


def _agrees(expected: str, outcome: ResolvedReference | UnresolvedMarker) -> bool:
    if expected.startswith("!"):
        return isinstance(outcome, UnresolvedMarker) and outcome.reason == expected[1:].strip()
    if isinstance(outcome, UnresolvedMarker):
        return False
    quote = re.search(r'"([^"]*)"', expected)
    words = expected.replace(quote[0] if quote else "", "").split()
    page = next((int(word[1:]) for word in words if re.fullmatch(r"p\d+", word)), 0)
    chunk = next((int(word[1:]) for word in words if re.fullmatch(r"c\d+", word)), None)
    tier = next((word for word in words if word in TIERS), outcome.tier)
    same_chunk = chunk is None or outcome.chunk_index == chunk
    return (
        outcome.source in _sources(expected) and outcome.page == page and same_chunk and outcome.tier == tier
        and (quote is None or outcome.quote == quote[1])
    )  # fmt: skip


def read(path: Path) -> Iterator[Case]:
    sources: list[Source] = []
    listing, retrieved = False, True
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line in ("sources", "library"):
            sources, listing, retrieved = [], True, line == "sources"
        elif listing and " => " not in line:
            sources.append(_source(line))
        else:
            listing = False
            text, _, expected = line.rpartition(" => ")
            outcomes = () if expected.strip() == "-" else tuple(part.strip() for part in expected.split(";"))
            yield Case(text.replace("\\n", "\n"), tuple(sources), outcomes, number, retrieved)


def _source(line: str) -> Source:
    name, *facts = (part.strip() for part in line.partition(" ")[2].split(" | "))
    fields = dict(fact.split(" ", 1) for fact in facts)
    return Source(
        name, fields.get("label", ""), fields.get("id", ""), tuple(int(page) for page in _expand_ranges(fields.get("pages", ""))),
        tuple(filter(None, fields.get("printed", "").split(","))), int(fields["chunk"]) if "chunk" in fields else None, fields.get("text", ""),
    )  # fmt: skip


def _expand_ranges(listing: str) -> Iterator[str]:
    for part in filter(None, listing.split(",")):
        first, dash, last = part.partition("-")
        if dash and first.isdigit():
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield part
