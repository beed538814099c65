"""The judge of claims: a model compares claim and sources, and plain differences between them (numbers, dates, names,
negations) overrule it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from highlighter.cpu_budget import check_cpu
from highlighter.grounding.claim_context import find_other_person, resolve_party
from highlighter.grounding.claim_reading import ClaimReading
from highlighter.grounding.claims import ClaimSentence
from highlighter.grounding.contrasts import (
    BOUND,
    EXCHANGE,
    EXCLUSION,
    NEGATION,
    OPPOSITE,
    SCALE,
    Contrast,
    explain_other_words,
)
from highlighter.grounding.cut_quotes import find_omitted_restriction, find_unsaid_restriction
from highlighter.grounding.differences import find_difference, find_missing_runs, join_spans
from highlighter.grounding.entailment import MIN_CONTRADICTED_PROBABILITY
from highlighter.grounding.equal_quantities import EQUAL
from highlighter.grounding.exclusions import grants
from highlighter.grounding.narrowing_words import find_narrowing_words
from highlighter.grounding.number_bounds import has_admitted_number
from highlighter.grounding.parties import (
    are_defined_as_same,
    find_absent_party,
    find_exchanged_parties,
    has_other_agent,
    is_indefinite,
    names_party,
)
from highlighter.grounding.source_index import SourceSentence
from highlighter.grounding.units import list_quantities_in_other_units
from highlighter.grounding.unsaid_words import find_unsaid_margin, find_unsaid_status
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, VERDICTS
from highlighter.grounding.wording import DATE, NUMBER, KeyedWord, parse_wording
from highlighter.locale import N_
from highlighter.models import Claim, ClaimEvidence

log = logging.getLogger(__name__)

# From this probability on, a claim is supported.
MIN_SUPPORTED_SCORE = 0.5
# From this probability on, a small number in words that no sentence contains speaks no more against a claim: "the first offence", 一个半月.
SURE_SCORE = 0.9
LARGEST_SMALL_NUMBER = 10
# A statement of a claim, read alone, has lost its context: a claim loses its verdict "supported" only if one of its
# statements has less than this score.
MIN_STATEMENT_SCORE = 0.2
# A claim that shares less with the sentences is about something else, not partly supported.
MIN_PARTLY_SHARE = 0.5
# A sentence that shares this much of a claim is about the same thing, so that another number or date in it contradicts.
MIN_CONTRADICTION_SHARE = 0.5
# A sentence that shares this much differs only in a negation or an opposite, which then overrules the model.
MIN_SAME_WORDS_SHARE = 0.8
# Sentences shown with a verdict, and the probability to decide, or share of the claim's words, that each needs.
MAX_EVIDENCE_SENTENCES, MIN_DECIDING_PROBABILITY, MIN_EVIDENCE_SHARE = 3, 0.3, 0.4
# An external judge gives no probability: a different opinion moves the score just over the threshold.
MIN_EXTERNALLY_SUPPORTED_SCORE, MAX_UNSUPPORTED_SCORE = 0.51, 0.49
MAX_HEADING_WORDS = 6
_SENTENCE_ENDS = tuple('.!?;。！？；…”"」』)）')
PRONOUN = "one"  # rather than a number
# Runs of words named in an explanation.
MAX_RUNS_NAMED = 3

NO_SENTENCE_SAYS_THIS = N_("No source says this.")
SOURCE_SAYS_OTHERWISE = N_("The source says otherwise.")


@dataclass(frozen=True, slots=True)
class Opinion:
    """An external judge's verdict on a claim, with the reason as a sentence for users."""

    verdict: str
    why: str = ""


# Maps a claim and its evidence sentences to an opinion, or to None without one. It may be a language model.
ExternalJudge = Callable[[str, Sequence[str]], Opinion | None]


class Judge:
    """The judge of claims, with the opinion of an external judge if there is one."""

    def __init__(self, external_judge: ExternalJudge | None = None):
        self.external_judge = external_judge

    def judge_claim(self, sentence: ClaimSentence, reading: ClaimReading, *, may_be_lifted: bool = True) -> Claim:
        """Return the claim with its verdict. The external judge can only lower that of a claim that may not be lifted."""
        check_cpu()
        reading = replace(reading, antecedent=sentence.antecedent)
        cut = _find_cut_restriction(reading)
        contrast = _choose_contrast(reading)
        if cut and contrast and contrast[1].kind == NEGATION:  # the "not" of what the quote leaves out
            contrast = None
        is_overruled = contrast is not None and _is_decisive(reading, *contrast)
        verdict, why, left_out = _decide_verdict(reading, contrast[1] if contrast else None, is_overruled, cut)
        # What hard evidence speaks against is not half likely, whatever the model says.
        score = 0.0 if is_overruled else reading.entailment.entailed
        score = score if verdict == SUPPORTED else _cap_score(score)
        evidence = _select_evidence(reading, verdict, contrast if is_overruled else None)
        opinion = self._ask_external_judge(sentence, evidence, reading)
        may_be_lifted = may_be_lifted and _may_lift(reading, verdict)
        if opinion and (may_be_lifted or _is_not_better(opinion.verdict, verdict)):
            why = opinion.why or (why if verdict == opinion.verdict else "")
            verdict = opinion.verdict
            if verdict == SUPPORTED and not evidence:  # what is supported is supported by a sentence
                evidence = _select_evidence(reading, verdict, None)
            score = max(score, MIN_EXTERNALLY_SUPPORTED_SCORE) if verdict == SUPPORTED else _cap_score(score)
        claim = Claim(sentence.text, sentence.start, sentence.end, verdict, round(score, 4), evidence, why)
        claim = replace(claim, antecedent=sentence.antecedent)
        return _add_marks(claim, reading, left_out)

    def _ask_external_judge(
        self, sentence: ClaimSentence, evidence: Sequence[ClaimEvidence], reading: ClaimReading
    ) -> Opinion | None:
        if self.external_judge is None:
            return None
        texts = [item.text for item in evidence] or [
            wording.text for wording in reading.wordings[:MAX_EVIDENCE_SENTENCES]
        ]
        try:
            opinion = self.external_judge(sentence.text, texts)
        except Exception as err:  # it may raise anything; the local verdict stands
            log.warning("The outer judge failed, and the local verdict stays: %s", type(err).__name__)
            return None
        return opinion if opinion and opinion.verdict in VERDICTS else None


def _choose_contrast(reading: ClaimReading) -> tuple[int, Contrast] | None:
    """Return the most important contrast: numbers and dates, then exchanged words, bounds and exclusions, opposites, negations."""
    candidates = [
        (position, contrast)
        for position, contrast in reading.contrasts
        if reading.weigh_share_beside(position, contrast) >= MIN_CONTRADICTION_SHARE
        and not (contrast.kind == NUMBER and contrast.start in reading.calculated_numbers)
    ]
    ranks = {NUMBER: 0, DATE: 0, EXCHANGE: 1, BOUND: 1, EXCLUSION: 1, NEGATION: 3}
    return min(candidates, key=lambda item: (ranks.get(item[1].kind, 2), item[0]), default=None)


def _is_decisive(reading: ClaimReading, position: int, contrast: Contrast) -> bool:
    """Return whether a contrast overrules the model: another number, date or bound, exchanged words, what the source
    excludes, or the same words with a "not", an opposite, another word of a scale or another letter ("drug A").
    """
    if contrast.kind in (NUMBER, DATE, EXCHANGE, BOUND, EXCLUSION):
        return True
    if contrast.kind in (OPPOSITE, SCALE) or contrast.is_between_labels:
        is_same = reading.weigh_share_beside(position, contrast) >= MIN_SAME_WORDS_SHARE
        return is_same and (contrast.kind == SCALE or reading.keeps_order(position, contrast))
    return contrast.kind == NEGATION and reading.shares[position] >= MIN_SAME_WORDS_SHARE


class Decision(NamedTuple):
    """A verdict and its reason, for users; `left_out` are the words of the source that the claim leaves out."""

    verdict: str
    why: str = ""
    left_out: str = ""


def _decide_verdict(reading: ClaimReading, contrast: Contrast | None, is_overruled: bool, cut: str) -> Decision:
    """Return the verdict. `cut` is the restriction that a claim in the words of a source stops before."""
    if cut and not is_overruled:
        return _leave_out(cut)
    if reading.entailment.entailed >= MIN_SUPPORTED_SCORE and not is_overruled:
        if reading.mixed_cells:
            return Decision(UNSUPPORTED, reading.mixed_cells)
        if other_party := _explain_other_party(reading):
            return Decision(UNSUPPORTED, other_party)
        missing = _list_missing_numbers(reading) or _list_missing_statements(reading) or _list_missing_items(reading)
        if missing:
            return _lack(missing)
        restriction = _find_omitted_restriction(reading)
        return _leave_out(restriction) if restriction else Decision(SUPPORTED)
    if is_overruled or _is_contradicted(reading):
        return Decision(CONTRADICTED, contrast.why if contrast else _explain_contradiction(reading))
    if missing := _list_missing_statements(reading):
        return _lack(missing)
    if reading.joint_share < MIN_PARTLY_SHARE:
        return Decision(UNSUPPORTED, NO_SENTENCE_SAYS_THIS)
    runs = find_missing_runs(reading.claim, reading.joint_keys)
    missing = join_spans(reading.claim.text, runs[:MAX_RUNS_NAMED])
    if missing:
        return _lack(missing)
    if restriction := _find_omitted_restriction(reading):
        return _leave_out(restriction)
    return Decision(PARTLY, N_("The sources have these words, but may not say this."))


def _lack(missing: str) -> Decision:
    return Decision(PARTLY, N_("The sources do not say “{missing}”.", missing=missing))


def _leave_out(restriction: str) -> Decision:
    return Decision(PARTLY, N_("It leaves out “{restriction}”.", restriction=restriction), restriction)


def _is_contradicted(reading: ClaimReading) -> bool:
    """Return whether the model reads a contradiction: of a claim that is true in one of its statements, in another one.

    A sentence with every word of the claim, and without a contrast, may put it in another order, but does not contradict it,
    unless another party acts there. To the model, 99.2 is another number than the one of "below 99.5".
    """
    if reading.entailment.contradicted < MIN_CONTRADICTED_PROBABILITY:
        return False
    deciding = _choose_deciding_sentence(reading)
    if deciding is not None:
        if not reading.contrasts and not find_missing_runs(reading.claim, deciding.wording.keys):
            return has_other_agent(reading.claim.text, deciding.text)
        if has_admitted_number(reading.claim, deciding.wording):
            return False
    is_true_in_part = any(part.entailment.entailed >= MIN_SUPPORTED_SCORE for part in reading.statements)
    return not is_true_in_part or any(map(_is_contradicted, reading.statements))


def _explain_contradiction(reading: ClaimReading) -> str:
    """Return the words that the sentence which decides has in the place of others, if it can be compared."""
    deciding = _choose_deciding_sentence(reading)
    difference = find_difference(reading.claim, deciding.wording) if deciding else None
    return difference.why if difference else SOURCE_SAYS_OTHERWISE


def _find_omitted_restriction(reading: ClaimReading) -> str | None:
    """Return the "unless", "only" or "expects" of the deciding sentence that a claim in its very words, or in others, leaves out."""
    deciding = _choose_deciding_sentence(reading)
    if deciding is None or grants(reading.claim, deciding.wording):
        return None
    claim = reading.claim.text.rstrip(" .。")
    return (
        find_omitted_restriction(claim, deciding.text)
        or find_unsaid_restriction(claim, deciding.text)
        or find_narrowing_words(claim, deciding.text)
        or find_unsaid_status(claim, deciding.text)
        or find_unsaid_margin(claim, deciding.text)
    )


def _find_cut_restriction(reading: ClaimReading) -> str:
    """Return the restriction that a claim in the very words of the deciding sentence stops before; a mere "not" is none."""
    deciding = _choose_deciding_sentence(reading)
    restriction = find_omitted_restriction(reading.claim.text.rstrip(" .。"), deciding.text) if deciding else None
    return restriction if restriction and parse_wording(restriction).content_words else ""


def _choose_deciding_sentence(reading: ClaimReading) -> SourceSentence | None:
    sentences = [reading.source_index.sentences[index] for index in reading.read_indexes]
    deciding = zip(reading.entailment.deciding, sentences, strict=False)
    best = max(deciding, key=lambda item: (not is_heading(item[1]), item[0]), default=None)
    return best[1] if best else None


def _find_sentence_before(reading: ClaimReading, sentence: SourceSentence) -> str:
    """Return the text of the sentence before another one that was read, in the same source; "" if none was."""
    read = [reading.source_index.sentences[index] for index in reading.read_indexes]
    before = read[read.index(sentence) - 1] if read.index(sentence) else None
    return before.text if before and before.source == sentence.source else ""


def _explain_other_party(reading: ClaimReading) -> str:
    """Return who acts in the deciding sentence in the place of who acts in the claim, for users; "" where nobody else does."""
    statements = [replace(statement, antecedent=reading.antecedent) for statement in reading.statements]
    return next(filter(None, map(_explain_other_party_of_statement, statements or (reading,))), "")


def _explain_other_party_of_statement(reading: ClaimReading) -> str:
    deciding = _choose_deciding_sentence(reading)
    if deciding is None:
        return ""
    before = _find_sentence_before(reading, deciding)
    if persons := find_other_person(reading.claim.text, reading.antecedent, deciding.text, before):
        return explain_other_words(*(f"“{name}”" for name in persons))
    if exchanged := find_exchanged_parties(reading.claim.text, deciding.text):
        return explain_other_words(*(f"“{party.word}”" for party in exchanged))
    absent = find_absent_party(resolve_party(reading.claim.text, reading.antecedent), deciding.text)
    if absent is None:
        return ""
    # A sentence that decides, too, or the one that a pronoun refers to, may name who acts.
    is_indefinite_there = is_indefinite(deciding.text)
    sentences = (reading.source_index.sentences[index].text for index in reading.read_indexes)
    for sentence, probability in zip(sentences, reading.entailment.deciding, strict=False):
        if (is_indefinite_there or probability >= MIN_DECIDING_PROBABILITY) and names_party(sentence, absent[0]):
            return ""
    if any(are_defined_as_same(sentence.text, *absent) for sentence in reading.source_index.sentences):
        return ""
    return explain_other_words(*(f"“{party.word}”" for party in absent))


def _list_missing_statements(reading: ClaimReading) -> str:
    """Return the statements of a claim that no source makes, while one makes the others; empty where it makes none."""
    missing = [s.claim.text for s in reading.statements if s.entailment.entailed < MIN_STATEMENT_SCORE]
    return " … ".join(missing) if len(missing) < len(reading.statements) else ""


def _list_missing_items(reading: ClaimReading) -> str:
    """Return the items of a list in a claim that no sentence names, where the rest of the claim stands there word for word."""
    text = reading.claim.text
    runs = find_missing_runs(reading.claim, reading.read_keys)
    is_all_items = all(_ITEM_BEFORE.search(text[:start]) or _ITEM_AFTER.match(text[end:]) for start, end in runs)
    is_whole = all(_ITEM_END.match(text[end:]) for _, end in runs)
    return join_spans(text, runs[:MAX_RUNS_NAMED]) if is_all_items and is_whole else ""


# Before an item of a list, after its first item, and after any item.
_ITEM_BEFORE = re.compile(
    r"(?:[,、，;；]\s*(?:(?:and|or|nor)\s)?|\w[,，]? (?:and|or|nor) )(?:the |an? |any )?$", re.IGNORECASE
)
_ITEM_AFTER = re.compile(r"(?:, |、)[^,.;:、]{1,40}(?:,| and | or |、|和|及)")
_ITEM_END = re.compile(r"\s*(?:[,.;、，。；]|(?:and|or|nor)\b|$)", re.IGNORECASE)


def _list_missing_numbers(reading: ClaimReading) -> str:
    """Return the numbers and dates of a claim that no sentence which was read contains, or only in another unit."""
    keys = reading.read_keys
    missing = [
        reading.claim.text[word.start : word.end]
        for word in reading.claim.content_words
        if word.kind in (NUMBER, DATE)
        and word.text != PRONOUN
        and not word.keys & keys
        and word.start not in reading.calculated_numbers
        and not (reading.entailment.entailed >= SURE_SCORE and _is_small_number_in_words(word))
    ]
    sentences = (reading.source_index.sentences[index].text for index in reading.read_indexes)
    return " … ".join([*missing, *list_quantities_in_other_units(reading.claim.text, sentences)])


def _is_small_number_in_words(word: KeyedWord) -> bool:
    """Return whether a word is a number up to ten, written out and without a unit that could be compared."""
    if any(key.startswith(EQUAL) for key in word.keys):
        return False
    values = [match[1] for key in word.keys if (match := _NUMBER_KEY.fullmatch(key))]
    return not any(map(str.isdigit, word.text)) and any(int(value) <= LARGEST_SMALL_NUMBER for value in values)


_NUMBER_KEY = re.compile(r"#(\d{1,3})o?")


def _is_not_better(verdict: str, other: str) -> bool:
    """Return whether a verdict is worse for a claim than another, or the same."""
    return _BEST_FIRST.index(verdict) >= _BEST_FIRST.index(other)


_BEST_FIRST = (SUPPORTED, PARTLY, UNSUPPORTED, CONTRADICTED)


def _may_lift(reading: ClaimReading, verdict: str) -> bool:
    """Return whether an external judge may find more in the sources than the model: never over hard evidence."""
    return (
        verdict != CONTRADICTED
        and not _list_missing_numbers(reading)
        and not reading.mixed_cells
        and not _find_omitted_restriction(reading)
    )


def _cap_score(score: float) -> float:
    return min(score, MAX_UNSUPPORTED_SCORE)


def _add_marks(claim: Claim, reading: ClaimReading, left_out: str) -> Claim:
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


def _select_evidence(
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
    order = sorted(scores, key=lambda index: (is_heading(sentences[index]), -scores[index]))
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


def is_heading(sentence: SourceSentence) -> bool:
    """Return whether a sentence is a short line without an end, and no row of a table: "7. Next meeting", "On skin:"."""
    return (
        sentence.row is None
        and not sentence.text.rstrip().endswith(_SENTENCE_ENDS)
        and len(sentence.wording.content_words) <= MAX_HEADING_WORDS
    )
