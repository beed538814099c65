"""The normal form: what is dropped, and that every character of it knows its place."""

from __future__ import annotations

import pytest

from highlighter.quotes.normal_form import normalise_text
from tests.properties import given, st


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the Con-\ntractor", "the contractor"),
        ("cor\u00adrected", "corrected"),
        ("the ﬁrst oﬃce", "the first office"),
        ("“works”", "'works'"),
        ("ＡＢＣ　１２", "abc 12"),
        ("員工食堂", "员工食堂"),
        ("STRASSE 5", "strasse  5"),
        ("cafe\u0301", "café"),
        ("a\u200bb", "ab"),
        ("• first", "first"),
    ],
)
def test_the_ways_of_writing_one_thing_are_one(one, other):
    assert normalise_text(one).text == normalise_text(other).text


@pytest.mark.parametrize(("one", "other"), [("10 12", "1012"), ("1-2", "12"), ("a, b", "a b"), ("is", "ls")])
def test_what_says_something_else_stays_apart(one, other):
    assert normalise_text(one).text != normalise_text(other).text


@given(st.text())
def test_every_character_stands_where_it_says(text):
    form = normalise_text(text)
    assert len(form.text) == len(form.offsets)
    assert all(0 <= at < len(text) for at in form.offsets)
    assert all(a <= b for a, b in zip(form.offsets, form.offsets[1:], strict=False))
    for letter, at in zip(form.text, form.offsets, strict=True):
        assert letter == " " or letter in normalise_text(text[at]).text


@given(st.text(), st.text())
def test_pieces_have_the_normal_form_of_the_whole(one, other):
    """But for the space that keeps two digits apart, which belongs to neither."""
    assert normalise_text(f"{one}\n{other}").text.replace(" ", "") == (
        normalise_text(one).text + normalise_text(other).text
    ).replace(" ", "")
