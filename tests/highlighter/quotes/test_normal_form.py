"""The normal form: what is dropped, and the offset of every character."""

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
        ("10⁶ m²", "10^6 m^2"),
        ("x⁻³, Ca²⁺", "x^-3, Ca^{2+}"),
        ("10⁻¹²", "10^{-12}"),
        ("e^(a+b)", "e^(a + b)"),
    ],
)
def test_spellings_of_one_text_have_one_normal_form(one, other):
    assert normalise_text(one).text == normalise_text(other).text


@pytest.mark.parametrize(
    ("one", "other"),
    [("10 12", "1012"), ("1-2", "12"), ("a, b", "a b"), ("is", "ls"), ("x⁻³", "x³"), ("m^-2", "m^2"), ("10^-3", "10³")],
)
def test_different_texts_have_different_normal_forms(one, other):
    assert normalise_text(one).text != normalise_text(other).text


@given(st.text())
def test_every_character_has_its_offset_in_the_text(text):
    normal_form = normalise_text(text)
    assert len(normal_form.text) == len(normal_form.offsets)
    assert all(0 <= offset < len(text) for offset in normal_form.offsets)
    assert all(a <= b for a, b in zip(normal_form.offsets, normal_form.offsets[1:], strict=False))
    for character, offset in zip(normal_form.text, normal_form.offsets, strict=True):
        assert character in " ⁻" or character in normalise_text(text[offset]).text


@given(st.text(), st.text())
def test_normal_form_of_joined_texts_is_the_joined_normal_forms(one, other):
    """Spaces are ignored: one that separates two digits belongs to neither text."""
    assert normalise_text(f"{one}\n{other}").text.replace(" ", "") == (
        normalise_text(one).text + normalise_text(other).text
    ).replace(" ", "")
