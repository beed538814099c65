"""The built-in answerer: the evidence itself, sentence by sentence, quoted and cited. It needs no model and no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from highlighter.answering.passage_search import DUPLICATE_SIMILARITY_PERCENT, AnswerPassage
from highlighter.answering.request import BULLETS, COMPARISON, MARKDOWN, SUMMARY, QuestionRequest
from highlighter.models import ScoredSentence
from highlighter.text.language import detect_chinese_script

EXTRACTIVE_MODEL = "extractive"

# Sentences a sub-question; a summary is asked for more.
MAX_SENTENCES, MAX_SUMMARY_SENTENCES = 3, 6
# What is so much weaker than the best is left for those who open the source. Chances are relative to each passage, so
# they are weighed by how well the passage itself was found.
MIN_RELATIVE_STRENGTH = 0.75
NO_ANSWER_TEXTS = {
    "": "Nothing in the documents answers this part.",
    "zh-Hant": "文件中沒有回答這一部分的內容。",
    "zh-Hans": "文件中没有回答这一部分的内容。",
}


@dataclass(frozen=True, slots=True)
class ExtractedSentence:
    """A sentence of a piece, as it stands there."""

    passage_index: int
    sub_question_index: int
    scored: ScoredSentence

    @property
    def text(self) -> str:
        return " ".join(self.scored.sentence.text.split())


def select_sentences(
    request: QuestionRequest, answer_passages: Sequence[AnswerPassage], sub_question: int
) -> list[ExtractedSentence]:
    """The evidence of one sub-question, the best first, each thing said once."""

    def strength(quoted: ExtractedSentence) -> float:
        return quoted.scored.score * answer_passages[quoted.passage_index].score

    every = (
        ExtractedSentence(at, sub_question, one)
        for at, piece in enumerate(answer_passages)
        for one in piece.highlighted_sentences(sub_question)
    )
    found = sorted(every, key=strength, reverse=True)
    kept: list[ExtractedSentence] = []
    for one in found:
        if strength(one) < MIN_RELATIVE_STRENGTH * strength(found[0]):
            break
        if not any(fuzz.ratio(one.text, other.text) >= DUPLICATE_SIMILARITY_PERCENT for other in kept):
            kept.append(one)
    return kept[: MAX_SUMMARY_SENTENCES if request.mode == SUMMARY else MAX_SENTENCES]


def write_extractive_draft(
    request: QuestionRequest, questions: Sequence[str], answer_passages: Sequence[AnswerPassage]
) -> Iterator[str | ExtractedSentence]:
    """What is said, and what is quoted, in turn. Nothing at all when no sub-question has evidence."""
    answers = [select_sentences(request, answer_passages, at) for at in range(len(questions))]
    if not any(answers):
        return
    listed = request.format in (BULLETS, MARKDOWN) or request.mode in (SUMMARY, COMPARISON)
    for at, (question, quotes) in enumerate(zip(questions, answers, strict=True)):
        if at:
            yield "\n\n"
        if len(questions) > 1:
            yield f"**{question}**\n" if request.format == MARKDOWN else f"{question}\n"
        if not quotes:
            yield NO_ANSWER_TEXTS[detect_chinese_script(question)]
        for number, quoted in enumerate(quotes):
            if number:
                yield "\n" if listed else " "
            if listed and (len(quotes) > 1 or request.format == BULLETS):
                yield "- "
            yield quoted


def add_quotation_marks(text: str) -> str:
    """As the language of the text has them; the other pair where it holds some already."""
    if detect_chinese_script(text):
        return f"『{text}』" if "「" in text else f"「{text}」"
    return f"‘{text}’" if "“" in text or '"' in text else f"“{text}”"
