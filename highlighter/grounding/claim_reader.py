"""The reader of claims: it finds the sentences that could carry a claim, and asks the entailment model what they say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.applied_rules import apply_rules
from highlighter.grounding.calculations import drop_calculated_change
from highlighter.grounding.claim_asides import blank_asides, close_gaps
from highlighter.grounding.claim_reading import MAX_JOINT_SENTENCES, ClaimReading
from highlighter.grounding.entailment import (
    MIN_CONTRADICTED_PROBABILITY,
    MIN_DECIDING_PROBABILITY,
    MIN_SUPPORTED_SCORE,
    NOTHING_READ,
    Entailment,
    EntailmentModel,
    combine_readings,
    find_quoted,
    normalise_spelling,
)
from highlighter.grounding.equal_phrases import unify_phrases
from highlighter.grounding.gapped_clauses import complete_clauses
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.statements import split_relative_clauses, split_statements
from highlighter.grounding.voice import turn_active
from highlighter.grounding.wording import Wording, parse_wording
from highlighter.rounding import round_for_comparison

# Clauses of one sentence that are read with the words that they leave out.
MAX_COMPLETED_CLAUSES = 4


def read_claims(
    claims: Sequence[str],
    source_index: SourceIndex,
    embedder: Embedder,
    scorer: EvidenceScorer,
    model: EntailmentModel,
    source_numbers: Sequence[int] | None = None,
) -> list[ClaimReading]:
    """Return the readings of all claims. Vectors are computed for all of them at once."""
    if not claims:
        return []
    claims = blank_asides(claims, source_index)
    split_claims = [_split_claim(close_gaps(claim)) for claim in claims]
    texts = list(
        dict.fromkeys(text for claim, parts in zip(claims, split_claims, strict=True) for text in (claim, *parts))
    )
    vectors = dict(zip(texts, embedder.encode(texts), strict=True))
    reader = _ClaimReader(source_index, scorer, model, source_numbers, vectors)
    return [reader.read(claim, parts) for claim, parts in zip(claims, split_claims, strict=True)]


def _split_claim(claim: str) -> list[str]:
    """Return the statements of a claim, relative clauses among them; the claim alone if it makes only one."""
    return [part for statement in split_statements(claim) for part in split_relative_clauses(statement)]


def _begins_with(sentence: str, claim: str) -> bool:
    """Return whether a sentence says what a claim says, and then more."""
    return f"{normalise_spelling(sentence)} ".startswith(f"{normalise_spelling(claim)} ")


def _select_deciding(probabilities: Sequence[float], is_heading: Sequence[bool]) -> list[int]:
    """Return the sentence that decides most, a heading only where nothing else was read, and the headings that decide, too."""
    best = max(range(len(probabilities)), key=lambda index: (not is_heading[index], probabilities[index]), default=None)
    return [
        index
        for index, probability in enumerate(probabilities)
        if index == best or (is_heading[index] and probability >= MIN_DECIDING_PROBABILITY)
    ]


@dataclass(frozen=True)
class _ClaimReader:
    """Reads claims with the sentences of an index that could carry them."""

    source_index: SourceIndex
    scorer: EvidenceScorer
    model: EntailmentModel
    source_numbers: Sequence[int] | None
    vectors: Mapping[str, np.ndarray]  # of claims and their statements

    def read(self, claim: str, statements: Sequence[str]) -> ClaimReading:
        """Read a claim. One that states several things is read with the best sentences of each, and each for itself."""
        wording = parse_wording(claim)
        indexes = self._rank_sentences(wording)
        if not indexes:
            return ClaimReading(wording, self.source_index, (), (), NOTHING_READ)
        best = indexes[:MAX_JOINT_SENTENCES]
        read_indexes = self.source_index.add_neighbours(best)
        texts = [self.source_index.sentences[index].text for index in read_indexes]
        if quoted := find_quoted(close_gaps(claim), texts):
            return ClaimReading(wording, self.source_index, tuple(indexes), tuple(read_indexes), quoted)
        readings = tuple(self.read(text, ()) for text in statements) if len(statements) > 1 else ()
        best = list(dict.fromkeys([*best, *(index for reading in readings for index in reading.sentence_indexes[:1])]))
        read_indexes = self.source_index.add_neighbours(best)
        read = [self.source_index.sentences[index] for index in read_indexes]
        entailment = self._ask_model(close_gaps(claim), [s.read_for(wording) for s in read])
        # What states only things that are entailed is entailed, unless it is contradicted as a whole: a statement alone has lost a
        # condition of the others, and a relative clause what it speaks of.
        is_contradicted = entailment.contradicted >= MIN_CONTRADICTED_PROBABILITY
        if readings and not is_contradicted and list(statements) == split_statements(claim):
            lowest = min(reading.entailment.entailed for reading in readings)
            entailment = replace(entailment, entailed=max(entailment.entailed, lowest))
        return ClaimReading(wording, self.source_index, tuple(indexes), tuple(read_indexes), entailment, readings)

    def _ask_model(self, claim: str, sentences: Sequence[str]) -> Entailment:
        """Return what the model says. What a rule says of a case stands in the sentences with the rule alone, too."""
        claim = drop_calculated_change(parse_wording(claim), sentences)
        applied = apply_rules(parse_wording(claim), list(map(parse_wording, sentences)))
        entailment = self._ask_model_as_written(applied.text, sentences)
        if not applied.rules:
            return self._read_completed_clauses(claim, sentences, entailment)
        alone = self._ask_model_as_written(applied.text, [sentences[rule] for rule in applied.rules])
        return replace(entailment, entailed=min(entailment.entailed, alone.entailed))

    def _read_completed_clauses(self, claim: str, sentences: Sequence[str], entailment: Entailment) -> Entailment:
        """Return what the model says; where it overlooks a clause that leaves words out, of the clause with these words."""
        if entailment.entailed >= MIN_SUPPORTED_SCORE or not entailment.deciding:
            return entailment
        deciding = int(np.argmax(entailment.deciding))
        clauses = complete_clauses(sentences[deciding])
        readings = [self._ask_model_as_written(claim, [clause]) for clause in clauses[:MAX_COMPLETED_CLAUSES]]
        best = max(readings, key=lambda reading: reading.entailed, default=NOTHING_READ)
        if best.entailed < MIN_SUPPORTED_SCORE:
            return entailment
        return replace(entailment, entailed=best.entailed, contradicted=best.contradicted)

    def _ask_model_as_written(self, claim: str, sentences: Sequence[str]) -> Entailment:
        """Return what the model says of the sentences together and of the one that decides by itself, below its headings.

        Sentences beside the one that decides put it off: it takes what they say for what the claim says, or a true claim
        in other words for a contradiction. By itself, a sentence may lack what it speaks of.
        """
        is_heading = [sentence in self.source_index.headings for sentence in sentences]
        claim, sentences = unify_phrases(claim, sentences)
        if quoted := find_quoted(claim, sentences):
            return quoted
        together = self._read_in_active_voice(claim, sentences)
        deciding = _select_deciding(together.deciding, is_heading)
        if len(deciding) == len(sentences) or not deciding:
            return together
        alone = self._read_in_active_voice(claim, [sentences[index] for index in deciding])
        return combine_readings(together, alone)

    def _read_in_active_voice(self, claim: str, sentences: Sequence[str]) -> Entailment:
        """Return what the model says; where somebody does something in the passive voice, of the same in the active voice.

        In the passive voice it overlooks who does what to whom, and may take another voice for a contradiction.
        """
        as_written = self.model.read(claim, sentences)
        active_claim, active_sentences = turn_active(claim), list(sentences)
        deciding = int(np.argmax(as_written.deciding)) if as_written.deciding else 0
        active_sentences[deciding] = turn_active(sentences[deciding])
        if (active_claim, active_sentences) == (claim, list(sentences)):
            return as_written
        if quoted := find_quoted(active_claim, active_sentences):
            return quoted
        active = self.model.read(active_claim, active_sentences)
        if any(_begins_with(sentence, active_claim) for sentence in active_sentences):
            return replace(max(as_written, active, key=lambda read: read.entailed), contradicted=0.0)
        return replace(active, contradicted=min(as_written.contradicted, active.contradicted))

    def _rank_sentences(self, claim: Wording) -> list[int]:
        """Return the sentences for a claim, best first."""
        vector = self.vectors[claim.text]
        indexes = self.source_index.select_sentences(claim, vector, self.source_numbers)
        if not indexes:
            return []
        similarities = round_for_comparison(np.clip(np.nan_to_num(self.source_index.vectors[indexes] @ vector), -1, 1))
        texts = [self.source_index.sentences[index].read_for(claim) for index in indexes]
        probabilities = self.scorer.probabilities(claim.text, texts, similarities, quick=True)
        order = np.argsort(-round_for_comparison(probabilities + similarities), kind="stable")
        return [indexes[position] for position in order]
