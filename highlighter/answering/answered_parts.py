"""The parts of a question: the evidence found for each, and which of them an answer has answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from highlighter.answering.answer import SubQuestion
from highlighter.answering.passage_search import AnswerPassage
from highlighter.grounding.verdicts import SUPPORTED
from highlighter.models import Claim, ClaimEvidence


def count_evidence(questions: Sequence[str], answer_passages: Sequence[AnswerPassage]) -> tuple[SubQuestion, ...]:
    """Count the highlighted sentences of each sub-question and the documents that hold them, with the best score."""
    sub_questions = []
    for index, question in enumerate(questions):
        passages = [passage for passage in answer_passages if passage.highlighted_sentences(index)]
        documents = {passage.source.document_id or passage.source.filename for passage in passages}
        sentence_count = sum(len(passage.highlighted_sentences(index)) for passage in passages)
        scores = (
            scored.score
            for passage in answer_passages
            for part, evidence in passage.evidence
            if part == index
            for scored in evidence.sentences
        )
        sub_questions.append(SubQuestion(question, sentence_count, len(documents), max(scores, default=0.0)))
    return tuple(sub_questions)


def mark_answered_parts(
    sub_questions: Sequence[SubQuestion], claims: Sequence[Claim], answer_passages: Sequence[AnswerPassage]
) -> tuple[SubQuestion, ...]:
    """Mark each part of a question as answered or not.

    A part is answered when there is evidence for it and a supported claim rests on that evidence. Without any claim,
    nothing is known.
    """
    if not claims:
        return tuple(sub_questions)
    answered = {
        part
        for claim in claims
        if claim.verdict == SUPPORTED
        for support in claim.evidence
        for part in _find_parts(answer_passages[support.source], support)
    }
    return tuple(
        replace(sub_question, answered=index in answered and sub_question.sentences > 0)
        for index, sub_question in enumerate(sub_questions)
    )


def _find_parts(passage: AnswerPassage, support: ClaimEvidence) -> set[int]:
    """Return the parts that a sentence is evidence for; without any, the part that it comes closest to."""
    offset = passage.chunk.start if passage.chunk else 0
    scores = [
        (part, scored)
        for part, evidence in passage.evidence
        for scored in evidence.sentences
        if scored.sentence.start < offset + support.end and offset + support.start < scored.sentence.end
    ]
    highlighted = {part for part, scored in scores if scored.highlighted}
    if highlighted or not scores:
        return highlighted
    return {max(scores, key=lambda item: item[1].score)[0]}
