"""Claims about several sources at once: "Both contracts allow pets" holds when each of the contracts says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from highlighter.grounding.judge import MAX_UNSUPPORTED_SCORE
from highlighter.grounding.shown_evidence import MAX_EVIDENCE_SENTENCES
from highlighter.grounding.verdicts import CONTRADICTED, PARTLY, SUPPORTED, UNSUPPORTED, WRONG_SOURCE
from highlighter.locale import N_, join_messages
from highlighter.models import Claim, Source

_NOUNS = (
    r"(?:sources|documents|texts|files|papers|contracts|agreements|leases|policies|reports|memos|memoranda|letters|notices"
    r"|manuals|leaflets|minutes|versions|offers|tenders|studies|guidelines|laws|acts|regulations|judgments|statements)"
)
_ENGLISH = re.compile(
    rf"(?P<count>both|all(?: (?:two|three|four|five|\d+))?|each|every one)(?: of)?(?: (?:the|these|those|our|your))? (?P<noun>(?:[\w-]+ )?{_NOUNS})"
    r"(?P<said>,? (?:say|state|agree|confirm|provide|specify|mention|note)s? that)?\b",
    re.IGNORECASE,
)
_CHINESE_NOUN = r"(?:來源|来源|文件|文檔|文档|合約|合约|合同|協議|协议|租約|租约|保單|保单|政策|報告|报告|備忘錄|备忘录|信件|通知|手冊|手册|版本|報價|报价|研究|法規|法规)"
_CHINESE = re.compile(
    rf"(?P<count>兩|两|二|所有|全部|各|每)(?P<measure>份|個|个|封|本|種|种|篇|項|项)?(?:的)?(?P<noun>{_CHINESE_NOUN})(?:都|均|皆|也都)?(?P<said>說明?|说明?|規定|规定|指出|提到|寫明|写明)?[,，:：]?"
)


def remove_quantifier(claim: str) -> str:
    """Return what a claim says of each of several sources: "The contracts allow pets"; "" for other claims."""
    if match := _ENGLISH.match(claim):
        rest = claim[match.end() :].lstrip()
        return rest[:1].upper() + rest[1:] if match["said"] else f"The {match['noun']} {rest}"
    if match := _CHINESE.match(claim):
        rest = claim[match.end() :]
        return rest if match["said"] else f"{match['noun']}{rest}"
    return ""


def speaks_of_two(claim: str) -> bool:
    """Return whether a claim speaks of two sources, whichever they are, rather than of all."""
    match = _ENGLISH.match(claim) or _CHINESE.match(claim)
    return match is not None and match["count"].lower() in ("both", "兩", "两", "二")


@dataclass(frozen=True, slots=True)
class MeantDocuments:
    """The documents that a claim about several sources means: the indexes of each one's sources."""

    sources: list[tuple[int, ...]]
    needed: int  # so many of them must say the claim


def find_meant_documents(claim: Claim, sources: Sequence[Source], cited: Sequence[int]) -> MeantDocuments | None:
    """Return the documents that a claim about several sources means; None for any other claim.

    "All reports must be signed" is a rule about reports, and no claim about the sources, where a source has that very
    rule, or where it neither says that they say it nor cites several.
    """
    match = _ENGLISH.match(claim.text) or _CHINESE.match(claim.text)
    if match is None or claim.verdict == WRONG_SOURCE:
        return None
    if claim.verdict == SUPPORTED and any(remove_quantifier(item.text) for item in claim.evidence):
        return None
    cited_documents = _group_by_document(sources, cited)
    if len(cited_documents) > 1:
        return MeantDocuments(cited_documents, len(cited_documents))
    documents = _group_by_document(sources, range(len(sources)))
    is_of_two = speaks_of_two(claim.text)
    if match["said"] or (is_of_two and len(documents) > 1):
        return MeantDocuments(documents, 2 if is_of_two else max(len(documents), 2))
    return None


def _group_by_document(sources: Sequence[Source], indexes: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the indexes of sources by their document; a caller's own text without a name is one of its own."""
    groups: dict[str, list[int]] = {}
    for index in indexes:
        source = sources[index]
        groups.setdefault(source.document_id or source.filename or source.label or str(index), []).append(index)
    return [tuple(group) for group in groups.values()]


def combine_judgements(claim: Claim, judgements: Sequence[tuple[str, Claim]], needed: int) -> Claim:
    """Return the verdict on a claim that at least `needed` documents must say.

    `judgements` holds each document's name, and the claim as judged by this document alone.
    """
    agreeing = [(name, judged) for name, judged in judgements if judged.verdict == SUPPORTED]
    denying = [(name, judged) for name, judged in judgements if judged.verdict == CONTRADICTED]
    if len(agreeing) >= needed:
        evidence = [judged.evidence[0] for _, judged in agreeing if judged.evidence]
        score = min(judged.score for _, judged in agreeing)
        return replace(
            claim, verdict=SUPPORTED, score=score, evidence=tuple(evidence[:MAX_EVIDENCE_SENTENCES]), why="", marks=()
        )
    score = min(claim.score, MAX_UNSUPPORTED_SCORE)
    if denying:
        name, judged = denying[0]
        why = join_messages([N_("{name} says otherwise.", name=name), judged.why])
        return replace(claim, verdict=CONTRADICTED, score=0.0, evidence=judged.evidence, why=why)
    if agreeing:
        name, judged = agreeing[0]
        why = N_("It speaks of several sources, and not all of them say this; {name} does.", name=name)
        return replace(claim, verdict=PARTLY, score=score, evidence=judged.evidence, why=why)
    best = max((judged for _, judged in judgements), key=lambda judged: judged.score)
    verdict = PARTLY if best.verdict == PARTLY else UNSUPPORTED
    return replace(claim, verdict=verdict, score=score, evidence=best.evidence, why=best.why)
