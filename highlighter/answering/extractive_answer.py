"""The extractive answer: highlighted sentences, quoted and cited. It needs no language model and no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz import fuzz

from highlighter.answering.passage_search import DUPLICATE_SIMILARITY_PERCENT, AnswerPassage
from highlighter.answering.request import BULLETS, COMPARISON, MARKDOWN, SUMMARY, QuestionRequest
from highlighter.evidence.across_languages import find_texts_in_other_languages
from highlighter.evidence.passage_highlighter import NOTHING_HIGHLIGHTED
from highlighter.evidence.question_reader import compute_logits
from highlighter.locale import N_
from highlighter.models import ScoredSentence
from highlighter.search.chunk_scoring import compute_term_share, extract_term_set
from highlighter.text.language import detect_chinese_script

# For each sub-question.
MAX_SENTENCES, MAX_SUMMARY_SENTENCES = 3, 6
# Sentences weaker than this share of the best one are left out. Scores are relative to their passage, so the score of
# the passage is a factor of the strength.
MIN_RELATIVE_STRENGTH = 0.75
# A passage in another language than the question's answers only if no passage in that language scores so much higher: across
# languages only the meaning is compared, and many sentences are near to a question in it.
MAX_SCORE_BEHIND_OWN_LANGUAGE = 0.1
# In a whole library, some passage in another language is near to any question. It answers where its score, by how much this leads over
# those of other documents, and the logit of its best sentence's score are high enough together. More than this sum loses right
# answers of bench/evidence/languages.
SCORE_WEIGHT, LEAD_WEIGHT, MIN_ACROSS_LANGUAGES = 10, 15, 3.8
# From this share of the threshold on, a sentence comes close. Where none reaches the threshold, the closest are quoted,
# and said to be no more than that.
MIN_CLOSE_SHARE, MAX_CLOSEST_SENTENCES = 0.5, 2
CLOSEST_TEXTS = {"": "The closest we found:", "zh-Hant": "我們找到最接近的內容：", "zh-Hans": "我们找到最接近的内容："}
NO_ANSWER_TEXTS = {
    "": "Nothing in the documents answers this part.",
    "zh-Hant": "文件中沒有回答這一部分的內容。",
    "zh-Hans": "文件中没有回答这一部分的内容。",
}
# Without the embedding model, passages are found by words, and no sentence is scored.
NOT_JUDGED = N_("the embedding model is not available, so the passages found could not be judged")
NOT_JUDGED_TEXTS = {
    "": "It could not be judged whether the documents answer this: the embedding model is not available.",
    "zh-Hant": "嵌入模型無法使用，因此無法判斷文件是否回答了這個問題。",
    "zh-Hans": "嵌入模型不可用，因此无法判断文件是否回答了这个问题。",
}
FOUND_BY_WORDS_TEXTS = {
    "": "These sentences contain words of the question:",
    "zh-Hant": "以下句子含有問題中的字詞：",
    "zh-Hans": "以下句子含有问题中的词语：",
}


@dataclass(frozen=True, slots=True)
class ExtractedSentence:
    """A sentence of a passage that is quoted word for word."""

    passage_index: int
    sub_question_index: int
    scored: ScoredSentence
    is_evidence: bool = True  # it answers the question, or adds to a sentence that does; else it only comes close

    @property
    def text(self) -> str:
        return " ".join(self.scored.sentence.text.split())


def is_judged(answer_passages: Iterable[AnswerPassage]) -> bool:
    """Return whether the sentences of passages were scored; they are not while the embedding model is missing."""
    return not any(
        evidence.degraded == NOTHING_HIGHLIGHTED for passage in answer_passages for _, evidence in passage.evidence
    )


def select_sentences(
    request: QuestionRequest, answer_passages: Sequence[AnswerPassage], sub_question: int, question: str
) -> list[ExtractedSentence]:
    """Return the sentences that cover a sub-question, best first; the closest ones where none answers it.

    Sentences of a passage share its score, so a second sentence that is needed for the whole answer scores low: the rate
    of delay damages beside their cap. The other sentences of the passage therefore need a lower score than the best one,
    and those with every word of the question, which are about its subject, a lower one still. Unless documents are compared,
    sentences in other languages than the question's are left out where the best is in that language, and in passages that
    score much lower than one in that language.
    """
    if request.mode != COMPARISON:
        answer_passages = _drop_evidence_far_behind(question, answer_passages, sub_question)

    def strength(extract: ExtractedSentence) -> float:
        return extract.scored.score * answer_passages[extract.passage_index].score

    extracts = sorted(_list_close_extracts(answer_passages, sub_question), key=strength, reverse=True)
    evidence = [extract for extract in extracts if extract.is_evidence]
    if not evidence:
        return _drop_duplicates(extracts, MAX_CLOSEST_SENTENCES)
    if request.mode != COMPARISON:
        evidence = _leave_out_other_languages(question, answer_passages, evidence)
        extracts = [extract for extract in extracts if extract in evidence or not extract.is_evidence]
    covering = [
        replace(extract, is_evidence=True)
        for extract in extracts
        if (extract.is_evidence and extract.passage_index == evidence[0].passage_index)
        or (extract.is_evidence and strength(extract) >= MIN_RELATIVE_STRENGTH * strength(evidence[0]))
        or _has_every_word(extract, question)
    ]
    return _drop_duplicates(covering, MAX_SUMMARY_SENTENCES if request.mode == SUMMARY else MAX_SENTENCES)


def _drop_evidence_far_behind(
    question: str, answer_passages: Sequence[AnswerPassage], sub_question: int
) -> list[AnswerPassage]:
    """Return the passages, without the evidence of those in other languages that score much lower than one in the question's.

    Nor do those keep theirs that are not near enough to the question by themselves.
    """
    is_other = [bool(find_texts_in_other_languages(question, [passage.source.text])[0]) for passage in answer_passages]
    found = [any(index == sub_question for index, _ in passage.evidence) for passage in answer_passages]
    scores = [
        passage.score
        for passage, other, is_found in zip(answer_passages, is_other, found, strict=True)
        if not other and is_found
    ]
    lowest = max(scores, default=0.0) - MAX_SCORE_BEHIND_OWN_LANGUAGE
    rivals = [passage for passage, is_found in zip(answer_passages, found, strict=True) if is_found]
    return [
        replace(passage, evidence=())
        if other and (passage.score < lowest or not _is_near_across_languages(passage, rivals, sub_question))
        else passage
        for passage, other in zip(answer_passages, is_other, strict=True)
    ]


def _is_near_across_languages(passage: AnswerPassage, rivals: Sequence[AnswerPassage], sub_question: int) -> bool:
    """Return whether a passage in another language is near enough to a question, and nearer than those of other documents."""
    name = passage.source.document_id or passage.source.filename
    others = (rival.score for rival in rivals if (rival.source.document_id or rival.source.filename) != name)
    lead = passage.score - max(others, default=0.0)
    scores = [s.score for index, found in passage.evidence if index == sub_question for s in found.sentences]
    best = float(compute_logits(np.array([max(scores, default=0.0)]))[0])
    return SCORE_WEIGHT * passage.score + LEAD_WEIGHT * lead + best >= MIN_ACROSS_LANGUAGES


def _leave_out_other_languages(
    question: str, answer_passages: Sequence[AnswerPassage], extracts: list[ExtractedSentence]
) -> list[ExtractedSentence]:
    """Return the sentences in the language of a question if the best of all is one of them, or else all of them.

    Across languages only the meaning is compared, and "How much is the rent?" is near to what any other thing costs.
    """
    passages = [answer_passages[extract.passage_index].source.text for extract in extracts]
    is_other = [
        bool(find_texts_in_other_languages(question, [extract.text, passage])[0])
        for extract, passage in zip(extracts, passages, strict=True)
    ]
    if not extracts or is_other[0]:
        return extracts
    return [extract for extract, other in zip(extracts, is_other, strict=True) if not other]


def _has_every_word(extract: ExtractedSentence, question: str) -> bool:
    words = extract_term_set(question)
    return bool(words) and compute_term_share(words, extract_term_set(extract.text)) == 1


def _list_close_extracts(answer_passages: Sequence[AnswerPassage], sub_question: int) -> Iterator[ExtractedSentence]:
    """Yield the sentences that answer a sub-question or come close, in the order of their passages."""
    for passage_index, passage in enumerate(answer_passages):
        for index, evidence in passage.evidence:
            for scored in evidence.sentences if index == sub_question else ():
                if scored.highlighted or scored.score >= MIN_CLOSE_SHARE * evidence.threshold:
                    # A passage that could not be split is highlighted as a whole, without a score.
                    yield ExtractedSentence(passage_index, index, scored, scored.score >= evidence.threshold)


def select_sentences_by_words(answer_passages: Sequence[AnswerPassage], question: str) -> list[ExtractedSentence]:
    """Return the sentences that share most words with a question, for when nothing could be scored."""
    terms = extract_term_set(question)
    extracts = [
        (compute_term_share(terms, extract_term_set(scored.sentence.text)), ExtractedSentence(index, 0, scored, False))
        for index, passage in enumerate(answer_passages if terms else ())
        for scored in (passage.evidence[0][1].sentences if passage.evidence else ())
    ]
    found = sorted((item for item in extracts if item[0]), key=lambda item: -item[0])
    return _drop_duplicates((extract for _, extract in found), MAX_SENTENCES)


def _drop_duplicates(extracts: Iterable[ExtractedSentence], max_sentences: int) -> list[ExtractedSentence]:
    """Return the first sentences, without near duplicates of earlier ones."""
    selected: list[ExtractedSentence] = []
    for extract in extracts:
        if not any(fuzz.ratio(extract.text, other.text) >= DUPLICATE_SIMILARITY_PERCENT for other in selected):
            selected.append(extract)
    return selected[:max_sentences]


def write_extractive_draft(
    request: QuestionRequest, questions: Sequence[str], answer_passages: Sequence[AnswerPassage]
) -> Iterator[str | ExtractedSentence]:
    """Yield the texts and the quoted sentences of the answer in order; nothing when no sentence comes close."""
    if not is_judged(answer_passages):
        yield from _write_unjudged_draft(request, answer_passages)
        return
    quotes_by_question = [
        select_sentences(request, answer_passages, index, question) for index, question in enumerate(questions)
    ]
    if not any(quotes_by_question):
        return
    for index, (question, quotes) in enumerate(zip(questions, quotes_by_question, strict=True)):
        script = detect_chinese_script(question)
        if index:
            yield "\n\n"
        if len(questions) > 1:
            yield f"**{question}**\n" if request.format == MARKDOWN else f"{question}\n"
        if not quotes:
            yield NO_ANSWER_TEXTS[script]
        elif not quotes[0].is_evidence:
            yield f"{CLOSEST_TEXTS[script]}\n"
        yield from _write_quotes(request, quotes)


def _write_unjudged_draft(
    request: QuestionRequest, answer_passages: Sequence[AnswerPassage]
) -> Iterator[str | ExtractedSentence]:
    script = detect_chinese_script(request.question)
    yield NOT_JUDGED_TEXTS[script]
    if quotes := select_sentences_by_words(answer_passages, request.question):
        yield f"\n\n{FOUND_BY_WORDS_TEXTS[script]}\n"
        yield from _write_quotes(request, quotes)


def _write_quotes(request: QuestionRequest, quotes: Sequence[ExtractedSentence]) -> Iterator[str | ExtractedSentence]:
    is_list = request.format in (BULLETS, MARKDOWN) or request.mode in (SUMMARY, COMPARISON)
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
