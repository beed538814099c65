"""References as models and people write them, held against the table in tests/highlighter/citations: right, wrong, missed.

A table is read by people first. "sources" begins a list of sources, one a line: `1 NEC4 ACC.pdf | pages 1-10 | chunk 5 |
id abc | label S1 | printed i,ii,1,2 | text ...`. Every other line is `TEXT => WHAT IT MEANS`, in the order of its marks:
`1 p3 c5` (source, page, chunk), `1|2` (either of one document's), `! reason`, `-` for nothing; several are parted by `;`.
A tier (`exact`, `normalised` ...) is checked where it is given, and so is a quotation in "quotation marks".
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.table import Row, ms
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
    made = []
    for path in paths or sorted(TABLES.glob("labels*.txt")):
        cases = list(read(path))
        began = time.perf_counter()
        verdicts = Counter(verdict(case, resolve_references(case.text, case.sources, case.retrieved)) for case in cases)
        took = time.perf_counter() - began
        of = f"{verdicts[RIGHT]} right, {verdicts[WRONG]} wrong links, {verdicts[MISSED]} not resolved"
        if verdicts[COUNTED]:
            of += f", {verdicts[COUNTED]} taken for references that are none, or the reverse"
        what = f"references resolved, {path.name} ({len(cases)} labels)"
        made.append(
            Row(what, of, f"{ms(took / len(cases))} each", f"{verdicts[RIGHT] / len(cases):.1%}", "0 wrong links")
        )
    return made


def verdict(case: Case, found: ReferenceResolution) -> str:
    outcomes = sorted([*found.citations, *found.unresolved], key=lambda one: (one.start, one.end))
    if len(outcomes) == len(case.expected) and all(map(_agrees, case.expected, outcomes)):
        return RIGHT
    allowed = [_sources(expected) for expected in case.expected if not expected.startswith("!")]
    if any(isinstance(one, ResolvedReference) and not any(one.source in some for some in allowed) for one in outcomes):
        return WRONG
    matched = [e for e, one in zip(case.expected, outcomes, strict=False) if isinstance(one, ResolvedReference)]
    if len(outcomes) == len(case.expected) and any(e.startswith("!") for e in matched):
        return WRONG
    pairs = zip(case.expected, outcomes, strict=False)
    if any(isinstance(one, ResolvedReference) and not e.startswith("!") and not _agrees(e, one) for e, one in pairs):
        return WRONG  # the right source, and another place in it
    return MISSED if len(found.citations) < len(allowed) else COUNTED


def told(found: ReferenceResolution) -> str:
    """An outcome in the table's own words."""
    outcomes = sorted([*found.citations, *found.unresolved], key=lambda one: (one.start, one.end))
    return "; ".join(map(_told, outcomes)) or "-"


def _told(one: ResolvedReference | UnresolvedMarker) -> str:
    if isinstance(one, UnresolvedMarker):
        return f"! {one.reason} {' '.join(str(index + 1) for index in one.candidates)}".strip()
    page, chunk = f" p{one.page}" if one.page else "", f" c{one.chunk_index}" if one.chunk_index is not None else ""
    return f"{one.source + 1}{page}{chunk} {one.tier}" + (f' "{one.quote}"' if one.quote else "")


def _sources(expected: str) -> list[int]:
    return [int(number) - 1 for number in expected.split()[0].split("|")]


def _agrees(expected: str, one: ResolvedReference | UnresolvedMarker) -> bool:
    if expected.startswith("!"):
        return isinstance(one, UnresolvedMarker) and one.reason == expected[1:].strip()
    if isinstance(one, UnresolvedMarker):
        return False
    quote = re.search(r'"([^"]*)"', expected)
    words = expected.replace(quote[0] if quote else "", "").split()
    page = next((int(word[1:]) for word in words if re.fullmatch(r"p\d+", word)), 0)
    chunk = next((int(word[1:]) for word in words if re.fullmatch(r"c\d+", word)), None)
    tier = next((word for word in words if word in TIERS), one.tier)
    same_chunk = chunk is None or one.chunk_index == chunk
    return (
        one.source in _sources(expected) and one.page == page and same_chunk and one.tier == tier
        and (quote is None or one.quote == quote[1])
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
    told = dict(fact.split(" ", 1) for fact in facts)
    return Source(
        name, told.get("label", ""), told.get("id", ""), tuple(int(page) for page in _listed(told.get("pages", ""))),
        tuple(filter(None, told.get("printed", "").split(","))), int(told["chunk"]) if "chunk" in told else None, told.get("text", ""),
    )  # fmt: skip


def _listed(said: str) -> Iterator[str]:
    for part in filter(None, said.split(",")):
        first, dash, last = part.partition("-")
        if dash and first.isdigit():
            yield from map(str, range(int(first), int(last) + 1))
        else:
            yield part
