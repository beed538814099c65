"""Claims known to be true or false of a text: from judged data sets, and made by altering true claims."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from highlighter.grounding.wording import parse_wording
from training.claims.alterations import ALTERATIONS, restate_sentence

WICE, FM2, ALTERED = "wice", "fm2", "altered"
MIN_CONTENT_WORDS = 3  # a shorter claim says too little to be judged
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim with its context and the judgement whether it holds."""

    set: str
    kind: str  # "true", "partly", "contradicted", or the alteration
    group: str
    text: str
    context: str
    holds: bool
    wrong: tuple[Span, ...] | None = None  # the words that do not hold; None: unknown (known for wice and alterations)

    @property
    def measured(self) -> bool:
        """Return whether the claim is used for measuring. One page in three is never fitted on."""
        return crc32(self.group.encode()) % 3 == 0


def read_judged_claims(folder: Path, seed: int = 3) -> list[JudgedClaim]:
    """Return all claims in a fixed order. The alterations are the same each time."""
    rng = random.Random(seed)
    wice, fm2 = list(_wice(folder)), list(_fm2(folder))
    return wice + fm2 + list(_altered(wice + fm2, rng))


def _wice(folder: Path) -> Iterator[JudgedClaim]:
    """Yield each claim of wice as it is, of which the marked words do not hold, and with these words removed."""
    for row in _rows(folder / "wice_tokens.jsonl.gz"):
        claim, context = row["answer"], row["context"]
        group = f"{WICE}/{context[:80]}"
        wrong = tuple((label["start"], label["end"]) for label in row["labels"])
        yield JudgedClaim(WICE, "partly", group, claim, context, False, wrong)
        rest = remove_spans(claim, wrong)
        if len(parse_wording(rest).content_words) >= MIN_CONTENT_WORDS:
            yield JudgedClaim(WICE, "true", group, rest, context, True, ())


def _fm2(folder: Path) -> Iterator[JudgedClaim]:
    for row in _rows(folder / "fm2_claims.jsonl.gz"):
        holds = row["labels"][0]["kind"] == "supported"
        kind = "true" if holds else "contradicted"
        wrong = () if holds else None
        yield JudgedClaim(FM2, kind, f"{FM2}/{row['group']}", row["answer"], row["context"], holds, wrong)


def _altered(judged: list[JudgedClaim], rng: random.Random) -> Iterator[JudgedClaim]:
    """Yield a restated sentence of each page, and alterations of these and of true claims."""
    true_claims = [claim for claim in judged if claim.holds]
    restate_sentence = list(_restate_sentences(judged, rng))
    yield from restate_sentence
    for claim in rng.sample(true_claims, min(len(true_claims), len(restate_sentence))) + restate_sentence:
        for kind in rng.sample(sorted(ALTERATIONS), len(ALTERATIONS))[:2]:
            alteration = ALTERATIONS[kind](rng, claim.text, claim.context)
            if alteration is not None:
                text, wrong = alteration
                yield JudgedClaim(ALTERED, kind, claim.group, text, claim.context, False, wrong)


def _restate_sentences(judged: list[JudgedClaim], rng: random.Random) -> Iterator[JudgedClaim]:
    for context, group in {claim.context: claim.group for claim in judged}.items():
        text = restate_sentence(rng, context)
        if text is not None:
            yield JudgedClaim(ALTERED, "true", group, text, context, True, ())


def remove_spans(text: str, spans: tuple[Span, ...]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return " ".join(text.split()).strip(" ,").replace(" ,", ",").replace(" .", ".")


def _rows(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
