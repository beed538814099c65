"""The words in which a claim differs from the sentence that decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from highlighter.grounding.wording import KeyedWord, Wording
from highlighter.locale import N_

# Two wordings that share fewer of the claim's words, or differ in more places, cannot be set side by side.
MIN_SHARED_WORDS, MAX_DIFFERENCES = 0.4, 3
# They join a claim to the one before it, and say nothing themselves.
_CONNECTIVES = frozenset(
    "however therefore thus moreover furthermore additionally also besides nevertheless nonetheless hence but though otherwise"
    " accordingly consequently meanwhile instead still yet general generally overall summary".split()
)
# Longer runs are other wordings, not other words.
MAX_RUN_WORDS = 6
# Runs of words named in an explanation.
MAX_RUNS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of a claim, and the words of a sentence in their place."""

    claim_spans: tuple[tuple[int, int], ...]
    source_spans: tuple[tuple[int, int], ...]
    why: str  # for users


def find_difference(claim: Wording, source: Wording) -> Difference | None:
    """Return the words that were exchanged; None where the two wordings are too different to say."""
    claim_keys, source_keys = [word.main_key for word in claim.words], [word.main_key for word in source.words]
    steps = Levenshtein.opcodes(claim_keys, source_keys)
    shared = sum(step.src_end - step.src_start for step in steps if step.tag == "equal")
    runs = [
        (claim.words[step.src_start : step.src_end], source.words[step.dest_start : step.dest_end])
        for step in steps
        if step.tag == "replace"
    ]
    runs = [(left, right) for left, right in runs if _has_content(left) and _has_content(right)]
    is_comparable = shared >= MIN_SHARED_WORDS * len(claim.words) and 0 < len(runs) <= MAX_DIFFERENCES
    if not is_comparable or max(len(words) for run in runs for words in run) > MAX_RUN_WORDS:
        return None
    claim_spans, source_spans = (
        tuple((words[0].start, words[-1].end) for words in side) for side in zip(*runs, strict=True)
    )
    source_words, claim_words = join_spans(source.text, source_spans), join_spans(claim.text, claim_spans)
    return Difference(
        claim_spans,
        source_spans,
        N_(
            "The source says “{source_words}” where the claim says “{claim_words}”.",
            source_words=source_words,
            claim_words=claim_words,
        ),
    )


def find_missing_runs(claim: Wording, keys: frozenset[str]) -> list[tuple[int, int]]:
    """Return the spans of the claim's content words that are not among the keys; neighbours in one span."""
    runs: list[tuple[int, int]] = []
    was_missing = False
    for word in claim.content_words:
        is_missing = not word.keys & keys and word.text not in _CONNECTIVES
        if is_missing and was_missing:
            runs[-1] = (runs[-1][0], word.end)
        elif is_missing:
            runs.append((word.start, word.end))
        was_missing = is_missing
    return runs


def _has_content(words: Sequence[KeyedWord]) -> bool:
    return any(not word.is_stop_word for word in words)


def join_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return the words of the spans, with what is between them left out."""
    return " … ".join(text[start:end] for start, end in spans)
