"""Short questions that name a topic of a passage ("What are delay damages?"), made from the words of its sentences.

Judged questions ask for a fact. A reader who asks about a topic wants every sentence that speaks of it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from highlighter.evidence.judged_passages import JudgedPassage
from highlighter.text.function_words import FUNCTION_WORDS
from highlighter.text.language import detect_language, get_base_language

MAX_SENTENCES_OF_TOPIC = 2
OTHER_SHARE = 0.35  # of the questions ask for a topic of another passage
TEMPLATES = {
    "en": (
        "What is the {0}?", "What are the {0}?", "What is {0}?", "What are {0}?", "What about the {0}?", "{0}",
        "What does it say about {0}?", "Is there anything about {0}?", "Tell me about the {0}.", "how does the {0} work",
        "Explain the {0}.", "Which rules apply to {0}?",
    ),
    "zh": ("什么是{0}？", "{0}是什么？", "關於{0}有什麼規定？", "有关{0}的内容", "{0}", "{0}如何規定？", "请说明{0}"),
}  # fmt: skip
_NOUN = {
    "en": re.compile(
        r"\b(?:the|an?|any|all|no|this|its|their|of|for|pays?|on|to|with|under)\s+"
        r"([a-z]{4,}(?:\s+[a-z]{4,})?)(?=[,.;:)]|\s+(?:of|is|are|was|were|in|on|for|to|by|may|must|shall|will|and|or|at)\b)"
    ),
    "zh": re.compile(r"(?:的|，|^)([\u4e00-\u9fff]{2,6})(?=[是为為由应應须須，、。])"),
}
_WORD = re.compile(r"[a-z]{4,}")


def ask_for_topics(passages: Sequence[JudgedPassage], count: int, rng: random.Random) -> Iterator[JudgedPassage]:
    """Yield passages in English and Chinese with such questions: some of them for topics that they say nothing of."""
    topics: dict[str, list[str]] = {language: [] for language in TEMPLATES}
    made = 0
    for passage in rng.sample(passages, len(passages)):
        if made >= count:
            return
        language = get_base_language(detect_language(" ".join(passage.sentences[:5])))
        if language not in TEMPLATES:
            continue
        of_passage = list_topics(passage.sentences, language)
        others = topics[language]
        if others and rng.random() < OTHER_SHARE:
            topic = rng.choice(others)
            if speaks_of(passage.sentences, topic, language):
                continue
        elif of_passage:
            topic = rng.choice(of_passage)
            others.append(topic)
        else:
            continue
        gold = tuple(topic in sentence.lower() for sentence in passage.sentences)
        if sum(gold) <= MAX_SENTENCES_OF_TOPIC:
            made += 1
            question = rng.choice(TEMPLATES[language]).format(topic)
            yield replace(passage, question=question, gold=gold, answers=(), id=passage.id + "/topic")


def list_topics(sentences: Sequence[str], language: str) -> list[str]:
    """Return what looks like a noun of a sentence with an article or a preposition before it."""
    function_words = FUNCTION_WORDS.get(language, frozenset())
    found = (match.group(1) for sentence in sentences for match in _NOUN[language].finditer(sentence.lower()))
    return sorted({topic for topic in found if function_words.isdisjoint(topic.split())})


def speaks_of(sentences: Sequence[str], topic: str, language: str) -> bool:
    """Return whether any sentence has the topic, or the beginning of one of its words."""
    parts = (
        [word[:5] for word in _WORD.findall(topic)]
        if language == "en"
        else [topic[i : i + 2] for i in range(len(topic) - 1)]
    )
    text = " ".join(sentences).lower()
    return any(part in text for part in parts)
