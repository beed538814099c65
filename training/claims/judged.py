"""Claims that are known to be true of a text, or not: from judged sets, and made by altering true ones."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from highlighter.grounding.wording import parse_wording
from training.claims.altering import ALTERATIONS, restated

WICE, FM2, ALTERED = "wice", "fm2", "altered"
# A claim cut down to less than this says too little to be judged.
WORDS_LEFT = 3
# Which words of a false claim are wrong is known of wice and of what was altered.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    set: str
    kind: str  # how it came to be: "true", "partly", "contradicted", or the alteration
    group: str
    text: str
    context: str
    holds: bool
    wrong: tuple[Span, ...] | None = None  # the words that do not hold; None: not known which

    @property
    def measured(self) -> bool:
        """One page in three is never fitted on: what is said of the figures is said of these."""
        return crc32(self.group.encode()) % 3 == 0


def read(folder: Path, seed: int = 3) -> list[JudgedClaim]:
    """Everything, in a fixed order. The alterations are the same each time."""
    drawn = random.Random(seed)
    wice, fm2 = list(_wice(folder)), list(_fm2(folder))
    return wice + fm2 + list(_altered(wice + fm2, drawn))


def _wice(folder: Path) -> Iterator[JudgedClaim]:
    """Each claim as it is, of which the marked words do not hold, and with them cut out."""
    for row in _rows(folder / "wice_tokens.jsonl.gz"):
        claim, context = row["answer"], row["context"]
        group = f"{WICE}/{context[:80]}"
        wrong = tuple((label["start"], label["end"]) for label in row["labels"])
        yield JudgedClaim(WICE, "partly", group, claim, context, False, wrong)
        rest = without(claim, wrong)
        if len(parse_wording(rest).content_words) >= WORDS_LEFT:
            yield JudgedClaim(WICE, "true", group, rest, context, True, ())


def _fm2(folder: Path) -> Iterator[JudgedClaim]:
    for row in _rows(folder / "fm2_claims.jsonl.gz"):
        holds = row["labels"][0]["kind"] == "supported"
        kind = "true" if holds else "contradicted"
        wrong = () if holds else None
        yield JudgedClaim(FM2, kind, f"{FM2}/{row['group']}", row["answer"], row["context"], holds, wrong)


def _altered(judged: list[JudgedClaim], drawn: random.Random) -> Iterator[JudgedClaim]:
    """Of each page a sentence said again, and of it and of true claims one altered in each way that it can be."""
    true = [one for one in judged if one.holds]
    said = list(_said_again(judged, drawn))
    yield from said
    for one in drawn.sample(true, min(len(true), len(said))) + said:
        for kind in drawn.sample(sorted(ALTERATIONS), len(ALTERATIONS))[:2]:
            made = ALTERATIONS[kind](drawn, one.text, one.context)
            if made is not None:
                text, wrong = made
                yield JudgedClaim(ALTERED, kind, one.group, text, one.context, False, wrong)


def _said_again(judged: list[JudgedClaim], drawn: random.Random) -> Iterator[JudgedClaim]:
    for context, group in {one.context: one.group for one in judged}.items():
        text = restated(drawn, context)
        if text is not None:
            yield JudgedClaim(ALTERED, "true", group, text, context, True, ())


def without(text: str, spans: tuple[Span, ...]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return " ".join(text.split()).strip(" ,").replace(" ,", ",").replace(" .", ".")


def _rows(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
