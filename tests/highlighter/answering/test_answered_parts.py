"""The headline of an answer: which parts of the question are answered, how many claims are supported, and confidence."""

from __future__ import annotations

import json
import shutil

import pytest

from highlighter.answering.answer import EvidenceEvent
from highlighter.answering.drafters import NO_EVIDENCE
from highlighter.answering.extractive_answer import CLOSEST_TEXTS, FOUND_BY_WORDS_TEXTS, NOT_JUDGED, NOT_JUDGED_TEXTS
from highlighter.answering.pipeline import NOT_CHECKED_WARNING
from highlighter.answering.refusals import REFUSALS_BY_LANGUAGE
from highlighter.answering.request import CallerSource, QuestionRequest
from highlighter.embedding.embedder import Embedder
from highlighter.serializers.answers import serialize_answer, serialize_event
from highlighter.services import Services
from highlighter.settings import Settings
from highlighter.urls import Links
from tests.scripted.fake_replies import Says

SOURCES = (
    CallerSource("The ferry leaves the island at seven in the morning. It carries sixty passengers.", "Ferry.txt"),
    CallerSource("Tickets cost four pounds. Children under five travel free of charge.", "Fares.txt"),
)
WHEN, COST, CAPTAIN = "When does the ferry leave?", "How much do tickets cost?", "Who is the captain of the submarine?"
LEAVES, COSTS = "The ferry leaves the island at seven in the morning [Ferry].", "Tickets cost four pounds [Fares]."
WRONG = "The ferry leaves the island at nine in the evening [Ferry]."


@pytest.fixture
def ask(scripted, tmp_path, embedder):
    """A function that asks a scripted model, which divides the question into `parts` and answers with `text`."""
    created = []

    def ask(parts: list[str], text: str, sources=SOURCES):
        scripted.play("m", Says(json.dumps({"questions": parts})), Says(text))
        services = Services(Settings(data_dir=tmp_path / "data", **scripted.settings("openai/m")), embedder)
        created.append(services)
        return services.answer_pipeline.answer(QuestionRequest(" ".join(parts), sources=sources))

    yield ask
    for services in created:
        services.close()


@pytest.mark.parametrize(
    ("parts", "text", "answered", "headline"),
    [
        ([WHEN], LEAVES, [True], "question answered · 1 of 1 claim supported"),
        ([WHEN], WRONG, [False], "question not answered · 0 of 1 claim supported"),
        ([WHEN, COST], f"{LEAVES} {COSTS}", [True, True], "2 of 2 parts answered · 2 of 2 claims supported"),
        ([WHEN, COST], COSTS, [False, True], "1 of 2 parts answered · 1 of 1 claim supported"),
        ([WHEN, COST], f"{WRONG} {COSTS}", [False, True], "1 of 2 parts answered · 1 of 2 claims supported"),
        ([WHEN, CAPTAIN], LEAVES, [True, False], "1 of 2 parts answered · 1 of 1 claim supported"),
        ([WHEN, COST], "The sources do not answer this question.", [False, False], "0 of 2 parts answered"),
    ],
)
def test_part_is_answered_when_supported_claim_rests_on_its_evidence(ask, parts, text, answered, headline):
    answer = ask(parts, text)
    assert [sub_question.answered for sub_question in answer.sub_questions] == answered
    assert answer.headline.text == headline
    assert serialize_answer(answer, Links()).headline.model_dump() == {
        "text": headline, "parts": len(parts), "parts_answered": sum(answered), "claims": len(answer.claims),
        "claims_supported": sum(claim.verdict == "supported" for claim in answer.claims),
    }  # fmt: skip


def test_citation_shows_the_sentence_of_its_claim_and_the_part_that_the_sentence_answers(ask):
    """One passage may answer both parts."""
    source = CallerSource(" ".join(source.text for source in SOURCES), "Ferry.txt")
    answer = ask([WHEN, COST], f"{LEAVES} {COSTS.replace('Fares', 'Ferry')}", [source])
    assert [(citation.quote, citation.sub_question) for citation in answer.citations] == [
        ("The ferry leaves the island at seven in the morning.", WHEN),
        ("Tickets cost four pounds.", COST),
    ]


@pytest.mark.parametrize("text", [LEAVES, WRONG, f"{LEAVES} {WRONG} The moon is made of cheese [Fares]."])
def test_confidence_is_never_above_grounding(ask, text):
    answer = ask([WHEN], text)
    assert answer.confidence == min(answer.grounding_score, max(item.probability for item in answer.citations))
    assert (answer.confidence_level == "high") == (answer.confidence > 0.5)


def test_each_part_has_the_score_of_its_best_sentence(sampled):
    request = QuestionRequest(f"{WHEN} {CAPTAIN}", sources=SOURCES)
    events = list(sampled.answer_pipeline.stream_events(request))
    sub_questions = events[-1].answer.sub_questions
    assert sub_questions[0].best_score > 0.8 > 0.5 > sub_questions[1].best_score
    sent = next(serialize_event(event, Links())[1] for event in events if isinstance(event, EvidenceEvent))
    assert [part["answered"] for part in sent["sub_questions"]] == [None, None]
    assert [part["best_score"] for part in sent["sub_questions"]] == [round(p.best_score, 4) for p in sub_questions]


@pytest.mark.parametrize(
    ("question", "source", "language"),
    [
        ("What is the salary of the chef?", "The cook is paid every month. The kitchen opens at nine.", ""),
        ("廚師的薪水是多少？", "廚師每個月領取薪水。廚房九點開門。", "zh-Hant"),
        ("厨师的工资是多少？", "厨师每个月领取工资。厨房九点开门。", "zh-Hans"),
    ],
)
def test_sentence_below_the_threshold_is_the_closest_and_no_answer(sampled, question, source, language):
    """The same sentence answers or does not, by where the threshold is."""
    sources = [CallerSource(source, "Kitchen.txt")]
    sentence = source[: source.index("." if not language else "。") + 1]
    highlighter = sampled.passage_highlighter
    score = max(s.score for s in highlighter.highlight_text(question, source).sentences if s.sentence.text == sentence)
    before = highlighter.threshold
    try:
        highlighter.threshold = min(score * 1.5, 0.999)
        assert score < highlighter.threshold
        closest = sampled.answer_pipeline.answer(QuestionRequest(question, sources=sources))
        highlighter.threshold = score
        answered = sampled.answer_pipeline.answer(QuestionRequest(question, sources=sources))
    finally:
        highlighter.threshold = before
    assert closest.text.startswith(CLOSEST_TEXTS[language])
    assert closest.citations[0].quote == sentence
    assert (closest.refused, closest.refusal_reason, closest.claims) == (True, NO_EVIDENCE, ())
    assert closest.headline.text == "question not answered"
    assert not answered.refused
    assert CLOSEST_TEXTS[language] not in answered.text
    assert answered.headline.text == "question answered · 1 of 1 claim supported"


@pytest.mark.parametrize("options", [{}, {"format": "json"}, {"citation_style": "footnote"}, {"format": "bullets"}])
def test_part_without_answer_says_what_is_closest_in_every_format(sampled, options):
    question = "Who pays for delay and who approves the drawings?"
    events = list(sampled.answer_pipeline.stream_events(QuestionRequest(question, **options)))
    answer = events[-1].answer
    assert [part.answered for part in answer.sub_questions] == [True, False]
    assert answer.text.count(CLOSEST_TEXTS[""]) == 1
    closest = [citation for citation in answer.citations if citation.sub_question_index == 1]
    assert closest
    assert not {item.quote for item in closest} & {claim.text for claim in answer.claims}
    if answer.data:
        assert not any(item.quote in fact for item in closest for fact in answer.data["key_facts"])


@pytest.fixture
def without_model(sampled, tmp_path):
    """Services whose embedding model cannot be loaded, with the samples that another model has embedded."""
    folder = tmp_path / "data"
    shutil.copytree(sampled.settings.data_dir, folder)
    services = Services(Settings(data_dir=folder), Embedder("/there/is/no/such/model"))
    yield services
    services.close()


@pytest.mark.parametrize(
    ("question", "word", "language"),
    [
        ("How much are the delay damages for each day?", "delay damages", ""),
        ("避風塘改善工程的費用是多少？", "避風塘", "zh-Hant"),
        ("公司每个工作日补贴多少午餐费？", "午餐费", "zh-Hans"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"format": "json"}])
def test_without_embedding_model_the_answer_says_that_it_could_not_be_judged(
    without_model, question, word, language, options
):
    answer = without_model.answer_pipeline.answer(QuestionRequest(question, **options))
    assert (answer.refused, answer.refusal_reason) == (True, NOT_JUDGED)
    assert answer.text.startswith(NOT_JUDGED_TEXTS[language])
    assert FOUND_BY_WORDS_TEXTS[language] in answer.text
    assert REFUSALS_BY_LANGUAGE[language] not in answer.text
    assert word in answer.citations[0].quote
    assert (answer.claims, answer.confidence, answer.headline.text) == ((), 0.0, "")
    assert [part.answered for part in answer.sub_questions] == [None]


def test_without_embedding_model_and_without_its_words_nothing_is_said_of_the_sources(without_model):
    answer = without_model.answer_pipeline.answer(QuestionRequest("Qwxz vbnm?"))
    assert (answer.refused, answer.refusal_reason, answer.text) == (True, NOT_JUDGED, NOT_JUDGED_TEXTS[""])


def test_without_embedding_model_the_answer_of_a_language_model_is_shown_unchecked(scripted, tmp_path):
    scripted.play("m", Says(json.dumps({"questions": [WHEN]})), Says(LEAVES))
    settings = Settings(data_dir=tmp_path / "data", **scripted.settings("openai/m"))
    services = Services(settings, Embedder("/there/is/no/such/model"))
    answer = services.answer_pipeline.answer(QuestionRequest(WHEN, sources=SOURCES))
    services.close()
    assert (answer.text, answer.refused) == (LEAVES, False)
    assert (answer.claims, answer.confidence, answer.grounding_score, answer.headline.text) == ((), 0.0, 0.0, "")
    assert NOT_CHECKED_WARNING in answer.warnings
