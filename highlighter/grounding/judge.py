"""The judge of claims: a model compares claim and sources, and plain differences between them (numbers, dates, names,
negations) overrule it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import NamedTuple

from highlighter.cpu_budget import check_cpu
from highlighter.grounding.assigned_roles import explain_other_role
from highlighter.grounding.calculations import agrees_with_factor, agrees_with_sign
from highlighter.grounding.changed_values import agrees_with_change
from highlighter.grounding.claim_reading import ClaimReading, is_of_other_subject
from highlighter.grounding.claims import ClaimSentence
from highlighter.grounding.clause_values import explain_value_of_other_clause
from highlighter.grounding.contrasts import (
    BOUND,
    EXCHANGE,
    EXCLUSION,
    NEGATION,
    OPPOSITE,
    SCALE,
    SUPERSEDED,
    Contrast,
    find_contrasts,
)
from highlighter.grounding.cut_quotes import find_omitted_restriction, find_unsaid_restriction
from highlighter.grounding.denials import denies_alike
from highlighter.grounding.differences import (
    MAX_RUNS_NAMED,
    find_difference,
    find_missing_runs,
    join_spans,
    select_telling_runs,
)
from highlighter.grounding.entailment import MIN_CONTRADICTED_PROBABILITY, MIN_DECIDING_PROBABILITY, MIN_SUPPORTED_SCORE
from highlighter.grounding.exclusions import find_denied_exclusion, grants
from highlighter.grounding.missing_parts import list_missing_numbers, list_missing_statements
from highlighter.grounding.narrowing_words import find_narrowing_words, find_unsaid_exception
from highlighter.grounding.number_bounds import has_admitted_number
from highlighter.grounding.other_parties import explain_other_agent, explain_other_party
from highlighter.grounding.other_speakers import explain_other_speaker
from highlighter.grounding.overstated_words import find_overstatement
from highlighter.grounding.parties import has_other_agent
from highlighter.grounding.shown_evidence import MAX_EVIDENCE_SENTENCES, mark_evidence, select_evidence
from highlighter.grounding.unsaid_words import (
    find_added_only,
    find_unsaid_duty,
    find_unsaid_margin,
    find_unsaid_permission,
    find_unsaid_plan,
    find_unsaid_speaker,
    find_unsaid_status,
)
from highlighter.grounding.unsettled_matters import find_unsettled_matter
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, VERDICTS
from highlighter.grounding.wording import DATE, NUMBER, parse_wording
from highlighter.locale import N_
from highlighter.models import Claim, ClaimEvidence

log = logging.getLogger(__name__)

# A claim that shares less with the sentences is about something else, not partly supported.
MIN_PARTLY_SHARE = 0.5
# A sentence that shares this much of a claim is about the same thing, so that another number or date in it contradicts.
MIN_CONTRADICTION_SHARE = 0.5
# A sentence that shares this much differs only in a negation or an opposite, which then overrules the model.
MIN_SAME_WORDS_SHARE = 0.8
# An external judge gives no probability: a different opinion moves the score just over the threshold.
MIN_EXTERNALLY_SUPPORTED_SCORE, MAX_UNSUPPORTED_SCORE = 0.51, 0.49

# Why no sentence says a claim that the model reads there: another party, role or row does.
_REASONS: tuple[Callable[[ClaimReading], str], ...] = (
    attrgetter("mixed_cells"), explain_other_party, explain_other_role, explain_other_agent, explain_other_speaker,
    explain_value_of_other_clause,
)  # fmt: skip
# What of a claim no source has.
_MISSING_PARTS: tuple[Callable[[ClaimReading], str], ...] = (list_missing_numbers, list_missing_statements)
# What a claim leaves out of the sentence that decides about it: the "unless", "only" or "expects".
_RESTRICTIONS: tuple[Callable[[str, str], str | None], ...] = (
    find_omitted_restriction, find_unsaid_restriction, find_narrowing_words, find_unsaid_exception, find_unsettled_matter,
    find_unsaid_status, find_unsaid_margin, find_unsaid_plan, find_unsaid_permission, find_unsaid_duty, find_overstatement,
    find_denied_exclusion,
)  # fmt: skip

NO_SENTENCE_SAYS_THIS = N_("No source says this.")
MAY_NOT_SAY_THIS = N_("The sources have these words, but may not say this.")
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
        evidence = select_evidence(reading, verdict, contrast if is_overruled else None)
        opinion = self._ask_external_judge(sentence, evidence, reading)
        may_be_lifted = may_be_lifted and _may_lift(reading, verdict)
        if opinion and (may_be_lifted or _is_not_better(opinion.verdict, verdict)):
            why = opinion.why or (why if verdict == opinion.verdict else "")
            verdict = opinion.verdict
            if verdict == SUPPORTED and not evidence:  # what is supported is supported by a sentence
                evidence = select_evidence(reading, verdict, None)
            score = max(score, MIN_EXTERNALLY_SUPPORTED_SCORE) if verdict == SUPPORTED else _cap_score(score)
        claim = Claim(sentence.text, sentence.start, sentence.end, verdict, round(score, 4), evidence, why)
        claim = replace(claim, antecedent=sentence.antecedent)
        return mark_evidence(claim, reading, left_out)

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
            log.warning("The external judge failed, and the local verdict stays: %s", type(err).__name__)
            return None
        return opinion if opinion and opinion.verdict in VERDICTS else None


def _choose_contrast(reading: ClaimReading) -> tuple[int, Contrast] | None:
    """Return the most important contrast: numbers and dates, then exchanged words, bounds and exclusions, opposites, negations."""
    candidates = [
        (position, contrast)
        for position, contrast in reading.contrasts
        if (
            contrast.kind == SUPERSEDED  # which names what it speaks of itself
            or reading.weigh_share_beside(position, contrast) >= MIN_CONTRADICTION_SHARE
        )
        and not (
            contrast.kind in (NUMBER, DATE) and contrast.start in reading.calculated_numbers | reading.derivable_numbers
        )
        and not _is_said_by_row(reading, contrast)
    ]
    ranks = {NUMBER: 0, DATE: 0, EXCHANGE: 1, BOUND: 1, EXCLUSION: 1, SUPERSEDED: 0, NEGATION: 3}
    return min(candidates, key=lambda item: (ranks.get(item[1].kind, 2), item[0]), default=None)


def _is_said_by_row(reading: ClaimReading, contrast: Contrast) -> bool:
    """Return whether the row that a claim names has its number, or has as a negative one what the claim calls a loss."""
    deciding = reading.deciding_sentence
    if deciding is None:
        return False
    if contrast.kind == OPPOSITE:
        return agrees_with_sign(reading.claim.text, deciding.text)
    words = reading.claim.words_between(contrast.start, contrast.end) if contrast.kind == NUMBER else ()
    is_named = bool(words) and deciding.row is not None and deciding.row.is_named(reading.claim)
    return is_named and all(word.keys & deciding.wording.keys for word in words)


def _is_decisive(reading: ClaimReading, position: int, contrast: Contrast) -> bool:
    """Return whether a contrast overrules the model: another number, date or bound, exchanged words, what the source
    excludes, or the same words with a "not", an opposite, another word of a scale or another letter ("drug A").
    """
    if contrast.kind in (NUMBER, DATE, EXCHANGE, BOUND, EXCLUSION, SUPERSEDED):
        return True
    if contrast.kind in (OPPOSITE, SCALE) or contrast.is_between_labels:
        is_same = reading.weigh_share_beside(position, contrast) >= MIN_SAME_WORDS_SHARE
        is_decisive = is_same and (contrast.kind == SCALE or reading.keeps_order(position, contrast))
        return is_decisive or reading.differs_in_order_alone(position, contrast)
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
        if why := next(filter(None, (explain(reading) for explain in _REASONS)), ""):
            return Decision(UNSUPPORTED, why)
        if missing := next(filter(None, (list_missing(reading) for list_missing in _MISSING_PARTS)), ""):
            return _lack(missing)
        if restriction := _find_omitted_restriction(reading):
            return _leave_out(restriction)
        if reading.deciding_sentence and (added := find_added_only(reading.claim.text, reading.deciding_sentence.text)):
            return _lack(added)
        if reading.deciding_contrasts:
            return Decision(PARTLY, reading.deciding_contrasts[0].why)
        return Decision(PARTLY, MAY_NOT_SAY_THIS) if _is_only_asked(reading) else Decision(SUPPORTED)
    if is_overruled or _is_contradicted(reading):
        return Decision(CONTRADICTED, contrast.why if contrast else _explain_contradiction(reading))
    if missing := list_missing_statements(reading):
        return _lack(missing)
    if reading.joint_share < MIN_PARTLY_SHARE:
        return Decision(UNSUPPORTED, NO_SENTENCE_SAYS_THIS)
    runs = select_telling_runs(reading.claim, find_missing_runs(reading.claim, reading.joint_keys))
    missing = join_spans(reading.claim.text, runs[:MAX_RUNS_NAMED])
    if missing:
        return _lack(missing)
    if restriction := _find_omitted_restriction(reading):
        return _leave_out(restriction)
    return Decision(PARTLY, MAY_NOT_SAY_THIS)


def _is_only_asked(reading: ClaimReading) -> bool:
    """Return whether questions alone decide about a claim: they state nothing."""
    deciding = list(zip(reading.entailment.deciding, reading.read_sentences, strict=False))
    highest = max((probability for probability, _ in deciding), default=0.0)
    limit = min(highest, MIN_DECIDING_PROBABILITY)
    texts = [sentence.text.rstrip() for probability, sentence in deciding if probability >= limit]
    return bool(texts) and all(text.endswith(("?", "？", "؟")) for text in texts)


def _lack(missing: str) -> Decision:
    return Decision(PARTLY, N_("The sources do not say “{missing}”.", missing=missing))


def _leave_out(restriction: str) -> Decision:
    return Decision(PARTLY, N_("It leaves out “{restriction}”.", restriction=restriction), restriction)


def _is_contradicted(reading: ClaimReading) -> bool:
    """Return whether the model reads a contradiction: of a claim that is true in one of its statements, in another one.

    A sentence with every word of the claim, and without a contrast, may put it in another order, but does not contradict it,
    unless another party acts there; nor does one that leaves out what the claim denies. To the model, 99.2 is another number than the one of "below 99.5",
    a meeting that was put off does not take place, and one subject's number is that of another.
    """
    if reading.entailment.contradicted < MIN_CONTRADICTED_PROBABILITY:
        return False
    deciding = reading.deciding_sentence
    if deciding is not None:
        if not reading.contrasts and find_denied_exclusion(reading.claim.text, deciding.text):
            return False
        if not reading.contrasts and not find_missing_runs(reading.claim, deciding.wording.keys):
            return has_other_agent(reading.claim.text, deciding.text)
        if reading.derivable_numbers or denies_alike(reading.claim, deciding.wording):
            return False
        if has_admitted_number(reading.claim, deciding.wording) or agrees_with_change(reading.claim, deciding.wording):
            return False
        if agrees_with_factor(reading.claim.text, deciding.text) or agrees_with_sign(reading.claim.text, deciding.text):
            return False
        contrasts = find_contrasts(reading.claim, deciding.wording)
        if any(is_of_other_subject(contrast, reading.claim, deciding.wording) for contrast in contrasts):
            return False
    is_true_in_part = any(part.entailment.entailed >= MIN_SUPPORTED_SCORE for part in reading.statements)
    return not is_true_in_part or any(map(_is_contradicted, reading.statements))


def _explain_contradiction(reading: ClaimReading) -> str:
    """Return the words that the sentence which decides has in the place of others, if it can be compared."""
    deciding = reading.deciding_sentence
    difference = find_difference(reading.claim, deciding.wording) if deciding else None
    return difference.why if difference else SOURCE_SAYS_OTHERWISE


def _find_omitted_restriction(reading: ClaimReading) -> str | None:
    """Return what a claim leaves out of the deciding sentence that restricts it, in its very words or in others."""
    deciding = reading.deciding_sentence
    if deciding is None or grants(reading.claim, deciding.wording):
        return None
    claim = reading.claim.text.rstrip(" .。")
    restriction = next(filter(None, (find(claim, deciding.text) for find in _RESTRICTIONS)), None)
    return restriction or find_unsaid_speaker(
        claim, deciding.text, [sentence.text for sentence in reading.read_sentences]
    )


def _find_cut_restriction(reading: ClaimReading) -> str:
    """Return the restriction that a claim in the very words of the deciding sentence stops before; a mere "not" is none."""
    deciding = reading.deciding_sentence
    restriction = find_omitted_restriction(reading.claim.text.rstrip(" .。"), deciding.text) if deciding else None
    return restriction if restriction and parse_wording(restriction).content_words else ""


def _is_not_better(verdict: str, other: str) -> bool:
    """Return whether a verdict is worse for a claim than another, or the same."""
    return _BEST_FIRST.index(verdict) >= _BEST_FIRST.index(other)


_BEST_FIRST = (SUPPORTED, PARTLY, UNSUPPORTED, CONTRADICTED)


def _may_lift(reading: ClaimReading, verdict: str) -> bool:
    """Return whether an external judge may find more in the sources than the model: never over hard evidence."""
    return (
        verdict != CONTRADICTED
        and not list_missing_numbers(reading)
        and not reading.mixed_cells
        and not _find_omitted_restriction(reading)
    )


def _cap_score(score: float) -> float:
    return min(score, MAX_UNSUPPORTED_SCORE)
