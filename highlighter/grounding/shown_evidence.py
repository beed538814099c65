"""The sentences that are shown with a verdict, and the words that are marked in them and in the claim."""

from __future__ import annotations

from dataclasses import replace

from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.contrasts import Contrast
from highlighter.grounding.differences import find_difference, find_missing_runs
from highlighter.grounding.entailment import MIN_DECIDING_PROBABILITY
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED
from highlighter.grounding.wording import parse_wording
from highlighter.models import Claim, ClaimEvidence

# Sentences shown with a verdict; without one for or against the claim, each shares this much of its words.
MAX_EVIDENCE_SENTENCES, MIN_EVIDENCE_SHARE = 3, 0.4


def select_evidence(
    reading: ClaimReading, verdict: str, contrast: tuple[int, Contrast] | None
) -> tuple[ClaimEvidence, ...]:
    """Return the sentences for the claim, or against it, most important first: those that decide, by the model.

    A claim without a verdict for or against it shows the sentences that share its words.
    """
    scores = dict(zip(reading.read_indexes, reading.entailment.deciding, strict=False))
    shares = dict(zip(reading.sentence_indexes, reading.shares, strict=True))
    if contrast is not None:
        scores[reading.sentence_indexes[contrast[0]]] = 1.0
    sentences = reading.source_index.sentences
    # A heading says nothing by itself, however much it decides what the sentence below it speaks of.
    order = sorted(scores, key=lambda index: (sentences[index].is_heading, -scores[index]))
    if verdict == SUPPORTED and order:  # what is supported is supported by its best sentence
        scores[order[0]] = max(scores[order[0]], reading.entailment.entailed)
    is_decided = verdict in (SUPPORTED, CONTRADICTED)
    shown = [
        index
        for rank, index in enumerate(order)
        if (is_decided and (rank == 0 or scores[index] >= MIN_DECIDING_PROBABILITY))
        or (not is_decided and shares.get(index, 0.0) >= MIN_EVIDENCE_SHARE)
    ]
    return tuple(
        ClaimEvidence(sentence.source, sentence.start, sentence.end, sentence.text, round(scores[index], 4))
        for index in shown[:MAX_EVIDENCE_SENTENCES]
        if (sentence := sentences[index])
    )


def mark_evidence(claim: Claim, reading: ClaimReading, left_out: str) -> Claim:
    """Return a claim that does not hold with the words that decide marked, in itself and in its first sentence."""
    if claim.verdict == SUPPORTED or not claim.evidence:
        return claim
    first, *rest = claim.evidence
    if left_out and claim.verdict == PARTLY and left_out in first.text:
        start = first.text.index(left_out)
        return replace(claim, evidence=(replace(first, marks=((start, start + len(left_out)),)), *rest))
    if difference := find_difference(reading.claim, parse_wording(first.text)):
        marked = replace(first, marks=difference.source_spans)
        return replace(claim, marks=difference.claim_spans, evidence=(marked, *rest))
    keys = frozenset().union(*(parse_wording(item.text).keys for item in claim.evidence))
    return replace(claim, marks=tuple(find_missing_runs(reading.claim, keys)))
