"""The extractive answer: highlighted sentences, quoted and cited. It needs no language model and no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from highlighter.answering.passage_search import DUPLICATE_SIMILARITY_PERCENT, AnswerPassage
from highlighter.answering.request import BULLETS, COMPARISON, MARKDOWN, SUMMARY, QuestionRequest
from highlighter.models import ScoredSentence
from highlighter.text.language import detect_chinese_script

EXTRACTIVE_MODEL = "extractive"

# For each sub-question.
MAX_SENTENCES, MAX_SUMMARY_SENTENCES = 3, 6
# Sentences weaker than this share of the best one are left out. Scores are relative to their passage, so the score of
# the passage is a factor of the strength.
MIN_RELATIVE_STRENGTH = 0.75
NO_ANSWER_TEXTS = {
    "": "Nothing in the documents answers this part.",
    "zh-Hant": "文件中沒有回答這一部分的內容。",
    "zh-Hans": "文件中没有回答这一部分的内容。",
}


@dataclass(frozen=True, slots=True)
class ExtractedSentence:
    """A sentence of a passage that is quoted word for word."""

    passage_index: int
    sub_question_index: int
    scored: ScoredSentence

    @property
    def text(self) -> str:
        return " ".join(self.scored.sentence.text.split())


def select_sentences(
    request: QuestionRequest, answer_passages: Sequence[AnswerPassage], sub_question: int
) -> list[ExtractedSentence]:
    """Return the sentences that answer a sub-question, best first, without near duplicates."""

    def strength(extract: ExtractedSentence) -> float:
        return extract.scored.score * answer_passages[extract.passage_index].score

    extracts = (
        ExtractedSentence(index, sub_question, scored)
        for index, passage in enumerate(answer_passages)
        for scored in passage.highlighted_sentences(sub_question)
    )
    candidates = sorted(extracts, key=strength, reverse=True)
    selected: list[ExtractedSentence] = []
    for extract in candidates:
        if strength(extract) < MIN_RELATIVE_STRENGTH * strength(candidates[0]):
            break
        if not any(fuzz.ratio(extract.text, other.text) >= DUPLICATE_SIMILARITY_PERCENT for other in selected):
            selected.append(extract)
    return selected[: MAX_SUMMARY_SENTENCES if request.mode == SUMMARY else MAX_SENTENCES]


def write_extractive_draft(
    request: QuestionRequest, questions: Sequence[str], answer_passages: Sequence[AnswerPassage]
) -> Iterator[str | ExtractedSentence]:
    """Yield the texts and the quoted sentences of the answer in order; nothing when no sub-question has evidence."""
    quotes_by_question = [select_sentences(request, answer_passages, index) for index in range(len(questions))]
    if not any(quotes_by_question):
        return
    is_list = request.format in (BULLETS, MARKDOWN) or request.mode in (SUMMARY, COMPARISON)
    for index, (question, quotes) in enumerate(zip(questions, quotes_by_question, strict=True)):
        if index:
            yield "\n\n"
        if len(questions) > 1:
            yield f"**{question}**\n" if request.format == MARKDOWN else f"{question}\n"
        if not quotes:
            yield NO_ANSWER_TEXTS[detect_chinese_script(question)]
        for number, quote in enumerate(quotes):
            if number:
                yield "\n" if is_list else " "
            if is_list and (len(quotes) > 1 or request.format == BULLETS):
                yield "- "
            yield quote


def add_quotation_marks(text: str) -> str:
    """Quote a text with the marks of its language; use the other pair when the text holds the first."""
    if detect_chinese_script(text):
        return f"『{text}』" if "「" in text else f"「{text}」"
    return f"‘{text}’" if "“" in text or '"' in text else f"“{text}”"
