"""Short questions about a topic, made from passages: gold are the sentences that speak of it."""

import random

import pytest

from highlighter.evidence.judged_passages import JudgedPassage
from training.questions.topics import ask_for_topics, list_topics, speaks_of

pytestmark = pytest.mark.integrations

SENTENCES = {
    "en": (
        "The Contractor pays delay damages of £4,200 for each week.",
        "It must keep the premises in good repair.",
        "The deposit is returned within 14 days.",
        "Nobody may keep animals here.",
    ),
    "zh": (
        "承租人的押金为两个月租金。",
        "出租人应当在七日内退还。",
        "房屋的维修费用由出租人承担，承租人不得自行更改。",
    ),
}  # fmt: skip
OTHER = (
    "The ferry leaves the harbour at seven in the morning.",
    "Its crossing takes an hour, and the tickets are sold on board.",
)


@pytest.mark.parametrize(
    ("language", "topics"), [("en", ["delay damages", "deposit", "premises"]), ("zh", ["承租人的押金", "维修费用"])]
)
def test_topics_are_nouns_of_the_sentences(language, topics):
    assert set(topics) <= set(list_topics(SENTENCES[language], language))


def test_gold_is_every_sentence_that_names_the_topic_and_none_where_no_sentence_does():
    passages = [
        JudgedPassage("set", str(i), "g", "Who?", texts, (True,) + (False,) * (len(texts) - 1), ((0, 1, 2),))
        for i, texts in enumerate((*SENTENCES.values(), OTHER) * 20)
    ]
    questions = list(ask_for_topics(passages, 40, random.Random(1)))
    assert len(questions) == 40
    assert all(passage.answers == () for passage in questions)
    without = [passage for passage in questions if not any(passage.gold)]
    assert without
    for passage in questions:
        language = "en" if passage.question.isascii() else "zh"
        named = [topic for topic in list_topics(passage.sentences, language) if topic in passage.question.lower()]
        if passage in without:
            assert not named, passage
        else:
            of_gold = " ".join(text for text, gold in zip(passage.sentences, passage.gold, strict=True) if gold)
            assert any(topic in of_gold.lower() for topic in named), passage


def test_passage_with_another_form_of_a_topic_is_not_said_to_be_without_it():
    assert speaks_of(["Damages for delays are due."], "delay damages", "en")
    assert speaks_of(["押金和租金"], "押金退还", "zh")
    assert not speaks_of(OTHER, "deposit", "en")
