"""A claim with the sentences of the sources that could carry it, as the entailment model read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from highlighter.grounding.applied_rules import AppliedClaim, apply_rules
from highlighter.grounding.calculations import find_calculated_numbers, find_derivable_numbers, find_following_days
from highlighter.grounding.contrasts import (
    BOUND,
    CANCELLED,
    DUTY,
    EXCHANGE,
    EXCLUSION,
    EXTENT,
    OPPOSITE,
    SCALE,
    SUPERSEDED,
    Contrast,
    find_contrasts,
)
from highlighter.grounding.entailment import Entailment
from highlighter.grounding.exchanges import find_exchange
from highlighter.grounding.other_subjects import has_other_subject
from highlighter.grounding.quantities import is_label
from highlighter.grounding.source_index import SourceIndex, SourceSentence
from highlighter.grounding.table_rows import explain_denied_cell, explain_missing_power, explain_mixed_cells
from highlighter.grounding.wording import DATE, NAME, NUMBER, KeyedWord, Wording, join_keys, parse_wording
from highlighter.rounding import round_for_comparison
from highlighter.text.characters import fold
from highlighter.text.terms import is_cjk

# Sentences that may carry a claim jointly; each is read with the sentence before it and the one after.
MAX_JOINT_SENTENCES = 3
# A sentence that shares less of the claim's words is about something else, so that differences are no contrast.
MIN_SHARE_FOR_CONTRAST = 0.4


@dataclass(frozen=True)
class ClaimReading:
    """A claim, the sentences that are compared with it, best first, and what the model says of them."""

    claim: Wording
    source_index: SourceIndex
    sentence_indexes: tuple[int, ...]  # indexes into source_index.sentences
    read_indexes: tuple[int, ...]  # the sentences that the model read, in the order of the sources
    entailment: Entailment
    statements: tuple[ClaimReading, ...] = ()  # of a claim that states several things, each read for itself
    antecedent: str = ""  # the sentence of the answer before, whose subject a pronoun of the claim means

    @cached_property
    def read_sentences(self) -> list[SourceSentence]:
        return [self.source_index.sentences[index] for index in self.read_indexes]

    @cached_property
    def deciding_sentence(self) -> SourceSentence | None:
        """The sentence that decides most, by the model; a heading only where nothing else was read."""
        deciding = zip(self.entailment.deciding, self.read_sentences, strict=False)
        best = max(deciding, key=lambda item: (not item[1].is_heading, item[0]), default=None)
        return best[1] if best else None

    @cached_property
    def wordings(self) -> list[Wording]:
        return [self.source_index.sentences[index].wording for index in self.sentence_indexes]

    @cached_property
    def shares(self) -> np.ndarray:
        """The weighted share of the claim's words that each sentence contains."""
        return np.array([self._weigh_share(wording.keys) for wording in self.wordings])

    @cached_property
    def joint_keys(self) -> frozenset[str]:
        return join_keys(self.wordings[:MAX_JOINT_SENTENCES])

    @cached_property
    def read_keys(self) -> frozenset[str]:
        """The keys of the words of all sentences that the model read."""
        return frozenset().union(*(sentence.wording.keys for sentence in self.read_sentences))

    @cached_property
    def calculated_numbers(self) -> frozenset[int]:
        """The offsets of the claim's numbers that follow from the sentences that the model read by a calculation or a rule."""
        sentences = [sentence.wording for sentence in self.read_sentences]
        calculated = find_calculated_numbers(self.claim.text, (sentence.text for sentence in sentences))
        return self._applied.offsets | calculated | find_following_days(self.claim, sentences)

    @cached_property
    def derivable_numbers(self) -> frozenset[int]:
        """The offsets of the claim's numbers that may follow from the sentences that the model read: too uncertain to be said by them."""
        return find_derivable_numbers(self.claim.text, [sentence.text for sentence in self.read_sentences])

    @cached_property
    def _applied(self) -> AppliedClaim:
        read_texts = (sentence.read_for(self.claim) for sentence in self.read_sentences)
        return apply_rules(self.claim, list(map(parse_wording, read_texts)))

    @cached_property
    def mixed_cells(self) -> str:
        """Why no row of the tables that were read says the claim, for users; "" where one may."""
        return next(filter(None, (part._explain_mixed_cells() for part in self.statements or (self,))), "")

    def _explain_mixed_cells(self) -> str:
        claim, read = parse_wording(self._applied.text), self.read_sentences
        tables = dict.fromkeys((sentence.source, sentence.row.table) for sentence in read if sentence.row)
        for source, table in tables:
            others = (s.wording.keys for s in read if s.source != source or s.row is None or s.row.table != table)
            other_keys = frozenset().union(*others)
            rows = self.source_index.find_rows(source, table, claim)
            why = explain_denied_cell(claim, rows) or explain_missing_power(claim, rows, other_keys)
            if why := why or explain_mixed_cells(claim, rows, other_keys):
                return why
        return ""

    @cached_property
    def joint_share(self) -> float:
        return self._weigh_share(self.joint_keys)

    @cached_property
    def contrasts(self) -> list[tuple[int, Contrast]]:
        """Return (position of the sentence, contrast) for sentences on the same subject.

        A contrast is left out if another sentence supports the claim in this point.
        """
        return [
            (position, contrast)
            for position, contrasts in self._all_contrasts.items()
            for contrast in contrasts
            if not self._is_said_elsewhere(contrast, position)
            and not is_of_other_subject(contrast, self.claim, self.wordings[position])
        ]

    @cached_property
    def deciding_contrasts(self) -> list[Contrast]:
        """The opposite bounds, exclusions, cancellations and other degrees in the sentence that decides, however few words it shares."""
        if self.deciding_sentence is None:
            return []
        wording = self.deciding_sentence.wording
        position = next((n for n, other in enumerate(self.wordings) if other is wording), len(self.wordings))
        return [
            contrast
            for contrast in find_contrasts(self.claim, wording)
            if contrast.kind in (BOUND, EXCLUSION, CANCELLED, SCALE)
            and not (position < len(self.wordings) and self._is_said_elsewhere(contrast, position))
        ]

    @cached_property
    def _all_contrasts(self) -> dict[int, list[Contrast]]:
        """The contrasts of each sentence on the same subject, whatever the others say."""
        shares = enumerate(self.shares[:MAX_JOINT_SENTENCES])
        return {
            position: find_contrasts(self.claim, self.wordings[position])
            for position, share in shares
            if share >= MIN_SHARE_FOR_CONTRAST
        }

    def _is_about_another_subject(self, position: int) -> bool:
        """Return whether a sentence has another subject, name or date than a claim with one number: its number is that of another."""
        numbers = [word for word in self.claim.content_words if word.kind == NUMBER]
        labels = {word.start for word in numbers if is_label(self.claim, word)}  # "Group 2"
        has_one_number = len(numbers) - len(labels) == 1
        contrasts = self._all_contrasts.get(position, ())
        return has_one_number and (
            any(item.kind in (NAME, DATE) or item.start in labels for item in contrasts)
            or has_other_subject(self.claim, self.wordings[position])
        )

    def _is_said_elsewhere(self, contrast: Contrast, position: int) -> bool:
        """Return whether another sentence that shares as much of the claim agrees with the claim in this point.

        The number of a sentence about another year or company is not that of the claim.
        """
        if contrast.kind == EXCHANGE:
            return any(
                self.shares[other] >= self.shares[position] and not find_exchange(self.claim.text, wording.text)
                for other, wording in enumerate(self.wordings[:MAX_JOINT_SENTENCES])
                if other != position
            )
        words = self.claim.words_between(contrast.start, contrast.end) if contrast.kind in _SINGLE_WORD_KINDS else ()
        return any(
            self.shares[other] >= self.shares[position] and words and all(word.keys & wording.keys for word in words)
            for other, wording in enumerate(self.wordings[:MAX_JOINT_SENTENCES])
            if other != position and not (contrast.kind == NUMBER and self._is_about_another_subject(other))
        )

    def weigh_share_beside(self, position: int, contrast: Contrast) -> float:
        """Return the weighted share of the claim's words that a sentence contains, without an opposite or a letter that differs."""
        if contrast.kind not in (OPPOSITE, SCALE) and not contrast.is_between_labels:
            return float(self.shares[position])
        # Two ideographs are a word, and a contrast may be one of them.
        words = [w for w in self.claim.content_words if w.end <= contrast.start or contrast.end <= w.start]
        return self._weigh_share(self.wordings[position].keys, words)

    def keeps_order(self, position: int, contrast: Contrast) -> bool:
        """Return whether a sentence has the claim's words in their order: "A lends to B" and "B borrows from A" say the same."""
        first_places: dict[str, int] = {}
        for word in self.wordings[position].content_words:
            for key in word.keys:
                first_places.setdefault(key, word.start)
        places = [
            min(first_places[key] for key in word.keys if key in first_places)
            for word in self.claim.content_words
            if not contrast.start <= word.start < contrast.end and word.keys & first_places.keys()
        ]
        return places == sorted(places)

    def differs_in_order_alone(self, position: int, contrast: Contrast) -> bool:
        """Return whether a sentence has all ideographs of a claim, and the opposite of one between the same: "飯前服" and "飯後服".

        What is compared may change its place: "A班比B班多三人" and "B班比A班少三人" say the same.
        """
        claim, source = fold(self.claim.text), fold(self.wordings[position].text)
        before, after = claim[max(contrast.start - 2, 0) : contrast.start], claim[contrast.end : contrast.end + 1]
        ideographs = set(filter(is_cjk, claim[: contrast.start] + claim[contrast.end :]))
        is_between = len(before) == 2 and all(map(is_cjk, before + after)) and not _CJK_COMPARISON.search(claim)
        is_same = f"{before}{contrast.source_words.strip('“”')}{after}" in source
        return bool(after) and is_between and is_same and ideographs <= set(source)

    def _weigh_share(self, keys: frozenset[str], words: Sequence[KeyedWord] | None = None) -> float:
        """Return the share of the claim's content words, or of some of them, that the keys contain, weighted by rarity."""
        words = self.claim.content_words if words is None else words
        weights = [(self.source_index.word_weight(word.keys), bool(word.keys & keys)) for word in words]
        total = sum(weight for weight, _ in weights)
        shared = sum(weight for weight, is_shared in weights if is_shared)
        return float(round_for_comparison(shared / total)) if total else 0.0


def is_of_other_subject(contrast: Contrast, claim: Wording, source: Wording) -> bool:
    """Return whether a contrast is another number or date that a source says of another subject, which contradicts nothing."""
    return contrast.kind in (NUMBER, DATE) and has_other_subject(claim, source)


_CJK_COMPARISON = re.compile("[比较于]")
_SINGLE_WORD_KINDS = (NUMBER, DATE, NAME, SUPERSEDED, OPPOSITE, SCALE, EXTENT, DUTY)
