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
from highlighter.grounding.contrasts import DUTY, EXCHANGE, EXTENT, OPPOSITE, SCALE, Contrast, find_contrasts
from highlighter.grounding.entailment import (
    MIN_CONTRADICTED_PROBABILITY,
    NOTHING_READ,
    Entailment,
    EntailmentModel,
    find_quoted,
    normalise_spelling,
)
from highlighter.grounding.equal_phrases import unify_phrases
from highlighter.grounding.exchanges import find_exchange
from highlighter.grounding.quantities import is_label
from highlighter.grounding.source_index import SourceIndex, SourceSentence
from highlighter.grounding.statements import split_relative_clauses, split_statements
from highlighter.grounding.table_rows import explain_denied_cell, explain_missing_power, explain_mixed_cells
from highlighter.grounding.voice import turn_active
from highlighter.grounding.wording import DATE, NAME, NUMBER, KeyedWord, Wording, parse_wording
from highlighter.rounding import round_for_comparison
from highlighter.text.characters import fold

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
# "According to the contract, ...", "The report says that ...": who says it is no part of what is said. A word between, as in
# "the old lease", tells the document from others.
_GENERIC_NOUNS = frozenset(
    "document documents source sources text texts passage passages excerpt excerpts 文件 文档 来源 原文".split()
)
_DOCUMENT_NOUN = (
    rf"(?P<noun>{'|'.join(sorted(_GENERIC_NOUNS))}|contract|agreement|lease|policy|report|letter|leaflet|manual|minutes|memo|notice"
    r"|rules|regulations?|terms|guidelines?|act|合同|合约|协议|报告|条款|规则|规定|说明书)"
)
_SPEAKERS = (
    re.compile(rf"(?:according to|under|as (?:stated|set out) in|as per|per) (?:the|this) {_DOCUMENT_NOUN},\s*"),
    re.compile(
        rf"(?:the|this) {_DOCUMENT_NOUN}"
        r" (?:says?|states?|provides?|stipulates?|specif(?:y|ies)|notes?|explains?|confirms?) that\s+"
    ),
    re.compile(rf"(?:根据|按照|依照)(?:本|该|此)?{_DOCUMENT_NOUN}(?:的?规定)?[,，]\s*"),
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
        return frozenset().union(*(wording.keys for wording in self.wordings[:MAX_JOINT_SENTENCES]))

    @cached_property
    def read_keys(self) -> frozenset[str]:
        """The keys of the words of all sentences that the model read."""
        return frozenset().union(*(sentence.wording.keys for sentence in self.read_sentences))

    @cached_property
    def calculated_numbers(self) -> frozenset[int]:
        """The offsets of the claim's numbers that follow from the sentences that the model read by a calculation."""
        return find_calculated_numbers(self.claim.text, (sentence.text for sentence in self.read_sentences))

    @cached_property
    def mixed_cells(self) -> str:
        """Why no row of the tables that were read says the claim, for users; "" where one may."""
        return next(filter(None, (part._explain_mixed_cells() for part in self.statements or (self,))), "")

    def _explain_mixed_cells(self) -> str:
        read = self.read_sentences
        tables = dict.fromkeys((sentence.source, sentence.row.table) for sentence in read if sentence.row)
        for source, table in tables:
            others = (s.wording.keys for s in read if s.source != source or s.row is None or s.row.table != table)
            other_keys = frozenset().union(*others)
            rows = self.source_index.find_rows(source, table, self.claim)
            why = explain_denied_cell(self.claim, rows) or explain_missing_power(self.claim, rows, other_keys)
            if why := why or explain_mixed_cells(self.claim, rows, other_keys):
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
        """Return whether a sentence has another name or date than a claim with one number: its number is that of another."""
        numbers = [word for word in self.claim.content_words if word.kind == NUMBER]
        labels = {word.start for word in numbers if is_label(self.claim, word)}  # "Group 2"
        has_one_number = len(numbers) - len(labels) == 1
        contrasts = self._all_contrasts.get(position, ())
        return has_one_number and any(item.kind in (NAME, DATE) or item.start in labels for item in contrasts)

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

    def _weigh_share(self, keys: frozenset[str], words: Sequence[KeyedWord] | None = None) -> float:
        """Return the share of the claim's content words, or of some of them, that the keys contain, weighted by rarity."""
        words = self.claim.content_words if words is None else words
        weights = [(self.source_index.word_weight(word.keys), bool(word.keys & keys)) for word in words]
        total = sum(weight for weight, _ in weights)
        shared = sum(weight for weight, is_shared in weights if is_shared)
        return float(round_for_comparison(shared / total)) if total else 0.0


_SINGLE_WORD_KINDS = (NUMBER, DATE, NAME, OPPOSITE, SCALE, EXTENT, DUTY)


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
    has_aside = any(_PARENTHESIS.search(claim) or _find_speaker(claim) for claim in claims)
    source_text = normalise_spelling(" ".join(s.text for s in source_index.sentences)) if has_aside else ""
    return [_blank_asides_of_claim(claim, source_text) for claim in claims]


def _blank_asides_of_claim(claim: str, source_text: str) -> str:
    if normalise_spelling(claim) in source_text:  # its asides are those of the source
        return claim

    def blank_aside(match: re.Match[str]) -> str:
        is_longer = len(match["text"]) > MIN_QUOTE_SHARE * len(claim)
        is_quote = is_longer and normalise_spelling(match["text"]) in source_text
        return " " * len(match.group()) if is_quote or _CROSS_REFERENCE.match(match["text"]) else match.group()

    bare_claim = _LEAD_IN.sub(lambda match: " " * len(match.group()), _PARENTHESIS.sub(blank_aside, claim))
    bare_claim = _blank_speaker(bare_claim, source_text)
    return bare_claim if bare_claim.strip(" .。") else claim


def _find_speaker(claim: str) -> re.Match[str] | None:
    folded = fold(claim)
    return next(filter(None, (pattern.match(folded) for pattern in _SPEAKERS)), None)


def _blank_speaker(claim: str, source_text: str) -> str:
    """Return a claim with blanks for "The contract says that", where the source calls itself a contract.

    A source that says so of another document stays what it is compared with.
    """
    speaker = _find_speaker(claim)
    if speaker is None or normalise_spelling(speaker.group()) in source_text:
        return claim
    is_source = speaker["noun"] in _GENERIC_NOUNS or speaker["noun"] in source_text
    return " " * speaker.end() + claim[speaker.end() :] if is_source else claim


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
        entailment = self._ask_model(_close_gaps(claim), [s.read_for(wording) for s in read])
        # What states only things that are entailed is entailed; a relative clause alone has lost what it speaks of.
        if readings and list(statements) == split_statements(claim):
            lowest = min(reading.entailment.entailed for reading in readings)
            entailment = replace(entailment, entailed=max(entailment.entailed, lowest))
        return ClaimReading(wording, self.source_index, tuple(indexes), tuple(read_indexes), entailment, readings)

    def _ask_model(self, claim: str, sentences: Sequence[str]) -> Entailment:
        """Return what the model says. A contradiction stands in the deciding sentence alone, too.

        Beside sentences on other subjects the model takes a true claim in other words for a contradiction.
        """
        claim, sentences = unify_phrases(claim, sentences)
        if quoted := find_quoted(claim, sentences):
            return quoted
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
        texts = [self.source_index.sentences[index].read_for(claim) for index in indexes]
        probabilities = self.scorer.probabilities(claim.text, texts, similarities, quick=True)
        order = np.argsort(-round_for_comparison(probabilities + similarities), kind="stable")
        return [indexes[position] for position in order]
