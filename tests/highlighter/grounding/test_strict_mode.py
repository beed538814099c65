"""Strict mode: every claim ends with (exact quote) [[label]]."""

import pytest

from highlighter.grounding.strict_mode import find_grounded_quotes, list_grounding_errors
from highlighter.models import Source

SOURCES = [
    Source("c.pdf", label="C", text="The Contractor pays delay damages of £4,200 (four thousand two hundred pounds). It shall not work at night."),
    Source("d.pdf", label="Annex D, p.2", text="The Engineer replies within a week."),
]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Delay costs £4,200 (pays delay damages of £4,200) [[C]]. Night work is barred (shall not work at night) [[C]].",
        "Delay costs £4,200. (pays delay damages of £4,200) [[C]] Night work is barred. (shall not work at night) [[C]]",
        "Delay costs £4,200 (damages of £4,200 (four thousand two hundred pounds)) [[c]].",
        "A reply takes a week (The Engineer replies within a week) [[Annex D, p.2]] [[C]].",
        "No relevant sources found.",
    ],
)
def test_grounded_answer_has_no_errors(text):
    assert list_grounding_errors(text, SOURCES) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("Delay costs £4,200.", "does not end with"),
        ("Delay costs £4,200 [[C]].", "does not end with"),
        ("Delay costs £4,200 (pays delay damages of £4,200) [[C]]. Night work is barred.", "“Night work is barred.” does not end"),
        ("Delay costs £4,300 (pays delay damages of £4,300) [[C]].", "£4,300"),
        ("Night work is fine (shall work at night) [[C]].", "not"),
        ("Delay costs money (pays delay damages) [[E]].", "Unknown source [[E]]."),
        ("Delay costs money () [[C]].", "is empty"),
        ("A reply takes a week (The Engineer replies within a week) [[C]].", "is not in [[C]]"),
    ],
)  # fmt: skip
def test_ungrounded_answer_has_an_error(text, expected):
    assert any(expected in error for error in list_grounding_errors(text, SOURCES))


def test_every_ungrounded_claim_has_an_error():
    assert len(list_grounding_errors("Delay costs £4,200. Night work is barred.", SOURCES)) == 2


def test_grounded_quote_has_its_span():
    text = "Delay costs (a (b) c) [[C]] [[D]] more."
    (quote,) = find_grounded_quotes(text)
    assert (quote.quote, quote.labels, text[quote.start : quote.end]) == (
        "a (b) c",
        ("C", "D"),
        "(a (b) c) [[C]] [[D]]",
    )
