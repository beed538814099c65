"""The separator between two lines of a paragraph that become one text."""

from __future__ import annotations

import pytest

from ingest.readers.pdf.line_joining import choose_joint


@pytest.mark.parametrize(
    ("before", "after", "joined"),
    [
        ("the early", "warning", "the early warning"),
        ("the agree-", "ment", "the agreement"),
        ("twenty-", "four", "twenty-four"),
        ("self-", "employed", "self-employed"),
        ("up-to-", "date", "up-to-date"),
        ("Jean-", "Pierre", "Jean-Pierre"),
        ("2019-", "2020", "2019-2020"),
        ("the price -", "if any", "the price - if any"),
        ("con\u00ad", "tract", "contract"),
        ("承包人", "应当", "承包人应当"),
        ("第", "3 条", "第 3 条"),
        ("a pause\u2014", "long", "a pause\u2014long"),
        ("한국어", "문장", "한국어 문장"),
        ("the compiler (http:", "//gcc.gnu.org).", "the compiler (http://gcc.gnu.org)."),
        ("at https://lists.", "debian.org/ or by post", "at https://lists.debian.org/ or by post"),
        ("see https://example.org/a?b=1&", "c=2", "see https://example.org/a?b=1&c=2"),
        ("see https://example.org/the-", "harbour works", "see https://example.org/the-harbour works"),
        (
            "at https://example.org/",
            "https://example.net/ and so on",
            "at https://example.org/ https://example.net/ and so on",
        ),
        ("at https://example.org.", "It costs nothing.", "at https://example.org. It costs nothing."),
        ("at https://example.org", "or by post.", "at https://example.org or by post."),
        ("at https://example.org", "- or by post.", "at https://example.org - or by post."),
    ],
)
def test_line_end_becomes_the_separator_that_a_reader_would_write(before, after, joined):
    off, between = choose_joint(before, after, frozenset())
    assert before[: len(before) - off] + between + after == joined


def test_vocabulary_of_the_document_decides_first():
    assert choose_joint("the re-", "entry", {"re-entry"}) == (0, "")
    assert choose_joint("the re-", "entry", {"reentry"}) == (1, "")
    assert choose_joint("the self-", "less", {"selfless"}) == (1, "")


def test_hyphen_of_a_heading_belongs_unless_the_word_stands_without_it_elsewhere():
    assert choose_joint("Antibiotics in community-", "acquired pneumonia", frozenset(), is_heading=True) == (0, "")
    assert choose_joint("Rules of pharma-", "cology", {"pharmacology"}, is_heading=True) == (1, "")
    assert choose_joint("The agree-", "ments", frozenset(), is_heading=True) == (0, "")
    assert choose_joint("The agree-", "ment", {"agreement"}, is_heading=True) == (1, "")
    assert choose_joint("The regula-", "tor", frozenset(), is_heading=True) == (1, "")
