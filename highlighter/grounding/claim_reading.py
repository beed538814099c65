"""Claims with the sentences of the sources that could carry them, as the entailment model read them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from highlighter.embedding.embedder import Embedder
from highlighter.evidence.scorer import EvidenceScorer
from highlighter.grounding.calculations import find_calculated_numbers
from highlighter.grounding.contrasts import DUTY, EXCHANGE, EXTENT, OPPOSITE, Contrast, find_contrasts
from highlighter.grounding.entailment import (
    MIN_CONTRADICTED_PROBABILITY,
    NOTHING_READ,
    Entailment,
    EntailmentModel,
    find_quoted,
    normalise_spelling,
)
from highlighter.grounding.exchanges import find_exchange
from highlighter.grounding.source_index import SourceIndex
from highlighter.grounding.statements import split_relative_clauses, split_statements
from highlighter.grounding.table_rows import explain_mixed_cells
from highlighter.grounding.voice import turn_active
from highlighter.grounding.wording import DATE, NAME, NUMBER, Wording, parse_wording
from highlighter.rounding import round_for_comparison

# Sentences that may carry a claim jointly; each is read with the sentence before it and the one after.
MAX_JOINT_SENTENCES = 3
# A sentence that shares less of the claim's words is about something else, so that differences are no contrast.
MIN_SHARE_FOR_CONTRAST = 0.4
# A verbatim parenthesis of this share of a claim is the quote that it rests on; a shorter one is part of the claim.
MIN_QUOTE_SHARE = 0.25
_PARENTHESIS = re.compile(r"(?<!\s)\s*[(（](?P<text>[^()（）]+)[)）]")
_LEAD_IN = re.compile(
    r"^(?:in (?:general|short|summary)|generally|overall|however|still|that said|what can be said is this|nevertheless"
    r"|但是|不過|不过|然而|總之|总之|此外|補充一點|补充一点|一般而言|一般來說|一般来说)\s?[,:，：]\s*",
    re.IGNORECASE,
)
_CROSS_REFERENCE = re.compile(r"(?:see|cf\.?|compare)\s", re.IGNORECASE)


@dataclass(frozen=True)
class ClaimReading:
    """A claim, the sentences that are compared with it, best first, and what the model says of them."""

    claim: Wording
    source_index: SourceIndex
    sentence_indexes: tuple[int, ...]  # indexes into source_index.sentences
    read_indexes: tuple[int, ...]  # the sentences that the model read, in the order of the sources
    entailment: Entailment
    statements: tuple[ClaimReading, ...] = ()  # of a claim that states several things, each read for itself

    @cached_property
    def wordings(self) -> list[Wording]:
        return [self.source_index.sentences[index].wording for index in self.sentence_indexes]

    @cached_property
    def shares(self) -> np.ndarray:
        """The weighted share of the claim's words that each sentence contains."""
        return np.array([self._weigh_share(wording.keys) for wording in self.wordings])

    @cached_property
    def joint_keys(self) -> frozenset[str]:
        return frozenset().union(*(wording.keys for wording in self.wordings[:MAX_JOINT_SENTENCES]))

    @cached_property
    def read_keys(self) -> frozenset[str]:
        """The keys of the words of all sentences that the model read."""
        sentences = self.source_index.sentences
        return frozenset().union(*(sentences[index].wording.keys for index in self.read_indexes))

    @cached_property
    def calculated_numbers(self) -> frozenset[int]:
        """The offsets of the claim's numbers that follow from the sentences that the model read by a calculation."""
        sentences = (self.source_index.sentences[index].text for index in self.read_indexes)
        return find_calculated_numbers(self.claim.text, sentences)

    @cached_property
    def mixed_cells(self) -> str:
        """Why no row of the tables that were read says the claim, for users; "" where one may."""
        return next(filter(None, (part._explain_mixed_cells() for part in self.statements or (self,))), "")

    def _explain_mixed_cells(self) -> str:
        read = [self.source_index.sentences[index] for index in self.read_indexes]
        tables = dict.fromkeys((sentence.source, sentence.row.table) for sentence in read if sentence.row)
        for source, table in tables:
            others = (s.wording.keys for s in read if s.source != source or s.row is None or s.row.table != table)
            rows = self.source_index.find_rows(source, table, self.claim)
            if why := explain_mixed_cells(self.claim, rows, frozenset().union(*others)):
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
        contrasts = []
        for position, (wording, share) in enumerate(
            zip(self.wordings[:MAX_JOINT_SENTENCES], self.shares, strict=False)
        ):
            if share >= MIN_SHARE_FOR_CONTRAST:
                contrasts += [
                    (position, contrast)
                    for contrast in find_contrasts(self.claim, wording)
                    if not self._is_said_elsewhere(contrast, position)
                ]
        return contrasts

    def _is_said_elsewhere(self, contrast: Contrast, position: int) -> bool:
        """Return whether another sentence that shares as much of the claim agrees with the claim in this point."""
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
            if other != position
        )

    def _weigh_share(self, keys: frozenset[str]) -> float:
        """Return the share of the claim's content words that the keys contain, weighted by rarity."""
        weights = [
            (self.source_index.word_weight(word.keys), bool(word.keys & keys)) for word in self.claim.content_words
        ]
        total = sum(weight for weight, _ in weights)
        shared = sum(weight for weight, is_shared in weights if is_shared)
        return float(round_for_comparison(shared / total)) if total else 0.0


_SINGLE_WORD_KINDS = (NUMBER, DATE, NAME, OPPOSITE, EXTENT, DUTY)


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
    claims = _blank_asides(claims, source_index)
    split_claims = [_split_claim(_close_gaps(claim)) for claim in claims]
    texts = list(
        dict.fromkeys(text for claim, parts in zip(claims, split_claims, strict=True) for text in (claim, *parts))
    )
    vectors = dict(zip(texts, embedder.encode(texts), strict=True))
    reader = _ClaimReader(source_index, scorer, model, source_numbers, vectors)
    return [reader.read(claim, parts) for claim, parts in zip(claims, split_claims, strict=True)]


def _close_gaps(claim: str) -> str:
    """Return a claim without the blanks that an aside left."""
    return re.sub(r"\s+(?=[.,;:。，；：]|$)", "", " ".join(claim.split()))


def _split_claim(claim: str) -> list[str]:
    """Return the statements of a claim, relative clauses among them; the claim alone if it makes only one."""
    return [part for statement in split_statements(claim) for part in split_relative_clauses(statement)]


def _blank_asides(claims: Sequence[str], source_index: SourceIndex) -> list[str]:
    """Return the claims with blanks for what states nothing: "However,", "(see below)", and the quote that a claim rests on.

    The words of a quote would speak for a claim that says something else. Offsets stay as they are.
    """
    has_aside = any(_PARENTHESIS.search(claim) for claim in claims)
    source_text = normalise_spelling(" ".join(s.text for s in source_index.sentences)) if has_aside else ""
    return [_blank_asides_of_claim(claim, source_text) for claim in claims]


def _blank_asides_of_claim(claim: str, source_text: str) -> str:
    def blank_aside(match: re.Match[str]) -> str:
        is_longer = len(match["text"]) > MIN_QUOTE_SHARE * len(claim)
        is_quote = is_longer and normalise_spelling(match["text"]) in source_text
        return " " * len(match.group()) if is_quote or _CROSS_REFERENCE.match(match["text"]) else match.group()

    bare_claim = _LEAD_IN.sub(lambda match: " " * len(match.group()), _PARENTHESIS.sub(blank_aside, claim))
    return bare_claim if bare_claim.strip(" .。") else claim


def _begins_with(sentence: str, claim: str) -> bool:
    """Return whether a sentence says what a claim says, and then more."""
    return f"{normalise_spelling(sentence)} ".startswith(f"{normalise_spelling(claim)} ")


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
        if quoted := find_quoted(_close_gaps(claim), texts):
            return ClaimReading(wording, self.source_index, tuple(indexes), tuple(read_indexes), quoted)
        readings = tuple(self.read(text, ()) for text in statements) if len(statements) > 1 else ()
        best = list(dict.fromkeys([*best, *(index for reading in readings for index in reading.sentence_indexes[:1])]))
        read_indexes = self.source_index.add_neighbours(best)
        read = [self.source_index.sentences[index] for index in read_indexes]
        entailment = self._ask_model(_close_gaps(claim), [s.read_text for s in read])
        # What states only things that are entailed is entailed; a relative clause alone has lost what it speaks of.
        if readings and list(statements) == split_statements(claim):
            lowest = min(reading.entailment.entailed for reading in readings)
            entailment = replace(entailment, entailed=max(entailment.entailed, lowest))
        return ClaimReading(wording, self.source_index, tuple(indexes), tuple(read_indexes), entailment, readings)

    def _ask_model(self, claim: str, sentences: Sequence[str]) -> Entailment:
        """Return what the model says. A contradiction stands in the deciding sentence alone, too.

        Beside sentences on other subjects the model takes a true claim in other words for a contradiction.
        """
        entailment = self._read_in_active_voice(claim, sentences)
        if entailment.contradicted < MIN_CONTRADICTED_PROBABILITY or len(sentences) == 1:
            return entailment
        deciding = sentences[int(np.argmax(entailment.deciding))]
        alone = self._read_in_active_voice(claim, [deciding])
        return replace(entailment, contradicted=min(entailment.contradicted, alone.contradicted))

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
        texts = [self.source_index.sentences[index].read_text for index in indexes]
        probabilities = self.scorer.probabilities(claim.text, texts, similarities, quick=True)
        order = np.argsort(-round_for_comparison(probabilities + similarities), kind="stable")
        return [indexes[position] for position in order]
