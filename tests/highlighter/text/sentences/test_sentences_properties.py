"""What holds for any text, and what happens when NLTK is missing, fails or gets strange input."""

from __future__ import annotations

import sys

import pytest

from highlighter.text.sentences import SplitSentence, punkt, split_sentences
from highlighter.text.sentences.boundaries import MAX_SENTENCE_CHARACTERS
from tests.highlighter.text.sentences.test_golden_english import ALL
from tests.properties import example, given, settings, st

ANY_TEXT = st.text(st.characters(), max_size=300)  # lone surrogates, NULs and combining marks among them
FRAGMENTS = [
    *[
        " ",
        "  ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "\xa0",
        "\u2028",
        "\x0c",
        ".",
        "...",
        ". . .",
        "…",
        "!",
        "?",
        "。",
        "；",
        "؟",
        "।",
    ],
    *[
        '"',
        "'",
        "“",
        "”",
        "„",
        "«",
        "»",
        "「",
        "」",
        "(",
        ")",
        "[1]",
        "（",
        "）",
        "•",
        "- ",
        "1.",
        "2.",
        "1)",
        "a.",
        "b.",
        "(a)",
        "4.2.1",
    ],
    *[
        "Mr.",
        "e.g.",
        "U.S.",
        "No.",
        "p.m.",
        "etc.",
        "The",
        "the",
        "Smith",
        "I",
        "你好",
        "www.a.b",
        "x@y.z",
        "$1.50",
        "😀",
        "\u0301",
    ],
    *["\ud800", "\x00", "\u200b", "\ufeff", ":", ";", ",", "—", "|"],
]
FRAGMENT_TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=60).map("".join)


@settings(max_examples=400)
@given(st.one_of(ANY_TEXT, FRAGMENT_TEXTS), st.booleans())
def test_sentences_are_slices_of_the_text_and_cover_it(text, wrapped):
    spans = split_sentences(text, wrapped=wrapped)
    covered = [False] * len(text)
    before = 0
    for span in spans:
        assert span.text == text[span.start_char : span.end_char]
        assert span.text.strip()
        assert span.text == span.text.strip()
        assert span.start_char >= before
        before = span.end_char
        covered[span.start_char : span.end_char] = [True] * len(span.text)
    assert all(seen or char.isspace() for seen, char in zip(covered, text, strict=True))


@settings(max_examples=150)
@example("One.", "»! «")
@example("0.\n0.0", "")
@given(st.one_of(ANY_TEXT, FRAGMENT_TEXTS), st.one_of(ANY_TEXT, FRAGMENT_TEXTS))
def test_paragraph_is_split_independently_of_the_next(first, second):
    both = [span.text for span in split_sentences(f"{first}\n\n{second}")]
    assert both == [span.text for text in (first, second) for span in split_sentences(text)]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\u3000\xa0"])
def test_blank_text_has_no_sentences(text):
    assert split_sentences(text) == []


def test_text_without_a_stop_is_one_sentence():
    assert split_sentences("  no stop here ") == [SplitSentence("no stop here", 2, 14)]


def test_split_sentence_is_immutable():
    with pytest.raises(AttributeError):
        split_sentences("One.")[0].text = "Two."


@pytest.mark.parametrize(
    "text",
    [". " * 50_000, "." * 100_000, "(" * 100_000, '."' * 50_000, "a\n" * 50_000, "1. a " * 20_000, "A. " * 30_000, "! " * 49_999],
    ids=["stops", "dots", "brackets", "quotes", "lines", "items", "initials", "exclamations"],
)  # fmt: skip
def test_very_long_texts_are_split_without_loss(text):  # in quadratic time this would take minutes
    spans = split_sentences(text)
    assert sum(len(span.text.split()) for span in spans) >= len(text.split())


def test_no_sentence_is_longer_than_the_limit():
    spans = split_sentences("word " * 10_000 + "x" * 12_000)
    assert max(len(span.text) for span in spans) <= MAX_SENTENCE_CHARACTERS
    assert "".join(span.text for span in spans).replace(" ", "") == "word" * 10_000 + "x" * 12_000


@pytest.fixture
def _empty_caches():
    punkt.ends_sentence.cache_clear()
    punkt._load_punkt.cache_clear()
    yield
    punkt.ends_sentence.cache_clear()
    punkt._load_punkt.cache_clear()


@pytest.mark.usefixtures("_empty_caches")
def test_plain_rule_without_nltk_passes_46_golden_rules(monkeypatch):
    monkeypatch.setitem(sys.modules, "nltk.tokenize.punkt", None)
    passing_rules = [
        name for name, (text, expected) in ALL.items() if [span.text for span in split_sentences(text)] == expected
    ]
    assert punkt._load_punkt() is None
    assert len(passing_rules) >= 46


@pytest.mark.usefixtures("_empty_caches")
def test_plain_rule_decides_when_punkt_raises(monkeypatch):
    def broken(self, text):
        raise RuntimeError("no sentence today")

    monkeypatch.setattr("nltk.tokenize.punkt.PunktSentenceTokenizer.text_contains_sentbreak", broken)
    assert [span.text for span in split_sentences("It is late. Mr. Fox left.")] == ["It is late.", "Mr. Fox left."]


@pytest.mark.usefixtures("_empty_caches")
def test_punkt_decides_when_nltk_is_installed(monkeypatch):
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    punkt_texts = []
    original = PunktSentenceTokenizer.text_contains_sentbreak
    monkeypatch.setattr(
        PunktSentenceTokenizer,
        "text_contains_sentbreak",
        lambda self, text: punkt_texts.append(text) or original(self, text),
    )
    split_sentences("The firm Acme Inc. Holdings grew. It is large.")
    assert punkt_texts == ["Inc. Holdings", "grew. It"]
